import { getValueSpace } from "@bothends/datatypes/value-space";
import { clark } from "@bothends/xml/clark-names";
import type {
  FieldDescriptor,
  IdentityChecker,
  IdentityConstraint,
  IdentityDescriptor,
  IdentityPath,
} from "../../descriptor.js";
import { isObject } from "../encode-table.js";
import { resolveRecord, resolveType } from "../resolve-type.js";
import type { AnyReference, ResolvedRecord } from "../resolved-types.js";
import { SchemaMismatch } from "../schema-mismatch.js";

/** Checks identity constraints (XSD 1.0 Part 1 §3.11.4) on decoded values. Exported as `xs.identity`. */
export const identity: IdentityChecker = {
  kind: "identity",
  check: ({ constraints }, { type, value }) => checkConstraints(constraints, { ...unnamedElement, type, value }),
};

/** An element of a document, represented by its value and its declaration. */
interface ElementNode {
  /** The name of the element in the schema, in Clark notation. */
  readonly name: string;
  readonly type: AnyReference;
  readonly value: unknown;
  readonly nillable: boolean;
  readonly identity: IdentityDescriptor | undefined;
}

const unnamedElement = { name: "", nillable: false, identity: undefined };

function checkConstraints(constraints: readonly IdentityConstraint[], element: ElementNode): void {
  for (const constraint of constraints) {
    if (constraint.kind !== "keyref") {
      listKeys(constraint, element);
    }
  }
  for (const constraint of constraints) {
    if (constraint.kind === "keyref") {
      checkReferences(constraint, { ...element, identity: { by: identity, constraints } });
    }
  }
}

/** Returns the keys that a constraint selects below an element. Refuses duplicate keys. */
function listKeys(constraint: IdentityConstraint, element: ElementNode): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { key, displayText } of listSelectedKeys(constraint, element)) {
    if (keys.has(key)) {
      throw new SchemaMismatch(`Two elements have the same ${formatConstraint(constraint)}.`, { text: displayText });
    }
    keys.add(key);
  }
  return keys;
}

/** Checks that each key of a keyref exists in the element that declares the keyref, or in one of its descendants. */
function checkReferences(keyref: IdentityConstraint, element: ElementNode): void {
  const references = [...listSelectedKeys(keyref, element)];
  if (references.length === 0) {
    return;
  }
  const knownKeys = new Set<string>();
  for (const node of withDescendants(element)) {
    // Wildcard content may contain the keys, but the types of its elements are unknown, so nothing is checked.
    if (hasWildcardContent(node)) {
      return;
    }
    for (const constraint of node.identity?.constraints ?? []) {
      if (constraint.name === keyref.refer && constraint.kind !== "keyref") {
        for (const { key } of listSelectedKeys(constraint, node)) {
          knownKeys.add(key);
        }
      }
    }
  }
  for (const { key, displayText } of references) {
    if (!knownKeys.has(key)) {
      throw new SchemaMismatch(`The ${formatConstraint(keyref)} refers to a key that does not exist.`, {
        text: displayText,
      });
    }
  }
}

interface Key {
  /** A string that is the same for equal keys, and different for other keys. */
  readonly key: string;
  /** The key as error messages show it. */
  readonly displayText: string;
}

function* listSelectedKeys(constraint: IdentityConstraint, element: ElementNode): Iterable<Key> {
  for (const node of selectElements(constraint.selector, element)) {
    const fieldKeys = constraint.fields.map((paths) => computeFieldKey(paths, { node, constraint }));
    if (fieldKeys.includes(unknownKey)) {
      continue;
    }
    if (fieldKeys.every((part) => part !== undefined)) {
      yield {
        key: JSON.stringify(fieldKeys),
        displayText: fieldKeys.map((part) => part.slice(part.indexOf(":") + 1)).join(", "),
      };
    } else if (constraint.kind === "key") {
      throw new SchemaMismatch(`An element has no value for the ${formatConstraint(constraint)}.`);
    }
  }
}

/** Returns the elements that the selector paths select. An element that several paths select is returned once. */
function selectElements(paths: readonly IdentityPath[], element: ElementNode): readonly ElementNode[] {
  if (paths.length === 1) {
    return paths.flatMap((path) => listElementsAt(path, element));
  }
  // Each walk creates new nodes, so two nodes are the same element if their values are the same object. Simple values
  // have no identity: each of them counts as a different element.
  const selectedValues = new Set<unknown>();
  return paths
    .flatMap((path) => listElementsAt(path, element))
    .filter(({ value }) => {
      const isNew = !isObject(value) || !selectedValues.has(value);
      selectedValues.add(value);
      return isNew;
    });
}

/**
 * Returns the key of a field; undefined if the field selects no node. A field may select at most one node, and that
 * node must have a simple type.
 */
function computeFieldKey(
  paths: readonly IdentityPath[],
  { node, constraint }: { readonly node: ElementNode; readonly constraint: IdentityConstraint },
): string | undefined {
  const keys: string[] = [];
  // A nil element is decoded as null, without its attributes, so the value of an attribute in the key is unknown.
  if (node.value === null && paths.some(({ attribute }) => attribute !== undefined)) {
    return unknownKey;
  }
  const distinctPaths = new Map(paths.map((path) => [JSON.stringify(path), path]));
  for (const path of distinctPaths.values()) {
    for (const element of listElementsAt(path, node)) {
      if (path.attribute === undefined) {
        keys.push(...getElementKey(element, constraint));
      } else {
        keys.push(...listAttributeKeys(element, path.attribute));
      }
    }
  }
  if (keys.length > 1) {
    throw new SchemaMismatch(`An element has several values for the ${formatConstraint(constraint)}.`);
  }
  return keys[0];
}

function getElementKey({ type, value, nillable }: ElementNode, constraint: IdentityConstraint): readonly string[] {
  if (nillable && constraint.kind === "key") {
    throw new SchemaMismatch(`A field of the ${formatConstraint(constraint)} is nillable.`);
  }
  if (value === null || value === undefined) {
    return [];
  }
  const resolvedType = resolveType(type);
  if (resolvedType.kind === "simple") {
    return getSimpleKey(resolvedType, value);
  }
  if (resolvedType.kind === "anyType") {
    return getAnyKey(value);
  }
  const record = findRecord(type, value);
  const text = record && Object.entries(record.fields).find(([, field]) => field.kind === "text");
  if (text === undefined || text[1].kind !== "text") {
    throw new SchemaMismatch(`A field of the ${formatConstraint(constraint)} has no simple type.`);
  }
  return getSimpleKey(text[1].type, getMember(value, text[0]));
}

/** Returns the key of an `xs:anyType` value that contains only text. */
function getAnyKey(value: unknown): readonly string[] {
  if (typeof value === "string") {
    return [`string:${value}`];
  }
  const content = getMember(value, "content");
  const textItems = Array.isArray(content) ? content.filter((item) => typeof item === "string") : [];
  return [`${String(getMember(value, "type"))}:${textItems.join("")}`];
}

function listAttributeKeys({ type, value }: ElementNode, nameTest: string): readonly string[] {
  const record = findRecord(type, value);
  return Object.entries(record?.fields ?? {}).flatMap(([key, field]) => {
    if (field.kind !== "attribute") {
      return [];
    }
    const name = clark(field.namespace ?? "", field.name ?? key);
    return matchesNameTest(nameTest, name) ? getSimpleKey(field.type, getMember(value, key)) : [];
  });
}

function getSimpleKey(reference: AnyReference, value: unknown): readonly string[] {
  const type = resolveType(reference);
  if (type.kind !== "simple" || value === undefined) {
    return [];
  }
  // Whether two values of xs:anySimpleType are equal depends on their xsi:type, which the values do not contain.
  return [type.name === "xs:anySimpleType" ? unknownKey : getValueSpace(type).key(value)];
}

/** The key of a value whose equality cannot be determined. */
const unknownKey = "unknown";

function hasWildcardContent({ type, value }: ElementNode): boolean {
  const fields = Object.entries(findRecord(type, value)?.fields ?? {});
  return fields.some(([key, { kind }]) => kind === "any" && getMember(value, key) !== undefined);
}

function listElementsAt({ anywhere, steps }: IdentityPath, element: ElementNode): readonly ElementNode[] {
  let nodes: readonly ElementNode[] = anywhere === true ? [...withDescendants(element)] : [element];
  for (const step of steps) {
    nodes = nodes.flatMap((node) => [...listChildren(node)].filter(({ name }) => matchesNameTest(step, name)));
  }
  return nodes;
}

function* withDescendants(element: ElementNode): Iterable<ElementNode> {
  yield element;
  for (const child of listChildren(element)) {
    yield* withDescendants(child);
  }
}

function* listChildren({ type, value }: ElementNode): Iterable<ElementNode> {
  const record = findRecord(type, value);
  if (record !== undefined) {
    yield* listElements(record, value);
  }
}

/** Returns the elements of a record. Groups and mixed content do not count as elements. */
function* listElements(record: ResolvedRecord, value: unknown): Iterable<ElementNode> {
  for (const [key, field] of Object.entries(record.fields)) {
    const member = getMember(value, key);
    if (member === undefined) {
      continue;
    }
    if (field.kind === undefined) {
      const name = clark(field.namespace ?? record.namespace ?? "", field.name ?? key);
      const { type, nillable = false, identity: identityConstraints } = field;
      for (const item of listItems(member, field)) {
        yield { name, type, value: item, nillable, identity: identityConstraints };
      }
    } else if (field.kind === "group" || field.kind === "mixed") {
      for (const item of Array.isArray(member) ? member : []) {
        if (isObject(item)) {
          yield* listElements(resolveRecord(field.record), item);
        }
      }
    }
  }
}

function listItems(member: unknown, field: FieldDescriptor<unknown>): readonly unknown[] {
  const isArray = "max" in field && field.max !== undefined && field.max !== 1;
  return isArray && Array.isArray(member) ? member : [member];
}

/** Returns the record that describes a value; undefined for other values. */
function findRecord(reference: AnyReference, value: unknown): ResolvedRecord | undefined {
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
  const tag = getMember(value, "$type") ?? type.declared;
  const alternative = typeof tag === "string" ? type.alternatives[tag] : undefined;
  return alternative && resolveRecord(alternative);
}

function getMember(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** Whether a name in Clark notation matches a name test of a path: a name, `*`, or `{namespace}*`. */
function matchesNameTest(nameTest: string, name: string): boolean {
  return nameTest === "*" || nameTest === name || (nameTest.endsWith("}*") && name.startsWith(nameTest.slice(0, -1)));
}

function formatConstraint({ kind, name }: IdentityConstraint): string {
  return `${kind} ${name.slice(name.indexOf("}") + 1)}`;
}
