import type { XmlReader } from "@bothends/xml";
import { clark } from "@bothends/xml/clark-names";
import { END } from "@bothends/xml/reader-events";
import { splitClark } from "@bothends/xml/split-clark";
import { DecodeError } from "../../../answer-errors.js";
import { getTypeName } from "../../../codec/element-attributes.js";
import { instanceNamespace } from "../../../codec/resolved-types.js";
import type { FaultDescriptor } from "../../../descriptor.js";
import { ConfigError } from "../../../errors.js";
import { listElementFields, type NamedElementField } from "../../../wire-names.js";
import { addressingHeaders, createMessageId } from "../addressing.js";
import { attach, detach, writeAttached } from "../attachments.js";
import { findEncoding, findSoapEncoding } from "../encoding.js";
import type {
  AddressingFeature,
  AttachmentsFeature,
  FaultFeature,
  HeaderBlocksFeature,
  PartsFeature,
} from "./features.js";

// Features for operations with header blocks, attachments, WS-Addressing, several parts or declared faults. Only the
// descriptors of such operations import these features, so other programs do not contain them.

const headerPath = "/Envelope/Header";

/** Reads and writes the header blocks that an operation declares. */
export const headerBlocks: HeaderBlocksFeature = {
  kind: "headerBlocks",
  declare(records, names, { body, version }) {
    const members = records.flatMap((record) => listElementFields(record()));
    const membersByName = new Map<string, NamedElementField>(
      members.map((member) => [names.element(member.name), member]),
    );
    return {
      write(values, encoder) {
        const keys = members.map((member) => member.key);
        for (const key of Object.keys(values)) {
          if (!keys.includes(key)) {
            throw new ConfigError(`The operation declares no header block "${key}". It declares ${keys.join(", ")}.`);
          }
        }
        return members.flatMap(({ key, name, field }) => {
          const value: unknown = Object.hasOwn(values, key) ? Reflect.get(values, key) : undefined;
          if (value === undefined) {
            return [];
          }
          const { nillable } = field;
          const options = { nillable, path: headerPath, declaresType: true, ...findEncoding(body, version) };
          return [encoder.encode(name, field.type, value, options)];
        });
      },
      read(name, reader, decoder) {
        const field = membersByName.get(name)?.field;
        if (field === undefined) {
          reader.skip();
          return undefined;
        }
        const { nillable } = field;
        const encoding = findSoapEncoding(body)?.headerRules;
        return decoder.decode(reader, field.type, { nillable, encoding, path: headerPath });
      },
      values(blocks) {
        if (blocks.length === 0) {
          return {};
        }
        const values = new Map<string, unknown>();
        for (const { name, value } of blocks) {
          const key = membersByName.get(name)?.key;
          if (key !== undefined && !values.has(key)) {
            values.set(key, value);
          }
        }
        return Object.fromEntries(values);
      },
    };
  },
};

/** Reads and writes the attachments that an operation declares. Exported as `xs.attachments`. */
export const attachments: AttachmentsFeature = {
  kind: "attachments",
  detach,
  attach,
  write: writeAttached,
};

/** Writes the WS-Addressing header blocks for an operation that requires them. Exported as `xs.addressing`. */
export const addressing: AddressingFeature = {
  kind: "addressing",
  blocks: (message, version) => addressingHeaders({ ...message, messageId: createMessageId() }, version),
};

/** Reads and writes a body of several parts, which are sibling elements (WSDL 1.1 §3.5). Exported as `xs.parts`. */
export const parts: PartsFeature = {
  kind: "parts",
  write: (record, input, encoder) => encoder.encodeContent(record, input),
  read(record, envelope, { codec: { names, decoder }, path, createUnexpectedError }) {
    const members = listElementFields(record());
    const membersByName = new Map(members.map((member) => [names.element(member.name), member]));
    const { reader } = envelope;
    const findTolerated = (): NamedElementField | undefined => {
      const member = members.find(
        (candidate) => splitClark(names.element(candidate.name)).localName === reader.localName,
      );
      return member && decoder.accepts("namespaces", reader) ? member : undefined;
    };
    const values = new Map<string, unknown>();
    for (let name = envelope.firstChild; name !== undefined; name = envelope.nextChild()) {
      const member = membersByName.get(name) ?? findTolerated();
      if (member === undefined || values.has(member.key)) {
        throw createUnexpectedError(name, [...membersByName.keys()].join(" or "));
      }
      const { type, nillable } = member.field;
      values.set(member.key, decoder.decode(reader, type, { nillable, path }));
    }
    for (const { key, field, name } of members) {
      if (field.min !== 0 && !values.has(key)) {
        throw createUnexpectedError(undefined, names.element(name));
      }
    }
    return Object.fromEntries(values);
  },
};

/** Reads the details of the faults that an operation declares. */
export const fault: FaultFeature = {
  kind: "fault",
  read(faults, reader, { codec, encoding }) {
    const name = clark(reader.namespace, reader.localName);
    const declaredFault =
      faults.find(({ element }) => codec.names.element(element) === name) ?? findFaultOfType(faults, reader);
    if (declaredFault === undefined) {
      return undefined;
    }
    const { depth } = reader;
    try {
      const path = "/Envelope/Body/Fault/detail";
      return { fault: declaredFault, value: codec.decoder.decode(reader, declaredFault.type, { encoding, path }) };
    } catch (error) {
      if (!(error instanceof DecodeError)) {
        throw error;
      }
      // Skips the rest of the detail, because the fault is reported even if its detail does not match the schema.
      while (reader.kind !== END || reader.depth > depth) {
        reader.next();
      }
      return { fault: undefined, value: undefined };
    }
  },
};

/**
 * Finds the declared fault to which a SOAP-encoded detail belongs. Compares the types, because an encoded detail can
 * have any name (SOAP 1.1 §5.1).
 */
function findFaultOfType(faults: readonly FaultDescriptor[], reader: XmlReader): FaultDescriptor | undefined {
  const text = reader.attribute(instanceNamespace, "type");
  if (text === undefined) {
    return undefined;
  }
  const name = getTypeName(reader, text);
  return faults.find(({ type }) => typeof type === "function" && "name" in type() && type().name === name);
}
