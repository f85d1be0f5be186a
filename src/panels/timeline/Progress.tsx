import { useScenario } from '../shared/index.ts';

/** Two pixels under the ruler while a run takes long; the old lanes stay. */
export function Progress() {
  const progress = useScenario((state) => state.progress);
  if (progress === null) return null;
  return <div className="progress-bar" style={{ width: `${100 * progress}%` }} />;
}
