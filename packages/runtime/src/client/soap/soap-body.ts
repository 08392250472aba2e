import { splitClark } from "@bothends/xml";
import type { AnyBodyDescriptor, OutputDescriptor } from "../../descriptor.js";
import { type ElementMember, elementMembers } from "../../element-members.js";
import { DecodeError } from "../../errors.js";
import type { Encoding } from "../../soap/encoding.js";
import type { Envelope } from "../../soap/read-envelope.js";
import type { OperationCodec } from "./protocol.js";

const path = "/Envelope/Body";

/** What stands in the body of a request. */
export function writeBody(
  body: AnyBodyDescriptor,
  input: unknown,
  { codec, encoding }: { readonly codec: OperationCodec; readonly encoding: Encoding | undefined },
): string {
  const { encoder } = codec;
  if ("parts" in body) return encoder.content(body.parts, input);
  const { nillable, default: byDefault, fixed } = body;
  return encoder.element(body.element, body.type, input, { nillable, default: byDefault, fixed, ...encoding });
}

/** Reads the body of an answer whose first child has been reached, and is no fault. */
export function readBody(output: OutputDescriptor<unknown>, envelope: Envelope, codec: OperationCodec): unknown {
  const body: AnyBodyDescriptor = output.body;
  if ("parts" in body) return resultOf(output, readParts(elementMembers(body.parts()), envelope, codec));
  const wanted = codec.names.element(body.element);
  // WSDL 1.1 §3.5: the name of an rpc answer's wrapper says nothing.
  if (envelope.first !== wanted && !(body.rpc === true && envelope.first !== undefined)) {
    throw misplaced(envelope.first, wanted);
  }
  const { reader } = envelope;
  const value = codec.decoder.element(reader, body.type, { ...body, path });
  for (let name = envelope.nextChild(); name !== undefined; name = envelope.nextChild()) {
    if (name === envelope.first) throw repeated(name);
    reader.skip();
  }
  return resultOf(output, value);
}

function readParts(members: readonly ElementMember[], envelope: Envelope, { names, decoder }: OperationCodec): object {
  const byName = new Map(members.map((member) => [names.element(member.name), member]));
  const found = new Map<string, unknown>();
  for (let name = envelope.first; name !== undefined; name = envelope.nextChild()) {
    const member = byName.get(name);
    if (member === undefined || found.has(member.key)) throw misplaced(name, [...byName.keys()].join(", "));
    const { type, nillable } = member.field;
    found.set(member.key, decoder.element(envelope.reader, type, { nillable, path }));
  }
  for (const { key, field, name } of members) {
    if (field.min !== 0 && !found.has(key)) throw misplaced(undefined, names.element(name));
  }
  return Object.fromEntries(found);
}

/** The operation's value in its body: nothing, one member (null where it is absent), or all of it. */
function resultOf({ result, empty }: OutputDescriptor<unknown>, value: unknown): unknown {
  if (empty === true) return undefined;
  if (result === undefined || typeof value !== "object" || value === null) return value;
  return (Object.hasOwn(value, result) ? Reflect.get(value, result) : null) ?? null;
}

function repeated(name: string): DecodeError {
  const place = `${path}/${splitClark(name).localName}`;
  return new DecodeError(`${place}: The element may stand here once only.`, { path: place });
}

function misplaced(name: string | undefined, wanted: string): DecodeError {
  if (name === undefined) return new DecodeError(`${path}: ${wanted} is missing.`, { path });
  const place = `${path}/${splitClark(name).localName}`;
  return new DecodeError(`${place}: ${wanted} is expected here, not ${name.slice(0, 256)}.`, { path: place });
}
