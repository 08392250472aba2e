import type { Endpoint, Interface, Operation } from "@bothends/generator";

/** An operation whose path in generated code has changed: from `reg.checkMexico` to `reg.checkMexicanCar`. */
export interface Move {
  readonly interface: string;
  readonly before: string;
  readonly after: string;
}

/** The new version of each operation whose new name or service the caller knows, keyed by its old version. */
export type KnownPairs = ReadonlyMap<Operation | Endpoint, Operation | Endpoint>;

/** Finds the operations of the moves that the caller knows. `getPath` returns the path of an operation. */
export function findKnownPairs(
  [before, after]: readonly [before: Interface, after: Interface],
  knownMoves: readonly Move[],
  getPath: (operation: Operation | Endpoint) => string | undefined,
): KnownPairs {
  const moves = knownMoves.filter((move) => move.interface === after.name);
  if (moves.length === 0) {
    return new Map();
  }
  const listPaths = (version: Interface) =>
    new Map(listOperations(version).map((operation) => [getPath(operation), operation]));
  const [oldOperations, newOperations] = [listPaths(before), listPaths(after)];
  return new Map(
    moves.flatMap((move) => {
      const [operation, newOperation] = [oldOperations.get(move.before), newOperations.get(move.after)];
      const isKept = newOperations.has(move.before) || oldOperations.has(move.after);
      return operation === undefined || newOperation === undefined || isKept ? [] : [[operation, newOperation]];
    }),
  );
}

function listOperations(version: Interface): readonly (Operation | Endpoint)[] {
  return version.kind === "soap" ? version.services.flatMap(({ operations }) => operations) : version.endpoints;
}
