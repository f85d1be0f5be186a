import { scaledValue } from '../../sim/api/workloadObjects.ts';
import type { Issue } from '../issue.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { Workload } from '../manifest/workload.ts';
import type { Settings } from '../settings.ts';

/**
 * What the API server refuses of a Deployment whose numbers sliders have changed; of numbers in a text the schema says it.
 * Source: pkg/apis/apps/validation/validation.go, ValidateRollingUpdateDeployment and ValidateDeploymentSpec.
 */
export function rolloutChecks({ path, plan }: Workload, parsed: ParsedText, settings: Settings): Issue[] {
  if (plan?.kind !== 'Deployment') return [];
  const turned = (name: string) => settings.get(`${path}/${name}`)?.from === 'slider';
  const value = (name: string): number | null => settings.get(`${path}/${name}`)?.value ?? null;
  const error = (name: string, message: string, remedy: string): Issue => {
    const setting = `${path}/${name}`;
    return { severity: 'error', ...parsed.placeOf(setting), path: setting, setting, message, remedy };
  };
  const isZero = (name: 'maxSurge' | 'maxUnavailable'): boolean =>
    scaledValue(value(name) ?? plan[name], 100, 'up') === 0;
  const issues: Issue[] = [];
  const limit = ['maxSurge', 'maxUnavailable'].find(turned);
  if (limit && isZero('maxSurge') && isZero('maxUnavailable'))
    issues.push(error(limit, 'maxSurge and maxUnavailable must not both be 0', 'Raise one of them to 1.'));
  const deadline = value('progressDeadlineSeconds');
  if (turned('minReadySeconds') && deadline !== null && (value('minReadySeconds') ?? 0) >= deadline)
    issues.push(
      error(
        'minReadySeconds',
        `minReadySeconds must be less than progressDeadlineSeconds (${deadline})`,
        `Go below ${deadline}, or raise progressDeadlineSeconds in the text.`,
      ),
    );
  return issues;
}
