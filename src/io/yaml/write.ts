import { stringify, type ToStringOptions } from 'yaml';
import { withTagsOfKubectl } from './tags.ts';

/** `value` as YAML that kubectl and `readSource` take for the same: what looks like another kind of value stands in quotes. */
export const yamlText = (
  value: unknown,
  options: ToStringOptions & { readonly aliasDuplicateObjects?: boolean } = {},
): string => stringify(value, { ...options, customTags: withTagsOfKubectl });
