import { valueSpaceOf } from "@bothends/datatypes/simple-type";
import type {
  FieldDescriptor,
  IdentityChecker,
  IdentityConstraint,
  IdentityDescriptor,
  IdentityPath,
} from "../../descriptor.js";
import { isObject } from "../encode-table.js";
import { SchemaMismatch } from "../schema-mismatch.js";
import { type AnyReference, type ResolvedRecord, resolveRecord, resolveType } from "../types.js";

/** Checks identity constraints (XSD 1.0 Part 1 §3.11.4) on decoded values: `xs.identity`. */
export const identity: IdentityChecker = {
  kind: "identity",
  check: ({ constraints }, { type, value }) => checkConstraints(constraints, { ...unnamed, type, value }),
};

/** An element of a document, represented by its value and its declaration. */
interface ElementNode {
  /** In Clark notation, as in the schema. */
  readonly name: string;
  readonly type: AnyReference;
  readonly value: unknown;
  readonly nillable: boolean;
  readonly identity: IdentityDescriptor | undefined;
}

const unnamed = { name: "", nillable: false, identity: undefined };

function checkConstraints(constraints: readonly IdentityConstraint[], element: ElementNode): void {
  for (const constraint of constraints) {
    if (constraint.kind !== "keyref") {
      keysOf(constraint, element);
    }
  }
  for (const constraint of constraints) {
    if (constraint.kind === "keyref") {
      checkReferences(constraint, { ...element, identity: { by: identity, constraints } });
    }
  }
}

/** The keys that a constraint selects below an element. Refuses duplicate keys. */
function keysOf(constraint: IdentityConstraint, element: ElementNode): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { key, shown } of selectedKeys(constraint, element)) {
    if (keys.has(key)) {
      throw new SchemaMismatch(`Two elements have the same ${nameOf(constraint)}.`, { text: shown });
    }
    keys.add(key);
  }
  return keys;
}

/** A keyref refers to the keys of its element and all its descendants. */
function checkReferences(keyref: IdentityConstraint, element: ElementNode): void {
  const references = [...selectedKeys(keyref, element)];
  if (references.length === 0) {
    return;
  }
  const known = new Set<string>();
  for (const node of withDescendants(element)) {
    // Wildcard content may contain keys, and the types of its elements are unknown.
    if (hasWildcardContent(node)) {
      return;
    }
    for (const constraint of node.identity?.constraints ?? []) {
      if (constraint.name === keyref.refer && constraint.kind !== "keyref") {
        for (const { key } of selectedKeys(constraint, node)) {
          known.add(key);
        }
      }
    }
  }
  for (const { key, shown } of references) {
    if (!known.has(key)) {
      throw new SchemaMismatch(`The ${nameOf(keyref)} refers to a key that does not exist.`, { text: shown });
    }
  }
}

interface Key {
  /** Identical for equal values. */
  readonly key: string;
  readonly shown: string;
}

function* selectedKeys(constraint: IdentityConstraint, element: ElementNode): Iterable<Key> {
  for (const node of selected(constraint.selector, element)) {
    const parts = constraint.fields.map((paths) => fieldKey(paths, { node, constraint }));
    if (parts.includes(unknownKey)) {
      continue;
    }
    if (parts.every((part) => part !== undefined)) {
      yield { key: JSON.stringify(parts), shown: parts.map((part) => part.slice(part.indexOf(":") + 1)).join(", ") };
    } else if (constraint.kind === "key") {
      throw new SchemaMismatch(`An element has no value for the ${nameOf(constraint)}.`);
    }
  }
}

/** The elements that the selector paths select, each once. */
function selected(paths: readonly IdentityPath[], element: ElementNode): readonly ElementNode[] {
  if (paths.length === 1) {
    return paths.flatMap((path) => elementsAt(path, element));
  }
  // Nodes are created on each walk, so an element is recognized by its value. Equal simple values are still distinct nodes.
  const seen = new Set<unknown>();
  return paths
    .flatMap((path) => elementsAt(path, element))
    .filter(({ value }) => {
      const isNew = !isObject(value) || !seen.has(value);
      seen.add(value);
      return isNew;
    });
}

/** The key of a field; undefined if absent. A field selects at most one node, which must have a simple type. */
function fieldKey(
  paths: readonly IdentityPath[],
  { node, constraint }: { readonly node: ElementNode; readonly constraint: IdentityConstraint },
): string | undefined {
  const keys: string[] = [];
  // A nil element is decoded as null, without its attributes.
  if (node.value === null && paths.some(({ attribute }) => attribute !== undefined)) {
    return unknownKey;
  }
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]));
  for (const path of distinct.values()) {
    for (const element of elementsAt(path, node)) {
      if (path.attribute === undefined) {
        keys.push(...elementKey(element, constraint));
      } else {
        keys.push(...attributeKeys(element, path.attribute));
      }
    }
  }
  if (keys.length > 1) {
    throw new SchemaMismatch(`An element has several values for the ${nameOf(constraint)}.`);
  }
  return keys[0];
}

function elementKey({ type, value, nillable }: ElementNode, constraint: IdentityConstraint): readonly string[] {
  if (nillable && constraint.kind === "key") {
    throw new SchemaMismatch(`The ${nameOf(constraint)} has a field that is nillable.`);
  }
  if (value === null || value === undefined) {
    return [];
  }
  const resolved = resolveType(type);
  if (resolved.kind === "simple") {
    return simpleKey(resolved, value);
  }
  if (resolved.kind === "anyType") {
    return anyKey(value);
  }
  const record = recordOf(type, value);
  const text = record && Object.entries(record.fields).find(([, field]) => field.kind === "text");
  if (text === undefined || text[1].kind !== "text") {
    throw new SchemaMismatch(`A field of the ${nameOf(constraint)} has no simple type.`);
  }
  return simpleKey(text[1].type, memberOf(value, text[0]));
}

/** The key of a text-only `xs:anyType` value. */
function anyKey(value: unknown): readonly string[] {
  if (typeof value === "string") {
    return [`string:${value}`];
  }
  const content = memberOf(value, "content");
  const texts = Array.isArray(content) ? content.filter((item) => typeof item === "string") : [];
  return [`${String(memberOf(value, "type"))}:${texts.join("")}`];
}

function attributeKeys({ type, value }: ElementNode, test: string): readonly string[] {
  const record = recordOf(type, value);
  return Object.entries(record?.fields ?? {}).flatMap(([key, field]) => {
    if (field.kind !== "attribute") {
      return [];
    }
    const name = clarkName(field.namespace ?? "", field.name ?? key);
    return matches(test, name) ? simpleKey(field.type, memberOf(value, key)) : [];
  });
}

function simpleKey(reference: AnyReference, value: unknown): readonly string[] {
  const type = resolveType(reference);
  if (type.kind !== "simple" || value === undefined) {
    return [];
  }
  // Equality depends on the actual type in xsi:type, which the value does not contain.
  return [type.name === "xs:anySimpleType" ? unknownKey : valueSpaceOf(type).key(value)];
}

/** The key of a value whose equality cannot be determined. */
const unknownKey = "unknown";

function hasWildcardContent({ type, value }: ElementNode): boolean {
  const fields = Object.entries(recordOf(type, value)?.fields ?? {});
  return fields.some(([key, { kind }]) => kind === "any" && memberOf(value, key) !== undefined);
}

function elementsAt({ anywhere, steps }: IdentityPath, element: ElementNode): readonly ElementNode[] {
  let nodes: readonly ElementNode[] = anywhere === true ? [...withDescendants(element)] : [element];
  for (const step of steps) {
    nodes = nodes.flatMap((node) => [...children(node)].filter(({ name }) => matches(step, name)));
  }
  return nodes;
}

function* withDescendants(element: ElementNode): Iterable<ElementNode> {
  yield element;
  for (const child of children(element)) {
    yield* withDescendants(child);
  }
}

function* children({ type, value }: ElementNode): Iterable<ElementNode> {
  const record = recordOf(type, value);
  if (record !== undefined) {
    yield* elementsOf(record, value);
  }
}

/** The elements of a record. Groups and mixed content do not count as elements. */
function* elementsOf(record: ResolvedRecord, value: unknown): Iterable<ElementNode> {
  for (const [key, field] of Object.entries(record.fields)) {
    const member = memberOf(value, key);
    if (member === undefined) {
      continue;
    }
    if (field.kind === undefined) {
      const name = clarkName(field.namespace ?? record.namespace ?? "", field.name ?? key);
      const { type, nillable = false, identity: constraints } = field;
      for (const item of itemsOf(member, field)) {
        yield { name, type, value: item, nillable, identity: constraints };
      }
    } else if (field.kind === "group" || field.kind === "mixed") {
      for (const item of Array.isArray(member) ? member : []) {
        if (isObject(item)) {
          yield* elementsOf(resolveRecord(field.record), item);
        }
      }
    }
  }
}

function itemsOf(member: unknown, field: FieldDescriptor<unknown>): readonly unknown[] {
  const isArray = "max" in field && field.max !== undefined && field.max !== 1;
  return isArray && Array.isArray(member) ? member : [member];
}

/** The record that describes a value; undefined for other values. */
function recordOf(reference: AnyReference, value: unknown): ResolvedRecord | undefined {
  const type = resolveType(reference);
  if (!isObject(value)) {
    return undefined;
  }
  if (type.kind === "record") {
    return type;
  }
  if (type.kind !== "polymorphic") {
    return undefined;
  }
  const tag = memberOf(value, "$type") ?? type.declared;
  const alternative = typeof tag === "string" ? type.alternatives[tag] : undefined;
  return alternative && resolveRecord(alternative);
}

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** Whether a name matches a test: a name, `*`, or `{namespace}*`. */
function matches(test: string, name: string): boolean {
  return test === "*" || test === name || (test.endsWith("}*") && name.startsWith(test.slice(0, -1)));
}

function clarkName(namespace: string, local: string): string {
  return namespace === "" ? local : `{${namespace}}${local}`;
}

function nameOf({ kind, name }: IdentityConstraint): string {
  return `${kind} ${name.slice(name.indexOf("}") + 1)}`;
}
