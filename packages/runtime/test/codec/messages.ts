import { XmlReader } from "@bothends/xml";
import type { CodecOptions, EncodeElementOptions } from "../../src/codec/codec-options.js";
import { Decoder } from "../../src/codec/decoder.js";
import { Encoder } from "../../src/codec/encoder.js";
import { content } from "../../src/codec/kinds/content-model.js";
import { inOrder } from "../../src/codec/kinds/in-order.js";
import type { RecordDescriptor, TypeReference } from "../../src/descriptor.js";

export const ns = "urn:a";
export const xsi = "http://www.w3.org/2001/XMLSchema-instance";

/** A record whose members the compiler does not check. */
export type Loose = Record<string, unknown>;

/** A record descriptor in namespace `urn:a`. */
export function record(
  fields: RecordDescriptor<Loose>["fields"],
  more: Partial<RecordDescriptor<Loose>> = {},
): () => RecordDescriptor<Loose> {
  const descriptor: RecordDescriptor<Loose> = {
    kind: "record",
    name: `{${ns}}T`,
    namespace: ns,
    fields,
    by: content,
    order: inOrder,
    ...more,
  };
  return () => descriptor;
}

/** Encodes a value as `<R xmlns="urn:a">…</R>`. */
export function encode(
  type: TypeReference<Loose> | TypeReference<string>,
  value: unknown,
  options: CodecOptions & EncodeElementOptions = {},
): string {
  return new Encoder(options).encode(`{${ns}}R`, type, value, options);
}

/** Encodes a value, and returns the content of `<R xmlns="urn:a">`. */
export function encodeInside(
  type: TypeReference<Loose>,
  value: unknown,
  options: CodecOptions & EncodeElementOptions = {},
): string {
  const xml = encode(type, value, options);
  if (xml === `<R xmlns="${ns}" />`) {
    return "";
  }
  return xml.replace(/^<R xmlns="urn:a">/, "").replace(/<\/R>$/, "");
}

interface DecodeOptions extends Omit<CodecOptions, "strict"> {
  readonly strict?: boolean;
  readonly nillable?: boolean;
}

/** Decodes a whole document. */
export function decode<T>(type: TypeReference<T>, xml: string, options: DecodeOptions = {}): T {
  const reader = new XmlReader(xml);
  reader.next();
  const value = new Decoder({ ...options, strict: options.strict === true ? inOrder : undefined }).decode(
    reader,
    type,
    {
      nillable: options.nillable,
    },
  );
  if (reader.depth !== 1 || reader.next() !== 0) {
    throw new Error("The reader must end at the end of the element.");
  }
  return value;
}

/** Decodes `<R xmlns="urn:a">…</R>`, prefixes `xsi`, `xsd` and `a` being bound. */
export function decodeInside<T>(type: TypeReference<T>, inside: string, options: DecodeOptions = {}): T {
  return decode(type, inRoot(inside), options);
}

export function inRoot(inside: string): string {
  return `<R xmlns="${ns}" xmlns:a="${ns}" xmlns:b="urn:b" xmlns:xsi="${xsi}" xmlns:xsd="http://www.w3.org/2001/XMLSchema">${inside}</R>`;
}
