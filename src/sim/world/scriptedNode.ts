import type { Ref } from '../trace/ref.ts';

/** What somebody can do to a node, whoever runs its Pods. */
export interface ScriptedNode {
  readonly name: string;
  /** It loses its connection, and with `powerOff` all that runs on it. */
  stop(powerOff: boolean, ref: Ref): void;
  /** It is back. */
  comeBack(ref: Ref): void;
  /** Its kubelet finds it ready or not. */
  setNodeReady(ready: boolean, ref: Ref): void;
}
