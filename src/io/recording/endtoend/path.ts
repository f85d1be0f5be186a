import type {
  DecidingProbe,
  Joining,
  JoiningNode,
  Leaving,
  LeavingNode,
  Moment,
  PodPath,
} from '../../../explain/path.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Paths as a recording of `traces/endtoend` has them: by Pod and Service port, only the fields that apply. */
export const projectPaths = (paths: readonly PodPath[]): Readonly<Record<string, Fields>> =>
  Object.fromEntries(
    paths.map(({ pod, service, port, joining, leaving }) => [
      `${nameOf(pod)} ${nameOf(service)}:${port}`,
      given({ joining: joiningFields(joining), leaving: leaving && leavingFields(leaving) }),
    ]),
  );

const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1);
const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
const at = (moment: Moment | null): number | null => moment?.at ?? null;

const momentFields = (moments: Readonly<Record<string, Moment | null>>): Fields =>
  given(Object.fromEntries(Object.entries(moments).map(([name, moment]) => [name, at(moment)])));

const joiningFields = ({ probe, statusVersion, nodes, ...moments }: Joining): Fields =>
  given({
    ...momentFields(moments),
    ...probeFields(probe),
    statusVersion: at(statusVersion),
    version: statusVersion?.version ?? null,
    nodes: nodesOf(nodes, joiningNodeFields),
  });

const leavingFields = ({ cause, probe, statusVersion, nodes, nodeSilent: _silent, ...moments }: Leaving): Fields =>
  given({
    ...momentFields(moments),
    cause,
    ...probeFields(probe),
    statusVersion: at(statusVersion),
    version: statusVersion?.version ?? null,
    nodes: nodesOf(nodes, leavingNodeFields),
  });

const leavingNodeFields = ({ node: _node, proxy: _proxy, fallback: _fallback, ...moments }: LeavingNode): Fields =>
  momentFields(moments);

const probeFields = (probe: DecidingProbe | null): Fields =>
  probe === null ? {} : { probe: `${probe.container}/${probe.probe}`, probeStart: probe.start, probeEnd: probe.end };

const joiningNodeFields = ({ node: _node, proxy: _proxy, isAsked: _asked, ...moments }: JoiningNode): Fields =>
  momentFields(moments);

/** Null when there is nothing to say of any node. */
function nodesOf<T extends { readonly node: string }>(nodes: readonly T[], fields: (node: T) => Fields): Fields | null {
  const said = nodes.map((node) => [node.node, fields(node)] as const).filter(([, of]) => Object.keys(of).length > 0);
  return said.length === 0 ? null : Object.fromEntries(said);
}

/** The first field of the paths that differs, on one line; null when all are equal. */
export function firstPathDifference(
  expected: Readonly<Record<string, Fields>>,
  got: Readonly<Record<string, Fields>>,
): string | null {
  const [left, right] = [flat(expected), flat(got)];
  const differs = [...left.keys(), ...right.keys()].find((field) => left.get(field) !== right.get(field));
  return differs === undefined ? null : `path.${differs}: expected ${left.get(differs)}, got ${right.get(differs)}`;
}

/** `web-0 web:http.joining.sliceCommit` → value. */
function flat(fields: Fields, prefix = ''): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(fields).flatMap(([name, value]): (readonly [string, unknown])[] =>
      typeof value === 'object' && value !== null
        ? [...flat(value as Fields, `${prefix}${name}.`)]
        : [[`${prefix}${name}`, value]],
    ),
  );
}
