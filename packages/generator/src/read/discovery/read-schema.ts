import { didYouMean } from "@bothends/xml";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { JsonMember, JsonNode } from "../../source/json.js";
import { type Property, type Schema, type TypeWord, typeWords } from "./model.js";
import { itemsOf, membersOf, namedMembersOf, stringMember } from "./shape.js";

const nothing: ReadonlyMap<string, JsonMember> = new Map();

/** Reads the schema of an argument, an item or a property. */
export function readSchema(node: JsonNode, diagnostics: Diagnostics): Schema {
  const members = membersOf(node, diagnostics) ?? nothing;
  return {
    span: node.span,
    description: node.kind === "object" ? stringMember(node, "description") : undefined,
    types: readTypes(members.get("type")?.value, diagnostics),
    enum: readEnum(members.get("enum")?.value, diagnostics),
    default: members.get("default")?.value,
    items: readItems(members.get("items")?.value, diagnostics),
    properties: readProperties(members, diagnostics),
    alternatives: readAlternatives(members, diagnostics),
  };
}

/** Whether `required` is true; anything but a boolean is read as PHP would. */
export function readRequired(node: JsonNode | undefined, diagnostics: Diagnostics): boolean {
  if (node === undefined) return false;
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  const required = node.kind !== "scalar" || !(["", "0", 0, null] as const).some((falsy) => falsy === node.value);
  diagnostics.warning("IDX033", node.span, { message: `${node.pointer} is not a boolean; it is read as ${required}.` });
  return required;
}

/** The types that a schema allows; a word that JSON Schema does not know makes it any. */
export function readTypes(node: JsonNode | undefined, diagnostics: Diagnostics): readonly TypeWord[] | undefined {
  if (node === undefined) return undefined;
  const types: TypeWord[] = [];
  for (const word of node.kind === "scalar" ? [node] : (itemsOf(node, diagnostics) ?? [])) {
    const type = typeWords.find((known) => word.kind === "scalar" && known === word.value);
    if (type === undefined) {
      diagnostics.warning("IDX030", word.span, {
        message: `${word.pointer} is not a type that JSON Schema knows; any value is accepted.`,
        help: word.kind === "scalar" ? didYouMean(String(word.value), typeWords) : undefined,
      });
      return undefined;
    }
    if (!types.includes(type)) types.push(type);
  }
  return types.length === 0 ? undefined : types;
}

/** A list, or an object whose values count (PHP checks the values, whatever the keys). */
export function readEnum(node: JsonNode | undefined, diagnostics: Diagnostics): readonly JsonNode[] | undefined {
  if (node === undefined) return undefined;
  if (node.kind === "object") return [...node.members.values()].map((member) => member.value);
  return itemsOf(node, diagnostics);
}

function readItems(node: JsonNode | undefined, diagnostics: Diagnostics): Schema | undefined {
  if (node === undefined || (node.kind === "array" && node.items.length === 0)) return undefined;
  if (node.kind === "object") return readSchema(node, diagnostics);
  diagnostics.warning("IDX034", node.span, { message: `${node.pointer} is not one schema; any item is accepted.` });
  return undefined;
}

function readProperties(members: ReadonlyMap<string, JsonMember>, diagnostics: Diagnostics): readonly Property[] {
  const node = members.get("properties")?.value;
  if (node === undefined) return [];
  // JSON Schema draft 4 lists required properties beside them; draft 3, and WordPress, mark each one.
  const required = members.get("required")?.value;
  const listed = required?.kind === "array" ? required.items : [];
  return [...(namedMembersOf(node, diagnostics) ?? nothing).values()].map(({ name, value }) => ({
    name,
    required: listed.some((item) => item.kind === "scalar" && item.value === name) || marked(value, diagnostics),
    schema: readSchema(value, diagnostics),
  }));
}

function marked(property: JsonNode, diagnostics: Diagnostics): boolean {
  const node = property.kind === "object" ? property.members.get("required")?.value : undefined;
  return node?.kind === "array" ? false : readRequired(node, diagnostics);
}

function readAlternatives(
  members: ReadonlyMap<string, JsonMember>,
  diagnostics: Diagnostics,
): readonly Schema[] | undefined {
  const node = members.get("oneOf")?.value ?? members.get("anyOf")?.value;
  if (node === undefined) return undefined;
  return itemsOf(node, diagnostics)?.map((arm) => readSchema(arm, diagnostics));
}
