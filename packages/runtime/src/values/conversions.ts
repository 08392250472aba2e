import { emptyContext, normalizeWhiteSpace, type SimpleType } from "@bothends/datatypes";
import { dateAsDate, dateTimeAsDate } from "@bothends/datatypes/xs-basic";
import { XmlReader } from "@bothends/xml";
import { DecodeError, EncodeError, type EncodeErrorInit } from "../answer-errors.js";
import type { CodecOptions } from "../codec/codec-options.js";
import { Decoder } from "../codec/decoder.js";
import { Encoder, writeAnyElement } from "../codec/encoder.js";
import { readAnyElement } from "../codec/kinds/any-element.js";
import { resolveRecord, resolveType } from "../codec/resolve-type.js";
import {
  type AnyReference,
  instanceNamespace,
  type ResolvedRecord,
  type ResolvedType,
  schemaNamespace,
} from "../codec/resolved-types.js";
import { describeInvalidValue } from "../codec/schema-mismatch.js";
import type { AnyElement, FieldDescriptor, JsonValue, TypeDescriptor, TypeReference } from "../descriptor.js";
import { LexicalError } from "../errors.js";

// Converts values to and from `Date`, JSON, and the content of wildcards. A program that does not import one of these
// functions does not bundle it.

export { messageElements } from "../codec/kinds/any.js";

/**
 * Converts a `DateTime` or a `DateOnly` to a `Date`. A dateTime without a time zone is interpreted as UTC. A date
 * becomes midnight UTC of the same calendar day, regardless of its time zone, so that the day does not shift. Throws
 * `LexicalError` for an invalid string, and for a year outside 1 to 9999.
 */
export function toDate(text: string): Date {
  const trimmedText = text.trim();
  const type = trimmedText.includes("T") ? dateTimeAsDate : dateAsDate;
  return type.read(trimmedText, emptyContext);
}

/** Converts a `Date` to a dateTime or a date in UTC. Throws `LexicalError` for an invalid `Date`. */
export function fromDate(date: Date, type: "dateTime" | "date" = "dateTime"): string {
  const text = dateTimeAsDate.write(date, emptyContext);
  return type === "date" ? text.slice(0, 10) : text;
}

/**
 * Converts a value of a type to JSON. Values that JSON cannot represent, such as bigints, bytes and dates, become their
 * XML text. Members that the type does not declare are left out. Throws an `EncodeError` with the path of an invalid
 * value.
 */
export function toJson<T>(type: TypeReference<T> | TypeDescriptor<T>, value: T): JsonValue {
  // The cast is safe, because the conversion produces only JSON values.
  return convert(resolveType(getReference(type)), value, {
    convertSimpleValue: convertSimpleToJson,
    createError: createEncodeFailure,
    path: "",
  }) as JsonValue;
}

/**
 * Converts JSON to a value of a type. This is the reverse of `toJson`. Members that the type does not declare are left
 * out; missing members are not detected. Throws a `DecodeError` with the path of an invalid value.
 */
export function fromJson<T>(type: TypeReference<T> | TypeDescriptor<T>, json: JsonValue): T {
  // The cast is safe, because the compiler has checked the descriptor against T where the descriptor is declared.
  return convert(resolveType(getReference(type)), json, {
    convertSimpleValue: convertSimpleFromJson,
    createError: createDecodeFailure,
    path: "",
  }) as T;
}

interface Conversion {
  /**
   * Converts a value of a simple type in one direction: to JSON or from JSON. Throws `LexicalError` for an invalid
   * value.
   */
  readonly convertSimpleValue: (type: SimpleType<unknown>, value: unknown) => unknown;
  readonly createError: (path: string, message: string, parts?: MessageParts) => Error;
  readonly path: string;
}

/** The reason without the value, and the value, for a message that contains the value. */
type MessageParts = Pick<EncodeErrorInit, "reason" | "value">;

function createEncodeFailure(path: string, message: string, { reason = message, value }: MessageParts = {}): Error {
  return new EncodeError(`${path}: ${message}`, { path, reason, value });
}

function createDecodeFailure(path: string, message: string): Error {
  return new DecodeError(`${path}: ${message}`, { path, reason: message });
}

function convert(type: ResolvedType, value: unknown, conversion: Conversion): unknown {
  if (value === null || value === undefined || type.kind === "anyType") {
    return value;
  }
  switch (type.kind) {
    case "simple":
      return convertSimple(type, value, conversion);
    case "record":
      return convertRecord(type, value, conversion);
    case "array":
      return convertItems(value, conversion, (item, itemConversion) =>
        convert(resolveType(type.item), item, itemConversion),
      );
    case "polymorphic": {
      const tag = getObject(value, conversion)["$type"] ?? type.declared;
      const alternative =
        typeof tag === "string" && Object.hasOwn(type.alternatives, tag) ? type.alternatives[tag] : undefined;
      if (alternative === undefined) {
        throw conversion.createError(
          conversion.path || "/",
          `The member "$type" must be one of ${Object.keys(type.alternatives).join(", ")}.`,
        );
      }
      return convertRecord(resolveRecord(alternative), value, conversion);
    }
  }
}

function convertSimple(
  type: SimpleType<unknown>,
  value: unknown,
  { convertSimpleValue, createError, path }: Conversion,
): unknown {
  try {
    return convertSimpleValue(type, value);
  } catch (error) {
    throw error instanceof LexicalError
      ? createError(path || "/", error.message, describeInvalidValue(error, value, type.name))
      : error;
  }
}

function convertRecord({ fields }: ResolvedRecord, value: unknown, conversion: Conversion): unknown {
  const members = getObject(value, conversion);
  const result = new Map<string, unknown>();
  if (members["$type"] !== undefined) {
    result.set("$type", members["$type"]);
  }
  for (const [key, field] of Object.entries(fields)) {
    const member = Object.hasOwn(members, key) ? members[key] : undefined;
    if (member !== undefined) {
      result.set(key, convertField(field, member, { ...conversion, path: `${conversion.path}/${key}` }));
    }
  }
  return Object.fromEntries(result);
}

function convertField(field: FieldDescriptor<unknown>, value: unknown, conversion: Conversion): unknown {
  switch (field.kind) {
    case "any":
    case "anyAttribute":
      return value;
    case "group":
      return convertItems(value, conversion, (item, itemConversion) =>
        convertRecord(resolveRecord(field.record), item, itemConversion),
      );
    case "mixed":
      return convertItems(value, conversion, (item, itemConversion) =>
        typeof item === "string" ? item : convertRecord(resolveRecord(field.record), item, itemConversion),
      );
    case "attribute":
    case "text":
      return convertReferenced(field.type, value, conversion);
    default:
      return (field.max ?? 1) === 1
        ? convertReferenced(field.type, value, conversion)
        : convertItems(value, conversion, (item, itemConversion) =>
            convertReferenced(field.type, item, itemConversion),
          );
  }
}

function convertReferenced(reference: AnyReference, value: unknown, conversion: Conversion): unknown {
  return convert(resolveType(reference), value, conversion);
}

function convertItems(
  value: unknown,
  conversion: Conversion,
  convertItem: (item: unknown, conversion: Conversion) => unknown,
): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw conversion.createError(conversion.path || "/", "The value must be an array.");
  }
  return value.map((item: unknown, index) => convertItem(item, { ...conversion, path: `${conversion.path}/${index}` }));
}

function getObject(value: unknown, { createError, path }: Conversion): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw createError(path || "/", "The value must be an object.");
  }
  return value as Readonly<Record<string, unknown>>;
}

function convertSimpleToJson(type: SimpleType<unknown>, value: unknown): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0) ? value : type.write(value, emptyContext);
    default:
      return Array.isArray(value) && value.every(isJson) ? value : type.write(value, emptyContext);
  }
}

function convertSimpleFromJson(type: SimpleType<unknown>, json: unknown): unknown {
  if (typeof json !== "string") {
    // A number, a boolean, or a list of these needs no conversion. It is written only because writing checks it.
    type.write(json, emptyContext);
    return json;
  }
  try {
    return type.read(normalizeWhiteSpace(json, type.whiteSpace), emptyContext);
  } catch (error) {
    if (!(error instanceof LexicalError) || !isQualifiedName(json)) {
      throw error;
    }
    // A QName is already in Clark notation, which needs no prefix.
    return json;
  }
}

function isJson(value: unknown): boolean {
  return (
    typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))
  );
}

function isQualifiedName(text: string): boolean {
  return /^\{[^{}]*\}[^{}\s]+$/.test(text);
}

/** Reads the text of one XML element as an `AnyElement`. Throws `XmlError` for text that is not well-formed. */
export function parseAny(xml: string): AnyElement {
  const reader = new XmlReader(xml);
  reader.next();
  const element = readAnyElement(reader);
  reader.next();
  return element;
}

/** Writes an `AnyElement` as XML. Throws an error for a name or text that XML does not allow. */
export function formatAny(element: AnyElement): string {
  const text = writeAnyElement(element);
  // The writer does not declare these two prefixes, because it usually writes into a SOAP envelope, which declares
  // them. Here, they are declared if they are used.
  const usedPrefixes = [...impliedPrefixes].filter(([prefix]) => text.includes(`${prefix}:`));
  return text.replace(/^<[^\s/>]+/, (name) => name + usedPrefixes.map(writeNamespaceDeclaration).join(""));
}

const impliedPrefixes: ReadonlyMap<string, string> = new Map([
  ["xsi", instanceNamespace],
  ["xsd", schemaNamespace],
]);

function writeNamespaceDeclaration([prefix, namespace]: readonly [string, string]): string {
  return ` xmlns:${prefix}="${namespace}"`;
}

/**
 * Reads an element matched by a wildcard as a value of a type: `decodeAny(order.any[0], addressDescriptor)`. The
 * element's name is not checked. An AnyElement has no prefixes, so values of type QName cannot be read. Throws a
 * `DecodeError` if the element does not match the type.
 */
export function decodeAny<T>(
  element: AnyElement,
  type: TypeReference<T> | TypeDescriptor<T>,
  options: CodecOptions = {},
): T {
  const reader = new XmlReader(formatAny(element));
  reader.next();
  return new Decoder(options).decode<T>(reader, getReference(type));
}

/**
 * Writes a value of a type as an element that can be sent where a wildcard allows it. `name` is in Clark notation.
 * Throws an `EncodeError` for an invalid value.
 */
export function encodeAny<T>(name: string, type: TypeReference<T> | TypeDescriptor<T>, value: T): AnyElement {
  const declarations = [...impliedPrefixes].map(writeNamespaceDeclaration).join("");
  return parseAny(new Encoder().encode(name, getReference(type), value, { declarations }));
}

/** Converts a type reference (`xs.int`) or a descriptor (`orderDescriptor`) to a type reference. */
function getReference<T>(type: TypeReference<T> | TypeDescriptor<T>): TypeReference<T> {
  return typeof type === "function" || type.kind === "simple" || type.kind === "anyType" ? type : () => type;
}
