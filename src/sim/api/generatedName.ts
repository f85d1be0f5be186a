import type { ClusterContext } from '../controllers/context.ts';
import type { ObjectMeta, Resource } from './objects.ts';

/** Alphabet and length of generated suffixes (apimachinery pkg/util/rand; apiserver pkg/storage/names). */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
/** Longest stem that is kept. */
const LONGEST_STEM = 58;
const ATTEMPTS = 8;

/** A name that is free: the stem and five drawn characters (C-226). Never derive anything from it. */
export function generatedName(
  { draws, kernel, store }: ClusterContext,
  { namespace, generateName }: ObjectMeta,
  resource: Resource,
): string {
  const stem = generateName.slice(0, LONGEST_STEM);
  let name = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const draw = `apiserver/generateName/${resource}/${namespace}/${generateName}`;
    const number = draws.number(draw, kernel.now, (u) => Math.floor(u * ALPHABET.length ** SUFFIX_LENGTH));
    name = stem + suffix(number);
    if (!store.get(resource, `${namespace}/${name}`)) break;
  }
  return name;
}

function suffix(number: number): string {
  let text = '';
  for (let rest = number, i = 0; i < SUFFIX_LENGTH; i++, rest = Math.floor(rest / ALPHABET.length))
    text += ALPHABET[rest % ALPHABET.length];
  return text;
}
