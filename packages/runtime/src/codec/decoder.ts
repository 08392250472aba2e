import type { XmlReader } from "@bothends/xml";
import { DecodeError } from "../answer-errors.js";
import type { TypeReference } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import { type DecodeRules, ElementDecoder } from "./decode-element.js";
import { DecodeTables, identityCheck } from "./decode-table.js";
import { namesOnWire, schemaNames } from "./names.js";
import type { CodecOptions, DecodeElementOptions } from "./options.js";
import { SchemaMismatch } from "./schema-mismatch.js";

/** Shared by all decoders that rename nothing, because tables depend only on names. */
const schemaTables = new DecodeTables(schemaNames);

/**
 * Reads XML as values. If the document does not match the schema, throws a `DecodeError` whose path is the position in the
 * document: `/Order/lines[2]/@sku`. If it is not well-formed, the reader throws an `XmlError`.
 */
export class Decoder {
  readonly #tables: DecodeTables;
  readonly #rules: DecodeRules;

  constructor(options: CodecOptions = {}) {
    const names = namesOnWire(options);
    this.#tables = names === schemaNames ? schemaTables : new DecodeTables(names);
    const { strict } = options;
    this.#rules = {
      strict,
      refuseUnknown: strict !== undefined || options.unknown === "error",
      refuseRepeated: options.repeated === "error",
      identity: options.identity === true,
      refuseLoss: strict !== undefined || options.loss === "error",
      tolerant: options.tolerant,
      encoding: undefined,
      identify: undefined,
    };
  }

  /** Returns the value of the element at the reader's START; its name is not checked. Leaves the reader at its END. */
  element<T>(reader: XmlReader, type: TypeReference<T>, facts: DecodeElementOptions = {}): T {
    const { localName } = reader;
    const { encoding, nillable = false, default: byDefault, fixed } = facts;
    const identifiers = this.#rules.identity ? new Identifiers() : undefined;
    const rules =
      encoding === undefined && identifiers === undefined
        ? this.#rules
        : { ...this.#rules, encoding, identify: identifiers?.add };
    try {
      const decoder = new ElementDecoder(reader, rules);
      const declaration = { nillable, min: 1, array: false, default: byDefault, fixed, checkIdentity: undefined };
      const value = decoder.value(this.#tables.type(type), declaration);
      if (this.#rules.identity && facts.identity !== undefined && value !== null) {
        identityCheck(facts.identity, type)?.(value);
      }
      identifiers?.checkReferences();
      // The compiler checked the descriptor against T at its declaration.
      return value as T;
    } catch (error) {
      throw decodeError(error, `${facts.path ?? ""}/${localName}`);
    }
  }
}

/** The IDs of one document, and the references to them (XSD 1.0 Part 1 §3.15.4, Validation Root Valid). */
class Identifiers {
  readonly #names = new Set<string>();
  readonly #references = new Set<string>();

  readonly add = (kind: "ID" | "IDREF", name: string): void => {
    if (kind === "IDREF") {
      this.#references.add(name);
    } else if (this.#names.has(name)) {
      throw new LexicalError(`The ID "${name.slice(0, 64)}" occurs twice.`);
    } else {
      this.#names.add(name);
    }
  };

  checkReferences(): void {
    for (const name of this.#references) {
      if (!this.#names.has(name)) {
        throw new SchemaMismatch("An IDREF refers to an ID that does not exist.", { text: name });
      }
    }
  }
}

function decodeError(error: unknown, parent: string): unknown {
  const mismatch = error instanceof LexicalError ? new SchemaMismatch(error.message) : error;
  if (!(mismatch instanceof SchemaMismatch)) {
    return mismatch;
  }
  const { message, reason, cause, text, tolerance } = mismatch;
  const path = mismatch.path(parent);
  return new DecodeError(`${path}: ${message}`, {
    path,
    reason,
    ...(text === undefined ? {} : { value: text }),
    tolerance,
    cause,
  });
}
