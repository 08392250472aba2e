import type { XmlReader } from "@bothends/xml";
import { splitClark } from "@bothends/xml/names";
import type { CallContext } from "../../../client/failures.js";
import type { EncodingRules } from "../../../codec/decode-element.js";
import type { AnyBodyDescriptor, AnyElement, FaultDescriptor, OutputDescriptor } from "../../../descriptor.js";
import { DecodeError, SoapFault } from "../../../errors.js";
import type { OperationDecoder } from "../../client.js";
import { readFault } from "../fault.js";
import type { Envelope } from "../read-envelope.js";
import { resultOf } from "./body.js";
import { type DeclaredDetail, importedPart } from "./parts.js";

export const path = "/Envelope/Body";

/** Reads the body of an answer from its first child, which is not a fault. */
export function readBody(
  output: OutputDescriptor<unknown>,
  envelope: Envelope,
  { codec, encoding }: { readonly codec: OperationDecoder; readonly encoding: EncodingRules | undefined },
): unknown {
  const body: AnyBodyDescriptor = output.body;
  if ("parts" in body) {
    return resultOf(output, importedPart(body.by).read(body.parts, envelope, codec));
  }
  const expected = codec.names.element(body.element);
  // WSDL 1.1 §3.5: the name of an rpc answer's wrapper is not significant.
  if (envelope.first !== expected && !(body.rpc === true && envelope.first !== undefined)) {
    throw unexpectedElement(envelope.first, expected);
  }
  const { reader } = envelope;
  const { nillable, default: byDefault, fixed, identity } = body;
  const value = codec.decoder.element(reader, body.type, {
    nillable,
    default: byDefault,
    fixed,
    identity,
    path,
    encoding,
  });
  for (let name = envelope.nextChild(); name !== undefined; name = envelope.nextChild()) {
    if (name === envelope.first) {
      throw repeatedElement(name);
    }
    reader.skip();
  }
  return resultOf(output, value);
}

function repeatedElement(name: string): DecodeError {
  const elementPath = `${path}/${splitClark(name).localName}`;
  return new DecodeError(`${elementPath}: The element may occur only once.`, { path: elementPath });
}

export function unexpectedElement(name: string | undefined, expected: string): DecodeError {
  if (name === undefined) {
    return new DecodeError(`${path}: ${expected} is missing.`, { path });
  }
  const elementPath = `${path}/${splitClark(name).localName}`;
  return new DecodeError(`${elementPath}: ${expected} is expected here, not ${name.slice(0, 256)}.`, {
    path: elementPath,
  });
}

/** Reads the fault at the reader's START as an error, of the class that is declared for its detail. */
export function readSoapFault(
  reader: XmlReader,
  faults: readonly FaultDescriptor[],
  call: {
    readonly codec: OperationDecoder;
    readonly context: CallContext;
    readonly status: number;
    readonly encoding: EncodingRules | undefined;
    readonly soapHeaders?: Readonly<Record<string, unknown>>;
  },
): SoapFault {
  const { codec, context, status, encoding, soapHeaders } = call;
  const [first] = faults;
  const { detail, ...fault } = readFault<DeclaredDetail>(reader, {
    readDetail: (_, at) => first && importedPart(first.by).read(faults, at, { codec, encoding }),
  });
  const init = { ...context, ...fault, status, soapHeaders };
  const declared = detail.find(isDeclared);
  if (declared === undefined) {
    return new SoapFault({ ...init, detail: detail.length === 0 ? undefined : detail });
  }
  const Declared = declared.fault?.error() ?? SoapFault;
  // The descriptor ties the class to the type that the detail was decoded by.
  return new Declared({ ...init, detail: declared.value as never });
}

function isDeclared(item: DeclaredDetail | AnyElement | string): item is DeclaredDetail {
  return typeof item === "object" && "fault" in item;
}
