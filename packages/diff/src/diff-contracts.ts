import { createHash } from "node:crypto";
import { type Interface, positionOf, type Span } from "@bothends/generator";
import type { Change, ContractDiff, SourcePlace } from "./change.js";
import { compareRest } from "./compare/rest/endpoints.js";
import { type Difference, type ReachedDifference, type Side, soapSide, type TypePair } from "./compare/sides.js";
import { compareSoap, type InterfaceDifferences } from "./compare/soap/interfaces.js";
import { mergeNamespaces } from "./merge-namespaces.js";
import { messageOf } from "./messages.js";
import { ruleOf } from "./rules/index.js";
import { consequencesOf, levelOfConsequences, levels } from "./rules/rule.js";

/** Compares two states of the sources. */
export function diffContracts(base: Side, current: Side): ContractDiff {
  const found: Change[] = [];
  for (const after of current.contract.interfaces) {
    const before = base.contract.interfaces.find(({ kind, name }) => kind === after.kind && name === after.name);
    if (before === undefined) {
      found.push(changeOf(after.name, { ...presence("interface-added", after), operations: [] }));
    } else {
      found.push(...compareInterfaces([base, before], [current, after]));
    }
  }
  for (const before of base.contract.interfaces) {
    if (!current.contract.interfaces.some(({ kind, name }) => kind === before.kind && name === before.name)) {
      found.push(changeOf(before.name, { ...presence("interface-removed", before), operations: [] }));
    }
  }
  return { base: base.name, current: current.name, changes: sortChanges(mergeEqual(found)) };
}

function presence(rule: "interface-added" | "interface-removed", each: Interface): Difference {
  const span = each.kind === "rest" ? each.span : each.services[0]?.span;
  return rule === "interface-added"
    ? { rule, subject: each.name, after: each.name, newSpan: span }
    : { rule, subject: each.name, before: each.name, oldSpan: span };
}

type Located = readonly [side: Side, state: Interface];

function compareInterfaces([base, before]: Located, [current, after]: Located): readonly Change[] {
  if (before.kind === "soap" && after.kind === "soap") {
    const found = compareSoap(soapSide(before, base.plan), soapSide(after, current.plan));
    return mergeNamespaces(withoutImplied(reached(found))).map((each) => changeOf(after.name, each));
  }
  if (before.kind === "rest" && after.kind === "rest") {
    const sides = [
      { interface: before, plan: base.plan },
      { interface: after, plan: current.plan },
    ] as const;
    return compareRest(...sides).map((each) =>
      changeOf(after.name, { ...each, operations: each.operation === undefined ? [] : [each.operation] }),
    );
  }
  return [];
}

/** Finds the operations that exchange a type that changed. */
function reached({ differences, operations, pairs }: InterfaceDifferences): readonly ReachedDifference[] {
  const users = new Map<TypePair, Set<string>>();
  const isUnchanged = [...pairs.values()].every((pair) => pair.differences.length === 0);
  for (const { operation, pair } of isUnchanged ? [] : operations) {
    const pending = [pair];
    const seen = new Set(pending);
    for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
      users.set(each, (users.get(each) ?? new Set()).add(operation));
      for (const key of each.uses) {
        const used = pairs.get(key);
        if (used !== undefined && !seen.has(used)) {
          seen.add(used);
          pending.push(used);
        }
      }
    }
  }
  return [
    ...differences.map((each) => ({ ...each, operations: isOperation(each) ? [each.subject] : [] })),
    ...operations.flatMap(({ operation, pair }) =>
      pair.differences.map((each) => ({ ...each, operations: [operation] })),
    ),
    ...[...pairs.values()].flatMap((pair) =>
      pair.differences.map((each) => ({ ...each, operations: [...(users.get(pair) ?? [])] })),
    ),
  ];
}

function isOperation({ rule }: Difference): boolean {
  return (
    rule === "operation-added" ||
    rule === "operation-removed" ||
    rule === "operation-split" ||
    rule === "operations-joined"
  );
}

/** Leaves out members whose names follow from the name of a renamed operation: `CheckMexicoResult`. */
function withoutImplied(differences: readonly ReachedDifference[]): readonly ReachedDifference[] {
  const renamed = new Map(
    differences.flatMap(({ rule, before, after }) =>
      rule === "operation-renamed" && before !== undefined && after !== undefined ? [[after, before] as const] : [],
    ),
  );
  return differences.filter(({ rule, before, after, operations }) => {
    const [operation = "", ...others] = operations;
    const old = renamed.get(operation);
    const isImplied = others.length === 0 && old !== undefined && before?.replace(old, operation) === after;
    return !(rule === "member-renamed" && isImplied);
  });
}

function changeOf(interfaceName: string, difference: ReachedDifference): Change {
  const { rule: id, direction, subject, operations } = difference;
  const rule = ruleOf(id);
  const consequences = consequencesOf(rule, difference);
  const before = difference.before === "" ? undefined : difference.before;
  const after = difference.after === "" ? undefined : difference.after;
  return {
    rule: id,
    direction,
    interface: interfaceName,
    subject,
    before,
    after,
    oldPlace: placeOf(difference.oldSpan),
    newPlace: placeOf(difference.newSpan),
    consequences,
    level: levelOfConsequences(consequences),
    message: messageOf(id, { subject, before, after }),
    reason: rule.reason,
    strict: rule.strict,
    undecided: rule.undecided,
    operations,
    fingerprint: fingerprintOf([id, direction ?? "", interfaceName, subject, before ?? "", after ?? ""]),
  };
}

function placeOf(span: Span | undefined): SourcePlace | undefined {
  return span === undefined ? undefined : { path: span.source.path, ...positionOf(span.source, span.start) };
}

function fingerprintOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 12);
}

/** Merges changes that differ only in the operations: a schema that two services include has its types twice. */
function mergeEqual(changes: readonly Change[]): readonly Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.fingerprint} ${JSON.stringify([change.oldPlace, change.newPlace])}`;
    const known = merged.get(key);
    const operations = [...new Set([...(known?.operations ?? []), ...change.operations])];
    merged.set(key, { ...change, operations });
  }
  return [...merged.values()];
}

function sortChanges(changes: readonly Change[]): readonly Change[] {
  const severity = ({ level }: Change) => -levels.indexOf(level);
  const line = ({ newPlace, oldPlace }: Change) => newPlace?.line ?? oldPlace?.line ?? 0;
  const text = (change: Change) => `${change.newPlace?.path ?? change.oldPlace?.path} ${change.interface}`;
  const rest = ({ subject, rule, direction, fingerprint }: Change) => `${subject} ${rule} ${direction} ${fingerprint}`;
  const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);
  return [...changes].sort(
    (left, right) =>
      severity(left) - severity(right) ||
      compare(text(left), text(right)) ||
      line(left) - line(right) ||
      compare(rest(left), rest(right)),
  );
}
