import * as z from 'zod/mini';
import type { HookName } from '../../sim/scenario.ts';
import { HOOK_SLEEP } from '../settings.ts';
import { handlers, ruled, withHandler } from './probe.ts';
import { opaque, strict } from './strict.ts';

const { exec, httpGet, tcpSocket } = handlers;
const hookHandlers = {
  exec,
  httpGet,
  tcpSocket,
  sleep: z.optional(strict({ seconds: ruled('seconds', HOOK_SLEEP) })),
};

const hook = (name: HookName) => z.optional(withHandler(hookHandlers, Object.keys(hookHandlers), `${name} hook`));

/** A container's `lifecycle`. */
export const lifecycle = strict({ postStart: hook('postStart'), preStop: hook('preStop'), ...opaque('stopSignal') });
