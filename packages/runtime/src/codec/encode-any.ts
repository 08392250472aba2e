import type { WildcardNamespaces } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import {
  describeValue,
  itemsOf,
  type Members,
  membersOfValue,
  refuseUnknown,
  type Tag,
  tagOf,
} from "./encode-tables.js";
import { admits, clarkOf, instanceNamespace, schemaNamespace, type WireName, xmlNamespace } from "./names.js";
import { mismatchOf } from "./schema-mismatch.js";
import { type ElementOutput, openTag, splitName } from "./start-tag.js";

const elementKeys: ReadonlySet<string> = new Set(["name", "attributes", "content"]);
const attributeKeys: ReadonlySet<string> = new Set(["name", "value"]);
const valueKeys: ReadonlySet<string> = new Set(["type", "attributes", "content"]);
const unbounded = { min: 0, max: Number.POSITIVE_INFINITY };

/** Where an element of a wildcard is written. */
export interface AnyPlace {
  /** The default namespace in scope. */
  readonly scope: string;
  readonly namespaces: WildcardNamespaces;
}

/** Writes an `AnyElement`. */
export function writeAnyElement(output: ElementOutput, value: unknown, { scope, namespaces }: AnyPlace): string {
  output.enter();
  const members = record(value, elementKeys, "AnyElement");
  const name = splitName(members["name"]);
  if (!admits(namespaces, name.namespace))
    throw new LexicalError(`No element of namespace "${name.namespace}" may stand here.`);
  // Namespaces in XML 1.0 §3: it cannot be the default namespace, and nothing in it is an element.
  if (name.namespace === xmlNamespace) throw new LexicalError("No element is in the XML namespace.");
  const tag = tagOf(name, scope);
  const attributes = attributesText(output, members["attributes"], namesTaken([]));
  const { start, close, noDefault } = openTag(output.prefixes, tag, { attributes, typeName: undefined });
  const inner = contentText(output, members["content"], noDefault ? "" : tag.name.namespace);
  output.leave();
  return inner === "" ? `${start} />` : `${start}>${inner}${close}`;
}

/** Where a value of `xs:anyType` is written. */
export interface AnyValuePlace {
  readonly tag: Tag;
  readonly encoded: boolean;
}

/** Writes an `AnyValue`. */
export function writeAnyValue(output: ElementOutput, value: unknown, { tag, encoded }: AnyValuePlace): string {
  if (typeof value === "string") {
    const typeName = encoded ? { namespace: schemaNamespace, local: "string" } : undefined;
    const { start, close } = openTag(output.prefixes, tag, { attributes: "", typeName });
    return value === "" ? `${start} />` : `${start}>${output.text(value)}${close}`;
  }
  output.enter();
  const members = record(value, valueKeys, "AnyValue");
  const type = members["type"];
  const typeName = type === undefined ? undefined : splitName(type);
  const reserved = namesTaken([
    { namespace: instanceNamespace, local: "type" },
    { namespace: instanceNamespace, local: "nil" },
  ]);
  const attributes = attributesText(output, members["attributes"], reserved);
  const { start, close, noDefault } = openTag(output.prefixes, tag, { attributes, typeName });
  const inner = contentText(output, members["content"], noDefault ? "" : tag.name.namespace);
  output.leave();
  return inner === "" ? `${start} />` : `${start}>${inner}${close}`;
}

/** What holds for the attributes of a wildcard. */
export interface AnyAttributePlace {
  readonly namespaces: WildcardNamespaces;
  /** The names of declared attributes: they have members of their own. */
  readonly taken: readonly WireName[];
}

/** Writes the items of an attribute wildcard. */
export function writeAnyAttributes(
  output: ElementOutput,
  value: unknown,
  { namespaces, taken }: AnyAttributePlace,
): string {
  return attributesText(output, value, namesTaken(taken), (name) => {
    if (name.namespace === instanceNamespace) throw new LexicalError("Attributes of xsi are not for wildcards.");
    if (!admits(namespaces, name.namespace))
      throw new LexicalError(`No attribute of namespace "${name.namespace}" may stand here.`);
  });
}

function namesTaken(names: readonly WireName[]): Set<string> {
  return new Set(names.map(clarkOf));
}

function attributesText(
  output: ElementOutput,
  value: unknown,
  taken: Set<string>,
  check?: (name: WireName) => void,
): string {
  if (value === undefined) return "";
  return itemsOf(value, unbounded)
    .map((item, index) => {
      try {
        const members = record(item, attributeKeys, "AnyAttribute");
        const name = splitName(members["name"]);
        check?.(name);
        if (taken.has(clarkOf(name)))
          throw new LexicalError(`The attribute ${clarkOf(name)} cannot stand here, or not twice.`);
        taken.add(clarkOf(name));
        return attributeText(output, name, members["value"]);
      } catch (error) {
        throw mismatchOf(error).within(String(index));
      }
    })
    .join("");
}

function attributeText(output: ElementOutput, name: WireName, value: unknown): string {
  if (typeof value !== "string") throw new LexicalError(`${describeValue(value)} is no text.`);
  // xsi:type names a type by a prefix, which would mean nothing away from its document: here it is in Clark notation.
  const isType =
    name.namespace === instanceNamespace && name.local === "type" && !value.includes(":", value.indexOf("}") + 1);
  const text = isType ? output.prefixes.qname(value) : output.attribute(value);
  return ` ${output.prefixes.attributeName(name.namespace, name.local)}="${text}"`;
}

function contentText(output: ElementOutput, value: unknown, scope: string): string {
  if (value === undefined) return "";
  let xml = "";
  itemsOf(value, unbounded).forEach((item, index) => {
    try {
      xml += typeof item === "string" ? output.text(item) : writeAnyElement(output, item, { scope, namespaces: "any" });
    } catch (error) {
      throw mismatchOf(error).within(String(index));
    }
  });
  return xml;
}

function record(value: unknown, keys: ReadonlySet<string>, name: string): Members {
  const members = membersOfValue(value, keys, name);
  refuseUnknown(members, keys, name);
  return members;
}
