import { useEffect, useState } from 'react';
import { useScenario, useStores, useStrings } from '../shared/index.ts';

/** From here on a run is worth words and a way out, ms. */
const LONG = 2_000;

/** Over two seconds: what runs, how far it is, and Cancel. */
export function RunningNotice() {
  const strings = useStrings();
  const { scenario } = useStores();
  const running = useScenario((state) => state.running);
  const progress = useScenario((state) => state.progress);
  const pods = useScenario((state) => state.read.scenario?.pods.length ?? 0);
  const [long, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!running) return;
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, [running]);
  if (!running || !long) return null;
  return (
    <div className="notice mech" role="status">
      <span>
        <b>{strings.simulating(pods)}</b> {strings.oldRunShown}
      </span>
      {progress !== null && <span>{strings.done(progress)}</span>}
      <button type="button" className="button" onClick={scenario.getState().cancel}>
        {strings.cancel}
      </button>
    </div>
  );
}
