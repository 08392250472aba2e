import { type DifferenceWithOperations, type MovedDeclaration, namespaceRules } from "./compare/difference.js";
import { getRule } from "./rules/index.js";
import { type Direction, findWorstConsequences, findWorstLevel, getConsequences, type Level } from "./rules/rule.js";

/** Says whether the new version has a namespace in place of the old one. */
export type NamespaceCheck = (change: NamespaceChange) => boolean;

/** Merges the differences between the old and the new type of an item into one difference of the item. */
export function mergeReplacedTypes(
  differences: readonly DifferenceWithOperations[],
): readonly DifferenceWithOperations[] {
  const findItem = ({ replacedType, encodedDirection, direction, faultPart }: DifferenceWithOperations) => {
    const { subject, before, after, newSpan } = replacedType ?? {};
    // The name of the type in encoded messages is reported apart from its content.
    return replacedType && encodedDirection === undefined
      ? { subject, before, after, direction, faultPart, position: newSpan?.start }
      : undefined;
  };
  return mergeGroups(differences, findItem, createReplacedType);
}

/**
 * Merges the differences that follow from one replaced namespace, from one declaration that moved to another namespace,
 * or from one replaced prefix of actions.
 */
export function mergeReplacements(
  differences: readonly DifferenceWithOperations[],
  isReplaced: NamespaceCheck,
): readonly DifferenceWithOperations[] {
  const namespaces = listReplacedNamespaces(differences);
  const withActions = mergeGroups(
    differences,
    (difference) => getReplacedAction(difference, namespaces),
    (group, action) => (hasSeveralSubjects(group) ? createReplacedAction(group, action) : undefined),
  );
  const findReplacedNamespace = (difference: DifferenceWithOperations) => {
    const change = getNamespaceChange(difference);
    if (change === undefined || !isReplaced(change)) {
      return undefined;
    }
    const { before, after, files } = change;
    return hasOtherForm(change) ? { before, after, files } : { before, after };
  };
  const withNamespaces = mergeGroups(withActions, findReplacedNamespace, (group, change) =>
    hasSeveralSubjects(group) ? createReplacedNamespace(group, change) : undefined,
  );
  const findMove = (difference: DifferenceWithOperations) => {
    const { moved, direction, ...change } = getNamespaceChange(difference) ?? {};
    return moved && { ...change, direction, kind: moved.kind, name: moved.name };
  };
  return mergeGroups(withNamespaces, findMove, (group) => {
    const [move] = group.flatMap((difference) => getNamespaceChange(difference) ?? []);
    // The content of a type moves with the type; a member that refers to one element moves alone.
    return move?.moved !== undefined && (move.moved.kind === "type" || hasSeveralSubjects(group))
      ? createMovedDeclaration(group, move, move.moved)
      : undefined;
  });
}

/**
 * Omits the other namespaces in messages and actions of an operation that moved to another service, if the services
 * have these namespaces.
 */
export function omitNamespacesOfMoves(
  differences: readonly DifferenceWithOperations[],
): readonly DifferenceWithOperations[] {
  const replacements = new Map(
    differences.flatMap(({ namespaces, operations }) =>
      operations.flatMap((operation) => {
        const [before, after] = namespaces ?? [];
        return before === undefined || after === undefined || before === after
          ? []
          : [[operation, { before, after }] as const];
      }),
    ),
  );
  const isImpliedBy = (difference: DifferenceWithOperations, replacement: Replacement | undefined) => {
    const { rule, before = "", after = "" } = difference;
    if (replacement !== undefined && (rule === "soap-action-changed" || rule === "addressing-changed")) {
      return findReplacedNamespace([before, after], [replacement]) !== undefined;
    }
    const change = getNamespaceChange(difference);
    return change !== undefined && change.before === replacement?.before && change.after === replacement.after;
  };
  const isImplied = (difference: DifferenceWithOperations) =>
    difference.operations.length > 0 &&
    difference.operations.every((operation) => isImpliedBy(difference, replacements.get(operation)));
  return replacements.size === 0 ? differences : differences.filter((difference) => !isImplied(difference));
}

/**
 * Merges each group of differences that have equal causes. `merge` returns the merged difference, or undefined if the
 * differences of the group remain.
 */
function mergeGroups<Cause>(
  differences: readonly DifferenceWithOperations[],
  getCause: (difference: DifferenceWithOperations) => Cause | undefined,
  merge: (group: readonly DifferenceWithOperations[], cause: Cause) => DifferenceWithOperations | undefined,
): readonly DifferenceWithOperations[] {
  const groups = new Map<string, DifferenceWithOperations[]>();
  const causes = new Map<string, Cause>();
  for (const difference of differences) {
    const cause = getCause(difference);
    if (cause !== undefined) {
      const key = JSON.stringify(cause);
      causes.set(key, cause);
      addToGroup(groups, key, difference);
    }
  }
  const mergedDifferences = new Map<DifferenceWithOperations, readonly DifferenceWithOperations[]>();
  for (const [key, cause] of causes) {
    const group = groups.get(key) ?? [];
    const mergedDifference = merge(group, cause);
    for (const [index, difference] of mergedDifference === undefined ? [] : group.entries()) {
      mergedDifferences.set(difference, index === 0 && mergedDifference !== undefined ? [mergedDifference] : []);
    }
  }
  return differences.flatMap((difference) => mergedDifferences.get(difference) ?? [difference]);
}

export function addToGroup(
  groups: Map<string, DifferenceWithOperations[]>,
  key: string,
  difference: DifferenceWithOperations,
): void {
  const group = groups.get(key);
  if (group === undefined) {
    groups.set(key, [difference]);
  } else {
    group.push(difference);
  }
}

function hasSeveralSubjects(group: readonly DifferenceWithOperations[]): boolean {
  return new Set(group.map(({ subject }) => subject)).size > 1;
}

interface Replacement {
  readonly before: string;
  readonly after: string;
}

/** A prefix of actions that was replaced: of a SOAPAction, or of an action of WS-Addressing. */
interface ReplacedAction extends Replacement {
  readonly subject: string;
  readonly onlyProtocols?: readonly string[];
}

function getReplacedAction(
  difference: DifferenceWithOperations,
  namespaces: readonly Replacement[],
): ReplacedAction | undefined {
  const { rule, subject, before, after, onlyProtocols } = difference;
  if (
    before === undefined ||
    after === undefined ||
    (rule !== "soap-action-changed" && rule !== "addressing-changed")
  ) {
    return undefined;
  }
  if (rule === "addressing-changed") {
    const replacement = findReplacedNamespace([before, after], namespaces) ?? findReplacedPrefix(before, after);
    return { subject: "wsa:Action", ...replacement };
  }
  const [protocol = ""] = / \(SOAP 1\.[12]\)$/.exec(subject) ?? [];
  return {
    subject: `SOAPAction${protocol}`,
    ...findReplacedPrefix(before, after),
    ...(onlyProtocols !== undefined && { onlyProtocols }),
  };
}

/**
 * Returns the target namespace that was replaced in each action of a request, an answer or a fault: default actions
 * begin with it, and continue with words between `:` in a URN and `/` in any other URI (WS-Addressing WSDL Binding
 * §4.4.4). Undefined if an action changed in another way.
 */
function findReplacedNamespace(
  [before, after]: readonly [before: string, after: string],
  namespaces: readonly Replacement[],
): Replacement | undefined {
  const newActions = after.split(" ");
  const getWords = (action: string, namespace: string) =>
    action.startsWith(namespace) ? action.slice(namespace.length).split(/[:/]/).filter(Boolean).join(" ") : undefined;
  return namespaces.find((namespace) =>
    before.split(" ").every((action, index) => {
      const newAction = newActions[index] ?? "";
      const words = getWords(action, namespace.before);
      return action === newAction || (words !== undefined && words === getWords(newAction, namespace.after));
    }),
  );
}

/** Returns the target namespaces of services that were replaced. */
function listReplacedNamespaces(differences: readonly DifferenceWithOperations[]): readonly Replacement[] {
  return differences.flatMap(({ rule, before, after }) =>
    rule === "service-namespace-changed" && before !== undefined && after !== undefined ? [{ before, after }] : [],
  );
}

function findReplacedPrefix(before: string, after: string): Replacement {
  const end = -computeSharedEndLength(before, after) || undefined;
  return { before: before.slice(0, end), after: after.slice(0, end) };
}

/** Returns the length of the end that two strings share, counted in whole words between `/`, `#` and `:`. */
function computeSharedEndLength(left: string, right: string): number {
  let length = 0;
  while (length < Math.min(left.length, right.length) && left.at(-1 - length) === right.at(-1 - length)) {
    length += 1;
  }
  // Counts only whole words: "…/aa/Pay" and "…/ba/Pay" share "Pay", but not "a/Pay".
  const words = /(?:^|[/#:])([^/#:]*)$/.exec(left.slice(left.length - length));
  return words === null ? 0 : (words[1]?.length ?? 0);
}

function createReplacedAction(
  group: readonly DifferenceWithOperations[],
  action: ReplacedAction,
): DifferenceWithOperations | undefined {
  const [first] = group;
  const levels = [findLevelOf(group, "oldClients"), findLevelOf(group, "newClients")] as const;
  return first && { ...first, ...action, levels, operations: listOperations(group) };
}

/** Returns a difference with the worst consequences of a group of differences between two types. */
function createReplacedType(group: readonly DifferenceWithOperations[]): DifferenceWithOperations | undefined {
  const [first] = group;
  const contents = group.filter(({ rule }) => rule !== "documentation-changed");
  if (first?.replacedType === undefined || contents.length === 0) {
    return undefined;
  }
  const { direction, faultPart, replacedType } = first;
  const { oldClients, newClients, callers, handlers } = findWorstConsequences(
    contents.map((difference) => getConsequences(getRule(difference.rule), difference)),
  );
  const isInput = direction === "input";
  return {
    ...replacedType,
    rule: "type-replaced",
    direction,
    faultPart,
    levels: isInput ? [oldClients, newClients] : [newClients, oldClients],
    codeLimits: isInput ? [callers, handlers] : [handlers, callers],
    operations: listOperations(group),
  };
}

/** The namespace of a name that changed. */
export interface NamespaceChange extends Replacement {
  readonly direction: Direction;
  /** The paths of the old and the new file that declare the name. */
  readonly files: readonly [before: string | undefined, after: string | undefined];
  /**
   * The declaration that moved; undefined if the same declaration has another form, or if the name is that of an
   * operation of rpc style.
   */
  readonly moved: MovedDeclaration | undefined;
}

/** Whether a name has a namespace in only one version, because the schema declares another form. */
export function hasOtherForm({ before, after }: Replacement): boolean {
  return before === "" || after === "";
}

const elementDirections = {
  "input-element-changed": "input",
  "output-element-changed": "output",
  "fault-element-changed": "output",
} as const;

/** Returns the namespace that a difference replaces; undefined if it replaces none. */
export function getNamespaceChange(difference: DifferenceWithOperations): NamespaceChange | undefined {
  const { rule, before, after, moved, direction = "input" } = difference;
  const files = [difference.oldSpan?.source.path, difference.newSpan?.source.path] as const;
  if (before === undefined || after === undefined) {
    return undefined;
  }
  if (namespaceRules.includes(rule)) {
    const parseNamespace = (text: string) => (text === "none" ? "" : text);
    return { before: parseNamespace(before), after: parseNamespace(after), direction, files, moved };
  }
  if (rule in elementDirections) {
    const [oldParts, newParts] = [/^\{(.*)\}([^}]*)$/.exec(before), /^\{(.*)\}([^}]*)$/.exec(after)];
    const [, oldNamespace = "", oldLocal] = oldParts ?? [];
    const [, newNamespace = "", newLocal] = newParts ?? [];
    const isSameElement = oldLocal === newLocal || difference.isRenamedTogether === true;
    return newLocal !== undefined && isSameElement && oldNamespace !== newNamespace
      ? {
          before: oldNamespace,
          after: newNamespace,
          direction: elementDirections[rule as keyof typeof elementDirections],
          files,
          moved,
        }
      : undefined;
  }
  return undefined;
}

function createReplacedNamespace(
  group: readonly DifferenceWithOperations[],
  { before, after }: Replacement,
): DifferenceWithOperations {
  return {
    rule: "namespace-changed",
    variant: before === "" ? "qualified" : after === "" ? "unqualified" : undefined,
    subject: after === "" ? before : after,
    before: formatNamespace(before),
    after: formatNamespace(after),
    oldSpan: group[0]?.oldSpan,
    newSpan: group[0]?.newSpan,
    levels: [findLevelOf(group, "oldClients"), findLevelOf(group, "newClients")],
    operations: listOperations(group),
  };
}

function createMovedDeclaration(
  group: readonly DifferenceWithOperations[],
  { before, after, direction }: NamespaceChange,
  { kind, name, oldSpan, newSpan }: MovedDeclaration,
): DifferenceWithOperations {
  const [first] = group;
  const levels = [findLevelOf(group, "oldClients"), findLevelOf(group, "newClients")] as const;
  return {
    rule: "declaration-moved",
    direction,
    subject: name,
    before: formatNamespace(before),
    after: formatNamespace(after),
    oldSpan: oldSpan ?? first?.oldSpan,
    newSpan: newSpan ?? first?.newSpan,
    variant: kind,
    // The levels of an exchange begin with the level for old writers: in answers, these are the old servers.
    levels: direction === "input" ? levels : [levels[1], levels[0]],
    operations: listOperations(group),
  };
}

function formatNamespace(namespace: string): string {
  return namespace === "" ? "no namespace" : namespace;
}

/**
 * Returns the worst level for clients among the differences of a group. Names below another changed name do not count,
 * because readers do not find them.
 */
function findLevelOf(group: readonly DifferenceWithOperations[], party: "oldClients" | "newClients"): Level {
  const readDifferences = group.filter(({ isBelowOtherName }) => isBelowOtherName !== true);
  return findWorstLevel(
    (readDifferences.length === 0 ? group : readDifferences).map(
      (difference) => getConsequences(getRule(difference.rule), difference)[party],
    ),
  );
}

function listOperations(group: readonly DifferenceWithOperations[]): DifferenceWithOperations["operations"] {
  return [...new Set(group.flatMap(({ operations }) => operations))];
}
