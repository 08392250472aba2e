import { XmlReader } from "@bothends/xml";
import { Decoder } from "../codec/decoder.js";
import { Encoder } from "../codec/encoder.js";
import { readAnyElement, writeAnyElement } from "../codec/kinds/any-element.js";
import { instanceNamespace, schemaNamespace } from "../codec/names.js";
import type { CodecOptions } from "../codec/options.js";
import type { AnyElement, TypeDescriptor, TypeReference } from "../descriptor.js";
import { referenceTo } from "./conversions.js";

/** Reads one element of XML text as an `AnyElement`. Throws `XmlError` for text that is not well-formed. */
export function parseAny(xml: string): AnyElement {
  const reader = new XmlReader(xml);
  reader.next();
  const element = readAnyElement(reader);
  reader.next();
  return element;
}

/** Writes an `AnyElement` as XML text. Throws an error for names and texts that XML does not allow. */
export function formatAny(element: AnyElement): string {
  const text = writeAnyElement(element);
  // The writer leaves the declarations of these two prefixes to the envelope.
  const declared = [...impliedPrefixes].filter(([prefix]) => text.includes(`${prefix}:`));
  return text.replace(/^<[^\s/>]+/, (name) => name + declared.map(declaration).join(""));
}

const impliedPrefixes: ReadonlyMap<string, string> = new Map([
  ["xsi", instanceNamespace],
  ["xsd", schemaNamespace],
]);

function declaration([prefix, namespace]: readonly [string, string]): string {
  return ` xmlns:${prefix}="${namespace}"`;
}

/**
 * Reads an element that a wildcard accepted as a value of a type: `decodeAny(order.any[0], addressDescriptor)`. Its name is not
 * checked. An AnyElement has no prefixes, so texts of the type QName cannot be read. Throws a `DecodeError` if it does not fit the type.
 */
export function decodeAny<T>(
  element: AnyElement,
  type: TypeReference<T> | TypeDescriptor<T>,
  options: CodecOptions = {},
): T {
  const reader = new XmlReader(formatAny(element));
  reader.next();
  return new Decoder(options).element<T>(reader, referenceTo(type));
}

/** Writes a value of a type as an element for a wildcard. `name` is in Clark notation. Throws an `EncodeError`. */
export function encodeAny<T>(name: string, type: TypeReference<T> | TypeDescriptor<T>, value: T): AnyElement {
  const declarations = [...impliedPrefixes].map(declaration).join("");
  return parseAny(new Encoder().element(name, referenceTo(type), value, { declarations }));
}
