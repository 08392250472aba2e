import { builtinDatatypes } from "@bothends/datatypes/definitions";
import {
  type Body,
  type Contract,
  commandLinePath,
  type Endpoint,
  findBodyType,
  type Interface,
  type MaxOccurs,
  type Operation,
  type Particle,
  type Plan,
  type Service,
  type SoapInterface,
  type Span,
  type TypeDefinition,
  type TypeId,
  type TypeReference,
  type ValueKind,
  type WireName,
} from "@bothends/generator";
import type { RuleId } from "../rules/index.js";
import type { Direction, FaultPart, Level } from "../rules/rule.js";

/** The old or the new version of the sources. */
export interface Side {
  /** The name of this version in reports: `HEAD (1e4abfe)`, `schemas/`. */
  readonly name: string;
  readonly contract: Contract;
  /** The TypeScript names. If absent, names in generated code are not compared. */
  readonly plan?: Plan | undefined;
}

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

/** The effects of values of the old writer on the new reader, and of values of the new writer on the old reader. */
export type LevelsOfWriters = readonly [oldWriter: Level, newWriter: Level];

/** Texts that only the old or only the new version accepts. */
export interface SampleTexts {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A difference between the two versions, without its consequences. */
export interface Difference {
  readonly rule: RuleId;
  readonly direction?: Direction | undefined;
  /** The changed item, as reports name it: `Vehicle.Colour`, `CheckUSA`, `GET /core/v2/blocks`. */
  readonly subject: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** The position in the old sources. */
  readonly oldSpan?: Span | undefined;
  /** The position in the new sources. */
  readonly newSpan?: Span | undefined;
  /**
   * How the change affects new readers of old messages and old readers of new messages; undefined if the rule's verdict
   * applies.
   */
  readonly levels?: LevelsOfWriters | undefined;
  /** Whether `levels` are the effects of sample values. */
  readonly isSampled?: boolean | undefined;
  /** Whether the sources do not determine the consequences, although the difference has `levels` or a variant. */
  readonly isUndecided?: boolean | undefined;
  /** Paths of a changed route that only the old or only the new version matches. */
  readonly samplePaths?: SampleTexts | undefined;
  /** Texts that only the old or only the new version of a simple type accepts. */
  readonly sampleTexts?: SampleTexts | undefined;
  /** The key of the rule's variant that applies; undefined if the rule's main verdict applies. */
  readonly variant?: string | undefined;
  /** Whether the types in generated TypeScript code are equal in both versions. */
  readonly sameCode?: boolean | undefined;
  /** The worst consequences that the change can have for code that writes the value and for code that reads it. */
  readonly codeLimits?: readonly [write: Level, read: Level] | undefined;
  /** The consequences for code that writes the value and for code that reads it, in place of those of the rule. */
  readonly codeLevels?: readonly [write: Level, read: Level] | undefined;
  /** Whether one version of an object allows members that its schema does not list. */
  readonly isUnlisted?: boolean | undefined;
  /** The part of faults that contains the changed item; undefined if other messages contain it as well. */
  readonly faultPart?: FaultPart | undefined;
  /**
   * The name in messages and the type of an added or removed member, by which members that moved to another type are
   * found.
   */
  readonly member?: string;
  /**
   * The subject of a difference in a member or a header of one operation's messages, without the operation. It replaces
   * the subject if several operations have equal differences, which are then merged.
   */
  readonly sharedSubject?: string | undefined;
  /**
   * The names of the members that moved into an added member or out of a removed one: its type has the members, and the
   * other version has members with these names and types in its place.
   */
  readonly contents?: readonly string[] | undefined;
  /** The name of the element that is in the body of one version, but in a header of the other version. */
  readonly bodyHeader?: string | undefined;
  /** The declaration whose move to another namespace changed the name in messages. */
  readonly moved?: MovedDeclaration | undefined;
  /** The item whose type was replaced with another type, with the names of the types, which differ here. */
  readonly replacedType?: ReportedItem | undefined;
  /** Whether an element has another name and namespace because its operation was renamed and its namespace changed. */
  readonly isRenamedTogether?: boolean;
  /**
   * The direction in which encoded messages contain a changed name of a type. The variant of the
   * difference, or "encoded", applies if an operation has such messages; otherwise, only the name in code matters.
   */
  readonly encodedDirection?: Direction | undefined;
  /**
   * The added operations that are equally likely to be the new version of a removed one, or the removed operations that
   * are equally likely to be the old version of an added one. A single alternative has the same messages, but
   * not a similar name.
   */
  readonly alternatives?: readonly (Operation | Endpoint)[] | undefined;
  /** The operations that the difference affects, in the new version; in the old version if they were removed. */
  readonly operations?: readonly (Operation | Endpoint)[];
}

type ReportedItem = Pick<Difference, "subject" | "before" | "after" | "oldSpan" | "newSpan">;

/** A declaration that moved to another namespace. The elements of a type move with the type. */
export interface MovedDeclaration {
  readonly kind: "type" | "element" | "attribute";
  readonly name: string;
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
}

/** Rules about names in messages whose namespace changed. */
export const namespaceRules: readonly RuleId[] = ["member-namespace-changed", "declaration-moved"];

/** A difference, and all operations that it affects. */
export interface DifferenceWithOperations extends Difference {
  readonly operations: readonly (Operation | Endpoint)[];
  /**
   * Whether the difference is in a type that only members with different names have. Readers that do not know such a
   * name do not read the type's content.
   */
  readonly isBelowOtherName?: boolean;
  /** Whether the difference replaces equal differences in members of several operations' messages. */
  readonly isShared?: true;
}

/** The differences between two types in one direction, and the keys of the type pairs to which these types refer. */
export interface TypePair {
  readonly differences: Difference[];
  readonly usedPairKeys: Set<string>;
  /** The keys of the pairs that a member with the same name in both versions uses. */
  readonly sameNamePairKeys: Set<string>;
}

export function createTypePair(): TypePair {
  return { differences: [], usedPairKeys: new Set(), sameNamePairKeys: new Set() };
}

type SoapInterfacePlan = Extract<Plan["interfaces"][number], { readonly kind: "soap" }>;

/** The old or the new version of a SOAP interface, with its types by id. */
export interface SoapSide {
  readonly interface: SoapInterface;
  readonly types: ReadonlyMap<TypeId, TypeDefinition>;
  readonly plan: SoapInterfacePlan | undefined;
  /** The method name of each operation in generated code; empty if there is no plan. */
  readonly methods: ReadonlyMap<Operation, string>;
  /** The types that only one message of an operation has: wrappers of rpc style, and anonymous types of elements. */
  readonly messageTypes: ReadonlySet<TypeId>;
  /** The message types whose only member code receives as the result of a call. */
  readonly resultTypes: ReadonlySet<TypeId>;
  /** The elements of all declared faults, written as `{urn:s}Broken`. */
  readonly faultElements: ReadonlySet<string>;
  /** Whether and how often the items of each repeated group may occur, keyed by the type ids of the items. */
  readonly groupItems: ReadonlyMap<TypeId, GroupItem>;
}

/** Whether and how often the items of a repeated group may occur. */
interface GroupItem {
  /** Whether the group may be absent wherever it is used. */
  readonly isOptional: boolean;
  /** How often the items may occur; undefined if several groups with different bounds have the same items. */
  readonly bounds: { readonly min: number; readonly max: MaxOccurs } | undefined;
}

/**
 * Creates the tables of one version of a SOAP interface. Without a plan, methods and types have no TypeScript names.
 */
export function createSoapSide(soap: SoapInterface, plan: Plan | undefined): SoapSide {
  const candidate = plan?.interfaces.find(
    (interfacePlan) => interfacePlan.kind === "soap" && interfacePlan.interface === soap,
  );
  const soapPlan = candidate?.kind === "soap" ? candidate : undefined;
  const operations = soapPlan?.services.flatMap((service) => service.operations) ?? [];
  const messageTypes = listMessageTypes(soap);
  return {
    interface: soap,
    types: listTypes(soap),
    plan: soapPlan,
    methods: new Map(operations.map(({ operation, method }) => [operation, method])),
    messageTypes,
    resultTypes: listResultTypes(soap, messageTypes),
    faultElements: new Set(
      soap.services.flatMap((service) => service.operations.flatMap(({ faults }) => faults.map(formatElement))),
    ),
    groupItems: groupItems(soap),
  };
}

/**
 * Returns the types by id. Items of mixed content have an optional choice, because readers accept mixed content without
 * any element, and an item has at most one member.
 */
function listTypes({ types }: SoapInterface): ReadonlyMap<TypeId, TypeDefinition> {
  const mixedItems = new Set(
    types.flatMap((type) =>
      type.kind === "record" ? type.fields.flatMap((field) => (field.kind === "mixed" ? field.item : [])) : [],
    ),
  );
  return new Map(
    types.map((type) => {
      if (type.kind !== "record" || !mixedItems.has(type.id)) {
        return [type.id, type];
      }
      const particles = type.fields.map(({ key }): Particle => ({ kind: "field", key }));
      return [type.id, { ...type, content: [{ kind: "choice", particles, optional: true }] }];
    }),
  );
}

function listMessageTypes({ services, types }: SoapInterface): ReadonlySet<TypeId> {
  const bodies = services.flatMap(({ operations }) =>
    operations.flatMap(({ input, output }) => [input.body, ...(output === undefined ? [] : [output.body])]),
  );
  const bodyTypes = new Set(
    bodies.flatMap((body) => (body.kind === "parts" ? body.record : body.type.kind === "named" ? body.type.id : [])),
  );
  return new Set(types.flatMap(({ id, name }) => (name === undefined && bodyTypes.has(id) ? [id] : [])));
}

/** Returns the message types of which code receives only the result of a call: nothing else has these types. */
function listResultTypes({ services, types }: SoapInterface, messageTypes: ReadonlySet<TypeId>): ReadonlySet<TypeId> {
  const operations = services.flatMap((service) => service.operations);
  const outputs = operations.flatMap(({ output }) => output ?? []);
  const listIn = (bodies: readonly Body[]) => bodies.flatMap((body) => findBodyType(body) ?? []);
  const isResult = ({ result }: (typeof outputs)[number]) => result.kind === "member";
  const details = operations.flatMap(({ faults }) => faults.map(({ type }) => type));
  const members = types.flatMap((type) =>
    type.kind === "record" ? type.fields.flatMap((field) => ("type" in field ? field.type : [])) : [],
  );
  const otherTypes = new Set([
    ...listIn(
      [...operations.map(({ input }) => input), ...outputs.filter((output) => !isResult(output))].map(
        ({ body }) => body,
      ),
    ),
    ...[...details, ...members].flatMap((type) => (type.kind === "named" ? type.id : [])),
  ]);
  const resultTypes = listIn(outputs.filter(isResult).map(({ body }) => body));
  return new Set(resultTypes.filter((id) => messageTypes.has(id) && !otherTypes.has(id)));
}

/** Returns, for each repeated group, how often its items may occur. */
function groupItems({ types }: SoapInterface): ReadonlyMap<TypeId, GroupItem> {
  const items = new Map<TypeId, GroupItem>();
  for (const type of types) {
    for (const field of type.kind === "record" ? type.fields : []) {
      if (field.kind !== "group" && field.kind !== "mixed") {
        continue;
      }
      const isOptional = field.kind === "mixed" || field.min === 0;
      const earlierItem = items.get(field.item);
      const bounds = field.kind === "mixed" ? undefined : { min: field.min, max: field.max };
      items.set(field.item, {
        isOptional: isOptional && earlierItem?.isOptional !== false,
        bounds:
          earlierItem === undefined || JSON.stringify(earlierItem.bounds) === JSON.stringify(bounds)
            ? bounds
            : undefined,
      });
    }
  }
  return items;
}

/** Formats the element name of a fault or a body for reports: `{urn:s}Broken`. */
export function formatElement({ element }: { readonly element: WireName }): string {
  return `{${element.namespace}}${element.local}`;
}

/** Both versions of a SOAP interface, and the pairs of types compared so far. */
export interface TypeComparison {
  readonly old: SoapSide;
  readonly new: SoapSide;
  /** Whether each built-in type has the same JavaScript values in the old and the new version. */
  readonly hasSameBuiltins: boolean;
  /** Whether both versions of a simple type are equal, keyed by type id. Contains only the types compared so far. */
  readonly unchangedSimpleTypes: Map<TypeId, boolean>;
  readonly pairs: Map<string, TypePair>;
  /** Whether two types are equal, keyed by their references. Contains only the types compared so far. */
  readonly equalTypes: Map<string, boolean>;
  /** The effects of replaced declared types on readers, keyed by the ids of both types. */
  readonly replacementLevels: Map<string, LevelsOfWriters>;
  /**
   * Compares two references. The context contains this function so that the modules that compare types need not import
   * each other.
   */
  readonly compare: (context: TypeComparison, references: References, target: ReportTarget) => void;
}

/** The type of one item, such as a member or a body, in both versions. */
export interface References {
  readonly before: TypeReference;
  readonly after: TypeReference;
}

/** The subject and positions to report for the differences of two types, and the list that receives the differences. */
export interface ReportTarget {
  readonly direction: Direction;
  readonly subject: string;
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
  readonly sharedSubject?: string | undefined;
  /**
   * Receives the differences. Each pair of complex or named types has its own list; differences of other types are
   * added to the list of the item that has the type.
   */
  readonly pair: TypePair;
  /** Whether the types are those of a member whose names in messages differ. */
  readonly hasOtherName?: boolean;
  /** Whether the types are those of an element in both versions. Encoded messages contain the names of these types. */
  readonly isElement?: boolean;
  /** The item whose type was replaced, if the types are those of this item. */
  readonly replacedType?: ReportedItem | undefined;
}

/**
 * Formats the name of a service for reports. Adds the name of its member in the client and in the handlers if the two
 * names differ: `orders (shop in code)`.
 */
export function formatServiceName({ plan }: SoapSide, service: Service): string {
  const member = plan?.services.find((servicePlan) => servicePlan.service === service)?.member;
  const simplify = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  return plan?.hasFacade !== true || member === undefined || simplify(member) === simplify(service.name)
    ? service.name
    : `${service.name} (${member} in code)`;
}

/** Returns the definition of a type; undefined for a built-in type. */
export function getDefinition(side: SoapSide, type: TypeReference): TypeDefinition | undefined {
  return type.kind === "named" ? side.types.get(type.id) : undefined;
}

/** Returns the kind of JavaScript values that represent a built-in type. */
export function getValueKind(side: SoapSide, name: string): ValueKind | undefined {
  const builtins: ReadonlyMap<string, { readonly value: ValueKind }> | undefined = side.plan?.builtins;
  const value = builtins?.get(name)?.value ?? builtinDatatypes.find((datatype) => datatype.name === name)?.value;
  return value === "lexical" ? "string" : value;
}

/** Whether each built-in type has the same JavaScript values in the old and the new version. */
export function hasSameBuiltins(oldSide: SoapSide, newSide: SoapSide): boolean {
  return builtinDatatypes.every(({ name }) => getValueKind(oldSide, name) === getValueKind(newSide, name));
}

/** Whether the documentation is equal in both versions, ignoring white space, which XML formatters change. */
export function hasSameDocumentation(before: Documented, after: Documented): boolean {
  return collapseSpace(before.documentation) === collapseSpace(after.documentation);
}

/** A declaration that may have documentation. */
export interface Documented {
  readonly documentation: string | undefined;
}

/** Replaces white space by single spaces, and removes it from both ends. */
export function collapseSpace(text: string | undefined): string {
  return (text ?? "").trim().replace(/\s+/g, " ");
}

/** Formats the name of a type for reports: `Vehicle`, `Order.lines`. */
export function getName({ name, words }: TypeDefinition): string {
  return name?.local ?? words.join(".");
}

/** Returns the direction, subject and positions of a target, to be copied to its differences. */
export function omitPair({
  direction,
  subject,
  oldSpan,
  newSpan,
  sharedSubject,
  replacedType,
}: ReportTarget): Omit<ReportTarget, "pair"> {
  const shared = sharedSubject === undefined ? {} : { sharedSubject };
  return { direction, subject, oldSpan, newSpan, ...shared, ...(replacedType !== undefined && { replacedType }) };
}

/** The differences of an operation, and the keys of the type pairs in its messages. */
export interface OperationDifferences {
  readonly before: Operation;
  readonly after: Operation;
  readonly pair: TypePair;
  /** The differences in the details of faults, and the keys of the type pairs in these details. */
  readonly faultPair: TypePair;
  /** The differences in the header blocks that only faults have, and the keys of the type pairs in these blocks. */
  readonly headerFaultPair: TypePair;
}

/** Both versions of an operation, and the lists that receive their differences. */
export interface OperationReportTarget extends OperationDifferences {
  readonly subject: string;
}

/** Adds a difference of an operation to a comparison, with the operation's name and positions. */
export function report(
  { subject, before, after, pair }: OperationReportTarget,
  difference: Pick<Difference, "rule"> & Partial<Difference>,
): void {
  pair.differences.push({ subject, oldSpan: before.span, newSpan: after.span, ...difference });
}

/** Returns the subject of equal changes in a member of several operations' messages. */
export function createSharedSubject(member: string): string {
  return `${member} in several operations`;
}

/** Returns the target of differences in one direction of an operation's messages. */
export function createTargetIn(
  { before, after, pair }: OperationReportTarget,
  direction: Direction,
  subject: string,
): ReportTarget {
  return { direction, subject, oldSpan: before.span, newSpan: after.span, pair };
}

/**
 * Reports names that the option `wireNames` can set in only one version. For the other version, reports the position of
 * the interface in the configuration.
 */
export function findWireNameDifferences(before: Interface, after: Interface): readonly Difference[] {
  const [oldNames, newNames] = [before.configured?.names ?? [], after.configured?.names ?? []];
  return [
    ...listOtherNames(oldNames, newNames).map(({ name, span }): Difference => {
      const spans = { oldSpan: span, newSpan: getConfiguredSpan(after) };
      return { rule: "wire-name-removed", subject: name, before: name, ...spans };
    }),
    ...listOtherNames(newNames, oldNames).map(({ name, span }): Difference => {
      const spans = { oldSpan: getConfiguredSpan(before), newSpan: span };
      return { rule: "wire-name-added", subject: name, after: name, ...spans };
    }),
  ];
}

type ConfiguredNames = NonNullable<Interface["configured"]>["names"];

function listOtherNames(names: ConfiguredNames, otherNames: ConfiguredNames): ConfiguredNames {
  return names.filter(({ name }) => !otherNames.some((other) => other.name === name));
}

/**
 * Returns the position of an interface in the configuration; undefined if all its settings come from the command line.
 */
export function getConfiguredSpan({ configured }: Interface): Span | undefined {
  return configured?.span.source.path === commandLinePath ? undefined : configured?.span;
}
