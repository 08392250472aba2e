import { END, splitClark, type XmlReader } from "@bothends/xml";
import type { CallContext } from "../../client/failures.js";
import type { EncodingRules } from "../../codec/decode-element.js";
import { typeNameOf } from "../../codec/element-attributes.js";
import { instanceNamespace } from "../../codec/names.js";
import type { DecodeElementOptions } from "../../codec/options.js";
import type { AnyBodyDescriptor, AnyElement, FaultDescriptor, OutputDescriptor } from "../../descriptor.js";
import { DecodeError, SoapFault } from "../../errors.js";
import { type ElementMember, elementMembers } from "../../wire-names.js";
import type { OperationCodec } from "../client.js";
import type { Encoding, Envelope } from "./envelope.js";
import { readFault } from "./fault.js";

const path = "/Envelope/Body";

/** Writes the body of a request. */
export function writeBody(
  body: AnyBodyDescriptor,
  input: unknown,
  { codec, encoding }: { readonly codec: OperationCodec; readonly encoding: Encoding | undefined },
): string {
  const { encoder } = codec;
  if ("parts" in body) {
    return encoder.content(body.parts, input);
  }
  const { nillable, default: byDefault, fixed } = body;
  return encoder.element(body.element, body.type, input, { nillable, default: byDefault, fixed, ...encoding });
}

/** Reads the body of an answer from its first child, which is not a fault. */
export function readBody(
  output: OutputDescriptor<unknown>,
  envelope: Envelope,
  { codec, encoding }: { readonly codec: OperationCodec; readonly encoding: EncodingRules | undefined },
): unknown {
  const body: AnyBodyDescriptor = output.body;
  if ("parts" in body) {
    return resultOf(output, readParts(elementMembers(body.parts()), envelope, codec));
  }
  const expected = codec.names.element(body.element);
  // WSDL 1.1 §3.5: the name of an rpc answer's wrapper is not significant.
  if (envelope.first !== expected && !(body.rpc === true && envelope.first !== undefined)) {
    throw unexpectedElement(envelope.first, expected);
  }
  const { reader } = envelope;
  const { nillable, default: byDefault, fixed } = body;
  const value = codec.decoder.element(reader, body.type, { nillable, default: byDefault, fixed, path, encoding });
  for (let name = envelope.nextChild(); name !== undefined; name = envelope.nextChild()) {
    if (name === envelope.first) {
      throw repeatedElement(name);
    }
    reader.skip();
  }
  return resultOf(output, value);
}

function readParts(members: readonly ElementMember[], envelope: Envelope, { names, decoder }: OperationCodec): object {
  const byName = new Map(members.map((member) => [names.element(member.name), member]));
  const values = new Map<string, unknown>();
  for (let name = envelope.first; name !== undefined; name = envelope.nextChild()) {
    const member = byName.get(name);
    if (member === undefined || values.has(member.key)) {
      throw unexpectedElement(name, [...byName.keys()].join(", "));
    }
    const { type, nillable } = member.field;
    values.set(member.key, decoder.element(envelope.reader, type, { nillable, path }));
  }
  for (const { key, field, name } of members) {
    if (field.min !== 0 && !values.has(key)) {
      throw unexpectedElement(undefined, names.element(name));
    }
  }
  return Object.fromEntries(values);
}

/** The operation's value in its body: undefined, one member (null if it is absent), or the whole. */
function resultOf({ result, empty }: OutputDescriptor<unknown>, value: unknown): unknown {
  if (empty === true) {
    return undefined;
  }
  if (result === undefined || typeof value !== "object" || value === null) {
    return value;
  }
  return (Object.hasOwn(value, result) ? Reflect.get(value, result) : null) ?? null;
}

function repeatedElement(name: string): DecodeError {
  const elementPath = `${path}/${splitClark(name).localName}`;
  return new DecodeError(`${elementPath}: The element may occur only once.`, { path: elementPath });
}

function unexpectedElement(name: string | undefined, expected: string): DecodeError {
  if (name === undefined) {
    return new DecodeError(`${path}: ${expected} is missing.`, { path });
  }
  const elementPath = `${path}/${splitClark(name).localName}`;
  return new DecodeError(`${elementPath}: ${expected} is expected here, not ${name.slice(0, 256)}.`, {
    path: elementPath,
  });
}

/** The detail of a fault that the operation declares. */
class DeclaredDetail {
  readonly fault: FaultDescriptor;
  readonly value: unknown;
  constructor(fault: FaultDescriptor, value: unknown) {
    this.fault = fault;
    this.value = value;
  }
}

/** Reads the fault at the reader's START as an error, of the class that is declared for its detail. */
export function readSoapFault(
  reader: XmlReader,
  faults: readonly FaultDescriptor[],
  call: {
    readonly codec: OperationCodec;
    readonly context: CallContext;
    readonly status: number;
    readonly encoding: EncodingRules | undefined;
    readonly soapHeaders?: Readonly<Record<string, unknown>>;
  },
): SoapFault {
  const { codec, context, status, encoding, soapHeaders } = call;
  const byName = new Map(faults.map((fault) => [codec.names.element(fault.element), fault]));
  const { code, wireCode, subcodes, reason, actor, role, detail } = readFault<DeclaredDetail>(reader, {
    readDetail: (name, at) =>
      readDeclared(byName.get(name) ?? faultOfType(faults, at), at, { decoder: codec.decoder, encoding }),
  });
  const init = { ...context, code, wireCode, subcodes, reason, actor, role, status, soapHeaders };
  const declared = detail.find((item) => item instanceof DeclaredDetail);
  if (declared !== undefined) {
    const Declared = declared.fault.error();
    // The descriptor ties the class to the type that the detail was decoded by.
    return new Declared({ ...init, detail: declared.value as never });
  }
  const untyped = detail.filter((item): item is AnyElement | string => !(item instanceof DeclaredDetail));
  return new SoapFault({ ...init, detail: untyped.length === 0 ? undefined : untyped });
}

function readDeclared(
  fault: FaultDescriptor | undefined,
  reader: XmlReader,
  { decoder, encoding }: Pick<DecodeElementOptions, "encoding"> & { readonly decoder: OperationCodec["decoder"] },
): DeclaredDetail | undefined {
  if (fault === undefined) {
    return undefined;
  }
  const { depth } = reader;
  try {
    return new DeclaredDetail(
      fault,
      decoder.element(reader, fault.type, { encoding, path: "/Envelope/Body/Fault/detail" }),
    );
  } catch (error) {
    if (!(error instanceof DecodeError)) {
      throw error;
    }
    // The fault is reported even if its detail does not fit the schema.
    while (reader.kind !== END || reader.depth > depth) {
      reader.next();
    }
    return new DeclaredDetail({ ...fault, error: () => SoapFault }, undefined);
  }
}

/** An encoded detail may have any name; its type identifies it (SOAP 1.1 §5.1). */
function faultOfType(faults: readonly FaultDescriptor[], reader: XmlReader): FaultDescriptor | undefined {
  const text = reader.attribute(instanceNamespace, "type");
  if (text === undefined) {
    return undefined;
  }
  const name = typeNameOf(reader, text);
  return faults.find(({ type }) => typeof type === "function" && "name" in type() && type().name === name);
}
