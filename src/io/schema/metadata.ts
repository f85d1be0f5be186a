import * as z from 'zod/mini';
import { opaque, say } from './strict.ts';

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
/** A DNS label: the name of a namespace, a container, a Service. */
export const label = (what: string) =>
  z
    .string()
    .check(
      z.refine(
        (name) => LABEL.test(name) && name.length <= 63,
        say(
          `this is no name for ${what}`,
          'Use up to 63 lower-case letters, digits and hyphens, a letter or digit first and last.',
        ),
      ),
    );
export const objectName = z
  .string()
  .check(
    z.refine(
      (name) => name.length <= 253 && name.split('.').every((part) => LABEL.test(part)),
      say(
        'this is no name for an object',
        'Use lower-case letters, digits, hyphens and dots, a letter or digit first and last.',
      ),
    ),
  );
export const labels = z.optional(z.record(z.string(), z.string()));

export const metadata = z.looseObject({
  name: objectName,
  namespace: z.optional(label('a namespace')),
  labels,
  annotations: labels,
});

/** What stands beside spec and metadata. */
export const top = { apiVersion: z.string(), kind: z.string(), ...opaque('status') };
