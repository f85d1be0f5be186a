import * as z from 'zod/mini';
import { metadata, top } from './metadata.ts';
import { portNumber } from './probe.ts';
import { IP_FAMILIES, ipAddress, PROTOCOLS } from './service.ts';
import { opaque, say, strict } from './strict.ts';

const targetRef = z.looseObject({
  kind: z.optional(z.string()),
  name: z.optional(z.string()),
  namespace: z.optional(z.string()),
  uid: z.optional(z.string()),
});
const port = strict({
  name: z.optional(z.string()),
  port: portNumber,
  protocol: z.optional(z.enum(PROTOCOLS)),
  appProtocol: z.optional(z.string()),
});
const address = strict({
  ip: ipAddress,
  hostname: z.optional(z.string()),
  nodeName: z.optional(z.string()),
  targetRef: z.optional(targetRef),
});
const { status: _, ...head } = top;

/** Endpoints written by hand. */
export const endpoints = strict({
  ...head,
  metadata,
  subsets: z.optional(
    z.array(
      strict({
        addresses: z.optional(z.array(address)),
        notReadyAddresses: z.optional(z.array(address)),
        ports: z.optional(z.array(port)),
      }),
    ),
  ),
});
export type EndpointsManifest = z.output<typeof endpoints>;

const names = z.optional(z.array(strict({ name: z.string() })));
/** Most endpoints that the API server takes in one slice (pkg/apis/discovery/validation). */
const MOST_ENDPOINTS = 1000;

/** An EndpointSlice written by hand. */
export const endpointSlice = strict({
  ...head,
  metadata,
  addressType: z.enum(IP_FAMILIES),
  ports: z.optional(z.array(port)),
  endpoints: z.optional(
    z
      .array(
        strict({
          addresses: z.array(ipAddress).check(z.minLength(1)),
          conditions: z.optional(
            strict({
              ready: z.optional(z.boolean()),
              serving: z.optional(z.boolean()),
              terminating: z.optional(z.boolean()),
            }),
          ),
          hostname: z.optional(z.string()),
          nodeName: z.optional(z.string()),
          zone: z.optional(z.string()),
          hints: z.optional(strict({ forZones: names, forNodes: names })),
          targetRef: z.optional(targetRef),
          ...opaque('deprecatedTopology'),
        }),
      )
      .check(
        z.maxLength(MOST_ENDPOINTS, say(`a slice has at most ${MOST_ENDPOINTS} endpoints`, 'Write a second slice.')),
      ),
  ),
});
export type EndpointSliceManifest = z.output<typeof endpointSlice>;

const quantity = z.union([z.string(), z.number()]);
/** A Node: its labels and its CPU decide about hints, its readiness too. */
export const node = z.looseObject({
  ...top,
  metadata,
  status: z.optional(
    z.looseObject({
      allocatable: z.optional(z.looseObject({ cpu: z.optional(quantity) })),
      conditions: z.optional(
        z.array(z.looseObject({ type: z.string(), status: z.enum(['True', 'False', 'Unknown']) })),
      ),
    }),
  ),
});
export type NodeManifest = z.output<typeof node>;
