import type { ProbeSpec } from './scenario.ts';

/** The release whose behaviour is modelled; rules and sources are of this tag. */
const KUBERNETES_TAG = 'v1.37.2';

/** How the release that a scenario names is written in files; the reference by its full tag. */
export const releaseOf = (kubernetes: string): string =>
  KUBERNETES_TAG.startsWith(`v${kubernetes}.`) ? KUBERNETES_TAG : `v${kubernetes}`;

/**
 * What the kubelet says of a probe run that `timeoutSeconds` cut.
 * Source: pkg/probe/exec, http, tcp and grpc; cri-client pkg/remote_runtime.go ExecSync (K-140 to K-148).
 */
export function timeoutMessage({ type, target }: ProbeSpec['handler'], timeoutSeconds: number): string {
  switch (type) {
    case 'exec':
      return `command timed out: "${target}" timed out after ${timeoutSeconds}s`;
    case 'httpGet':
      return `Get "http://${target}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
    case 'tcpSocket':
      return `dial tcp ${target}: i/o timeout`;
    case 'grpc':
      return `timeout: health rpc did not complete within ${timeoutSeconds}s`;
  }
}

/** Kubernetes minor versions since which kube-proxy heeds what Services and slices say (semantics, section 7). */
export const PROXY_SINCE = { internalPolicy: 22, zoneHints: 24, terminatingFallback: 26, nodeHints: 34 } as const;
