import type { Endpoint, Interface, Operation } from "@bothends/generator";
import type { Change } from "./change.js";
import type { Difference, DifferenceWithOperations } from "./compare/difference.js";
import { findKnownPairs, type KnownPairs, type Move } from "./compare/moves.js";
import { type DeclaredPackages, findPackageDifferences } from "./compare/names-in-code.js";
import { findRenamedEnumerations } from "./compare/renamed-enumerations.js";
import { compareRest } from "./compare/rest/endpoints.js";
import { getConfiguredSpan, locateSettings } from "./compare/setting-positions.js";
import type { Side } from "./compare/side.js";
import { compareSoap } from "./compare/soap/interfaces.js";
import { addNamespaceSpans, createNamespaceCheck } from "./compare/soap/namespaces.js";
import { addOperations } from "./compare/soap/operations-of-differences.js";
import { addParameterDifferences } from "./compare/soap/parameters.js";
import { createSoapSide } from "./compare/soap-side.js";
import type { InterfacePlan } from "./compare/uses-of-types.js";
import { addVanishedNames } from "./compare/vanished-names.js";
import { createChange, createOperationNames, getOperationName, type OperationNames } from "./create-change.js";
import { addGroups } from "./group-changes.js";
import { mergeDifferences } from "./merge-differences.js";
import { omitNamespacesOfMoves } from "./merge-replacements.js";
import { levels } from "./rules/rule.js";

/** The changes between two versions of the sources. */
export interface ContractDiff {
  /** The name of the old version. */
  readonly base: string;
  /** The name of the new version. */
  readonly current: string;
  /**
   * The changes, sorted by level with the worst first. Within a level, names in generated code follow the changes that
   * may cause them. Then sorted by file and position.
   */
  readonly changes: readonly Change[];
  /** The operations whose path in generated code has changed. */
  readonly moves: readonly Move[];
  /**
   * The moves that are equally likely: several added operations may be the new version of a removed one, or several
   * removed ones the old version of an added one. Equal messages alone also suffice.
   */
  readonly possibleMoves: readonly Move[];
}

/** Options of a comparison. */
interface DiffOptions {
  /**
   * The moves of operations that the caller knows. These operations are compared even if their names are not similar.
   * Ignores a move if the current version still has the old path, or if the base already had the new path.
   */
  readonly knownMoves?: readonly Move[];
}

/** Compares two versions of the sources. */
export function diffContracts(base: Side, current: Side, { knownMoves = [] }: DiffOptions = {}): ContractDiff {
  const changes: Change[] = [];
  const moves: Move[] = [];
  const possibleMoves: Move[] = [];
  const names = createOperationNames([base, current]);
  const renamedInterfaces = matchRenamedInterfaces(base, current);
  for (const after of current.contract.interfaces) {
    const { name } = after;
    const before = findSameName(after, base) ?? renamedInterfaces.get(after);
    if (before === undefined) {
      changes.push(
        createChange(after, { ...createPresenceDifference("interface-added", after), operations: [] }, names),
      );
      continue;
    }
    // Within one process, runs of the generator share the objects of unchanged interfaces. These need no comparison.
    if (before === after && getPlan(base, after) === getPlan(current, after)) {
      continue;
    }
    if (before.name !== name) {
      const [oldSpan, newSpan] = [before, after].map((version) => getConfiguredSpan(version) ?? getSpan(version));
      const texts = { subject: name, before: before.name, after: name };
      changes.push(
        createChange(after, { rule: "name-in-code-changed", ...texts, oldSpan, newSpan, operations: [] }, names),
      );
    }
    const knownPairs = findKnownPairs([before, after], knownMoves, names.getPath);
    const { differences, matchedPairs } = addNames(
      [base, before],
      [current, after],
      compareInterfaces([base, before], [current, after], knownPairs),
    );
    const located = locateSettings(differences, [before, after]);
    changes.push(...located.map((difference) => createChange(after, difference, names)));
    possibleMoves.push(...differences.flatMap((difference) => listPossibleMoves(name, difference, names)));
    for (const [oldPath, newPath] of matchedPairs.map((pair) => pair.map(names.getPath))) {
      if (oldPath !== undefined && newPath !== undefined && oldPath !== newPath) {
        moves.push({ interface: name, before: oldPath, after: newPath });
      }
    }
  }
  for (const before of base.contract.interfaces) {
    if (findSameName(before, current) === undefined && ![...renamedInterfaces.values()].includes(before)) {
      changes.push(
        createChange(before, { ...createPresenceDifference("interface-removed", before), operations: [] }, names),
      );
    }
  }
  changes.push(...findPackageChanges([base, current], names));
  return {
    base: base.name,
    current: current.name,
    changes: addGroups(sortChanges(mergeEqualChanges(changes))),
    moves,
    possibleMoves: omitRepeatedMoves(possibleMoves),
  };
}

function findSameName({ kind, name }: Interface, { contract }: Side): Interface | undefined {
  return contract.interfaces.find((candidate) => candidate.kind === kind && candidate.name === name);
}

/** Compares the packages of two projects that a configuration describes. */
function findPackageChanges(sides: readonly [base: Side, current: Side], names: OperationNames): readonly Change[] {
  const versions = sides.flatMap(({ contract, plan }): readonly DeclaredPackages[] => {
    const [configuration] = contract.interfaces.flatMap((each) => getConfiguredSpan(each)?.source ?? []);
    return plan === undefined || configuration === undefined ? [] : [{ packages: plan.packages, configuration }];
  });
  const [before, after] = versions;
  return before === undefined || after === undefined
    ? []
    : findPackageDifferences([before, after]).map((difference) =>
        createChange({ name: "", kind: "soap" }, { ...difference, operations: [] }, names),
      );
}

/** Matches interfaces whose names in the configuration changed, by their documents or namespaces. */
function matchRenamedInterfaces(base: Side, current: Side): ReadonlyMap<Interface, Interface> {
  const removedInterfaces = base.contract.interfaces.filter((each) => findSameName(each, current) === undefined);
  const addedInterfaces = current.contract.interfaces.filter((each) => findSameName(each, base) === undefined);
  const isSame = (left: Interface, right: Interface) =>
    left.kind === right.kind && listOrigins(left).some((origin) => listOrigins(right).includes(origin));
  return new Map(
    addedInterfaces.flatMap((after) => {
      const [before, ...others] = removedInterfaces.filter((candidate) => isSame(candidate, after));
      const isOnly =
        before !== undefined &&
        others.length === 0 &&
        addedInterfaces.filter((each) => isSame(before, each)).length === 1;
      return isOnly ? [[after, before] as const] : [];
    }),
  );
}

/** Returns the documents of an interface, and the namespaces of its services. */
function listOrigins(each: Interface): readonly string[] {
  return each.kind === "rest"
    ? [each.span.source.path]
    : each.services.flatMap(({ namespace, span }) => [`namespace ${namespace}`, span.source.path]);
}

function getSpan(each: Interface) {
  return each.kind === "rest" ? each.span : each.services[0]?.span;
}

function getPlan({ plan }: Side, source: Interface): InterfacePlan | undefined {
  return plan?.interfaces.find((interfacePlan) => interfacePlan.interface === source);
}

function createPresenceDifference(
  rule: "interface-added" | "interface-removed",
  changedInterface: Interface,
): Difference {
  const span = getSpan(changedInterface);
  return rule === "interface-added"
    ? { rule, subject: changedInterface.name, after: changedInterface.name, newSpan: span }
    : { rule, subject: changedInterface.name, before: changedInterface.name, oldSpan: span };
}

type LocatedInterface = readonly [side: Side, version: Interface];

interface ComparedInterface {
  readonly differences: readonly DifferenceWithOperations[];
  readonly matchedPairs: readonly (readonly [before: Operation | Endpoint, after: Operation | Endpoint])[];
}

function compareInterfaces(
  [base, before]: LocatedInterface,
  [current, after]: LocatedInterface,
  knownPairs: KnownPairs,
): ComparedInterface {
  if (before.kind === "soap" && after.kind === "soap") {
    const sides = [createSoapSide(before, base.plan), createSoapSide(after, current.plan)] as const;
    const comparison = addParameterDifferences(sides, compareSoap(...sides, knownPairs));
    const differences = omitNamespacesOfMoves(omitNamesOfRenamedFaults(omitImpliedRenames(addOperations(comparison))));
    return {
      differences: addNamespaceSpans(mergeDifferences(differences, createNamespaceCheck(before, after)), [
        before,
        after,
      ]),
      matchedPairs: comparison.operations.map((operation) => [operation.before, operation.after]),
    };
  }
  if (before.kind === "rest" && after.kind === "rest") {
    const sides = [
      { interface: before, plan: base.plan },
      { interface: after, plan: current.plan },
    ] as const;
    const { differences, endpoints } = compareRest(...sides, knownPairs);
    return {
      differences: differences.map((difference) => ({
        ...difference,
        operations: difference.operations ?? [],
        isRestAnswer: difference.direction === "output" || difference.variant?.startsWith("members"),
      })),
      matchedPairs: endpoints.map((endpoint) => [endpoint.before, endpoint.after]),
    };
  }
  return { differences: [], matchedPairs: [] };
}

/**
 * Adds the names that generated code no longer exports, and those that now stand for another enumeration. If the
 * interface was renamed, its packages have other entries, so that all names vanish together.
 */
function addNames(
  [base, before]: LocatedInterface,
  [current, after]: LocatedInterface,
  comparison: ComparedInterface,
): ComparedInterface {
  const [oldPlan, newPlan] = [getPlan(base, before), getPlan(current, after)];
  if (oldPlan === undefined || newPlan === undefined || oldPlan.folder !== newPlan.folder) {
    return comparison;
  }
  const sides = { before: { interface: before, plan: oldPlan }, after: { interface: after, plan: newPlan } };
  const differences = [...comparison.differences, ...findRenamedEnumerations({ ...comparison, ...sides })];
  return { ...comparison, differences: addVanishedNames({ ...comparison, ...sides, differences }) };
}

/** Omits renamed members whose new names follow from a renamed operation: `CheckMexicoResult`. */
function omitImpliedRenames(differences: readonly DifferenceWithOperations[]): readonly DifferenceWithOperations[] {
  const renamedOperations = new Map(
    differences.flatMap(({ rule, before, after }) =>
      rule === "operation-renamed" && before !== undefined && after !== undefined ? [[after, before] as const] : [],
    ),
  );
  return differences.filter(({ rule, before, after, operations }) => {
    const [operation = "", ...otherOperations] = operations.map(getOperationName);
    const oldName = renamedOperations.get(operation);
    const isImplied =
      otherOperations.length === 0 && oldName !== undefined && before?.replace(oldName, operation) === after;
    return !(rule === "member-renamed" && isImplied);
  });
}

/**
 * Omits the names in generated code that follow from the new name of a fault: `DataFault`, `DataFaultDetail`. A renamed
 * fault without such a name does not affect code.
 */
function omitNamesOfRenamedFaults(
  differences: readonly DifferenceWithOperations[],
): readonly DifferenceWithOperations[] {
  const simplify = (name = "") => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  const isImplied = (name: Difference, fault: Difference) =>
    name.rule === "name-in-code-changed" &&
    simplify(name.before).replace(simplify(fault.before), simplify(fault.after)) === simplify(name.after);
  const renamedFaults = differences.filter(({ rule }) => rule === "fault-renamed");
  return differences
    .filter((difference) => !renamedFaults.some((fault) => isImplied(difference, fault)))
    .map((difference) =>
      difference.rule === "fault-renamed" && !differences.some((name) => isImplied(name, difference))
        ? { ...difference, variant: "sameCode" }
        : difference,
    );
}

/** Both items of a possible move name each other as their other version. */
function omitRepeatedMoves(moves: readonly Move[]): readonly Move[] {
  return [...new Map(moves.map((move) => [JSON.stringify(move), move])).values()];
}

/** Returns the moves between a removed or added operation and its alternatives, which have the same method. */
function listPossibleMoves(
  interfaceName: string,
  { operations, alternatives = [], before }: DifferenceWithOperations,
  { getPath }: OperationNames,
): readonly Move[] {
  const getMethod = (operation: Operation | Endpoint) => ("route" in operation ? operation.methods[0] : "");
  return operations.flatMap((operation) =>
    alternatives
      .filter((alternative) => getMethod(operation) === getMethod(alternative))
      .flatMap((alternative): readonly Move[] => {
        const [path, otherPath] = [getPath(operation), getPath(alternative)];
        if (path === undefined || otherPath === undefined) {
          return [];
        }
        const [oldPath, newPath] = before === undefined ? [otherPath, path] : [path, otherPath];
        return [{ interface: interfaceName, before: oldPath, after: newPath }];
      }),
  );
}

/** Merges changes that differ only in their operations: two services that include one schema share its changes. */
function mergeEqualChanges(changes: readonly Change[]): readonly Change[] {
  const mergedChanges = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.fingerprint} ${JSON.stringify([change.oldPosition, change.newPosition])}`;
    const previousChange = mergedChanges.get(key);
    const operations = [...new Set([...(previousChange?.operations ?? []), ...change.operations])];
    const members = [...new Set([...(previousChange?.members ?? []), ...change.members])];
    const vanishedNames = [
      ...new Set([...(previousChange?.vanishedNames ?? []), ...(change.vanishedNames ?? [])]),
    ].sort();
    mergedChanges.set(key, {
      ...change,
      operations,
      members,
      ...(vanishedNames.length > 0 && { vanishedNames }),
    });
  }
  return [...mergedChanges.values()];
}

function sortChanges(changes: readonly Change[]): readonly Change[] {
  const getSeverity = ({ level }: Change) => -levels.indexOf(level);
  const getRank = ({ rule }: Change) => (rule === "name-in-code-changed" ? 1 : 0);
  const getLine = ({ newPosition, oldPosition }: Change) => newPosition?.line ?? oldPosition?.line ?? 0;
  const getOrder = (change: Change) => `${change.newPosition?.path ?? change.oldPosition?.path} ${change.interface}`;
  const getTieBreaker = ({ subject, rule, direction, fingerprint }: Change) =>
    `${subject} ${rule} ${direction} ${fingerprint}`;
  const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);
  return [...changes].sort(
    (left, right) =>
      getSeverity(left) - getSeverity(right) ||
      getRank(left) - getRank(right) ||
      compare(getOrder(left), getOrder(right)) ||
      getLine(left) - getLine(right) ||
      compare(getTieBreaker(left), getTieBreaker(right)),
  );
}
