import { computeEditDistance } from "@bothends/xml/nearest-name";

/** Whether one name is probably a variant of the other. Ignores words at the ends that both share with a third name. */
export function isSimilarName(left: string, right: string, otherNames: readonly string[] = []): boolean {
  const [leftRest, rightRest] = removeSharedWords(left, right, otherNames);
  return (
    isCloseRest([left, right], [leftRest, rightRest]) ||
    isShortForm(leftRest, rightRest) ||
    computeDifference(leftRest, rightRest) <= 0.5
  );
}

/** Whether two names have the same words, or differ in at most a quarter of their characters. */
export function isCloseName(left: string, right: string, otherNames: readonly string[] = []): boolean {
  return isCloseRest([left, right], removeSharedWords(left, right, otherNames));
}

type NamePair = readonly [left: string, right: string];

function isCloseRest(names: NamePair, rests: NamePair): boolean {
  return hasSameWords(...names) || computeDifference(...rests) <= 0.25;
}

/** Returns two names in lower case, without the first and last words that they share with a third name. */
function removeSharedWords(left: string, right: string, otherNames: readonly string[]): NamePair {
  const isShared = (hasPart: (name: string) => boolean) =>
    otherNames.some((name) => hasPart(name) && name !== left && name !== right);
  const start = computeSharedLength([left, right], { isShared, words: left.match(/[A-Z]*[^A-Z_-]*[_-]*/g) ?? [] });
  const [leftEnd, rightEnd] = [left.slice(start), right.slice(start)];
  const words = (leftEnd.match(/[A-Z]*[^A-Z_-]*[_-]*/g) ?? []).reverse();
  const end = computeSharedLength([leftEnd, rightEnd], { isShared, words, atEnd: true });
  const getRest = (name: string) => name.slice(0, name.length - end).toLowerCase();
  return [getRest(leftEnd), getRest(rightEnd)];
}

/**
 * Returns the proportion of characters in which two names differ, from 0 to 1; 1 if the names are too long to compare.
 */
function computeDifference(left: string, right: string): number {
  const longerLength = Math.max(left.length, right.length);
  return longerLength === 0 || longerLength > maxLength
    ? 1
    : computeEditDistance(left, right, longerLength) / longerLength;
}

/** Whether two names have the same words in any order: `CurrencyUnits` and `UnitsOfCurrencies`. */
function hasSameWords(left: string, right: string): boolean {
  const [leftText, rightText] = [left, right].map((name) => [...new Set(getStems(name))].sort().join(" "));
  return leftText !== "" && leftText === rightText;
}

const smallWords: ReadonlySet<string> = new Set([
  "a",
  "all",
  "an",
  "and",
  "by",
  "for",
  "from",
  "of",
  "the",
  "to",
  "with",
]);

/** Returns the words of a name in the singular, without words such as `of`. */
function getStems(name: string): readonly string[] {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? [];
  return words
    .map((word) => word.toLowerCase())
    .filter((word) => !smallWords.has(word))
    .map((word) => word.replace(/(?<=[a-z]{2})ies$/, "y").replace(/(?<=(?:s|x|ch|sh))es$|(?<=[a-rt-z]{2})s$/, ""));
}

const minLength = 3;

/** Whether one name is the beginning or the end of the other: `Info` and `Information`, `Units` and `CurrencyUnits`. */
function isShortForm(left: string, right: string): boolean {
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  return short.length >= minLength && (long.startsWith(short) || long.endsWith(short));
}

/** Returns how similar two names are, from 0 to 1: the mean of the proportions of equal words and equal characters. */
export function computeNameSimilarity(left: string, right: string): number {
  const [leftWords, rightWords] = [new Set(getStems(left)), new Set(getStems(right))];
  const wordCount = leftWords.size + rightWords.size;
  const equalCount = [...leftWords].filter((word) => rightWords.has(word)).length;
  const words = wordCount === 0 ? 0 : (2 * equalCount) / wordCount;
  return (words + 1 - computeDifference(left.toLowerCase(), right.toLowerCase())) / 2;
}

const maxLength = 200;

/**
 * Returns the length of the first or last words that two names share with a third name, such as `Check` in
 * `CheckMexico`. `words` are the words of the left name; if `atEnd` is true, in reverse order. `isShared` says whether
 * a third name has a part.
 */
function computeSharedLength(
  [left, right]: NamePair,
  {
    isShared,
    words,
    atEnd = false,
  }: {
    readonly isShared: (hasPart: (name: string) => boolean) => boolean;
    readonly words: readonly string[];
    readonly atEnd?: boolean;
  },
): number {
  let part = "";
  for (const word of words.filter((text) => text !== "")) {
    const longerPart = atEnd ? `${word}${part}` : `${part}${word}`;
    const hasPart = (name: string) => (atEnd ? name.endsWith(longerPart) : name.startsWith(longerPart));
    if (longerPart === left || longerPart === right || !hasPart(right) || !isShared(hasPart)) {
      break;
    }
    part = longerPart;
  }
  return part.length;
}

/** The best of several candidates is chosen only if its score exceeds that of any other by this margin. */
const minMargin = 0.3;

/**
 * Matches items of two lists. Applies the predicates in turn: each one matches two items if neither has any other
 * candidate, or if the score of the pair exceeds the scores of all pairs with these other candidates by a clear margin.
 */
export function matchUnique<Item>(
  [before, after]: readonly [readonly Item[], readonly Item[]],
  predicates: readonly ((left: Item, right: Item) => boolean)[],
  computeScore?: (left: Item, right: Item) => number,
): readonly (readonly [before: Item, after: Item])[] {
  let [oldItems, newItems] = [before, after];
  return predicates.flatMap((isMatch) => {
    const candidates = new Map(oldItems.map((item) => [item, newItems.filter((newItem) => isMatch(item, newItem))]));
    const rivals = new Map<Item, Item[]>(newItems.map((newItem) => [newItem, []]));
    for (const [item, matchingItems] of candidates) {
      for (const newItem of matchingItems) {
        rivals.get(newItem)?.push(item);
      }
    }
    const pairs = [...candidates].flatMap(([item, matchingItems]): readonly (readonly [Item, Item])[] => {
      const counterpart = findBest(matchingItems, (newItem) => computeScore?.(item, newItem) ?? 0);
      if (counterpart === undefined) {
        return [];
      }
      const best = findBest(rivals.get(counterpart) ?? [], (oldItem) => computeScore?.(oldItem, counterpart) ?? 0);
      return best === item ? [[item, counterpart]] : [];
    });
    const matchedItems = [new Set(pairs.map(([left]) => left)), new Set(pairs.map(([, right]) => right))] as const;
    oldItems = oldItems.filter((item) => !matchedItems[0].has(item));
    newItems = newItems.filter((item) => !matchedItems[1].has(item));
    return pairs;
  });
}

/**
 * Matches items of two lists that have a key in common, if neither shares a key with another item. Unlike
 * `matchUnique`, takes linear time.
 */
export function matchUniqueKeys<Item>(
  [before, after]: readonly [readonly Item[], readonly Item[]],
  listKeys: (item: Item) => Iterable<string>,
): readonly (readonly [before: Item, after: Item])[] {
  const [oldItems, newItems] = [indexByKeys(before, listKeys), indexByKeys(after, listKeys)];
  return before.flatMap((item): readonly (readonly [Item, Item])[] => {
    const counterpart = findOnly(item, { items: newItems, listKeys });
    return counterpart !== undefined && findOnly(counterpart, { items: oldItems, listKeys }) === item
      ? [[item, counterpart]]
      : [];
  });
}

/** Returns the items that have each key. */
export function indexByKeys<Item>(
  items: readonly Item[],
  listKeys: (item: Item) => Iterable<string>,
): ReadonlyMap<string, readonly Item[]> {
  const index = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of listKeys(item)) {
      const found = index.get(key);
      if (found === undefined) {
        index.set(key, [item]);
      } else {
        found.push(item);
      }
    }
  }
  return index;
}

/** Returns the only item that has a key in common with another item; undefined if there are several. */
function findOnly<Item>(
  other: Item,
  {
    items,
    listKeys,
  }: { readonly items: ReadonlyMap<string, readonly Item[]>; readonly listKeys: (item: Item) => Iterable<string> },
): Item | undefined {
  let only: Item | undefined;
  for (const key of listKeys(other)) {
    for (const item of items.get(key) ?? []) {
      if (only !== undefined && item !== only) {
        return undefined;
      }
      only = item;
    }
  }
  return only;
}

/** Returns the pairs of which no other pair has an item. Equal pairs count once. */
export function selectUniquePairs(
  pairs: readonly (readonly [before: string, after: string])[],
): readonly (readonly [before: string, after: string])[] {
  const [newItems, oldItems] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const [before, after] of pairs) {
    newItems.set(before, (newItems.get(before) ?? new Set()).add(after));
    oldItems.set(after, (oldItems.get(after) ?? new Set()).add(before));
  }
  return [...newItems].flatMap(([before, candidates]): readonly (readonly [string, string])[] => {
    const [after = "", ...others] = candidates;
    return others.length === 0 && oldItems.get(after)?.size === 1 ? [[before, after]] : [];
  });
}

/** Returns the only candidate, or the one whose score exceeds those of all others by a clear margin. */
export function findBest<Item>(candidates: readonly Item[], computeScore: (item: Item) => number): Item | undefined {
  if (candidates.length < 2) {
    return candidates[0];
  }
  const [best, second] = candidates
    .map((item) => ({ item, score: computeScore(item) }))
    .sort((left, right) => right.score - left.score);
  return best !== undefined && best.score - (second?.score ?? 0) >= minMargin ? best.item : undefined;
}
