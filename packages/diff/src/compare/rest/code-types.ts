import type { JsonProperty, JsonType } from "@bothends/generator";
import type { Level } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import { anyType, formatStructure } from "./json-type-rules.js";

// Determines what a changed type of a value does to TypeScript code.

/**
 * Returns the worst consequences that a changed type can have for code that writes the value and for code that reads
 * it. Code that reads a value may break although the new type is assignable to the old one: if a type is no longer in a
 * union, code that selects its values and uses their members does not compile.
 */
export function findCodeLimits([before, after]: readonly [JsonType, JsonType]): readonly [write: Level, read: Level] {
  const [isWritable, isReadable] = [isAssignable(before, after), isAssignable(after, before)];
  const writeLimit = isListed(before) && !isReadable ? "some" : "none";
  return [isWritable ? writeLimit : "breaks", isReadable ? (isWritable ? "none" : "some") : "breaks"];
}

/** Whether a type consists of the values of enumerations, so that code can list all of them. */
function isListed(type: JsonType): boolean {
  return type.kind === "union" ? type.members.every(isListed) : type.kind === "enumeration";
}

/**
 * Returns the worst consequences of a changed type of an argument. Calls may pass one item in place of a list and, if
 * `hasText`, a text in place of an object. Such a call may compile although the types share no value.
 */
export function findArgumentCodeLimits(
  [before, after]: readonly [JsonType, JsonType],
  hasText: boolean,
): readonly [write: Level, read: Level] {
  const [writeLimit, readLimit] = findCodeLimits([before, after]);
  const [oldForms, newForms] = [before, after].map((type) => listForms(type, hasText));
  const isShared = oldForms?.some((form) => newForms?.some((target) => isMemberAssignable(form, target))) === true;
  const hasShortForms = [before, after].some((type) => listForms(type, hasText).length > listMembers(type).length);
  return [writeLimit === "breaks" && hasShortForms && isShared ? "some" : writeLimit, readLimit];
}

/**
 * Returns the worst consequences for code if a value of requests is absent only in one version. The type `unknown`, of
 * any JSON value, includes absence: only code that requires the member in a type of its own does not compile.
 */
export function findAbsenceLimits(types: readonly JsonType[]): Pick<Difference, "codeLimits"> {
  const isUnknown = types.some((type) => listMembers(type).some(({ kind }) => kind === "any"));
  return isUnknown ? { codeLimits: ["breaks", "some"] } : {};
}

/** Returns the types that calls may pass for an argument: those of its values, and the short forms. */
function listForms(type: JsonType, hasText: boolean): readonly JsonType[] {
  const isScalar = ({ kind }: JsonType) => kind === "string" || kind === "number" || kind === "enumeration";
  return listMembers(type).flatMap((member) => {
    const text: readonly JsonType[] = hasText && member.kind === "object" ? [{ kind: "string" }] : [];
    return [member, ...(member.kind === "array" ? listMembers(member.items).filter(isScalar) : text)];
  });
}

/** Whether TypeScript accepts a value of one type for another type. Returns false if that is not certain. */
export function isAssignable(from: JsonType, to: JsonType): boolean {
  const targets = listMembers(to);
  return listMembers(from).every((member) => targets.some((target) => isMemberAssignable(member, target)));
}

/** Returns the members of a union, each value of an enumeration as a separate type, and `true` and `false`. */
function listMembers(type: JsonType): readonly JsonType[] {
  switch (type.kind) {
    case "union":
      return type.members.flatMap(listMembers);
    case "enumeration":
      return type.values.map((value) => (value === null ? { kind: "null" } : { kind: "enumeration", values: [value] }));
    case "boolean":
      return [true, false].map((value) => ({ kind: "enumeration", values: [value] }));
    case "integer":
      return [{ kind: "number" }];
    default:
      return [type];
  }
}

function isMemberAssignable(from: JsonType, to: JsonType): boolean {
  if (to.kind === "any" || formatStructure(from) === formatStructure(to)) {
    return true;
  }
  if (from.kind === "enumeration") {
    return typeof from.values[0] === to.kind;
  }
  if (from.kind === "array" && to.kind === "array") {
    return isAssignable(from.items, to.items);
  }
  return from.kind === "object" && to.kind === "object" && isObjectAssignable(getCodeObject(from), getCodeObject(to));
}

type ObjectType = Extract<JsonType, { readonly kind: "object" }>;

/** The TypeScript type of an object: its properties, and the type of its index signature if it has one. */
interface CodeObject {
  readonly properties: readonly JsonProperty[];
  readonly index: JsonType | undefined;
}

/** Returns the TypeScript type that generated code has for an object. */
function getCodeObject(object: ObjectType): CodeObject {
  const { properties } = object;
  const others = getTypeOfOthers(object);
  // In TypeScript, an index signature must include the types of all properties.
  return { properties, index: properties.length === 0 ? others : others && anyType };
}

/** Returns the type of members that a schema does not list; undefined if it does not say that it allows them. */
function getTypeOfOthers({ properties, additional }: ObjectType): JsonType | undefined {
  return additional ?? (properties.length === 0 ? anyType : undefined);
}

function isObjectAssignable(from: CodeObject, to: CodeObject): boolean {
  const hasSharedProperty = from.properties.some(({ name }) => to.properties.some((other) => other.name === name));
  // TypeScript accepts no object without any of the properties of a type whose properties are all optional.
  const sharesNothing = to.index === undefined && from.properties.length > 0 && !hasSharedProperty;
  return (
    !sharesNothing &&
    (to.index === undefined || isIndexAssignable(from, to.index)) &&
    to.properties.every((property) => {
      const counterpart = from.properties.find(({ name }) => name === property.name);
      return counterpart === undefined
        ? !property.required
        : (counterpart.required || !property.required) && isAssignable(counterpart.type, property.type);
    })
  );
}

/** Whether TypeScript accepts all members of an object for an index signature. */
function isIndexAssignable({ properties, index }: CodeObject, target: JsonType): boolean {
  // Only the index signature of any JSON value accepts undefined.
  const isAccepted = ({ required, type }: JsonProperty) => required && isAssignable(type, target);
  return (
    target.kind === "any" || (properties.every(isAccepted) && (index === undefined || isAssignable(index, target)))
  );
}

/**
 * Whether each member that both types allow has a type in `from` that TypeScript accepts for its type in `to`.
 * TypeScript does not check this if only one type declares the member, and not as required.
 */
function hasFittingMembers(from: CodeObject, to: CodeObject): boolean {
  const getType = ({ properties, index }: CodeObject, name?: string) =>
    properties.find((property) => property.name === name)?.type ?? index;
  const names = [...from.properties, ...to.properties].map(({ name }) => name);
  return [undefined, ...names].every((name) => {
    const [fromType, toType] = [getType(from, name), getType(to, name)];
    return fromType === undefined || toType === undefined || isAssignable(fromType, toType);
  });
}

/**
 * Two versions of an object, and of one of its properties. The property is undefined in a version that does not declare
 * it.
 */
export interface MemberVersions {
  readonly objects: readonly [before: ObjectType, after: ObjectType];
  readonly properties: readonly [before: JsonProperty | undefined, after: JsonProperty | undefined];
}

/**
 * Returns what a changed property does to code that writes an object and to code that reads it; undefined if no version
 * allows members that its schema does not declare, so that the rules about members apply. Without a property, returns
 * what the changed type of all other members does.
 */
export function findMemberCodeLevels({
  objects,
  properties,
}: MemberVersions): readonly [write: Level, read: Level] | undefined {
  const name = (properties[0] ?? properties[1])?.name;
  const [oldNames, newNames] = objects.map((object) => new Set(object.properties.map((property) => property.name)));
  // The types of other properties do not matter here, but TypeScript requires that objects have a property in common.
  const sharedProperties = [...(oldNames ?? [])]
    .filter((other) => other !== name && newNames?.has(other))
    .map((other): JsonProperty => ({ name: other, required: true, type: anyType, documentation: undefined }));
  const [before, after] = objects.map((object, side): CodeObject => {
    const property = properties[side];
    return {
      ...getCodeObject(object),
      properties: property === undefined ? sharedProperties : [...sharedProperties, property],
    };
  });
  if (before === undefined || after === undefined || (before.index === undefined && after.index === undefined)) {
    return undefined;
  }
  const losesNames = before.index !== undefined && after.index === undefined;
  // Some code fails if names or values are no longer allowed.
  const level = losesNames || !hasFittingMembers(before, after) ? "some" : "none";
  const losesMember = properties[0] !== undefined && properties[0].name !== properties[1]?.name && losesNames;
  const isReadable = !losesMember && isObjectAssignable(after, before) && hasFittingMembers(after, before);
  return [isObjectAssignable(before, after) ? level : "breaks", isReadable ? level : "breaks"];
}

/**
 * Returns the types of a property's values in both versions, if only one version declares the property and the other
 * says that it allows members that its schema does not declare, or declares none; otherwise undefined.
 */
export function listMemberTypes({
  objects,
  properties,
}: MemberVersions): readonly [before: JsonType, after: JsonType] | undefined {
  const [oldType, newType] = objects.map((object, side) => properties[side]?.type ?? getTypeOfOthers(object));
  return oldType && newType && [oldType, newType];
}

/** Marks the differences that made a named object a union: code that extends the type no longer compiles. */
export function markTypeUses(
  [before, after]: readonly [JsonType, JsonType],
  differences: readonly Difference[],
  { subject }: Pick<Difference, "subject">,
): readonly Difference[] {
  return before.kind !== "object" || after.kind !== "union"
    ? differences
    : differences.map((each) => (each.subject === subject ? { ...each, affectsTypeUses: true } : each));
}
