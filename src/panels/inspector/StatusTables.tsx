import { formatInstant } from '../../base/format.ts';
import { type NextTry, nextTry } from '../../explain/nextTry.ts';
import type { PodState } from '../../explain/stateAt.ts';
import { type ContainerState, containerStatusesOf } from '../../sim/trace/podObject.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { useStrings } from '../shared/index.ts';

/** Containers and conditions as the API has them. */
export function StatusTables({ run, state }: { readonly run: FinishedRun; readonly state: PodState }) {
  const strings = useStrings();
  const { api, pod, at } = state;
  const { conditions = [] } = api?.status ?? {};
  const containerStatuses = containerStatusesOf(api?.status ?? {});
  if (containerStatuses.length + conditions.length === 0) return null;
  return (
    <section className="inspector-part">
      <h2>{strings.containers}</h2>
      <table className="facts">
        <tbody>
          {containerStatuses.map((container) => (
            <tr key={container.name}>
              <th scope="row">{container.name}</th>
              <td className="wraps">
                {stateText(container.state)}{' '}
                <span className={container.ready ? 'ok' : 'wait'}>
                  {container.ready ? strings.ready : strings.notReady}
                  {container.started === true && ` · ${strings.started}`}
                </span>
                {container.restartCount > 0 && ` · ${strings.restarts(container.restartCount)}`}
                <NextTryLine next={nextTry(run, pod, container.name, at)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>{strings.conditions}</h2>
      <table className="facts">
        <tbody>
          {conditions.map(({ type, status, reason }) => (
            <tr key={type}>
              <th scope="row">{type}</th>
              <td>
                <span className={status === 'True' ? 'ok' : 'wait'}>{status}</span> {reason}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** When a container in back-off is tried again. */
function NextTryLine({ next }: { readonly next: NextTry | null }) {
  const strings = useStrings();
  if (next === null) return null;
  const inRun = next.inRun === null ? null : formatInstant(next.inRun);
  return <span className="next-try">{strings.nextTry(formatInstant(next.notBefore), inRun)}</span>;
}

function stateText({ running, terminated, waiting }: ContainerState): string {
  if (running !== undefined) return 'running';
  if (terminated !== undefined) return `terminated ${terminated.exitCode}`;
  return `waiting ${waiting?.reason ?? ''}`.trim();
}
