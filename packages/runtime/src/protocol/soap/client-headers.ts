import type { XmlReader } from "@bothends/xml";
import { writeAnyElement } from "../../codec/kinds/any-element.js";
import type { AnyBodyDescriptor, AnyElement, AnyRecord } from "../../descriptor.js";
import { ConfigError, EncodeError } from "../../errors.js";
import { nearest } from "../../nearest.js";
import { type ElementMember, elementMembers } from "../../wire-names.js";
import { noSoapHeaders, type OperationCodec } from "../client.js";
import { encodingOf, type HeaderBlock, type SoapVersion, soapEncodingOf } from "./envelope.js";

/** The header blocks of one direction of an operation. */
export class HeaderBlocks {
  readonly #members: readonly ElementMember[];
  readonly #byName: ReadonlyMap<string, ElementMember>;
  readonly #codec: OperationCodec;
  /** The body that the blocks are sent with: they have its encoding. */
  readonly #body: AnyBodyDescriptor | undefined;
  readonly #version: SoapVersion;

  constructor(
    records: readonly ((() => AnyRecord) | undefined)[],
    codec: OperationCodec,
    { body, version }: { readonly body: AnyBodyDescriptor | undefined; readonly version: SoapVersion },
  ) {
    this.#members = records.flatMap((record) => (record === undefined ? [] : elementMembers(record())));
    this.#byName = new Map(this.#members.map((member) => [codec.names.element(member.name), member]));
    this.#codec = codec;
    this.#body = body;
    this.#version = version;
  }

  write(values: object | undefined, extra: readonly AnyElement[] | undefined): readonly string[] {
    if (values === undefined && extra === undefined) {
      return [];
    }
    const blocksByKey = values ?? {};
    const keys = this.#members.map((member) => member.key);
    for (const key of Object.keys(blocksByKey)) {
      if (!keys.includes(key)) {
        throw new ConfigError(`The operation has no header "${key}".${nearest(key, keys)}`);
      }
    }
    const blocks = this.#members.flatMap(({ key, name, field }) => {
      const value: unknown = Object.hasOwn(blocksByKey, key) ? Reflect.get(blocksByKey, key) : undefined;
      if (value === undefined) {
        return [];
      }
      return [
        this.#codec.encoder.element(name, field.type, value, {
          nillable: field.nillable,
          path: "/Envelope/Header",
          typed: true,
          ...encodingOf(this.#body, this.#version),
        }),
      ];
    });
    return [...blocks, ...(extra ?? []).map(writeExtra)];
  }

  /** Reads one block; `readEnvelope` calls it. */
  readonly read = (name: string, reader: XmlReader): unknown => {
    const member = this.#byName.get(name);
    if (member === undefined) {
      reader.skip();
      return undefined;
    }
    const facts = {
      nillable: member.field.nillable,
      encoding: soapEncodingOf(this.#body)?.headerRules,
      path: "/Envelope/Header",
    };
    return this.#codec.decoder.element(reader, member.field.type, facts);
  };

  /** The declared blocks by member name, the first of each name. */
  values(blocks: readonly HeaderBlock[]): Readonly<Record<string, unknown>> {
    if (blocks.length === 0) {
      return noSoapHeaders;
    }
    const values = new Map<string, unknown>();
    for (const { name, value } of blocks) {
      const key = this.#byName.get(name)?.key;
      if (key !== undefined && !values.has(key)) {
        values.set(key, value);
      }
    }
    return Object.fromEntries(values);
  }
}

function writeExtra(block: AnyElement): string {
  try {
    return writeAnyElement(block);
  } catch (cause) {
    throw new EncodeError(
      "A block of the option extraSoapHeaders cannot be written as XML: a name or a text is not valid XML.",
      { path: "/Envelope/Header", cause },
    );
  }
}
