import { clark, splitClark } from "@bothends/xml/names";
import type {
  AnyBodyDescriptor,
  AnyOperationDescriptor,
  AnyRecordDescriptor,
  ElementField,
  InterfaceSettings,
} from "./descriptor.js";
import { ConfigError, nearest } from "./errors.js";

/** An element member of a record: a part, a header block, or the result in a wrapper. */
export interface NamedElementField {
  readonly key: string;
  /** The name in the schema, `{namespace}local`. */
  readonly name: string;
  readonly field: ElementField<unknown>;
}

/** The element members of a record, in the order of the schema; empty for other types. */
export function elementFields(type: { readonly kind: string }): readonly NamedElementField[] {
  if (!isRecord(type)) {
    return [];
  }
  return Object.entries(type.fields).flatMap(([key, field]) => {
    if (field.kind !== undefined) {
      return [];
    }
    return [{ key, name: clark(field.namespace ?? type.namespace ?? "", field.name ?? key), field }];
  });
}

function isRecord(type: { readonly kind: string }): type is AnyRecordDescriptor {
  return type.kind === "record";
}

/**
 * Namespaces and names of operations can be placeholders for real names that are known only at run time. Names derived from
 * a placeholder (wrapper elements, SOAPAction, HTTP locations) are derived from the real name instead.
 */

/** The real names by the configured key (namespaces) or by the name in the schema (operations). */
export interface WireNameOptions {
  readonly namespaces?: Readonly<Record<string, string | undefined>> | undefined;
  readonly operations?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The real names of one interface. */
export interface WireNames {
  /** The real namespace by the namespace of the schema. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** The real name by the name of the operation. */
  readonly operations: ReadonlyMap<string, string>;
}

/** The names of one operation as they are on the wire. */
export interface OperationNames {
  /** Real local names by the element's name in the schema, `{namespace}local`; used by codecs. */
  readonly elements: ReadonlyMap<string, string>;
  /** The real name of an element, `{namespace}local`. */
  element(name: string): string;
  action(action: string): string;
  location(location: string): string;
}

/** Leaves all names unchanged. */
export const unchangedOperationNames: OperationNames = {
  elements: new Map(),
  element: (name) => name,
  action: (action) => action,
  location: (location) => location,
};

/** Checks that only configured names are renamed, and resolves them. */
export function wireNames(settings: InterfaceSettings = {}, options: WireNameOptions = {}): WireNames {
  const slots = new Map(Object.entries(settings.slots?.namespaces ?? {}));
  const namespaces = new Map<string, string>();
  for (const [slot, real] of definedEntries(options.namespaces)) {
    const namespace = slots.get(slot);
    if (namespace === undefined) {
      throw unknownName("namespace", slot, [...slots.keys()]);
    }
    if (real !== namespace) {
      namespaces.set(namespace, real);
    }
  }
  const known = settings.slots?.operations ?? [];
  const operations = new Map<string, string>();
  for (const [name, real] of definedEntries(options.operations)) {
    if (!known.includes(name)) {
      throw unknownName("operation", name, known);
    }
    if (real !== name) {
      operations.set(name, real);
    }
  }
  return { namespaces, operations };
}

/** Applies the real names to one operation. */
export function applyWireNames(operation: AnyOperationDescriptor, names: WireNames): OperationNames {
  const real = names.operations.get(operation.name) ?? operation.name;
  const elements = real === operation.name ? new Map<string, string>() : renamedElements(operation, real);
  return {
    elements,
    element(name) {
      const { namespace, localName } = splitClark(name);
      return clark(names.namespaces.get(namespace) ?? namespace, elements.get(name) ?? localName);
    },
    action: (action) => renamedAction(action, { from: operation.name, to: real, namespaces: names.namespaces }),
    location: (location) =>
      location
        .split("/")
        .map((segment) => (segment === operation.name ? real : segment))
        .join("/"),
  };
}

function definedEntries(
  record: Readonly<Record<string, string | undefined>> = {},
): readonly (readonly [string, string])[] {
  return Object.entries(record).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

function unknownName(kind: string, name: string, known: readonly string[]): ConfigError {
  return new ConfigError(`wireNames.${kind}s: the ${kind} "${name}" cannot be renamed.${nearest(name, known)}`);
}

/** Renames the elements that are named after the operation: `Op`, `OpResponse`, `OpResult`. */
function renamedElements({ name, input, output }: AnyOperationDescriptor, real: string): ReadonlyMap<string, string> {
  const elements = new Map<string, string>();
  const rename = (element: string): void => {
    const { localName } = splitClark(element);
    if (/^(?![a-z])/.test(localName.slice(name.length)) && localName.startsWith(name)) {
      elements.set(element, real + localName.slice(name.length));
    }
  };
  for (const element of bodyElements(input.body)) {
    rename(element);
  }
  for (const element of output === undefined ? [] : bodyElements(output.body)) {
    rename(element);
  }
  const result = output?.result === undefined ? undefined : resultElement(output.body, output.result);
  if (result !== undefined) {
    rename(result);
  }
  return elements;
}

function bodyElements(body: AnyBodyDescriptor): readonly string[] {
  return "parts" in body ? elementFields(body.parts()).map((member) => member.name) : [body.element];
}

function resultElement(body: AnyBodyDescriptor, key: string): string | undefined {
  if ("parts" in body) {
    return undefined;
  }
  const type = typeof body.type === "function" ? body.type() : body.type;
  return elementFields(type).find((member) => member.key === key)?.name;
}

/**
 * Replaces the namespace and the operation name in an action. By convention, an action is a namespace, a separator and the name;
 * the separator can be part of the namespace.
 */
function renamedAction(
  action: string,
  names: { readonly from: string; readonly to: string; readonly namespaces: ReadonlyMap<string, string> },
): string {
  const renamed = endsWithWord(action, names.from) ? action.slice(0, -names.from.length) + names.to : action;
  let matched = "";
  for (const namespace of names.namespaces.keys()) {
    if (namespace.length > matched.length && beginsWithNamespace(renamed, namespace)) {
      matched = namespace;
    }
  }
  if (matched === "") {
    return renamed;
  }
  const real = names.namespaces.get(matched) ?? matched;
  const rest = renamed.slice(matched.length).replace(separatorFirst, "");
  if (rest === "") {
    return real;
  }
  if (separatorLast.test(real)) {
    return real + rest;
  }
  return `${real}${separatorOf(renamed, matched)}${rest}`;
}

const separatorFirst = /^[/#:]/;
const separatorLast = /[/#:]$/;

function endsWithWord(text: string, word: string): boolean {
  return text.endsWith(word) && !/[A-Za-z0-9_]/.test(text.charAt(text.length - word.length - 1));
}

function beginsWithNamespace(text: string, namespace: string): boolean {
  if (!text.startsWith(namespace)) {
    return false;
  }
  return (
    text.length === namespace.length ||
    separatorLast.test(namespace) ||
    separatorFirst.test(text.slice(namespace.length))
  );
}

/** The separator between the namespace and the rest of an action. */
function separatorOf(action: string, namespace: string): string {
  const inside = separatorLast.exec(namespace)?.[0];
  return inside ?? separatorFirst.exec(action.slice(namespace.length))?.[0] ?? "/";
}
