import { elementMembers } from "../../../wire-names.js";
import { addressingHeaders, freshMessageId } from "../addressing.js";
import { attach, detach, writeAttached } from "../attachments.js";
import type { AddressingPart, AttachmentsPart, PartsPart } from "./parts.js";
import { path, unexpectedElement } from "./result.js";

/** Reads and writes the attachments that an operation declares: `xs.attachments`. */
export const attachments: AttachmentsPart = {
  kind: "attachments",
  detach,
  attach,
  write: writeAttached,
};

/** Writes the header blocks of WS-Addressing for an operation that requires them: `xs.addressing`. */
export const addressing: AddressingPart = {
  kind: "addressing",
  blocks: (message, version) => addressingHeaders({ ...message, messageId: freshMessageId() }, version),
};

/** Reads and writes a body of several parts, which are elements side by side (WSDL 1.1 §3.5): `xs.parts`. */
export const parts: PartsPart = {
  kind: "parts",
  write: (record, input, encoder) => encoder.content(record, input),
  read(record, envelope, { names, decoder }) {
    const members = elementMembers(record());
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
  },
};
