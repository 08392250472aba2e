import type { HandlerChanges, OperationOf, ServiceType } from "./handler-changes.js";
import type { MergeReport } from "./merge-report.js";

// The record of a merge in the server's folder: the contract, and the changes that the user's code does not fit yet.

/** The file in a server's folder that records the contract with which its handlers were last merged. */
export const recordFile = ".bothends-scaffold.json";

const recordFormat = 3;

/** The format of older versions, which recorded only some of the open changes, or none. */
const incompleteFormat = 2;

/** The changes of earlier merges that may concern handlers that the user has not moved or removed yet. */
export interface OpenChanges {
  readonly moves: HandlerChanges["moves"];
  readonly added: readonly OperationOf[];
  readonly removed: readonly OperationOf[];
  readonly removedTypes: readonly ServiceType[];
  /** Absent if there are none: older versions did not record them. */
  readonly removedInterfaces?: readonly string[];
  /**
   * The contracts before the merges that found operations or types missing, in the order of these merges. A later merge
   * compares the old version of a moved handler's operation with the new one.
   */
  readonly contracts: readonly string[];
  /** True if other open changes are unknown, because an older version did not record them. */
  readonly isIncomplete?: true;
}

/** A recorded contract, and the changes since then. */
export interface RecordedChanges {
  readonly contract: string;
  readonly changes: HandlerChanges;
}

/** Writes the record. `contract` is the text of a contract in the caller's format. */
export function writeRecord(contract: string, open?: OpenChanges): string {
  return `${JSON.stringify({ format: recordFormat, contract, open }, null, 2)}\n`;
}

/** Reads the record. Returns undefined if the record is missing, is damaged, or has an unknown format. */
export function readRecord(
  text: string | undefined,
): { readonly contract: string; readonly open: OpenChanges } | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    const [contract, format] = [readText(value, "contract"), readMember(value, "format")];
    if (contract === undefined || (format !== recordFormat && format !== incompleteFormat)) {
      return undefined;
    }
    const open = readOpenChanges(readMember(value, "open"));
    return { contract, open: format === recordFormat ? open : { ...open, isIncomplete: true } };
  } catch {
    return undefined;
  }
}

/** Reads the open changes. If a member is missing, an older version wrote the record. */
function readOpenChanges(value: unknown): OpenChanges {
  const readItems = <Item>(name: string, readItem: (item: unknown) => Item | undefined): readonly Item[] => {
    const items = readMember(value, name);
    return Array.isArray(items) ? items.flatMap((item) => readItem(item) ?? []) : [];
  };
  const isIncomplete =
    readMember(value, "isIncomplete") === true ||
    (value !== undefined && Object.keys(noOpenChanges).some((name) => readMember(value, name) === undefined));
  const readOperation = (item: unknown): OperationOf | undefined => {
    const [interfaceName, operation] = [readText(item, "interface"), readText(item, "operation")];
    return interfaceName === undefined || operation === undefined ? undefined : { interface: interfaceName, operation };
  };
  return {
    moves: readItems("moves", (item) => {
      const [interfaceName, before, after] = ["interface", "before", "after"].map((name) => readText(item, name));
      return interfaceName === undefined || before === undefined || after === undefined
        ? undefined
        : { interface: interfaceName, before, after };
    }),
    added: readItems("added", readOperation),
    removed: readItems("removed", readOperation),
    removedTypes: readItems("removedTypes", (item) => {
      const [interfaceName, type, routes] = ["interface", "type", "routes"].map((name) => readText(item, name));
      return interfaceName === undefined || type === undefined || routes === undefined
        ? undefined
        : { interface: interfaceName, service: readText(item, "service"), type, routes };
    }),
    removedInterfaces: readItems("removedInterfaces", (item) => (typeof item === "string" ? item : undefined)),
    contracts: readItems("contracts", (item) => (typeof item === "string" ? item : undefined)),
    ...(isIncomplete ? { isIncomplete } : {}),
  };
}

function readText(value: unknown, name: string): string | undefined {
  const member = readMember(value, name);
  return typeof member === "string" ? member : undefined;
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * Adds the open changes of earlier merges to the changes since the last merge. An operation that was renamed before the
 * last merge and again after it has moved to its last name.
 */
export function withOpenChanges(
  changes: HandlerChanges,
  { moves, added, removed, removedTypes, removedInterfaces = [], isIncomplete }: OpenChanges = noOpenChanges,
  {
    earlierChanges,
    requestedMoves,
  }: { readonly earlierChanges: readonly HandlerChanges[]; readonly requestedMoves: HandlerChanges["moves"] },
): HandlerChanges {
  const findLaterMove = (move: HandlerChanges["moves"][number]) =>
    changes.moves.find((later) => later.interface === move.interface && later.before === move.after);
  const isRequested = ({ before, after }: HandlerChanges["moves"][number]) =>
    requestedMoves.some((move) => move.before === before && move.after === after);
  const possibleMoves = [...earlierChanges, changes].flatMap((some) => some.possibleMoves ?? []);
  const names = [...earlierChanges, changes].flatMap(({ removedNames = [] }) => removedNames);
  return {
    ...changes,
    changes: [...changes.changes, ...listChangesOfMoves(requestedMoves, changes, earlierChanges)],
    moves: [
      ...changes.moves,
      ...earlierChanges.flatMap((earlier) => earlier.moves.filter(isRequested)),
      ...moves.map((move) => ({ ...move, after: findLaterMove(move)?.after ?? move.after })),
    ],
    removed: [...changes.removed, ...removed],
    sinceLastMerge: { added: changes.added, removed: changes.removed },
    addedEarlier: added,
    ...(isIncomplete === true ? { isIncomplete } : {}),
    typesRemovedEarlier: removedTypes,
    interfacesRemovedEarlier: removedInterfaces,
    possibleMoves,
    removedNames: [...new Map(names.map((name) => [`${name.interface} ${name.before}`, name])).values()],
  };
}

export const noOpenChanges: OpenChanges = { moves: [], added: [], removed: [], removedTypes: [], contracts: [] };

/**
 * Returns the changes, until now, of the operations that an earlier merge found missing, and whose handlers the user
 * requests to move.
 */
function listChangesOfMoves(
  requestedMoves: HandlerChanges["moves"],
  newChanges: HandlerChanges,
  earlierChanges: readonly HandlerChanges[],
): HandlerChanges["changes"] {
  return requestedMoves.flatMap(({ interface: name, before, after }) => {
    const lastChanges = [...earlierChanges, newChanges].findLast(({ removed }) =>
      removed.some((removal) => removal.interface === name && removal.operation === before),
    );
    const isOfMove = (change: HandlerChanges["changes"][number]) =>
      change.interface === name && change.operations.includes(after);
    const knownTexts = newChanges.changes.filter(isOfMove).map(({ text }) => text);
    return (lastChanges?.changes ?? [])
      .filter((change) => isOfMove(change) && !knownTexts.includes(change.text))
      .map((change) => ({ ...change, operations: [after] }));
  });
}

/** Returns the changes to record for the next merge, with the moves that this merge refused. */
export function selectOpenChanges(
  changes: HandlerChanges,
  unmoved: MergeReport["unmoved"] = [],
  recordedChanges: readonly RecordedChanges[],
): OpenChanges {
  const { moves, added, addedEarlier = [], removed, split } = changes;
  const { removedTypes, typesRemovedEarlier = [], isIncomplete } = changes;
  const removedInterfaces = [...changes.removedInterfaces, ...(changes.interfacesRemovedEarlier ?? [])];
  const refusedMoves = unmoved
    .filter((refused) => !moves.some((move) => move.interface === refused.interface && move.before === refused.from))
    .map(({ interface: name, from, to }) => ({ interface: name, before: from, after: to }));
  const isSplit = (addition: OperationOf) =>
    split.some((part) => part.interface === addition.interface && part.after === addition.operation);
  return {
    moves: withoutCopies([...moves, ...refusedMoves]),
    added: withoutCopies([...added.filter((addition) => !isSplit(addition)), ...addedEarlier]),
    removed: withoutCopies(removed),
    removedTypes: withoutCopies([...removedTypes, ...typesRemovedEarlier]),
    ...(removedInterfaces.length === 0 ? {} : { removedInterfaces: withoutCopies(removedInterfaces) }),
    contracts: recordedChanges
      .filter(({ changes: { removed, removedNames = [] } }) => removed.length > 0 || removedNames.length > 0)
      .map(({ contract }) => contract),
    ...(isIncomplete === true ? { isIncomplete } : {}),
  };
}

export function hasOpenOperations({ added, removed }: Pick<OpenChanges, "added" | "removed">): boolean {
  return added.length > 0 || removed.length > 0;
}

/** Returns the changes to record if only handlers that were not read may need them; undefined if there are none. */
export function selectUnreadChanges(
  { added, removed }: Pick<OpenChanges, "added" | "removed">,
  { moves }: Pick<HandlerChanges, "moves"> = noOpenChanges,
): OpenChanges | undefined {
  const concernsRemoved = (move: HandlerChanges["moves"][number]) =>
    removed.some((operation) => operation.interface === move.interface && operation.operation === move.before);
  return !hasOpenOperations({ added, removed })
    ? undefined
    : {
        ...noOpenChanges,
        moves: withoutCopies(moves.filter(concernsRemoved)),
        added: withoutCopies(added),
        removed: withoutCopies(removed),
      };
}

function withoutCopies<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
