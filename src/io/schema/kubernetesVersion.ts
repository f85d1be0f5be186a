import * as z from 'zod/mini';
import { MINOR_VERSIONS } from '../../sim/scenario.ts';
import type { Complaint } from '../issue.ts';
import { say } from './strict.ts';

const { oldest, reference } = MINOR_VERSIONS;

/** The version that everything is compared with, such as `1.37`. */
export const REFERENCE_VERSION = `1.${reference}`;
export const OLDEST_VERSION = `1.${oldest}`;

/** Minor number of `1.30`, `v1.30` or `1.30.2`, or what is wrong with it. */
export function readVersion(text: string): { readonly minor: number } | { readonly complaint: Complaint } {
  const [, major = '', digits = ''] = /^v?(\d+)\.(\d+)(?:\.\d+)?$/.exec(text) ?? [];
  const minor = Number(digits);
  if (major !== '1' || minor > reference) {
    return {
      complaint: {
        message: `Kubernetes ${text} is not known`,
        remedy: `Write a version from '${OLDEST_VERSION}' to '${REFERENCE_VERSION}'.`,
      },
    };
  }
  if (minor >= oldest) return { minor };
  return {
    complaint: {
      message: `Kubernetes ${text} is older than ${OLDEST_VERSION}, the oldest version that this product covers`,
      remedy: `Write '${OLDEST_VERSION}' or a later one, up to '${REFERENCE_VERSION}'. If you meant 1.30, put it in quotes: YAML reads 1.30 as 1.3.`,
    },
  };
}

/** The field of the Scenario document; comes out as the minor number. */
export const kubernetesVersion = z.pipe(
  z.union([z.string(), z.number()], { error: say('kubernetes must be a version', `Write '${REFERENCE_VERSION}'.`) }),
  z.transform((given, context) => {
    const read = readVersion(String(given));
    if ('minor' in read) return read.minor;
    const { message, remedy } = read.complaint;
    context.issues.push({ code: 'custom', input: given, message: say(message, remedy ?? '') });
    return z.NEVER;
  }),
);
