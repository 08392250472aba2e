import { clark } from "@bothends/xml/clark-names";
import { splitClark } from "@bothends/xml/split-clark";
import type {
  AnyBodyDescriptor,
  AnyOperationDescriptor,
  AnyRecordDescriptor,
  ElementField,
  InterfaceSettings,
} from "./descriptor.js";
import { ConfigError } from "./errors.js";

/** An element member of a record: a part, a header block, or the result in a wrapper. */
export interface NamedElementField {
  readonly key: string;
  /** The element's name in the schema: `{namespace}local`. */
  readonly name: string;
  readonly field: ElementField<unknown>;
}

/** Returns the members of a record that are elements, in the order of the schema; none for other types. */
export function listElementFields(type: { readonly kind: string }): readonly NamedElementField[] {
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

// In a schema, namespaces and names of operations can be placeholders for names that are known only at run time: the
// names on the wire. Names derived from a placeholder (wrapper elements, SOAPAction, HTTP locations) are derived from
// the name on the wire instead.

/** The names of namespaces and operations on the wire, where they differ from those in the schema. */
export interface WireNameOptions {
  /** The namespaces on the wire, by their key in the settings of the interface. */
  readonly namespaces?: Readonly<Record<string, string | undefined>> | undefined;
  /** The names of operations on the wire, by the operation's name in the schema. */
  readonly operations?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The names of one interface on the wire. */
export interface WireNames {
  /** The namespaces on the wire, by the namespace in the schema. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** The names of operations on the wire, by the operation's name in the schema. */
  readonly operations: ReadonlyMap<string, string>;
}

/** The names of one operation as they are on the wire. */
export interface OperationNames {
  /** The local names of elements on the wire, by their name in the schema: `{namespace}local`. Codecs use this map. */
  readonly elements: ReadonlyMap<string, string>;
  /** Returns the name of an element on the wire: `{namespace}local`. */
  element(name: string): string;
  /** Returns a SOAPAction with the names on the wire. `action` is the SOAPAction in the schema. */
  action(action: string): string;
  /** Returns the location of an HTTP binding with the names on the wire. `location` is the location in the schema. */
  location(location: string): string;
}

/**
 * Reads the option `wireNames`. Throws `ConfigError` for a namespace or operation that `settings` does not list as
 * renamable.
 */
export function readWireNames({ slots }: InterfaceSettings = {}, options: WireNameOptions = {}): WireNames {
  const namespaces = Object.entries(slots?.namespaces ?? {});
  const operations = (slots?.operations ?? []).map((name) => [name, name] as const);
  return {
    namespaces: readNames("namespace", new Map(namespaces), options.namespaces),
    operations: readNames("operation", new Map(operations), options.operations),
  };
}

/**
 * Returns the names on the wire that differ from those in the schema. `schemaNames` are the renamable names, by their
 * key.
 */
function readNames(
  kind: string,
  schemaNames: ReadonlyMap<string, string>,
  realNames: Readonly<Record<string, string | undefined>> = {},
): ReadonlyMap<string, string> {
  const changedNames = new Map<string, string>();
  for (const [key, realName] of Object.entries(realNames)) {
    if (realName === undefined) {
      continue;
    }
    const schemaName = schemaNames.get(key);
    if (schemaName === undefined) {
      const names = [...schemaNames.keys()].join(", ") || "none";
      throw new ConfigError(
        `The option "wireNames.${kind}s" cannot rename the ${kind} "${key}". It can rename ${names}.`,
      );
    }
    if (realName !== schemaName) {
      changedNames.set(schemaName, realName);
    }
  }
  return changedNames;
}

/** Returns the names of one operation on the wire. */
export function applyWireNames(operation: AnyOperationDescriptor, names: WireNames): OperationNames {
  const realName = names.operations.get(operation.name) ?? operation.name;
  const elements = realName === operation.name ? new Map<string, string>() : renameElements(operation, realName);
  return {
    elements,
    element(name) {
      const { namespace, localName } = splitClark(name);
      return clark(names.namespaces.get(namespace) ?? namespace, elements.get(name) ?? localName);
    },
    action: (action) => renameAction(action, { from: operation.name, to: realName, namespaces: names.namespaces }),
    location: (location) =>
      location
        .split("/")
        .map((segment) => (segment === operation.name ? realName : segment))
        .join("/"),
  };
}

/**
 * Returns the new local names of elements that are named after the operation: `CheckUSA`, `CheckUSAResponse`,
 * `CheckUSAResult`.
 */
function renameElements(
  { name, input, output }: AnyOperationDescriptor,
  realName: string,
): ReadonlyMap<string, string> {
  const elements = new Map<string, string>();
  const rename = (element: string): void => {
    const { localName } = splitClark(element);
    if (/^(?![a-z])/.test(localName.slice(name.length)) && localName.startsWith(name)) {
      elements.set(element, realName + localName.slice(name.length));
    }
  };
  for (const element of listBodyElements(input.body)) {
    rename(element);
  }
  for (const element of output === undefined ? [] : listBodyElements(output.body)) {
    rename(element);
  }
  const result = output?.result === undefined ? undefined : findResultElement(output.body, output.result);
  if (result !== undefined) {
    rename(result);
  }
  return elements;
}

function listBodyElements(body: AnyBodyDescriptor): readonly string[] {
  return "parts" in body ? listElementFields(body.parts()).map((member) => member.name) : [body.element];
}

function findResultElement(body: AnyBodyDescriptor, key: string): string | undefined {
  if ("parts" in body) {
    return undefined;
  }
  const type = typeof body.type === "function" ? body.type() : body.type;
  return listElementFields(type).find((member) => member.key === key)?.name;
}

/**
 * Replaces the namespace and the operation name in an action. By convention, an action is a namespace, a separator and
 * the name; the separator can be part of the namespace.
 */
function renameAction(
  action: string,
  names: { readonly from: string; readonly to: string; readonly namespaces: ReadonlyMap<string, string> },
): string {
  const newAction = endsWithWord(action, names.from) ? action.slice(0, -names.from.length) + names.to : action;
  let longestMatch = "";
  for (const namespace of names.namespaces.keys()) {
    if (namespace.length > longestMatch.length && beginsWithNamespace(newAction, namespace)) {
      longestMatch = namespace;
    }
  }
  if (longestMatch === "") {
    return newAction;
  }
  const realNamespace = names.namespaces.get(longestMatch) ?? longestMatch;
  const remainder = newAction.slice(longestMatch.length).replace(leadingSeparator, "");
  if (remainder === "") {
    return realNamespace;
  }
  if (trailingSeparator.test(realNamespace)) {
    return realNamespace + remainder;
  }
  return `${realNamespace}${getSeparator(newAction, longestMatch)}${remainder}`;
}

const leadingSeparator = /^[/#:]/;
const trailingSeparator = /[/#:]$/;

function endsWithWord(text: string, word: string): boolean {
  return text.endsWith(word) && !/[A-Za-z0-9_]/.test(text.charAt(text.length - word.length - 1));
}

function beginsWithNamespace(text: string, namespace: string): boolean {
  if (!text.startsWith(namespace)) {
    return false;
  }
  return (
    text.length === namespace.length ||
    trailingSeparator.test(namespace) ||
    leadingSeparator.test(text.slice(namespace.length))
  );
}

/** Returns the separator between the namespace of an action and the operation's name. */
function getSeparator(action: string, namespace: string): string {
  const namespaceSeparator = trailingSeparator.exec(namespace)?.[0];
  return namespaceSeparator ?? leadingSeparator.exec(action.slice(namespace.length))?.[0] ?? "/";
}
