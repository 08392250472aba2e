import type { JsonProperty, JsonType } from "../../model/index.js";
import {
  arrayType,
  code,
  type Fragment,
  indexSignature,
  literalUnion,
  objectType,
  runtimeType,
  union,
  use,
} from "../../print/index.js";
import { documentation } from "../comments.js";
import { property, unknownType } from "../members.js";

/** How the types of values differ between those that callers pass and those that they get. */
interface Direction {
  readonly any: Fragment;
  readonly named: (id: string) => Fragment;
}

const passed: Direction = {
  any: unknownType,
  named: (id) => {
    throw new Error(`An argument is of a type of answers, ${id}.`);
  },
};

/** The TypeScript type of a JSON value that callers pass. */
export function argumentType(type: JsonType): Fragment {
  return jsonType(type, passed);
}

/** The TypeScript type of a JSON value that callers get; `named` gives the types of answers. */
export function answerType(type: JsonType, named: Direction["named"]): Fragment {
  return jsonType(type, { any: use(runtimeType("@bothends/runtime", "JsonValue")), named });
}

function jsonType(type: JsonType, direction: Direction): Fragment {
  switch (type.kind) {
    case "any":
      return direction.any;
    case "integer":
    case "number":
      return code`number`;
    case "string":
      return code`string`;
    case "boolean":
      return code`boolean`;
    case "null":
      return code`null`;
    case "enumeration":
      return literalUnion(type.values);
    case "array":
      return arrayType(jsonType(type.items, direction));
    case "object":
      return jsonObjectType(type, direction);
    case "union":
      return union(...type.members.map((member) => jsonType(member, direction)));
    case "named":
      return direction.named(type.id);
  }
}

/** The type of an object; one whose schema has no properties may have any. */
function jsonObjectType(type: Extract<JsonType, { kind: "object" }>, direction: Direction): Fragment {
  const { properties, additional } = type;
  if (properties.length === 0 && (additional === undefined || additional.kind === "any")) {
    return use(runtimeType("@bothends/runtime", "JsonObject"));
  }
  const members = properties.map((declared) =>
    property(declared.name, jsonType(declared.type, direction), {
      optional: !declared.required,
      readonly: true,
      documentation: documentation(declared.documentation, propertyFacts(declared)),
    }),
  );
  if (additional === undefined) {
    return objectType(members);
  }
  // The type of an index signature applies to the properties as well.
  const others = properties.length === 0 ? jsonType(additional, direction) : direction.any;
  return objectType([...members, indexSignature(union(others, code`undefined`))]);
}

function propertyFacts({ facts = {} }: JsonProperty): readonly string[] {
  const { readOnly, format, contexts = [] } = facts;
  return [
    ...(readOnly === true ? ["Read-only."] : []),
    ...(format === undefined ? [] : [`Format: ${format}`]),
    ...(contexts.length === 0 ? [] : [`Shown in: ${contexts.join(", ")}`]),
  ];
}
