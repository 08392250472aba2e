import type { XmlReader } from "@bothends/xml";
import type { TypeReference } from "../descriptor.js";
import { DecodeError, LexicalError } from "../errors.js";
import { type DecodeRules, ElementDecoder } from "./decode-element.js";
import { DecodeTables } from "./decode-tables.js";
import { WireNames } from "./names.js";
import type { CodecOptions, DecodeElementOptions } from "./options.js";
import { SchemaMismatch } from "./schema-mismatch.js";

const plainNames = new WireNames();
/** Shared by all decoders that rename nothing, because tables depend only on names. */
const plainTables = new DecodeTables(plainNames);

/**
 * Reads XML as values. If the document does not match the schema, throws a `DecodeError` whose path is the position in the
 * document: `/Order/lines[2]/@sku`. If it is not well-formed, the reader throws an `XmlError`.
 */
export class Decoder {
  readonly #tables: DecodeTables;
  readonly #judgement: DecodeRules;
  readonly #encoded: DecodeRules;

  constructor(options: CodecOptions = {}) {
    const names = new WireNames(options.namespaces, options.elements);
    this.#tables = names.plain ? plainTables : new DecodeTables(names);
    const { strict } = options;
    this.#judgement = {
      strict,
      refuseUnknown: strict !== undefined || options.unknown === "error",
      refuseRepeated: options.repeated === "error",
      encoded: false,
      references: undefined,
    };
    this.#encoded = { ...this.#judgement, encoded: true };
  }

  /** Returns the value of the element at the reader's START; its name is not checked. Leaves the reader at its END. */
  element<T>(reader: XmlReader, type: TypeReference<T>, facts: DecodeElementOptions = {}): T {
    const { localName } = reader;
    try {
      const run = new ElementDecoder(reader, this.#judgementOf(facts));
      const declaration = {
        nillable: facts.nillable === true,
        min: 1,
        array: false,
        default: facts.default,
        fixed: facts.fixed,
      };
      // The compiler checked the descriptor against T at its declaration.
      return run.value(this.#tables.type(type), declaration) as T;
    } catch (error) {
      throw decodeError(error, `${facts.path ?? ""}/${localName}`);
    }
  }

  #judgementOf({ encoded, references }: DecodeElementOptions): DecodeRules {
    if (encoded !== true) {
      return this.#judgement;
    }
    return references === undefined ? this.#encoded : { ...this.#encoded, references };
  }
}

function decodeError(error: unknown, path: string): unknown {
  const misfit = error instanceof LexicalError ? new SchemaMismatch(error.message) : error;
  if (!(misfit instanceof SchemaMismatch)) {
    return misfit;
  }
  const place = misfit.path(path);
  const value = misfit.text === undefined ? {} : { value: misfit.text };
  const { reason, cause } = misfit;
  return new DecodeError(`${place}: ${misfit.message}`, { path: place, reason, ...value, cause });
}
