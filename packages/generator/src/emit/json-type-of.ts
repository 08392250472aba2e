import type { JsonProperty, JsonType } from "../model/index.js";
import { runtimeType, type TypeNode } from "../print/index.js";
import { documentation } from "./documentation.js";
import { arrayOf, keyword, literalType, property, typeOf, union } from "./nodes.js";

/** What is said of values in two ways: what callers give, and what they get. */
interface Direction {
  readonly any: TypeNode;
  readonly named: (id: string) => TypeNode;
}

const given: Direction = {
  any: keyword("unknown"),
  named: (id) => {
    throw new Error(`An argument is of a type of answers, ${id}.`);
  },
};

/** The TypeScript type of a JSON value that callers give. */
export function jsonTypeNode(type: JsonType): TypeNode {
  return nodeOf(type, given);
}

/** The TypeScript type of a JSON value that callers get; `named` tells the types of answers. */
export function answerTypeNode(type: JsonType, named: Direction["named"]): TypeNode {
  return nodeOf(type, { any: typeOf(runtimeType("@bothends/runtime", "JsonValue")), named });
}

function nodeOf(type: JsonType, direction: Direction): TypeNode {
  switch (type.kind) {
    case "any":
      return direction.any;
    case "integer":
    case "number":
      return keyword("number");
    case "string":
    case "boolean":
    case "null":
      return keyword(type.kind);
    case "enumeration":
      return type.values.length === 0 ? keyword("never") : union(...type.values.map((value) => literalType(value)));
    case "array":
      return arrayOf(nodeOf(type.items, direction));
    case "object":
      return objectNode(type, direction);
    case "union":
      return union(...type.members.map((member) => nodeOf(member, direction)));
    case "named":
      return direction.named(type.id);
  }
}

/** An object that says nothing of its properties holds any. */
function objectNode(type: Extract<JsonType, { kind: "object" }>, direction: Direction): TypeNode {
  const { properties, additional } = type;
  if (properties.length === 0 && (additional === undefined || additional.kind === "any")) {
    return typeOf(runtimeType("@bothends/runtime", "JsonObject"));
  }
  const members = properties.map((each) =>
    property(each.name, nodeOf(each.type, direction), {
      optional: !each.required,
      readonly: true,
      documentation: documentation(each.documentation, propertyFacts(each)),
    }),
  );
  if (additional === undefined) return { kind: "object", members };
  // The type of an index signature holds for the properties as well.
  const others = properties.length === 0 ? nodeOf(additional, direction) : direction.any;
  return { kind: "object", members: [...members, { kind: "index", type: union(others, keyword("undefined")) }] };
}

function propertyFacts({ facts = {} }: JsonProperty): readonly string[] {
  const { readOnly, format, contexts = [] } = facts;
  return [
    ...(readOnly === true ? ["Read-only."] : []),
    ...(format === undefined ? [] : [`Format: ${format}`]),
    ...(contexts.length === 0 ? [] : [`Shown in: ${contexts.join(", ")}`]),
  ];
}
