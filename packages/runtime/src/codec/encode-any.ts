import { describeValue } from "../describe-value.js";
import type { WildcardNamespaces } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import { itemsOf, type Members, membersOfValue, refuseUnknown, type Tag, tagOf } from "./encode-tables.js";
import { admits, clarkOf, instanceNamespace, schemaNamespace, type WireName, xmlNamespace } from "./names.js";
import { mismatchOf } from "./schema-mismatch.js";
import { type ElementOutput, openTag, splitName } from "./start-tag.js";

const elementKeys: ReadonlySet<string> = new Set(["name", "attributes", "content"]);
const attributeKeys: ReadonlySet<string> = new Set(["name", "value"]);
const valueKeys: ReadonlySet<string> = new Set(["type", "attributes", "content"]);
const unbounded = { min: 0, max: Number.POSITIVE_INFINITY };

/** The context of an element that matches a wildcard. */
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
  if (!admits(namespaces, name.namespace)) {
    throw new LexicalError(`An element of namespace "${name.namespace}" is not allowed here.`);
  }
  // Namespaces in XML 1.0 §3: it cannot be the default namespace, and it contains no elements.
  if (name.namespace === xmlNamespace) {
    throw new LexicalError("The name of an element must not be in the XML namespace.");
  }
  const tag = tagOf(name, scope);
  const attributes = attributesText(output, members["attributes"], namesTaken([]));
  const { start, close, noDefault } = openTag(output.prefixes, tag, { attributes, typeName: undefined });
  const inner = contentText(output, members["content"], noDefault ? "" : tag.name.namespace);
  output.leave();
  return inner === "" ? `${start} />` : `${start}>${inner}${close}`;
}

/** The context of a value of `xs:anyType`. */
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

/** The rules for the attributes of a wildcard. */
export interface AnyAttributePlace {
  readonly namespaces: WildcardNamespaces;
  /** The names of declared attributes, which have separate members. */
  readonly taken: readonly WireName[];
}

/** Writes the items of an attribute wildcard. */
export function writeAnyAttributes(
  output: ElementOutput,
  value: unknown,
  { namespaces, taken }: AnyAttributePlace,
): string {
  return attributesText(output, value, namesTaken(taken), (name) => {
    if (name.namespace === instanceNamespace) {
      throw new LexicalError("The attributes of a wildcard must not be in the xsi namespace.");
    }
    if (!admits(namespaces, name.namespace)) {
      throw new LexicalError(`An attribute of namespace "${name.namespace}" is not allowed here.`);
    }
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
  if (value === undefined) {
    return "";
  }
  return itemsOf(value, unbounded)
    .map((item, index) => {
      try {
        const members = record(item, attributeKeys, "AnyAttribute");
        const name = splitName(members["name"]);
        check?.(name);
        if (taken.has(clarkOf(name))) {
          throw new LexicalError(`The attribute ${clarkOf(name)} is repeated, or not allowed here.`);
        }
        taken.add(clarkOf(name));
        return attributeText(output, name, members["value"]);
      } catch (error) {
        throw mismatchOf(error).within(String(index));
      }
    })
    .join("");
}

function attributeText(output: ElementOutput, name: WireName, value: unknown): string {
  if (typeof value !== "string") {
    throw new LexicalError(`The value must be a string, not ${describeValue(value)}.`);
  }
  // xsi:type is in Clark notation here, because a prefix has no meaning outside its document.
  const isType =
    name.namespace === instanceNamespace && name.local === "type" && !value.includes(":", value.indexOf("}") + 1);
  const text = isType ? output.prefixes.qname(value) : output.attribute(value);
  return ` ${output.prefixes.attributeName(name.namespace, name.local)}="${text}"`;
}

function contentText(output: ElementOutput, value: unknown, scope: string): string {
  if (value === undefined) {
    return "";
  }
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
