import type { JsonNode } from "./json.js";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** The plain value of a node. No member is called `__proto__`: the reader refuses that name. */
export function jsonValue(node: JsonNode): JsonValue {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "array":
      return node.items.map(jsonValue);
    case "object":
      return Object.fromEntries([...node.members.values()].map(({ name, value }) => [name, jsonValue(value)]));
  }
}
