/** What kubectl's reader takes a plain scalar for, where that differs from YAML 1.2: it keeps to YAML 1.1 in these. */
import { type Document, isScalar, type ScalarTag, type Tags, visit } from 'yaml';

const FALSE_WORDS = /^(?:n|no|off)$/i;
/** Source: go-yaml resolve.go, resolveTable; recordings `annotation-yes`. */
const words: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/,
  resolve: (text) => !FALSE_WORDS.test(text),
};
/** `010` is 8. */
const octal: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^[-+]?0[0-7]+$/,
  resolve: (text) => Number.parseInt(text, 8),
};

export const withTagsOfKubectl = (tags: Tags): Tags => [words, octal, ...tags];

/** Keys keep their words: `on` is a field of the Scenario document. */
export function keepWordsOfKeys(doc: Document): void {
  visit(doc, {
    Pair: (_at, { key }) => {
      if (isScalar(key) && typeof key.value === 'boolean' && key.source !== undefined) key.value = key.source;
    },
  });
}
