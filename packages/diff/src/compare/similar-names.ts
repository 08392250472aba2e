/** Whether a name is probably a variant of another. Common first words that other names share are ignored. */
export function isSimilarName(left: string, right: string, others: readonly string[] = []): boolean {
  const shared = sharedPrefix(left, right, others);
  const [a, b] = [left.slice(shared).toLowerCase(), right.slice(shared).toLowerCase()];
  const longest = Math.max(a.length, b.length);
  return longest > 0 && longest <= maxLength && (isShortForm(a, b) || editDistance(a, b) / longest <= 0.5);
}

const shortest = 3;

/** Whether one name is the beginning or the end of the other: `Info` and `Information`, `Units` and `CurrencyUnits`. */
function isShortForm(left: string, right: string): boolean {
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  return short.length >= shortest && (long.startsWith(short) || long.endsWith(short));
}

const maxLength = 200;

/** The length of the first words that both names share with another name: `Check` in `CheckMexico`, `block-` in `block-types`. */
function sharedPrefix(left: string, right: string, others: readonly string[]): number {
  const words = left.match(/[A-Z]*[^A-Z_-]*[_-]*/g) ?? [];
  let length = 0;
  for (const word of words) {
    const prefix = left.slice(0, length + word.length);
    const isShared = others.some((name) => name !== left && name !== right && name.startsWith(prefix));
    if (word === "" || prefix === left || !right.startsWith(prefix) || !isShared) {
      break;
    }
    length = prefix.length;
  }
  return length;
}

/** The number of letters to insert, remove or replace (Levenshtein). */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
