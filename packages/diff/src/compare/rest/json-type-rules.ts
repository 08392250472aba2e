import type { JsonProperty, JsonType } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import type { Direction } from "../../rules/rule.js";

// Chooses rules for changes between two JSON types, and formats JSON types for reports.

export function formatLiteral(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}

/**
 * Formats a type for reports. Different types may have equal results: an object is formatted with only the names of its
 * properties.
 */
export function formatType(type: JsonType): string {
  switch (type.kind) {
    case "enumeration":
      return type.values.map(formatLiteral).sort().join(" | ");
    case "array":
      return `array of ${formatType(type.items)}`;
    case "union":
      return type.members.map(formatType).sort().join(" or ");
    case "object":
      return `object {${type.properties.map(({ name }) => name).join(", ")}}`;
    case "named":
      return type.id;
    default:
      return type.kind;
  }
}

/**
 * Returns the members of a union; if several members have the same values, only the first of them. An enumeration that
 * contains null has two members: the enumeration without null, and null. For any other type, the only member is the
 * type itself.
 */
export function getMembers(type: JsonType): readonly JsonType[] {
  if (type.kind === "enumeration" && type.values.length > 1 && type.values.includes(null)) {
    return [{ kind: "enumeration", values: type.values.filter((value) => value !== null) }, { kind: "null" }];
  }
  if (type.kind !== "union") {
    return [type];
  }
  const structures = type.members.map(formatStructure);
  return type.members.filter((_, index) => structures.indexOf(structures[index] ?? "") === index);
}

/**
 * Formats a type so that two types with the same values have equal results, regardless of the order of their properties
 * and members.
 */
export function formatStructure(type: JsonType): string {
  switch (type.kind) {
    case "enumeration":
      return `enumeration ${JSON.stringify(type.values.map(formatLiteral).sort())}`;
    case "array":
      return `array of (${formatStructure(type.items)})`;
    case "union":
      return `union ${JSON.stringify(type.members.map(formatStructure).sort())}`;
    case "object": {
      const properties = type.properties.map((property) =>
        JSON.stringify([
          property.name,
          property.required,
          property.annotations?.format ?? null,
          formatContext(property),
          formatStructure(property.type),
        ]),
      );
      return `object ${JSON.stringify(properties.sort())} ${formatStructure(type.additional ?? anyType)}`;
    }
    case "named":
      return `named ${type.id}`;
    default:
      return type.kind;
  }
}

export function formatTypes(types: readonly JsonType[]): string {
  return types.map(formatType).join(" or ");
}

/** The direction of the messages that contain a type, and whether its values are sent as text in a query or a path. */
interface TypeUse {
  readonly direction: Direction;
  readonly inQuery?: boolean;
}

/** Chooses the rule for a change of a JSON type. In a query, all values are sent as text. */
export function chooseTypeRule(
  [before, after]: readonly [JsonType, JsonType],
  { direction, inQuery = false }: TypeUse,
): RuleId {
  if (before.kind === "enumeration" && isOpen(after)) {
    return chooseEnumerationRule(before.values, after) ?? "enum-opened";
  }
  if (after.kind === "enumeration" && isOpen(before)) {
    return chooseEnumerationRule(after.values, before) ?? "enum-closed";
  }
  if (after.kind === "any" || (before.kind === "integer" && after.kind === "number")) {
    return "type-widened";
  }
  if (before.kind === "any" || (before.kind === "number" && after.kind === "integer")) {
    return "type-narrowed";
  }
  if (before.kind === "union" || after.kind === "union") {
    // Servers convert strings, so one string can be valid for scalar types of two kinds.
    return [before, after].every((type) => getMembers(type).some(isScalar)) ? "type-overlaps" : "type-changed";
  }
  if (isScalar(before) && isScalar(after)) {
    return inQuery ? chooseScalarRule(before, after) : "type-overlaps";
  }
  return direction === "input" ? chooseListRule([before, after], inQuery) : "type-changed";
}

const scalars: readonly string[] = ["string", "integer", "number", "boolean"];

function isScalar({ kind }: JsonType): boolean {
  return scalars.includes(kind);
}

/** Whether each value of a type is sent as a single string in a query or a path. */
export function isSentAsText(type: JsonType): boolean {
  return getMembers(type).every(
    (member) => isScalar(member) || (member.kind === "enumeration" && !member.values.includes(null)),
  );
}

function isOpen(type: JsonType): boolean {
  return type.kind === "any" || isScalar(type);
}

/**
 * Returns the rule for an enumeration that became another type, or the reverse; undefined if that type accepts all
 * values of the enumeration.
 */
function chooseEnumerationRule(values: readonly unknown[], { kind }: JsonType): RuleId | undefined {
  const accepts: Readonly<Record<string, (value: unknown) => boolean>> = {
    string: (value) => typeof value === "string",
    integer: Number.isInteger,
    number: (value) => typeof value === "number",
    boolean: (value) => typeof value === "boolean",
  };
  const acceptedValues = values.filter((value) => accepts[kind]?.(value) ?? true);
  // Servers convert strings, so a string may be valid for both types even if no JSON value is.
  return acceptedValues.length === values.length ? undefined : "type-overlaps";
}

/**
 * Returns the rule for a change between two scalar types. A query contains strings, which servers convert: the string
 * "5" is also a valid number.
 */
function chooseScalarRule(before: JsonType, after: JsonType): RuleId {
  return after.kind === "string" ? "type-widened" : before.kind === "string" ? "type-narrowed" : "type-overlaps";
}

/**
 * Returns the rule for a list that became another type, or the reverse, in requests. Servers read a single value as a
 * list with one item, and split a text at commas and white space. They read the JSON value `false` as an empty list.
 */
function chooseListRule([before, after]: readonly [JsonType, JsonType], inQuery: boolean): RuleId {
  const [list, item] = before.kind === "array" ? [before, after] : [after, before];
  if (list.kind !== "array" || !isSentAsText(item)) {
    return "type-changed";
  }
  const isLost = !inQuery && getMembers(item).some(({ kind }) => kind === "boolean");
  if (isAccepted(item, list.items) && !mayBeSplit(item) && !isLost) {
    return list === after ? "type-widened" : "type-narrowed";
  }
  const areScalars = isScalar(list.items) && getMembers(item).every(isScalar);
  return isAccepted(item, list.items) || areScalars ? "type-overlaps" : "type-changed";
}

/** Whether a server accepts each value of a type, sent as text, as an item of a list. */
function isAccepted(item: JsonType, items: JsonType): boolean {
  const isSame = formatStructure(items) === formatStructure(item);
  return isSame || ["any", "string"].includes(items.kind) || (item.kind === "integer" && items.kind === "number");
}

/** Whether a text of this type may contain a comma or white space. */
function mayBeSplit(type: JsonType): boolean {
  return type.kind === "enumeration"
    ? type.values.some((value) => typeof value === "string" && /[\s,]/.test(value))
    : getMembers(type).some(({ kind }) => kind === "string");
}

export const anyType: JsonType = { kind: "any" };

/** Formats the contexts in which answers contain a property: their names, or `all`. */
export function formatContext({ required, annotations }: JsonProperty): string {
  return required ? "all" : formatContexts(annotations?.contexts);
}

/** Formats a list of contexts; `all` if there is no list. */
export function formatContexts(contexts: readonly string[] | undefined): string {
  return contexts === undefined ? "all" : [...contexts].sort().join(", ");
}
