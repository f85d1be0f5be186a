import * as z from 'zod/mini';
import { metadata, top } from './metadata.ts';
import { TAINT_EFFECTS } from './pod.ts';
import { portNumber } from './probe.ts';
import { IP_FAMILIES, ipAddress, PROTOCOLS } from './service.ts';
import { opaque, say, strict } from './strict.ts';

const text = z.optional(z.string());
const flag = z.optional(z.boolean());
const targetRef = z.optional(z.looseObject({ kind: text, name: text, namespace: text, uid: text }));
const ports = z.optional(
  z.array(strict({ name: text, port: portNumber, protocol: z.optional(z.enum(PROTOCOLS)), appProtocol: text })),
);
const addresses = z.optional(z.array(strict({ ip: ipAddress, hostname: text, nodeName: text, targetRef })));
const head = { apiVersion: z.string(), kind: z.string(), metadata };

/** Endpoints written by hand. */
export const endpoints = strict({
  ...head,
  subsets: z.optional(z.array(strict({ addresses, notReadyAddresses: addresses, ports }))),
});
export type EndpointsManifest = z.output<typeof endpoints>;

/** Most endpoints that the API server takes in one slice (pkg/apis/discovery/validation). */
const MOST_ENDPOINTS = 1000;
const names = z.optional(z.array(strict({ name: z.string() })));
const endpoint = strict({
  addresses: z.array(ipAddress).check(z.minLength(1)),
  conditions: z.optional(strict({ ready: flag, serving: flag, terminating: flag })),
  hostname: text,
  nodeName: text,
  zone: text,
  hints: z.optional(strict({ forZones: names, forNodes: names })),
  targetRef,
  ...opaque('deprecatedTopology'),
});

/** An EndpointSlice written by hand. */
export const endpointSlice = strict({
  ...head,
  addressType: z.enum(IP_FAMILIES),
  ports,
  endpoints: z.optional(
    z
      .array(endpoint)
      .check(
        z.refine(
          (list) => list.length <= MOST_ENDPOINTS,
          say(`a slice has at most ${MOST_ENDPOINTS} endpoints`, 'Write a second slice.'),
        ),
      ),
  ),
});
export type EndpointSliceManifest = z.output<typeof endpointSlice>;

const NO_COUNT = say('pods must be a whole number', 'Write a number such as 110.');
const condition = z.looseObject({ type: z.string(), status: z.enum(['True', 'False', 'Unknown']) });
/** A Node: its labels and its CPU decide about hints, its readiness too; the rest about which Pods go there and stay. */
export const node = z.looseObject({
  ...top,
  metadata,
  spec: z.optional(
    z.looseObject({
      unschedulable: flag,
      taints: z.optional(
        z.array(strict({ key: z.string(), value: text, effect: z.enum(TAINT_EFFECTS), timeAdded: text })),
      ),
    }),
  ),
  status: z.optional(
    z.looseObject({
      allocatable: z.optional(
        z.looseObject({
          cpu: z.optional(z.union([z.string(), z.number()])),
          pods: z.optional(
            z.union([z.string().check(z.regex(/^\d+$/, NO_COUNT)), z.int().check(z.minimum(0))], { error: NO_COUNT }),
          ),
        }),
      ),
      conditions: z.optional(z.array(condition)),
    }),
  ),
});
export type NodeManifest = z.output<typeof node>;
