/** Whom the card asks about: the chosen Pod, a Service, a node or all, the playhead or a time that was pinned. */
import { useMemo, useState } from 'react';
import type { Micros } from '../../base/units.ts';
import { backendAt } from '../../explain/backendAt.ts';
import { type Why, whyAt } from '../../explain/why.ts';
import type { PodInput } from '../../sim/scenario.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { storedKeys } from '../../sim/trace/storedObjects.ts';
import { usePlayback } from '../shared/index.ts';

export interface Question {
  readonly why: Why;
  readonly services: readonly string[];
  readonly setService: (service: string) => void;
  readonly nodes: readonly string[];
  /** Null: all of them. */
  readonly setNode: (node: string | null) => void;
  readonly pinned: boolean;
  readonly setPinned: (pinned: boolean) => void;
}

export function useQuestion(run: FinishedRun, pod: PodInput): Question {
  const [service, setService] = useState<string | null>(null);
  const [node, setNode] = useState<string | null>(null);
  const [pinnedAt, setPinnedAt] = useState<Micros | null>(null);
  const playhead = usePlayback((state) => state.playhead) as Micros;
  const services = useMemo(() => servicesFor(run, pod), [run, pod]);
  const nodes = useMemo(() => [...new Set((run.scenario.cluster?.proxies ?? []).map((proxy) => proxy.node))], [run]);
  const asked = service !== null && services.includes(service) ? service : (services[0] ?? '');
  const of = node !== null && nodes.includes(node) ? node : null;
  const at = pinnedAt ?? playhead;
  const why = useMemo(() => whyAt(run, { pod, service: asked, node: of, at }), [run, pod, asked, of, at]);
  const setPinned = (pinned: boolean): void => setPinnedAt(pinned ? at : null);
  return { why, services, setService, nodes, setNode, pinned: pinnedAt !== null, setPinned };
}

/** Those that list it at some time first, then the others of its namespace: it may be that none selects it. */
function servicesFor(run: FinishedRun, pod: PodInput): readonly string[] {
  const listing = backendAt(run, pod, 0 as Micros).map(({ service }) => service);
  const own = storedKeys(run.reader, 'services').filter((key) => key.startsWith(`${pod.namespace}/`));
  return [...new Set([...listing, ...own])];
}
