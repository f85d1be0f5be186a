import type { EndpointSliceObject } from './objects.ts';

/** The controllers that write slices, as the names of their draws have them. */
export type SliceWriter = 'endpointslice' | 'endpointslicemirroring';

/** Part of the names of all such draws. */
export const WRITE_ORDER = '/writeOrder/';

/** Name of the draw that orders several slice writes of one sync; `service` is a key. Its index counts such syncs. */
export const writeOrderDraw = (controller: SliceWriter, service: string): string =>
  `${controller}${WRITE_ORDER}${service}`;

/**
 * A write as `writeOrderDraw` names it, such as `update IPv4 http:8080/TCP`: by what the slice holds after it (for a
 * deletion, before it), as names of slices are generated.
 */
export function sliceWriteLabel(
  verb: string,
  { addressType, ports }: Pick<EndpointSliceObject, 'addressType' | 'ports'>,
): string {
  const listed = ports.map(({ name, port, protocol }) => `${name}:${port}/${protocol}`).sort();
  return [verb, addressType, ...listed].join(' ');
}

/** An order as the draw's value has it. */
export const writeOrderText = (labels: readonly string[]): string => labels.join(', ');
