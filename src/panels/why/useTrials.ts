/** Runs what people would change to shorten a wait, one change after the other. */
import { useEffect, useMemo, useState } from 'react';
import {
  candidateEdits,
  rankedEdits,
  type TriedEdit,
  trialOf,
  triedEdit,
  type Wait,
  waitOf,
} from '../../explain/shorten.ts';
import type { Why } from '../../explain/why.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { useScenario, useStores } from '../shared/index.ts';

export interface Trials {
  readonly wait: Wait;
  /** How many of `all` changes have been run. */
  readonly done: number;
  readonly all: number;
  /** The best ones, and one that does not help; empty until all have been run. */
  readonly ranked: readonly TriedEdit[];
}

/** Null where nothing is waited for. All instants of one wait have the same trials: they are run once. */
export function useTrials(run: FinishedRun, why: Why): Trials | null {
  const { scenario } = useStores();
  const ran = useScenario((state) => state.ran) ?? run.scenario;
  const now = waitOf(run, why);
  const key = now === null ? '' : [now.wanted, now.from, now.to, why.service, why.node].join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what they depend on
  const asked = useMemo(
    () => (now === null ? null : { why, wait: now, edits: candidateEdits(run, why, now) }),
    [run, key],
  );
  const [tried, setTried] = useState<readonly TriedEdit[]>([]);
  useEffect(() => {
    setTried([]);
    if (asked === null) return;
    let ended = false;
    const tryAll = async (): Promise<void> => {
      for (const edit of asked.edits) {
        const trial = await scenario.getState().tryOut(trialOf(ran, asked.wait, edit));
        if (ended || trial === null) return;
        setTried((before) => [...before, triedEdit(asked.why, asked.wait, edit, trial)]);
      }
    };
    void tryAll();
    return () => {
      ended = true;
      scenario.getState().endTrial();
    };
  }, [scenario, ran, asked]);
  if (asked === null) return null;
  const all = asked.edits.length;
  return { wait: asked.wait, done: tried.length, all, ranked: tried.length < all ? [] : rankedEdits(tried) };
}
