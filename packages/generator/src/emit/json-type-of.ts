import type { JsonType } from "../model/index.js";
import { runtimeType, type TypeNode } from "../print/index.js";
import { arrayOf, keyword, literalType, property, typeOf, union } from "./nodes.js";

/** The TypeScript type of a JSON value. */
export function jsonTypeNode(type: JsonType): TypeNode {
  switch (type.kind) {
    case "any":
      return keyword("unknown");
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
      return arrayOf(jsonTypeNode(type.items));
    case "object":
      return objectNode(type.properties);
    case "union":
      return union(...type.members.map(jsonTypeNode));
  }
}

/** An object that says nothing of its properties holds any. */
function objectNode(properties: Extract<JsonType, { kind: "object" }>["properties"]): TypeNode {
  if (properties.length === 0) return typeOf(runtimeType("@bothends/runtime", "JsonObject"));
  return {
    kind: "object",
    members: properties.map((each) =>
      property(each.name, jsonTypeNode(each.type), {
        optional: !each.required,
        readonly: true,
        documentation: each.documentation,
      }),
    ),
  };
}
