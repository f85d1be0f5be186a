import { parseText } from '../../io/manifest/parse.ts';
import { KUBERNETES } from '../../io/settings.ts';
import { MINOR_VERSIONS } from '../../sim/scenario.ts';
import { useScenario, useStores, useStrings } from './index.ts';

/** Newest first. */
const MINORS = Array.from(
  { length: MINOR_VERSIONS.reference - MINOR_VERSIONS.oldest + 1 },
  (_, i) => MINOR_VERSIONS.reference - i,
);

/** Which Kubernetes is simulated. The text's own version is no change, so that choosing it takes one back. */
export function KubernetesSelect({ className }: { readonly className: string }) {
  const strings = useStrings();
  const { scenario } = useStores();
  const minor = useScenario((state) => state.read.model.settings.get(KUBERNETES)?.value ?? MINOR_VERSIONS.reference);
  const changed = useScenario((state) => state.read.model.settings.get(KUBERNETES)?.from === 'slider');
  const choose = (value: number): void => {
    const { history, setOverride, resetOverride, settle } = scenario.getState();
    if (value === parseText(history.present.text).settings.get(KUBERNETES)?.value) resetOverride(KUBERNETES);
    else setOverride(KUBERNETES, value);
    settle();
  };
  return (
    <label className={`kubernetes ${className}`}>
      Kubernetes
      {changed && (
        <span
          className="legend-changed"
          role="img"
          aria-label={strings.kubernetesChanged}
          title={strings.kubernetesChanged}
        />
      )}
      <select value={minor} onChange={(event) => choose(Number(event.target.value))}>
        {MINORS.map((value) => (
          <option key={value} value={value}>
            1.{value}
          </option>
        ))}
      </select>
    </label>
  );
}
