import { createHash } from "node:crypto";
import { type Interface, positionOf, type Span } from "@bothends/generator";
import { compareRest } from "./compare/rest/endpoints.js";
import { type Difference, type ReachedDifference, type Side, soapSide, type TypePair } from "./compare/sides.js";
import { compareSoap, type InterfaceDifferences } from "./compare/soap/interfaces.js";
import { mergeNamespaces } from "./merge-namespaces.js";
import { type RuleId, ruleOf } from "./rules/index.js";
import {
  type Consequences,
  consequencesOf,
  type Direction,
  type Level,
  levelOfConsequences,
  levels,
} from "./rules/rule.js";

/** A position in the sources of one side. */
export interface SourcePlace {
  /** Relative to the root of the sources. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A change between two contracts, and whom it affects. */
export interface Change {
  readonly rule: RuleId;
  /** The direction of the messages in which it appears; undefined if it concerns calls as a whole. */
  readonly direction: Direction | undefined;
  /** The name of the interface: `vehicle`. */
  readonly interface: string;
  /** What changed: `Vehicle.Colour`, `CheckUSA`, `GET /core/v2/blocks`. */
  readonly subject: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The position in the old sources; undefined for what was added. */
  readonly oldPlace: SourcePlace | undefined;
  /** The position in the new sources; undefined for what was removed. */
  readonly newPlace: SourcePlace | undefined;
  readonly consequences: Consequences;
  /** The worst of the consequences. */
  readonly level: Level;
  /** A sentence that says what happened. */
  readonly message: string;
  readonly reason: string;
  /** What a stricter peer does. */
  readonly strict: string | undefined;
  /** Why the sources do not decide the consequences, which are then the worst case. */
  readonly undecided: string | undefined;
  /** The operations that it reaches, by name. */
  readonly operations: readonly string[];
  /** 12 hexadecimal digits, made from the rule, the direction, the interface, the subject and the values. */
  readonly fingerprint: string;
}

/** The changes between two sides. */
export interface ContractDiff {
  /** The names of the sides. */
  readonly base: string;
  readonly current: string;
  /** The worst first, then by interface and position. */
  readonly changes: readonly Change[];
}

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

/** A sentence about a change: `Vehicle.Colour: An optional member was added.` */
export function messageOf(
  id: RuleId,
  facts: { readonly subject: string; readonly before: string | undefined; readonly after: string | undefined },
): string {
  const { subject, before, after } = facts;
  if (before !== undefined && after !== undefined && guesses.includes(id)) {
    // The subject of a member begins with its type: `Vehicle.Colour`.
    const type = id === "member-renamed" ? subject.slice(0, subject.lastIndexOf(".") + 1) : "";
    return `${type}${before} removed, ${after} added: renamed?`;
  }
  const sentence = ruleOf(id).title.replace(/\.$/, "");
  return `${subject}: ${sentence}${valueText(subject, before, after)}.`;
}

const guesses: readonly RuleId[] = ["operation-renamed", "member-renamed", "route-renamed"];

function valueText(subject: string, before: string | undefined, after: string | undefined): string {
  if (before !== undefined && after !== undefined) {
    return before === after ? "" : ` (${shortened(before)} → ${shortened(after)})`;
  }
  const value = before ?? after;
  return value === undefined || subject.endsWith(value) || subject.startsWith(`${value} `)
    ? ""
    : ` (${shortened(value)})`;
}

const maxLength = 120;

function shortened(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
