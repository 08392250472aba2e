// Matches the old and the new alternatives of a value by what they have in common.

/**
 * Matches each item with at most one item of the other version, beginning with the closest pair. A distance is a list
 * of numbers, of which the first ones matter most; undefined for items that do not match.
 */
export function matchClosest<Item>(
  [before, after]: readonly [readonly Item[], readonly Item[]],
  computeDistance: (pair: readonly [before: Item, after: Item]) => readonly number[] | undefined,
): readonly (readonly [before: Item, after: Item])[] {
  const candidates = before.flatMap((oldItem, oldIndex) =>
    after.flatMap((newItem, newIndex) => {
      const pair = [oldItem, newItem] as const;
      const distance = computeDistance(pair);
      // Compares pairs with equal distances by the sum of their positions. As a result, the matches are the same if the
      // two versions are exchanged.
      return distance === undefined ? [] : [{ pair, distance: [...distance, oldIndex + newIndex] }];
    }),
  );
  candidates.sort((left, right) => compareDistances(left.distance, right.distance));
  const matchedPairs: (readonly [Item, Item])[] = [];
  for (const { pair } of candidates) {
    if (!matchedPairs.some((other) => other[0] === pair[0] || other[1] === pair[1])) {
      matchedPairs.push(pair);
    }
  }
  return matchedPairs;
}

function compareDistances(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((each, position) => each !== right[position]);
  return index === -1 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}

/**
 * The members of an object by their names, with the values that distinguish the object from other alternatives: those
 * that the schema lists for a required member. Undefined for any other member.
 */
export type DistinctiveMembers = ReadonlyMap<string, readonly string[] | undefined>;

/**
 * Returns how much the members of two objects differ: the proportion of names that only one of them has, plus 1 if a
 * required member has other values in each object, so that no value can match both.
 */
export function computeMemberDistance(left: DistinctiveMembers, right: DistinctiveMembers): number {
  const sharedNames = [...left.keys()].filter((name) => right.has(name));
  const nameCount = left.size + right.size - sharedNames.length;
  const areDistinct = sharedNames.some((name) => {
    const [leftValues, rightValues] = [left.get(name), right.get(name)];
    return leftValues !== undefined && rightValues?.some((value) => leftValues.includes(value)) === false;
  });
  return (nameCount === 0 ? 0 : 1 - sharedNames.length / nameCount) + (areDistinct ? 1 : 0);
}
