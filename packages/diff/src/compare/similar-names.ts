import { computeEditDistance } from "@bothends/xml/nearest-name";

/** Whether one name is probably a variant of the other. A prefix that both share with a third name is ignored. */
export function isSimilarName(left: string, right: string, otherNames: readonly string[] = []): boolean {
  const [leftRest, rightRest] = removeSharedPrefix(left, right, otherNames);
  return (
    isCloseName(left, right, otherNames) ||
    isShortForm(leftRest, rightRest) ||
    computeDifference(leftRest, rightRest) <= 0.5
  );
}

/** Whether two names have the same words, or differ in at most a quarter of their characters. */
export function isCloseName(left: string, right: string, otherNames: readonly string[] = []): boolean {
  const [leftRest, rightRest] = removeSharedPrefix(left, right, otherNames);
  return hasSameWords(left, right) || computeDifference(leftRest, rightRest) <= 0.25;
}

/** Returns two names in lower case, without a prefix that they share with a third name. */
function removeSharedPrefix(left: string, right: string, otherNames: readonly string[]): readonly [string, string] {
  const length = computeSharedPrefixLength(left, right, otherNames);
  return [left.slice(length).toLowerCase(), right.slice(length).toLowerCase()];
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

const maxLength = 200;

/**
 * Returns the length of the first words that two names share with a third name, such as `Check` in `CheckMexico` or
 * `block-` in `block-types`.
 */
function computeSharedPrefixLength(left: string, right: string, otherNames: readonly string[]): number {
  const words = left.match(/[A-Z]*[^A-Z_-]*[_-]*/g) ?? [];
  let length = 0;
  for (const word of words) {
    const prefix = left.slice(0, length + word.length);
    const isShared = otherNames.some((name) => name !== left && name !== right && name.startsWith(prefix));
    if (word === "" || prefix === left || !right.startsWith(prefix) || !isShared) {
      break;
    }
    length = prefix.length;
  }
  return length;
}

/**
 * Matches items of two lists. Applies the predicates in turn: each one matches two items if neither has any other
 * candidate.
 */
export function matchUnique<Item>(
  [before, after]: readonly [readonly Item[], readonly Item[]],
  predicates: readonly ((left: Item, right: Item) => boolean)[],
): readonly (readonly [before: Item, after: Item])[] {
  let [oldItems, newItems] = [before, after];
  return predicates.flatMap((isMatch) => {
    const pairs = oldItems.flatMap((item): readonly (readonly [Item, Item])[] => {
      const [counterpart, ...others] = newItems.filter((newItem) => isMatch(item, newItem));
      if (counterpart === undefined || others.length > 0) {
        return [];
      }
      return oldItems.filter((oldItem) => isMatch(oldItem, counterpart)).length === 1 ? [[item, counterpart]] : [];
    });
    oldItems = oldItems.filter((item) => !pairs.some(([left]) => left === item));
    newItems = newItems.filter((item) => !pairs.some(([, right]) => right === item));
    return pairs;
  });
}
