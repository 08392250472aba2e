import type { XmlReader } from "@bothends/xml";
import { clark } from "@bothends/xml/names";
import { END } from "@bothends/xml/reader";
import { typeNameOf } from "../../../codec/element-attributes.js";
import { instanceNamespace } from "../../../codec/names.js";
import type { FaultDescriptor } from "../../../descriptor.js";
import { DecodeError } from "../../../errors.js";
import type { FaultPart } from "./parts.js";

/** Reads the details of the faults that an operation declares. */
export const fault: FaultPart = {
  kind: "fault",
  read(faults, reader, { codec, encoding }) {
    const name = clark(reader.namespace, reader.localName);
    const declared = faults.find(({ element }) => codec.names.element(element) === name) ?? faultOfType(faults, reader);
    if (declared === undefined) {
      return undefined;
    }
    const { depth } = reader;
    try {
      const path = "/Envelope/Body/Fault/detail";
      return { fault: declared, value: codec.decoder.element(reader, declared.type, { encoding, path }) };
    } catch (error) {
      if (!(error instanceof DecodeError)) {
        throw error;
      }
      // The fault is reported even if its detail does not fit the schema.
      while (reader.kind !== END || reader.depth > depth) {
        reader.next();
      }
      return { fault: undefined, value: undefined };
    }
  },
};

/** An encoded detail may have any name; its type identifies it (SOAP 1.1 §5.1). */
function faultOfType(faults: readonly FaultDescriptor[], reader: XmlReader): FaultDescriptor | undefined {
  const text = reader.attribute(instanceNamespace, "type");
  if (text === undefined) {
    return undefined;
  }
  const name = typeNameOf(reader, text);
  return faults.find(({ type }) => typeof type === "function" && "name" in type() && type().name === name);
}
