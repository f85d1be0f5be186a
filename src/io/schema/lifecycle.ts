import type { HookName } from '../../sim/scenario.ts';
import { HOOK_SLEEP } from '../settings.ts';
import { handlers, ruled, withHandler } from './probe.ts';
import { opaque, strict } from './strict.ts';

const { exec, httpGet, tcpSocket } = handlers;
const hookHandlers = {
  exec,
  httpGet,
  tcpSocket,
  sleep: strict({ seconds: ruled('seconds', HOOK_SLEEP) }).optional(),
};

const hook = (name: HookName) => withHandler(hookHandlers, Object.keys(hookHandlers), `${name} hook`).optional();

/** A container's `lifecycle`. */
export const lifecycle = strict({ postStart: hook('postStart'), preStop: hook('preStop'), ...opaque('stopSignal') });
