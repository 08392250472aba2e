import type { JsonProperty, JsonType } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import type { Level } from "../../rules/rule.js";

// Chooses rules for changes between two JSON types, and formats JSON types for reports.

export function formatLiteral(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}

/**
 * Formats a type for reports. Different types may have equal results: an object is formatted with only the names of its
 * properties, or with the type of its members if it declares no names.
 */
export function formatType(type: JsonType): string {
  switch (type.kind) {
    case "enumeration":
      return type.values.map(formatLiteral).sort().join(" | ");
    case "array":
      return `array of ${formatType(type.items)}`;
    case "union":
      return formatTypes(type.members);
    case "object":
      return type.properties.length === 0 && type.additional !== undefined
        ? `object of ${formatType(type.additional)}`
        : `object {${type.properties.map(({ name }) => name).join(", ")}}`;
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

/** Formats types in a fixed order: lists and objects last, because `array of string or integer` has two meanings. */
export function formatTypes(types: readonly JsonType[]): string {
  const isNested = ({ kind }: JsonType) => kind === "array" || kind === "object";
  const formatGroup = (group: readonly JsonType[]) => group.map(formatType).sort();
  return [...formatGroup(types.filter((type) => !isNested(type))), ...formatGroup(types.filter(isNested))].join(" or ");
}

/** How a changed type affects new readers of old values and old readers of new values. */
type ReadingLevels = readonly [oldWriter: Level, newWriter: Level];

/** Chooses the rule for a change of a JSON type. `levels` is undefined if readers do not convert the values. */
export function chooseTypeRule(
  [before, after]: readonly [JsonType, JsonType],
  levels: ReadingLevels | undefined,
): RuleId {
  const ruleOfLevels = levels && chooseRuleByLevels(levels);
  if (before.kind === "enumeration" && isOpen(after)) {
    return acceptsValues(after, before.values) ? "enum-opened" : (ruleOfLevels ?? "type-overlaps");
  }
  if (after.kind === "enumeration" && isOpen(before)) {
    return acceptsValues(before, after.values) ? "enum-closed" : (ruleOfLevels ?? "type-overlaps");
  }
  if (after.kind === "any" || (before.kind === "integer" && after.kind === "number")) {
    return "type-widened";
  }
  if (before.kind === "any" || (before.kind === "number" && after.kind === "integer")) {
    return "type-narrowed";
  }
  if (ruleOfLevels !== undefined) {
    return ruleOfLevels;
  }
  // Servers convert strings, so one string can be valid for scalar types of two kinds.
  const haveScalars = [before, after].every((type) => getMembers(type).some(isScalar));
  return haveScalars ? "type-overlaps" : "type-changed";
}

/** Returns the rule for a change with these effects on readers of old values and on readers of new values. */
function chooseRuleByLevels([oldWriter, newWriter]: ReadingLevels): RuleId {
  const isRead = (level: Level) => level === "none" || level === "tolerated";
  if (isRead(oldWriter) !== isRead(newWriter)) {
    return isRead(oldWriter) ? "type-widened" : "type-narrowed";
  }
  return oldWriter === "breaks" && newWriter === "breaks" ? "type-changed" : "type-overlaps";
}

export const scalarKinds = ["string", "integer", "number", "boolean"] as const;

function isScalar({ kind }: JsonType): boolean {
  return scalarKinds.some((scalarKind) => scalarKind === kind);
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

/** Whether a type has all given values. */
function acceptsValues({ kind }: JsonType, values: readonly unknown[]): boolean {
  const accepts: Readonly<Record<string, (value: unknown) => boolean>> = {
    string: (value) => typeof value === "string",
    integer: Number.isInteger,
    number: (value) => typeof value === "number",
    boolean: (value) => typeof value === "boolean",
  };
  return values.every((value) => accepts[kind]?.(value) ?? true);
}

/** Whether two types may have a JSON value in common. */
export function sharesValues(left: JsonType, right: JsonType): boolean {
  const listKinds = (type: JsonType): readonly string[] =>
    getMembers(type).flatMap((member) =>
      member.kind === "enumeration"
        ? member.values.map((value) => (value === null ? "null" : typeof value))
        : [member.kind === "integer" ? "number" : member.kind],
    );
  const [leftKinds, rightKinds] = [listKinds(left), listKinds(right)];
  const isOpenKind = (kind: string) => kind === "any" || kind === "named";
  return [...leftKinds, ...rightKinds].some(isOpenKind) || leftKinds.some((kind) => rightKinds.includes(kind));
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
