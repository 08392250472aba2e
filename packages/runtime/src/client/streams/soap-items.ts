import { splitClark } from "@bothends/xml/split-clark";
import { DecodeError } from "../../answer-errors.js";
import { resolveType } from "../../codec/resolve-type.js";
import type { AnyReference } from "../../codec/resolved-types.js";
import type { AnyOperationDescriptor, AnyRecordDescriptor, FieldDescriptor } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import type { SoapStreamCall } from "../transport.js";

/**
 * The path to the items in an operation's answer, and a changed copy of the operation, whose answer has a single item.
 */
export interface SoapItems {
  /**
   * The local names of the elements from the root to the items. A name is undefined if any name is valid, as for the
   * element in a SOAP body, or the root element of an answer over HTTP GET and POST.
   */
  readonly names: readonly (string | undefined)[];
  readonly min: number;
  readonly max: number;
  /** The path of the items for errors, such as `/Envelope/Body/FindResponse/FindResult/Item`. */
  readonly path: string;
  /** A changed copy of the operation: its answer contains a single item. */
  readonly singleItemOperation: AnyOperationDescriptor;
  /** Returns the single item in an answer to `singleItemOperation`. */
  readItem(value: unknown): unknown;
  /** Whether the answer still has items after those that were read as a stream have been removed. */
  hasItems(value: unknown): boolean;
}

/** The path to the items, with the names from the schema. The names on the wire can differ. */
interface DeclaredItems extends Omit<SoapItems, "names" | "path"> {
  /** The name of the answer's root element, `{namespace}local`. */
  readonly root: string;
  /**
   * The element names on the path from the root to the items. The last name is undefined for a SOAP array, whose items
   * may have any name.
   */
  readonly elements: NarrowedType["names"];
}

const itemsByOperation = new WeakMap<AnyOperationDescriptor, Map<string, DeclaredItems>>();

/**
 * Finds the items at a path of members such as `Records.Record`. Throws `ConfigError` if the schema has no list there.
 */
export function locateSoapItems({ operation, prepared: { protocol, names } }: SoapStreamCall, path: string): SoapItems {
  const isSoap = protocol === "soap11" || protocol === "soap12";
  const { root, elements, ...items } = findDeclaredItems(operation, path, isSoap);
  const getLocalName = (name: string | undefined) => name && splitClark(names.element(name)).localName;
  const envelopeNames = isSoap ? ["Envelope", "Body"] : [];
  const namesBelowRoot = elements.map(getLocalName);
  // The names of the items of a SOAP array are not significant, so paths contain only the name of the array.
  const steps = [...envelopeNames, getLocalName(root), ...namesBelowRoot].filter((name) => name !== undefined);
  return { ...items, names: [...envelopeNames, undefined, ...namesBelowRoot], path: `/${steps.join("/")}` };
}

function findDeclaredItems(operation: AnyOperationDescriptor, path: string, isSoap: boolean): DeclaredItems {
  const key = `${isSoap} ${path}`;
  const itemsByPath = itemsByOperation.get(operation) ?? new Map<string, DeclaredItems>();
  itemsByOperation.set(operation, itemsByPath);
  const knownItems = itemsByPath.get(key);
  if (knownItems !== undefined) {
    return knownItems;
  }
  const items = isSoap ? locateItemsInEnvelope(operation, path) : locateItemsInDocument(operation, path);
  itemsByPath.set(key, items);
  return items;
}

/**
 * Finds the items in an answer over HTTP GET and POST. Such an answer is a document without an envelope (WSDL 1.1 §4).
 */
function locateItemsInDocument(operation: AnyOperationDescriptor, path: string): DeclaredItems {
  const { http, name } = operation;
  if (http?.answer.kind !== "xml") {
    throw new ConfigError(
      `The answer of ${name} over HTTP GET and POST cannot be read as a stream, because it is not XML. Call the operation without streamOf.`,
    );
  }
  const { answer } = http;
  const members = path.split(".");
  const narrowedType = narrowType(answer.type, members, name);
  const singleItemOperation = { ...operation, http: { ...http, answer: { ...answer, type: narrowedType.type } } };
  return {
    root: answer.element,
    elements: narrowedType.names,
    min: narrowedType.min,
    max: narrowedType.max,
    singleItemOperation: singleItemOperation as AnyOperationDescriptor,
    readItem: (value) => findItem(value, members),
    hasItems: (value) => isNonEmptyList(findList(value, members)),
  };
}

function locateItemsInEnvelope(operation: AnyOperationDescriptor, path: string): DeclaredItems {
  const { output, name } = operation;
  const body = output?.body;
  if (output === undefined || body === undefined || !("element" in body)) {
    throw new ConfigError(
      `The answer of ${name} cannot be read as a stream, because its body is not one element. Call the operation without streamOf.`,
    );
  }
  const resultMembers = output.result === undefined ? [] : [output.result];
  const members = [...resultMembers, ...(path === "" ? [] : path.split("."))];
  const narrowedType = narrowType(body.type, members, name);
  const singleItemOperation = { ...operation, output: { ...output, body: { ...body, type: narrowedType.type } } };
  return {
    root: body.element,
    elements: narrowedType.names,
    min: narrowedType.min,
    max: narrowedType.max,
    // The copy is used only for reading items, so the static types of its members do not matter.
    singleItemOperation: singleItemOperation as AnyOperationDescriptor,
    readItem: (value) => findItem(value, members.slice(resultMembers.length)),
    hasItems: (value) => isNonEmptyList(findList(value, members.slice(resultMembers.length))),
  };
}

interface NarrowedType {
  readonly type: AnyReference;
  /**
   * The element names on the path to the items, including the name of the items. The last name is undefined for a SOAP
   * array, whose items may have any name.
   */
  readonly names: readonly (string | undefined)[];
  readonly min: number;
  readonly max: number;
}

/**
 * Narrows a type to the members that lead to a list; all other members are removed. The remaining members become
 * optional.
 */
function narrowType(
  reference: AnyReference,
  [member = "", ...otherMembers]: readonly string[],
  operation: string,
): NarrowedType {
  const record = resolveType(reference);
  if (record.kind !== "record") {
    throw createNoListError(operation, `the member ${member} does not belong to a type with declared elements`);
  }
  const { fields } = record as AnyRecordDescriptor;
  const field: FieldDescriptor<unknown> | undefined = Object.hasOwn(fields, member) ? fields[member] : undefined;
  if (field === undefined || field.kind !== undefined) {
    throw createNoListError(
      operation,
      `there is no member "${member}" among the members ${Object.keys(fields).join(", ")}`,
    );
  }
  const { max = 1, min = 1 } = field;
  const isArray = max === 1 && resolveType(field.type as AnyReference).kind === "array";
  const isList = max !== 1 || isArray;
  if (isList !== (otherMembers.length === 0)) {
    throw createNoListError(
      operation,
      isList ? `the member ${member} is a list already` : `the member ${member} is not a list`,
    );
  }
  const narrowedMember = isList ? undefined : narrowType(field.type as AnyReference, otherMembers, operation);
  const namespace = field.namespace ?? record.namespace ?? "";
  const localName = field.name ?? member;
  const changes = isArray ? {} : narrowedMember === undefined ? { max: "unbounded" } : { type: narrowedMember.type };
  const narrowedField = { ...field, min: 0, ...changes };
  const type = { kind: "record", name: record.name, namespace: record.namespace, fields: { [member]: narrowedField } };
  return {
    type: () => type,
    names: [
      namespace === "" ? localName : `{${namespace}}${localName}`,
      ...(isArray ? [undefined] : (narrowedMember?.names ?? [])),
    ],
    min: isArray ? 0 : (narrowedMember?.min ?? min),
    max: narrowedMember?.max ?? (isArray || max === "unbounded" ? Number.POSITIVE_INFINITY : max),
  };
}

function createNoListError(operation: string, reason: string): ConfigError {
  return new ConfigError(
    `The option "items" must name the members that lead to a list in the answer of ${operation}: ${reason}.`,
  );
}

function findList(value: unknown, members: readonly string[]): unknown {
  let list: unknown = value;
  for (const member of members) {
    list = typeof list === "object" && list !== null ? Reflect.get(list, member) : undefined;
  }
  return list;
}

function isNonEmptyList(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

function findItem(value: unknown, members: readonly string[]): unknown {
  const list = findList(value, members);
  if (Array.isArray(list) && list.length === 1) {
    return list[0];
  }
  throw new DecodeError("The element is not in the namespace that the schema declares.", {
    reason: "The element is not in the namespace that the schema declares.",
  });
}
