import { PRE_STOP_SLEEP } from '../settings.ts';
import { handlers, ruled, withHandler } from './probe.ts';
import { opaque, strict } from './strict.ts';

const { exec, httpGet, tcpSocket } = handlers;
const hookHandlers = {
  exec,
  httpGet,
  tcpSocket,
  sleep: strict({ seconds: ruled('seconds', PRE_STOP_SLEEP) }).optional(),
};

const preStop = withHandler(hookHandlers, Object.keys(hookHandlers), 'preStop hook');

/** A container's `lifecycle`. */
export const lifecycle = strict({ preStop: preStop.optional(), ...opaque('postStart', 'stopSignal') });
