import type { PatternSteps } from "@bothends/datatypes/simple-type";
import type { XmlLimits } from "@bothends/xml";
import { clark } from "@bothends/xml/clark-names";
import { XmlReader } from "@bothends/xml/reader";
import { DONE, START } from "@bothends/xml/reader-events";
import { DecodeError, type Tolerance } from "../answer-errors.js";
import type { TypeReference } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import type { CodecOptions, DeclaredElement, DeclaredElements, DecodeElementOptions } from "./codec-options.js";
import { type DecodeRules, ElementDecoder, type WildcardElement } from "./decode-element.js";
import { createIdentityCheck, DecodeTables } from "./decode-table.js";
import type { AnyReference } from "./resolved-types.js";
import { createNamesOnWire, unchangedNames } from "./resolved-types.js";
import { addStep, SchemaMismatch } from "./schema-mismatch.js";

/**
 * The tables of all decoders that use the names of the schema. Decoders can share them, because tables depend only on
 * names.
 */
const schemaTables = new DecodeTables(unchangedNames);

/**
 * Reads values from XML. If the document does not match the schema, throws a `DecodeError` whose path is the position
 * in the document: `/Order/lines[2]/@sku`. If the document is not well-formed, the reader throws an `XmlError`.
 */
export class Decoder {
  readonly #tables: DecodeTables;
  readonly #rules: DecodeRules;

  constructor(options: CodecOptions = {}) {
    const names = createNamesOnWire(options);
    this.#tables = names === unchangedNames ? schemaTables : new DecodeTables(names);
    const { strict, declared: declaredElements } = options;
    this.#rules = {
      strictReader: strict,
      refuseUnknown: strict !== undefined || options.unknown === "error",
      refuseUnknownTypes: strict !== undefined || options.unknownTypes === "error",
      refuseRepeated: options.repeated === "error",
      checksIdentity: options.identity === true,
      refuseLoss: strict !== undefined || options.loss === "error",
      onIgnored: options.onIgnored,
      tolerant: options.tolerant,
      encoding: undefined,
      identify: undefined,
      checkDeclared: declaredElements && ((element, rules) => this.#checkDeclared(element, rules, declaredElements)),
    };
  }

  /** Returns the value of the current element, whose name is not checked. Leaves the reader at the end tag. */
  decode<T>(reader: XmlReader, type: TypeReference<T>, options: DecodeElementOptions = {}): T {
    const { localName } = reader;
    const { encoding } = options;
    const identifiers = this.#rules.checksIdentity ? new Identifiers() : undefined;
    const rules =
      encoding === undefined && identifiers === undefined
        ? this.#rules
        : { ...this.#rules, encoding, identify: identifiers?.add };
    try {
      const value = this.#readValue(reader, type, options, { rules, patternSteps: { count: 0 } });
      identifiers?.checkReferences();
      // The compiler has already checked the descriptor against `T` where the descriptor is declared.
      return value as T;
    } catch (error) {
      throw createDecodeError(error, `${options.path ?? ""}/${localName}`);
    }
  }

  /** Whether a difference of the current element from the schema is tolerated. If so, reports it. */
  accepts(tolerance: Tolerance, reader: XmlReader): boolean {
    return this.#rules.tolerant?.accepts(tolerance, reader) === true;
  }

  #readValue(
    reader: XmlReader,
    type: AnyReference,
    options: DecodeElementOptions,
    { rules, patternSteps }: { readonly rules: DecodeRules; readonly patternSteps: PatternSteps },
  ): unknown {
    const { nillable = false, default: byDefault, fixed, identity } = options;
    const declaration = { nillable, min: 1, array: false, default: byDefault, fixed, checkIdentity: undefined };
    const value = new ElementDecoder(reader, rules, patternSteps).readValue(this.#tables.type(type), declaration);
    if (rules.checksIdentity && identity !== undefined && value !== null) {
      createIdentityCheck(identity, type)?.(value);
    }
    return value;
  }

  /**
   * Checks an element that matched a wildcard against its declaration. If the element has no declaration, checks its
   * descendants instead.
   */
  #checkDeclared(
    { reader, start, process, patternSteps }: WildcardElement,
    rules: DecodeRules,
    declaredElements: DeclaredElements,
  ): void {
    // The limits were checked when the element was first read, and its prefixes are still bound.
    const bindings = { get: (prefix: string) => reader.resolve(prefix) };
    const element = new XmlReader(reader.source.slice(start, reader.end), unlimitedXml, bindings);
    element.next();
    const { localName } = element;
    try {
      if (
        process === "strict" &&
        declaredElements.complete === true &&
        findDeclaration(element, declaredElements) === undefined
      ) {
        throw new SchemaMismatch("The schema does not declare the element.");
      }
      for (let event = START; event !== DONE; event = element.next()) {
        const declaration = event === START ? findDeclaration(element, declaredElements) : undefined;
        if (declaration !== undefined) {
          this.#readValue(element, declaration.type, declaration, { rules, patternSteps });
        }
      }
    } catch (error) {
      throw addStep(error, localName);
    }
  }
}

const noLimit = Number.POSITIVE_INFINITY;
const unlimitedXml: XmlLimits = {
  depth: noLimit,
  attributes: noLimit,
  namespaces: noLimit,
  attributeChars: noLimit,
  namespaceChars: noLimit,
  children: noLimit,
  nodes: noLimit,
  textChars: noLimit,
  nameChars: noLimit,
  comments: noLimit,
};

function findDeclaration(
  { namespace, localName }: XmlReader,
  declaredElements: DeclaredElements,
): DeclaredElement | undefined {
  return declaredElements.find(clark(namespace, localName));
}

/** The IDs and IDREFs of one document (XSD 1.0 Part 1 §3.15.4, Validation Root Valid). */
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

function createDecodeError(error: unknown, parent: string): unknown {
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
