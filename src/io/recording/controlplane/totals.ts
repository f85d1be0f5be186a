import { compareText } from './projectObjects.ts';
import type { RecordedObject } from './recording.ts';
import { sha256 } from './sha256.ts';

/** First digits of the SHA-256 of texts, sorted, one a line. */
export const hashOf = (texts: readonly string[]): string =>
  sha256([...texts].sort(compareText).join('\n')).slice(0, 12);

/** What `initial.totals` and `final` say of the stored objects (in their recorded form). */
export function totalsOf(endpoints: readonly RecordedObject[], slices: readonly RecordedObject[]): RecordedObject {
  const services = [...new Set(slices.map(({ service }) => service as string))].sort(compareText);
  return {
    endpoints: Object.fromEntries(endpoints.map((object) => [object.name, endpointsTotals(object)])),
    endpointslices: Object.fromEntries(
      services.map((service) => [service, sliceTotals(slices.filter((slice) => slice.service === service))]),
    ),
  };
}

interface Subset {
  readonly ready: readonly { readonly ip: string }[];
  readonly notReady: readonly { readonly ip: string }[];
}

function endpointsTotals(object: RecordedObject): RecordedObject {
  const subsets = object.subsets as readonly Subset[];
  const ready = subsets.flatMap((subset) => subset.ready.map(({ ip }) => ip));
  const notReady = subsets.flatMap((subset) => subset.notReady.map(({ ip }) => ip));
  return {
    subsets: subsets.length,
    ready: ready.length,
    notReady: notReady.length,
    readyHash: hashOf(ready),
    notReadyHash: hashOf(notReady),
  };
}

interface RecordedEndpoint {
  readonly addresses: readonly string[];
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
}

function sliceTotals(slices: readonly RecordedObject[]): RecordedObject {
  const lists = slices.map(({ endpoints }) => endpoints as readonly RecordedEndpoint[]);
  const endpoints = lists.flat();
  return {
    sizes: lists.map(({ length }) => length).sort((a, b) => b - a),
    endpoints: endpoints.length,
    ...countsOf(endpoints),
    hash: hashOf(endpoints.flatMap(({ addresses }) => addresses)),
  };
}

/** How many endpoints have each condition; nothing of one that none of them says anything about. */
export function countsOf(endpoints: readonly RecordedEndpoint[]): RecordedObject {
  const said = (['ready', 'serving', 'terminating'] as const).filter((condition) =>
    endpoints.some((endpoint) => endpoint[condition] !== undefined),
  );
  return Object.fromEntries(
    said.map((condition) => [condition, endpoints.filter((endpoint) => endpoint[condition] === true).length]),
  );
}
