import { END, type XmlReader } from "@bothends/xml";
import { typeNameOf } from "../../codec/decode-any.js";
import { instanceNamespace } from "../../codec/names.js";
import type { AnyElement, FaultDescriptor } from "../../descriptor.js";
import { DecodeError, SoapFault } from "../../errors.js";
import { readFault } from "../../soap/read-fault.js";
import type { CallPlace } from "../failures.js";
import type { OperationCodec } from "./protocol.js";

/** The detail of a fault that the operation declares. */
class DeclaredDetail {
  readonly fault: FaultDescriptor;
  readonly value: unknown;
  constructor(fault: FaultDescriptor, value: unknown) {
    this.fault = fault;
    this.value = value;
  }
}

/** Reads the fault at the reader's START as the error to throw: of the class that is declared for its detail. */
export function readSoapFault(
  reader: XmlReader,
  faults: readonly FaultDescriptor[],
  call: {
    readonly codec: OperationCodec;
    readonly place: CallPlace;
    readonly status: number;
    readonly encoded?: boolean;
    readonly soapHeaders?: Readonly<Record<string, unknown>>;
  },
): SoapFault {
  const { codec, place, status, encoded, soapHeaders } = call;
  const byName = new Map(faults.map((fault) => [codec.names.element(fault.element), fault]));
  const { code, wireCode, subcodes, reason, actor, role, detail } = readFault<DeclaredDetail>(reader, {
    readDetail: (name, at) =>
      readDeclared(byName.get(name) ?? faultOfType(faults, at), at, { decoder: codec.decoder, encoded }),
  });
  const init = { ...place, code, wireCode, subcodes, reason, actor, role, status, soapHeaders };
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
  { decoder, encoded }: { readonly decoder: OperationCodec["decoder"]; readonly encoded: boolean | undefined },
): DeclaredDetail | undefined {
  if (fault === undefined) return undefined;
  const { depth } = reader;
  try {
    return new DeclaredDetail(
      fault,
      decoder.element(reader, fault.type, { encoded, path: "/Envelope/Body/Fault/detail" }),
    );
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // A fault is a fault, even where its detail is not what it should be.
    while (reader.kind !== END || reader.depth > depth) reader.next();
    return new DeclaredDetail({ ...fault, error: () => SoapFault }, undefined);
  }
}

/** Peers name an encoded detail as they like, and say what it is (SOAP 1.1 §5.1). */
function faultOfType(faults: readonly FaultDescriptor[], reader: XmlReader): FaultDescriptor | undefined {
  const text = reader.attribute(instanceNamespace, "type");
  if (text === undefined) return undefined;
  const name = typeNameOf(reader, text);
  return faults.find(({ type }) => typeof type === "function" && "name" in type() && type().name === name);
}
