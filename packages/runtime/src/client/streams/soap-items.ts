import { splitClark } from "@bothends/xml/names";
import { DecodeError } from "../../answer-errors.js";
import { type AnyReference, resolveType } from "../../codec/types.js";
import type { AnyOperationDescriptor, AnyRecordDescriptor, FieldDescriptor } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import type { SoapStreamCall } from "../transport.js";

/** The location of the items in an operation's answer, and an operation that answers with a single item. */
export interface SoapItems {
  /**
   * The local names of the elements from the root to the items; undefined for the body's element, or the root over HTTP GET and
   * POST, which may have any name.
   */
  readonly names: readonly (string | undefined)[];
  readonly min: number;
  readonly max: number;
  /** The path of the items for errors: `/Envelope/Body/FindResponse/FindResult/Item`. */
  readonly path: string;
  /** The operation with an answer of one item. */
  readonly single: AnyOperationDescriptor;
  /** Returns the item in an answer of `single`. */
  read(value: unknown): unknown;
  /** Whether the rest of the answer has items, which were then not read as a stream. */
  hasItems(value: unknown): boolean;
}

/** The items as the schema names them. Clients may use other names. */
interface DeclaredItems extends Omit<SoapItems, "names" | "path"> {
  /** The answer's element, `{namespace}local`. */
  readonly root: string;
  /** The elements from the root to the items; undefined for the items of a SOAP array. */
  readonly elements: Narrowed["names"];
}

const known = new WeakMap<AnyOperationDescriptor, Map<string, DeclaredItems>>();

/** The items at a path of members, `Records.Record`. Throws `ConfigError` if the schema has no list there. */
export function soapItems({ operation, element, protocol }: SoapStreamCall, path: string): SoapItems {
  const isSoap = protocol === "soap11" || protocol === "soap12";
  const { root, elements, ...items } = declaredItems(operation, path, isSoap);
  const localName = (name: string | undefined) => name && splitClark(element(name)).localName;
  const above = isSoap ? ["Envelope", "Body"] : [];
  const below = elements.map(localName);
  // Items of SOAP arrays, whose names are not significant, have the name of the array in paths.
  const steps = [...above, localName(root), ...below].filter((name) => name !== undefined);
  return { ...items, names: [...above, undefined, ...below], path: `/${steps.join("/")}` };
}

function declaredItems(operation: AnyOperationDescriptor, path: string, isSoap: boolean): DeclaredItems {
  const key = `${isSoap} ${path}`;
  const byPath = known.get(operation) ?? new Map<string, DeclaredItems>();
  known.set(operation, byPath);
  const existing = byPath.get(key);
  if (existing !== undefined) {
    return existing;
  }
  const items = isSoap ? inEnvelope(operation, path) : inDocument(operation, path);
  byPath.set(key, items);
  return items;
}

/** WSDL 1.1 §4: over HTTP GET and POST, the answer is a document without an envelope. */
function inDocument(operation: AnyOperationDescriptor, path: string): DeclaredItems {
  const { http, name } = operation;
  if (http?.answer.kind !== "xml") {
    throw new ConfigError(`The answer of ${name} over HTTP GET and POST cannot be read as a stream: it is not XML.`);
  }
  const { answer } = http;
  const members = path.split(".");
  const narrowed = narrow(answer.type, members, name);
  const single = { ...operation, http: { ...http, answer: { ...answer, type: narrowed.type } } };
  return {
    root: answer.element,
    elements: narrowed.names,
    min: narrowed.min,
    max: narrowed.max,
    single: single as AnyOperationDescriptor,
    read: (value) => itemIn(value, members),
    hasItems: (value) => isFull(listIn(value, members)),
  };
}

function inEnvelope(operation: AnyOperationDescriptor, path: string): DeclaredItems {
  const { output, name } = operation;
  const body = output?.body;
  if (output === undefined || body === undefined || !("element" in body)) {
    throw new ConfigError(`The answer of ${name} cannot be read as a stream: its body is not one element.`);
  }
  const start = output.result === undefined ? [] : [output.result];
  const members = [...start, ...(path === "" ? [] : path.split("."))];
  const narrowed = narrow(body.type, members, name);
  const single = { ...operation, output: { ...output, body: { ...body, type: narrowed.type } } };
  return {
    root: body.element,
    elements: narrowed.names,
    min: narrowed.min,
    max: narrowed.max,
    // The type covers only part of the operation, so the types of its members do not matter.
    single: single as AnyOperationDescriptor,
    read: (value) => itemIn(value, members.slice(start.length)),
    hasItems: (value) => isFull(listIn(value, members.slice(start.length))),
  };
}

interface Narrowed {
  readonly type: AnyReference;
  /** The names of the elements that lead to the items; undefined for the items of a SOAP array, which may have any name. */
  readonly names: readonly (string | undefined)[];
  readonly min: number;
  readonly max: number;
}

/** A type with only the members that lead to a list, made optional. */
function narrow(reference: AnyReference, [member = "", ...others]: readonly string[], operation: string): Narrowed {
  const record = resolveType(reference);
  if (record.kind !== "record") {
    throw noList(operation, `${member} is not a member of a record with declared elements`);
  }
  const { fields } = record as AnyRecordDescriptor;
  const field: FieldDescriptor<unknown> | undefined = Object.hasOwn(fields, member) ? fields[member] : undefined;
  if (field === undefined || field.kind !== undefined) {
    throw noList(operation, `its answer has the members ${Object.keys(fields).join(", ")} there, not "${member}"`);
  }
  const { max = 1, min = 1 } = field;
  const isArray = max === 1 && resolveType(field.type as AnyReference).kind === "array";
  const isList = max !== 1 || isArray;
  if (isList !== (others.length === 0)) {
    throw noList(operation, isList ? `${member} is a list already` : `${member} is not a list`);
  }
  const inner = isList ? undefined : narrow(field.type as AnyReference, others, operation);
  const namespace = field.namespace ?? record.namespace ?? "";
  const local = field.name ?? member;
  const changed = isArray ? {} : inner === undefined ? { max: "unbounded" } : { type: inner.type };
  const only = { ...field, min: 0, ...changed };
  const type = { kind: "record", name: record.name, namespace: record.namespace, fields: { [member]: only } };
  return {
    type: () => type,
    names: [namespace === "" ? local : `{${namespace}}${local}`, ...(isArray ? [undefined] : (inner?.names ?? []))],
    min: isArray ? 0 : (inner?.min ?? min),
    max: inner?.max ?? (isArray || max === "unbounded" ? Number.POSITIVE_INFINITY : max),
  };
}

function noList(operation: string, reason: string): ConfigError {
  return new ConfigError(
    `The option items must lead to a list in the answer of ${operation}, with the names of its members: ${reason}.`,
  );
}

function listIn(value: unknown, members: readonly string[]): unknown {
  let list: unknown = value;
  for (const member of members) {
    list = typeof list === "object" && list !== null ? Reflect.get(list, member) : undefined;
  }
  return list;
}

function isFull(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

function itemIn(value: unknown, members: readonly string[]): unknown {
  const list = listIn(value, members);
  if (Array.isArray(list) && list.length === 1) {
    return list[0];
  }
  throw new DecodeError("The element is not in the namespace that the schema declares.", {
    reason: "The element is not in the namespace that the schema declares.",
  });
}
