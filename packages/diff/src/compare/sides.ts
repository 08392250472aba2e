import { builtInTypes } from "@bothends/datatypes/definitions";
import type {
  Contract,
  Endpoint,
  Operation,
  Plan,
  SoapInterface,
  Span,
  TypeDefinition,
  TypeId,
  TypeReference,
  ValueKind,
  WireName,
} from "@bothends/generator";
import type { RuleId } from "../rules/index.js";
import type { Direction } from "../rules/rule.js";

/** A state of the sources. */
export interface Side {
  /** Its name in reports: `HEAD (1e4abfe)`, `schemas/`. */
  readonly name: string;
  readonly contract: Contract;
  /** The TypeScript names. If absent, names in code are not compared. */
  readonly plan?: Plan | undefined;
}

/** A difference before its consequences and operations are known. */
export interface Difference {
  readonly rule: RuleId;
  readonly direction?: Direction | undefined;
  /** The changed item: `Vehicle.Colour`, `CheckUSA`, `GET /core/v2/blocks`. */
  readonly subject: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** The position in the old and in the new sources. */
  readonly oldSpan?: Span | undefined;
  readonly newSpan?: Span | undefined;
  /** The applicable condition of the rule. */
  readonly variant?: string | undefined;
  /** Whether the TypeScript types are equal. */
  readonly sameCode?: boolean | undefined;
  /** The affected operations, of the new state if both have them. */
  readonly operations?: readonly (Operation | Endpoint)[];
}

/** A difference and the operations that it reaches. */
export interface ReachedDifference extends Difference {
  readonly operations: readonly (Operation | Endpoint)[];
}

/** Differences between two types in one direction, and the pairs of types that they refer to. */
export interface TypePair {
  readonly differences: Difference[];
  readonly uses: Set<string>;
}

type SoapPlanOf = Extract<Plan["interfaces"][number], { readonly kind: "soap" }>;

/** One state of a SOAP interface, with its types by id. */
export interface SoapSide {
  readonly interface: SoapInterface;
  readonly types: ReadonlyMap<TypeId, TypeDefinition>;
  readonly plan: SoapPlanOf | undefined;
  /** The names of the operations in code; empty without a plan. */
  readonly methods: ReadonlyMap<Operation, string>;
  /** The elements of all declared faults: `{urn:s}Broken`. */
  readonly faultElements: ReadonlySet<string>;
}

export function soapSide(soap: SoapInterface, plan: Plan | undefined): SoapSide {
  const found = plan?.interfaces.find((each) => each.kind === "soap" && each.interface === soap);
  const planned = found?.kind === "soap" ? found : undefined;
  const operations = planned?.services.flatMap((service) => service.operations) ?? [];
  return {
    interface: soap,
    types: new Map(soap.types.map((type) => [type.id, type])),
    plan: planned,
    methods: new Map(operations.map(({ operation, method }) => [operation, method])),
    faultElements: new Set(
      soap.services.flatMap((service) => service.operations.flatMap(({ faults }) => faults.map(elementText))),
    ),
  };
}

/** The element of a fault or of a body in reports: `{urn:s}Broken`. */
export function elementText({ element }: { readonly element: WireName }): string {
  return `{${element.namespace}}${element.local}`;
}

/** Two states of a SOAP interface's types, and the pairs compared so far. */
export interface TypeComparison {
  readonly old: SoapSide;
  readonly new: SoapSide;
  readonly pairs: Map<string, TypePair>;
  /** Compares two references; types refer to each other. */
  readonly compare: (context: TypeComparison, references: References, place: Place) => void;
}

/** Two references to types in the same place. */
export interface References {
  readonly before: TypeReference;
  readonly after: TypeReference;
}

/** Two types to compare, and their position. */
export interface Place {
  readonly direction: Direction;
  readonly subject: string;
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
  /** Collects the differences of anonymous types. */
  readonly pair: TypePair;
}

export function definitionOf(side: SoapSide, type: TypeReference): TypeDefinition | undefined {
  return type.kind === "named" ? side.types.get(type.id) : undefined;
}

/** The JavaScript values of a built-in type. */
export function valueKindOf(side: SoapSide, name: string): ValueKind | undefined {
  const builtins: ReadonlyMap<string, { readonly value: ValueKind }> | undefined = side.plan?.builtins;
  const value = builtins?.get(name)?.value ?? builtInTypes.find((each) => each.name === name)?.value;
  return value === "lexical" ? "string" : value;
}

/** The name of a type in reports: `Vehicle`, `Order.lines`. */
export function nameOf({ name, words }: TypeDefinition): string {
  return name?.local ?? words.join(".");
}

/** The parts of a place that a difference contains. */
export function withoutPair({ direction, subject, oldSpan, newSpan }: Place): Omit<Place, "pair"> {
  return { direction, subject, oldSpan, newSpan };
}

/** The differences of an operation, and the pairs of types that it exchanges. */
export interface OperationDifferences {
  readonly before: Operation;
  readonly after: Operation;
  readonly pair: TypePair;
}

/** Two states of an operation, and the collector of their differences. */
export interface OperationPlace {
  readonly subject: string;
  readonly before: Operation;
  readonly after: Operation;
  readonly pair: TypePair;
}

export function report(
  { subject, before, after, pair }: OperationPlace,
  difference: Pick<Difference, "rule"> & Partial<Difference>,
): void {
  pair.differences.push({ subject, oldSpan: before.span, newSpan: after.span, ...difference });
}

export function placeIn({ before, after, pair }: OperationPlace, direction: Direction, subject: string): Place {
  return { direction, subject, oldSpan: before.span, newSpan: after.span, pair };
}

/** The names on the wire that became options in code, or are no longer options. */
export function wireNameDifferences(
  [before, after]: readonly [readonly string[], readonly string[]],
  spans: Pick<Difference, "oldSpan" | "newSpan">,
): readonly Difference[] {
  const removed = before.filter((name) => !after.includes(name));
  const added = after.filter((name) => !before.includes(name));
  return [
    ...removed.map((name): Difference => ({ rule: "wire-name-removed", subject: name, before: name, ...spans })),
    ...added.map((name): Difference => ({ rule: "wire-name-added", subject: name, after: name, ...spans })),
  ];
}
