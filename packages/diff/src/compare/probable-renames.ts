import { matchUnique } from "./similar-names.js";

/** The operations or routes that only one version has. */
interface Unmatched<Item> {
  readonly removed: readonly Item[];
  readonly added: readonly Item[];
}

/** Functions that compare operations or routes. */
export interface RenameRules<Item> {
  /** Predicates about names, which are applied in turn. */
  readonly hasSimilarName: readonly ((left: Item, right: Item) => boolean)[];
  /**
   * Returns how similar the requests and answers of two items are, from 0 to 1; more than 1 if their names are another
   * reason to match them.
   */
  readonly computeSimilarity: (left: Item, right: Item) => number;
  /** Returns how similar the names of two items are, from 0 to 1. It decides between several candidates. */
  readonly computeNameSimilarity: (left: Item, right: Item) => number;
  /** Returns how similar an item is to the most similar item that both versions have. */
  readonly computeKeptSimilarity: (item: Item) => number;
  /**
   * Whether two items have the same messages. If an item that both versions have has these messages as well, this is
   * only a reason to report a possible rename.
   */
  readonly hasSameMessages?: (left: Item, right: Item) => boolean;
}

/** The pairs of a removed and an added item that are probably one renamed item. */
export interface ProbableRenames<Item> {
  readonly pairs: readonly (readonly [before: Item, after: Item])[];
  /**
   * The added items that are equally likely to be the new version of a removed item, or the removed items that are
   * equally likely to be the old version of an added item. A single item is possible, but not probable.
   */
  readonly alternatives: ReadonlyMap<Item, readonly Item[]>;
}

/**
 * Finds the operations or routes that were probably renamed: first by their names, then by their requests and answers.
 * If several candidates are equally likely, chooses none of them.
 */
export function findProbableRenames<Item>(
  candidates: Unmatched<Item>,
  createRules: () => RenameRules<Item>,
): ProbableRenames<Item> {
  if (candidates.removed.length === 0 || candidates.added.length === 0) {
    return { pairs: [], alternatives: new Map() };
  }
  const rules = createRules();
  const { hasSimilarName, hasSameMessages = () => false, computeNameSimilarity } = rules;
  const pairsByName = matchUnique([candidates.removed, candidates.added], hasSimilarName, computeNameSimilarity);
  const unmatched = omitPairs(candidates, pairsByName);
  const likelyItems = findLikelyItems(unmatched, rules);
  const isLikely = (left: Item, right: Item) => likelyItems.get(left)?.includes(right) === true;
  const pairsByShape = matchUnique([unmatched.removed, unmatched.added], [isLikely], computeNameSimilarity);
  const isCandidate = (left: Item, right: Item) =>
    isLikely(left, right) || hasSimilarName.some((isSimilar) => isSimilar(left, right));
  const rest = omitPairs(unmatched, pairsByShape);
  const possiblePairs = matchUnique([rest.removed, rest.added], [hasSameMessages]);
  return {
    pairs: [...pairsByName, ...pairsByShape],
    alternatives: new Map([
      ...possiblePairs.flatMap(([left, right]) => [[left, [right]] as const, [right, [left]] as const]),
      ...findAlternatives(rest, isCandidate),
    ]),
  };
}

function omitPairs<Item>(
  { removed, added }: Unmatched<Item>,
  pairs: readonly (readonly [before: Item, after: Item])[],
): Unmatched<Item> {
  const matchedItems = new Set(pairs.flat());
  const isUnmatched = (item: Item) => !matchedItems.has(item);
  return { removed: removed.filter(isUnmatched), added: added.filter(isUnmatched) };
}

/** Renamed items have at least this similarity. */
export const minSimilarity = 0.5;

/**
 * Maps each removed item to the most similar added items. Ignores a similarity if an item that both versions have is as
 * similar, because many operations of a service may have the same arguments.
 */
function findLikelyItems<Item>(
  { removed, added }: Unmatched<Item>,
  { computeSimilarity, computeKeptSimilarity }: RenameRules<Item>,
): ReadonlyMap<Item, readonly Item[]> {
  const similarities = removed.map((left) => added.map((right) => computeSimilarity(left, right)));
  const [oldMinimums, newMinimums] = [removed, added].map((items) => items.map(computeKeptSimilarity));
  const bestOfOld = similarities.map((row) => Math.max(...row));
  const bestOfNew = added.map((_, column) => Math.max(...similarities.map((row) => row[column] ?? 0)));
  return new Map(
    removed.map((left, row) => {
      const likelyItems = added.filter((_, column) => {
        const similarity = similarities[row]?.[column] ?? 0;
        const keptSimilarity = Math.max(oldMinimums?.[row] ?? 0, newMinimums?.[column] ?? 0);
        const isBest = similarity === bestOfOld[row] && similarity === bestOfNew[column];
        return similarity >= minSimilarity && similarity > keptSimilarity && isBest;
      });
      return [left, likelyItems] as const;
    }),
  );
}

/** More candidates are not reported: they only show that the names and the messages say nothing. */
const maxAlternatives = 3;

/** Returns the alternatives of each item. Ignores groups in which several old items have several new ones in common. */
function findAlternatives<Item>(
  { removed, added }: Unmatched<Item>,
  isCandidate: (left: Item, right: Item) => boolean,
): ReadonlyMap<Item, readonly Item[]> {
  const allNewItems = new Map(
    removed.map((left) => [left, added.filter((right) => isCandidate(left, right))] as const),
  );
  const isShared = (right: Item) =>
    [...allNewItems.values()].filter((items) => items.length > 1 && items.includes(right)).length > 1;
  const newItems = [...allNewItems].filter(([, items]) => items.length === 1 || !items.some(isShared));
  const hasOnlyOne = (left: Item) => allNewItems.get(left)?.length === 1;
  const oldItems = added.map(
    (right) => [right, removed.filter((left) => hasOnlyOne(left) && isCandidate(left, right))] as const,
  );
  const isReported = ([, items]: readonly [Item, readonly Item[]]) =>
    items.length > 1 && items.length <= maxAlternatives;
  return new Map([...newItems, ...oldItems].filter(isReported));
}

/** The request and the answer of an operation, as far as a renamed operation keeps them. */
export interface OperationShape {
  /** What both versions must have in common, such as the method. */
  readonly kind: string;
  /** The arguments, or the members of the messages. */
  readonly parts: ReadonlySet<string>;
}

/**
 * Returns the proportion of the parts that two operations share; 0 if they are of different kinds. Operations without
 * parts share all of them.
 */
export function compareShapes(left: OperationShape, right: OperationShape): number {
  const count = Math.max(left.parts.size, right.parts.size);
  const sharedParts = [...left.parts].filter((part) => right.parts.has(part));
  return left.kind !== right.kind ? 0 : count === 0 ? 1 : sharedParts.length / count;
}
