/**
 * The maximum length of a name that gets a suggestion. Longer names are rarely typed, and comparing them would be slow.
 */
const maxLength = 64;

/** Returns a suggestion for a mistyped name: `Did you mean "x"?`; undefined if no candidate is close. */
export function suggestName(name: string, candidates: Iterable<string>): string | undefined {
  const suggestion = findNearestName(name, candidates);
  return suggestion === undefined ? undefined : `Did you mean ${JSON.stringify(suggestion)}?`;
}

/** Returns a suggestion to append to a message: ` Did you mean "timeout"?` Empty if no known name is similar. */
export function suggestNearest(name: string, knownNames: Iterable<string>): string {
  const sentence = suggestName(name, knownNames);
  return sentence === undefined ? "" : ` ${sentence}`;
}

/** Returns the candidate that was most likely meant by a mistyped name; undefined if none is close. */
export function findNearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > maxLength) {
    return undefined;
  }
  const lowerCaseName = name.toLowerCase();
  let bestCandidate: string | undefined;
  // Allows about one mistake in three characters. Differences in letter case are not counted.
  let distanceLimit = Math.floor(name.length / 3) + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= distanceLimit) {
      continue;
    }
    const candidateDistance = computeEditDistance(lowerCaseName, candidate.toLowerCase(), distanceLimit);
    if (candidateDistance < distanceLimit) {
      distanceLimit = candidateDistance;
      bestCandidate = candidate;
    }
  }
  return bestCandidate;
}

/** Returns the edit distance with swaps of neighbors (optimal string alignment), but at most `limit`. */
export function computeEditDistance(a: string, b: string, limit: number): number {
  let rowBeforeLast: number[] = [];
  let lastRow = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (lastRow[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (lastRow[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwap ? (rowBeforeLast[j - 2] ?? limit) + 1 : limit,
        ),
      );
    }
    if (Math.min(...row) >= limit) {
      return limit;
    }
    rowBeforeLast = lastRow;
    lastRow = row;
  }
  return lastRow[b.length] ?? limit;
}
