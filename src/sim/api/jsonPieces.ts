/** JSON in pieces (ObjectText): what versions of an object have in common stands in pieces of their own. */
import type { ObjectText } from '../trace/textEdits.ts';

/** An item of a list, or a field, that others come before. */
export const itemText = (json: object): string => `,${JSON.stringify(json)}`;

/** Fields that `json` has, to follow others. */
export const furtherFields = (json: object): string => {
  const text = JSON.stringify(json);
  return text === '{}' ? '' : `,${text.slice(1, -1)}`;
};

/** Texts of items or fields as they stand in a list or an object: the first one without its comma. */
export const listed = ([first = '', ...others]: readonly string[]): readonly string[] => [first.slice(1), ...others];

/** A field that is a list; none for an empty list. */
export const fieldPieces = (name: string, items: readonly string[]): readonly string[] =>
  items.length > 0 ? [`,"${name}":[`, ...listed(items), ']'] : [];

/** Whether two texts of one resource are alike: its pieces end where its JSON says, so equal texts have equal pieces. */
export const sameText = (a: ObjectText, b: ObjectText): boolean =>
  typeof a === 'string' || typeof b === 'string'
    ? a === b
    : a.length === b.length && a.every((piece, i) => piece === b[i]);
