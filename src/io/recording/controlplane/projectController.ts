import { rfc3339 } from '../../../base/rfc3339.ts';
import { MICROS_PER_SECOND } from '../../../base/units.ts';
import type { Component, EventKind } from '../../../sim/trace/kinds.ts';
import type { TraceEvent } from '../../../sim/trace/reader.ts';
import { nameOf, type Placed, placed, type TraceEventOf, unlessEmpty } from './placed.ts';

/** Names of the controllers and of their queues. */
const CONTROLLER: Readonly<Partial<Record<Component, { readonly name: string; readonly queue: string }>>> = {
  endpointsController: { name: 'endpoints', queue: 'endpoint' },
  endpointSliceController: { name: 'endpointslices', queue: 'endpoint_slice' },
  mirroringController: { name: 'mirroring', queue: 'endpoint_slice_mirroring' },
};

/** Events of one queue within one instant. */
const QUEUE_RANK = { addAfter: 0, add: 1, doneLong: 2, get: 3, doneShort: 4 } as const;
/** Events of one controller about one Service within one instant; a sync that took time ends before the next begins. */
const SYNC_RANK = { duringLong: 0, endLong: 1, afterLong: 2, duringShort: 3, endShort: 4, afterShort: 5 } as const;

type ControllerKind = Extract<
  EventKind,
  | 'queueAddAfter'
  | 'queueAdd'
  | 'queueGet'
  | 'queueDone'
  | 'podSynced'
  | 'controllerSync'
  | 'endpointsCompared'
  | 'queueRetry'
  | 'queueDropped'
  | 'mirrorCleanup'
  | 'controllerLog'
  | 'controllerEvent'
>;

/** Lanes queue, controller and k8sEvent. */
export class ControllerProjection {
  private readonly epoch: number;
  /** The last sync of each subject. */
  private readonly syncs = new Map<number, TraceEventOf<'controllerSync'>>();

  /** `epoch`: wall clock at t = 0, µs since 1970. */
  constructor(epoch: number) {
    this.epoch = epoch;
  }

  project(event: TraceEventOf<ControllerKind>): Placed[] {
    const { at, kind, payload, subject } = event;
    const { name: controller = '', queue = '' } = CONTROLLER[subject.component] ?? {};
    const service = unlessEmpty('service', nameOf(subject.object));
    const during = (type: string, fields: object): Placed[] => [
      placed(at, 'controller', type, { controller, ...service, ...fields }, this.rankOf(event, false)),
    ];
    const after = (type: string, fields: object): Placed[] => [
      placed(at, 'controller', type, { controller, ...service, ...fields }, this.rankOf(event, true)),
    ];
    const queued = (type: string, rank: number, fields: object = {}): Placed[] => [
      placed(at, 'queue', type, { queue, ...fields }, rank),
    ];
    switch (kind) {
      case 'queueAddAfter':
        return queued('addAfter', QUEUE_RANK.addAfter);
      case 'queueAdd':
        return queued('add', QUEUE_RANK.add);
      case 'queueGet':
        return queued('get', QUEUE_RANK.get, { us: payload.waited });
      case 'queueDone': {
        const us = payload.processed;
        return queued('done', us > 0 ? QUEUE_RANK.doneLong : QUEUE_RANK.doneShort, { us });
      }
      case 'podSynced':
        return [placed(at, 'controller', 'podSynced', { controller })];
      case 'controllerSync':
        this.syncs.set(event.subjectIndex, event);
        return syncOf(event, { controller, ...service });
      case 'endpointsCompared': {
        if (payload.isEqual) return during('equal', {});
        return during('update', { ready: String(payload.ready), notReady: String(payload.notReady) });
      }
      case 'queueRetry':
        return after('retry', { error: payload.error });
      case 'queueDropped':
        return after('dropped', { error: payload.error });
      case 'mirrorCleanup':
        return during('cleanup', {});
      case 'controllerLog':
        return during('log', logFields(payload));
      case 'controllerEvent':
        return [this.kubeEvent(event)];
    }
  }

  private rankOf({ at, subjectIndex }: TraceEvent, isAfter: boolean): number {
    const sync = this.syncs.get(subjectIndex);
    const isLong = sync !== undefined && sync.at < at;
    if (isAfter) return isLong ? SYNC_RANK.afterLong : SYNC_RANK.afterShort;
    return isLong ? SYNC_RANK.duringLong : SYNC_RANK.duringShort;
  }

  private kubeEvent({ at, payload }: TraceEventOf<'controllerEvent'>): Placed {
    const { actor, op, about, eventType, reason, message, count } = payload;
    if (op === 'create') return placed(at, 'k8sEvent', op, { actor, eventType, message, object: about, reason });
    const lastTimestamp = rfc3339(Math.floor((this.epoch + at) / MICROS_PER_SECOND));
    return placed(at, 'k8sEvent', op, { actor, patch: JSON.stringify({ count, lastTimestamp, message }) });
  }
}

function syncOf({ at, end, payload }: TraceEventOf<'controllerSync'>, fields: object): Placed[] {
  const isLong = end > at;
  const started = placed(at, 'controller', 'syncStart', fields, SYNC_RANK.duringShort);
  const ended = placed(end, 'controller', 'syncEnd', fields, isLong ? SYNC_RANK.endLong : SYNC_RANK.endShort);
  return [...(payload.isBare ? [] : [started]), ...(Number.isNaN(end) ? [] : [ended])];
}

function logFields({ message, values }: { readonly message: string; readonly values: string }): object {
  const given = values === '' ? {} : (JSON.parse(values) as Readonly<Record<string, unknown>>);
  return { message, ...(Object.keys(given).length > 0 && { values: given }) };
}
