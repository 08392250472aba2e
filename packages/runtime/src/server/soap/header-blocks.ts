import { END, XmlError, type XmlReader } from "@bothends/xml";
import { readAnyElement } from "../../codec/decode-any.js";
import type { Decoder } from "../../codec/decoder.js";
import type { AnyElement } from "../../descriptor.js";
import { type ElementMember, elementMembers } from "../../element-members.js";
import { addressingBlocks } from "../../protocol/soap/addressing.js";
import { type Envelope, isEncoded } from "../../protocol/soap/envelope.js";
import type { ServedNames } from "./served-names.js";
import type { ServedOperation } from "./table.js";

/** A header block read before its operation is known: what is wrong with it matters only if the operation wants it. */
export type ReadBlock =
  | { readonly value: unknown }
  | { readonly error: unknown }
  | { readonly extra: AnyElement }
  | undefined;

/** Reads the header blocks that some operation of a service declares. */
export class HeaderBlocks {
  readonly #byName = new Map<string, ElementMember>();
  readonly #encoded = new Set<string>();
  readonly #declared = new Map<ServedOperation, ReadonlyMap<string, ElementMember>>();
  readonly #understood: ReadonlySet<string>;
  readonly #decoder: Decoder;

  constructor(
    operations: readonly ServedOperation[],
    {
      names,
      decoder,
      understands = [],
    }: { names: ServedNames; decoder: Decoder; understands?: readonly string[] | undefined },
  ) {
    this.#decoder = decoder;
    const addressed = operations.some(({ descriptor: { bindings } }) =>
      [bindings.soap11, bindings.soap12].some((binding) => binding?.addressing !== undefined),
    );
    this.#understood = new Set(addressed ? [...understands, ...addressingBlocks] : understands);
    for (const operation of operations) {
      const members = elementMembers(operation.descriptor.input.headers?.() ?? { kind: "none" });
      const declared = new Map(members.map((member) => [names.of(operation.descriptor).element(member.name), member]));
      for (const [name, member] of declared) {
        this.#byName.set(name, member);
        if (isEncoded(operation.descriptor.input.body)) this.#encoded.add(name);
      }
      this.#declared.set(operation, declared);
    }
  }

  /** For `readEnvelope`. */
  readonly read = (name: string, reader: XmlReader): ReadBlock => {
    const member = this.#byName.get(name);
    if (member === undefined) {
      if (this.#understood.has(name)) return { extra: readAnyElement(reader) };
      reader.skip();
      return undefined;
    }
    const { depth } = reader;
    try {
      const facts = { nillable: member.field.nillable, encoded: this.#encoded.has(name) };
      return { value: this.#decoder.element(reader, member.field.type, facts) };
    } catch (error) {
      if (error instanceof XmlError) throw error;
      while (reader.depth > depth || reader.kind !== END) reader.next();
      return { error };
    }
  };

  /** Whether the operation knows every block that must be understood, whoever it is for. */
  understood(operation: ServedOperation, envelope: Envelope<ReadBlock>): boolean {
    const declared = this.#declared.get(operation);
    return envelope.headers.every(
      ({ name, mustUnderstand }) => !mustUnderstand || declared?.has(name) === true || this.#understood.has(name),
    );
  }

  /** The blocks of the operation by member name; throws what was wrong with one of them. */
  values(operation: ServedOperation, envelope: Envelope<ReadBlock>): Record<string, unknown> {
    const found = new Map<string, unknown>();
    for (const { name, value } of envelope.headers) {
      const key = this.#declared.get(operation)?.get(name)?.key;
      if (key === undefined || value === undefined || found.has(key)) continue;
      if ("error" in value) throw value.error;
      if ("value" in value) found.set(key, value.value);
    }
    return Object.fromEntries(found);
  }

  /** The blocks that no operation declares, and the service understands. */
  extra(envelope: Envelope<ReadBlock>): readonly AnyElement[] {
    return envelope.headers.flatMap(({ value }) => (value !== undefined && "extra" in value ? [value.extra] : []));
  }
}
