import type { JsonType } from "@bothends/generator";
import type { Level } from "../../rules/rule.js";
import { formatStructure } from "./json-type-rules.js";

// Determines what a changed type of an argument does to TypeScript code.

/**
 * Returns the worst consequences that a changed type can have for code that writes the value and for code that reads
 * it. Code that reads a value may break although the new type is assignable to the old one: if a type is no longer in a
 * union, code that selects its values and uses their members does not compile.
 */
export function findCodeLimits([before, after]: readonly [JsonType, JsonType]): readonly [write: Level, read: Level] {
  const [isWritable, isReadable] = [isAssignable(before, after), isAssignable(after, before)];
  return [isWritable ? "none" : "breaks", isReadable ? (isWritable ? "none" : "some") : "breaks"];
}

/** Whether TypeScript accepts a value of one type for another type. Returns false if that is not certain. */
function isAssignable(from: JsonType, to: JsonType): boolean {
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
  return from.kind === "object" && to.kind === "object" && isObjectAssignable(from, to);
}

type ObjectType = Extract<JsonType, { readonly kind: "object" }>;

function isObjectAssignable(from: ObjectType, to: ObjectType): boolean {
  // An object without properties has an index signature in code.
  if ([from, to].some(({ properties, additional }) => properties.length === 0 || additional !== undefined)) {
    return false;
  }
  const sharedProperties = from.properties.filter(({ name }) => to.properties.some((other) => other.name === name));
  // TypeScript accepts no object without any of the properties of a type whose properties are all optional.
  return (
    sharedProperties.length > 0 &&
    to.properties.every((property) => {
      const counterpart = from.properties.find(({ name }) => name === property.name);
      return counterpart === undefined
        ? !property.required
        : (counterpart.required || !property.required) && isAssignable(counterpart.type, property.type);
    })
  );
}
