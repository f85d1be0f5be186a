import type { PodState } from '../../explain/stateAt.ts';
import { type ContainerState, containerStatusesOf } from '../../sim/trace/podObject.ts';
import { useStrings } from '../shared/index.ts';

/** Containers and conditions as the API has them. */
export function StatusTables({ state: { api } }: { readonly state: PodState }) {
  const strings = useStrings();
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

function stateText({ running, terminated, waiting }: ContainerState): string {
  if (running !== undefined) return 'running';
  if (terminated !== undefined) return `terminated ${terminated.exitCode}`;
  return `waiting ${waiting?.reason ?? ''}`.trim();
}
