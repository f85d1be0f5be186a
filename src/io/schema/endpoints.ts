import * as z from 'zod';
import { metadata, top } from './metadata.ts';
import { portNumber } from './probe.ts';
import { IP_FAMILIES, ipAddress, PROTOCOLS } from './service.ts';
import { opaque, say, strict } from './strict.ts';

const targetRef = z.looseObject({
  kind: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  uid: z.string().optional(),
});
const port = strict({
  name: z.string().optional(),
  port: portNumber,
  protocol: z.enum(PROTOCOLS).optional(),
  appProtocol: z.string().optional(),
});
const address = strict({
  ip: ipAddress,
  hostname: z.string().optional(),
  nodeName: z.string().optional(),
  targetRef: targetRef.optional(),
});
const { status: _, ...head } = top;

/** Endpoints written by hand. */
export const endpoints = strict({
  ...head,
  metadata,
  subsets: z
    .array(
      strict({
        addresses: z.array(address).optional(),
        notReadyAddresses: z.array(address).optional(),
        ports: z.array(port).optional(),
      }),
    )
    .optional(),
});
export type EndpointsManifest = z.output<typeof endpoints>;

const names = z.array(strict({ name: z.string() })).optional();
/** Most endpoints that the API server takes in one slice (pkg/apis/discovery/validation). */
const MOST_ENDPOINTS = 1000;

/** An EndpointSlice written by hand. */
export const endpointSlice = strict({
  ...head,
  metadata,
  addressType: z.enum(IP_FAMILIES),
  ports: z.array(port).optional(),
  endpoints: z
    .array(
      strict({
        addresses: z.array(ipAddress).min(1),
        conditions: strict({
          ready: z.boolean().optional(),
          serving: z.boolean().optional(),
          terminating: z.boolean().optional(),
        }).optional(),
        hostname: z.string().optional(),
        nodeName: z.string().optional(),
        zone: z.string().optional(),
        hints: strict({ forZones: names, forNodes: names }).optional(),
        targetRef: targetRef.optional(),
        ...opaque('deprecatedTopology'),
      }),
    )
    .max(MOST_ENDPOINTS, say(`a slice has at most ${MOST_ENDPOINTS} endpoints`, 'Write a second slice.'))
    .optional(),
});
export type EndpointSliceManifest = z.output<typeof endpointSlice>;

const quantity = z.union([z.string(), z.number()]);
/** A Node: its labels and its CPU decide about hints, its readiness too. */
export const node = z.looseObject({
  ...top,
  metadata,
  status: z
    .looseObject({
      allocatable: z.looseObject({ cpu: quantity.optional() }).optional(),
      conditions: z.array(z.looseObject({ type: z.string(), status: z.enum(['True', 'False', 'Unknown']) })).optional(),
    })
    .optional(),
});
export type NodeManifest = z.output<typeof node>;
