import { nearest } from "../../../error-texts.js";
import { ConfigError } from "../../../errors.js";
import { type ElementMember, elementMembers } from "../../../wire-names.js";
import { noSoapHeaders } from "../../client.js";
import { encodingOf, soapEncodingOf } from "../envelope.js";
import type { HeaderBlocksPart } from "./parts.js";

const path = "/Envelope/Header";

/** Reads and writes the header blocks that an operation declares. */
export const headerBlocks: HeaderBlocksPart = {
  kind: "headerBlocks",
  declare(records, names, { body, version }) {
    const members = records.flatMap((record) => elementMembers(record()));
    const byName = new Map<string, ElementMember>(members.map((member) => [names.element(member.name), member]));
    return {
      write(values, encoder) {
        const keys = members.map((member) => member.key);
        for (const key of Object.keys(values)) {
          if (!keys.includes(key)) {
            throw new ConfigError(`The operation has no header "${key}".${nearest(key, keys)}`);
          }
        }
        return members.flatMap(({ key, name, field }) => {
          const value: unknown = Object.hasOwn(values, key) ? Reflect.get(values, key) : undefined;
          if (value === undefined) {
            return [];
          }
          const { nillable } = field;
          const facts = { nillable, path, declaresType: true, ...encodingOf(body, version) };
          return [encoder.element(name, field.type, value, facts)];
        });
      },
      read(name, reader, decoder) {
        const field = byName.get(name)?.field;
        if (field === undefined) {
          reader.skip();
          return undefined;
        }
        const { nillable } = field;
        const encoding = soapEncodingOf(body)?.headerRules;
        return decoder.element(reader, field.type, { nillable, encoding, path });
      },
      values(blocks) {
        if (blocks.length === 0) {
          return noSoapHeaders;
        }
        const values = new Map<string, unknown>();
        for (const { name, value } of blocks) {
          const key = byName.get(name)?.key;
          if (key !== undefined && !values.has(key)) {
            values.set(key, value);
          }
        }
        return Object.fromEntries(values);
      },
    };
  },
};
