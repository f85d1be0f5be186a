import type { ContainerManifest } from '../schema/pod.ts';

/** pkg/probe/util.go, ResolveContainerPort: a name that no port has is read as a number. */
export const unknownPortError = (port: string): string => `strconv.Atoi: parsing "${port}": invalid syntax`;

/** A port as an address ends with it; a name is looked up among the container's ports. */
export function readPort(
  value: number | string,
  { ports }: ContainerManifest,
): { text: string; unknownPort: string | null } {
  if (typeof value === 'number') return { text: `:${value}`, unknownPort: null };
  const named = ports?.find(({ name }) => name === value);
  return named ? { text: `:${named.containerPort}`, unknownPort: null } : { text: `:${value}`, unknownPort: value };
}
