/** `periodSecond` → `period second`-like sameness: case and underscores do not count. */
const plain = (word: string): string => word.toLowerCase().replace(/[_-]/g, '');

/** Fewest single-letter insertions, deletions and replacements between two words. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The known word that `word` most likely stands for; null when none is near (a third of its letters may differ). */
export function suggest(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const d = distance(plain(word), plain(candidate));
    if (d < least) [best, least] = [candidate, d];
  }
  return best;
}

/** `Did you mean periodSeconds?`, else the whole choice. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = suggest(word, known);
  if (near !== null) return `Did you mean ${near}?`;
  return known.length <= 16 ? `Known here: ${known.join(', ')}.` : 'Check the spelling and the indent.';
}
