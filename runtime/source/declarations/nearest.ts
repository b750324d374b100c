/** A mistyped word → the known word that was probably meant. */

/** The most similar candidate; null if none is similar enough. Case does not matter. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance =
      isBeginning(word, candidate) || isPart(word, candidate)
        ? 1
        : editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** `ADA` means `ADA_24`, even though `ANY` differs in fewer letters. */
function isBeginning(word: string, candidate: string): boolean {
  return word.length >= 3 && candidate.toLowerCase().startsWith(word.toLowerCase());
}

/**
 * `H100` means `NVIDIA_H100_80GB_HBM3`. A word without digits, such as `timeout`, may be part of many names.
 */
function isPart(word: string, candidate: string): boolean {
  return /\d/.test(word) && candidate.toLowerCase().split('_').includes(word.toLowerCase());
}

/**
 * The number of insertions, deletions and replacements between two words (Levenshtein), computed one row at a
 * time.
 */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
