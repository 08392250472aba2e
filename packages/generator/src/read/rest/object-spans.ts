import type { JsonNode, JsonObjectNode } from "../../source/json.js";
import { type PartName, toPartName } from "../../source/part-names.js";
import { type Span, withParts } from "../../source/span.js";

/** The names of parts that differ from those of members: synonyms, and names that attributes in XML have. */
const otherNames: ReadonlyMap<string, PartName> = new Map([
  ["readonly", "readOnly"],
  ["type", "types"],
]);

/** The names of parts for the values in lists, which begin with these words. */
const listedValues = new Map<string, "context" | "enumeration" | "method" | "type">([
  ["context", "context"],
  ["enum", "enumeration"],
  ["methods", "method"],
  ["type", "type"],
]);

/**
 * Returns the position of a schema or an endpoint, with the positions of its members that are on other lines. The
 * schema of the items has parts of its own. The members of alternatives count as members of the schema around them.
 */
export function getObjectSpan(node: JsonObjectNode): Span {
  return withParts(node.span, listParts(node));
}

function* listParts(node: JsonObjectNode): Generator<readonly [name: PartName, part: Span]> {
  for (const { name, nameSpan, value } of node.members.values()) {
    yield [
      otherNames.get(name) ?? toPartName(name),
      name === "items" && value.kind === "object" ? withParts(nameSpan, listParts(value)) : nameSpan,
    ];
    const word = listedValues.get(name);
    if (word !== undefined) {
      yield* listValues(value, nameSpan).map(([item, span]) => [`${word} ${item}`, span] as const);
    }
  }
  for (const alternative of ["oneOf", "anyOf"].flatMap((name) => listObjects(node.members.get(name)?.value))) {
    yield* listParts(alternative);
  }
}

/** Returns the values in a list, or a single value, with their positions. */
function listValues(node: JsonNode, nameSpan: Span): readonly (readonly [value: string, span: Span])[] {
  if (node.kind === "scalar") {
    return [[String(node.value), nameSpan]];
  }
  const items = node.kind === "array" ? node.items : [];
  return items.flatMap((item) => (item.kind === "scalar" ? [[String(item.value), item.span] as const] : []));
}

function listObjects(node: JsonNode | undefined): readonly JsonObjectNode[] {
  return node?.kind === "array" ? node.items.filter((item) => item.kind === "object") : [];
}
