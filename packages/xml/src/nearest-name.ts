/** Longer names are not typed by hand, and comparing them would be expensive. */
const longest = 64;

/** A suggestion for a mistyped name: `Did you mean "x"?`; undefined if no candidate is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const close = nearestName(name, candidates);
  return close === undefined ? undefined : `Did you mean ${JSON.stringify(close)}?`;
}

/** The candidate that a mistyped name most likely means; undefined if none is close. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longest) {
    return undefined;
  }
  const folded = name.toLowerCase();
  let best: string | undefined;
  // About one mistake in three characters. Differences in letter case count as no distance.
  let limit = Math.floor(name.length / 3) + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= limit) {
      continue;
    }
    const found = distance(folded, candidate.toLowerCase(), limit);
    if (found < limit) {
      limit = found;
      best = candidate;
      if (found === 0) {
        return best;
      }
    }
  }
  return best;
}

/** Edit distance with swaps of neighbors (optimal string alignment); any distance from `limit` on is returned as `limit`. */
function distance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, (beforeLast[j - 2] ?? limit) + 1);
      }
      row.push(value);
      smallest = Math.min(smallest, value);
    }
    if (smallest >= limit) {
      return limit;
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? limit;
}
