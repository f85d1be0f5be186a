import * as z from 'zod';
import { yamlText } from '../yaml/write.ts';
import { checked } from './recordingFiles.ts';
import type { World } from './world.ts';

/** Go leaves a length out of a configuration, or writes it as nothing, where the default holds. */
const length = z.nullish(z.string()).transform((text) => (text === '0s' ? undefined : (text ?? undefined)));
const proxyMode = z.object({ minSyncPeriod: length, syncPeriod: length });
const kubeletFields = z.object({
  syncFrequency: length,
  crashLoopBackOff: z.nullish(z.object({ maxContainerRestartPeriod: length })),
});

/** The settings of a recording's proxy and kubelet that the simulator knows, as its own document. */
export function settingsText({ proxy, kubelet }: World): string {
  const file = 'world.json';
  const { minSyncPeriod, syncPeriod } = checked(proxyMode, proxy.config[proxy.mode] ?? {}, file);
  const { syncFrequency, crashLoopBackOff } = checked(kubeletFields, kubelet.config, file);
  const maxContainerRestartPeriod = crashLoopBackOff?.maxContainerRestartPeriod;
  return yamlText({
    apiVersion: 'podtopool/v1',
    kind: 'Scenario',
    kubeProxy: { mode: proxy.mode, minSyncPeriod, syncPeriod },
    kubelet: { syncFrequency, ...(maxContainerRestartPeriod && { crashLoopBackOff: { maxContainerRestartPeriod } }) },
  });
}
