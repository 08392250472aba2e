import type { PrefixLookup, XmlLimits, XmlReader } from "@bothends/xml";
import { type ReferenceLimits, referenceLimits } from "../reference-limits.js";
import type { Declaration, ElementDecoder, ReferenceReader } from "./decode-element.js";
import type { DecodeType } from "./decode-tables.js";
import { SchemaMismatch } from "./schema-mismatch.js";
import { isOfEncoding, isReference } from "./soap-encoding.js";

/**
 * The XML reader and its events. They are passed in, because this module is loaded on first use: a bundler that splits code
 * would otherwise add the reader to the first chunk of every program, including programs that never read XML.
 */
export interface ReaderModule {
  readonly XmlReader: typeof XmlReader;
  readonly START: number;
  readonly END: number;
  readonly DONE: number;
}

/** Options for `BodyReferences`. */
export interface ReferenceOptions {
  readonly xml: ReaderModule;
  readonly limits: XmlLimits & Partial<ReferenceLimits>;
  /** Prefixes that are bound outside the message. */
  readonly prefixes?: PrefixLookup | undefined;
}

/** An element that has an `id`. */
interface Target {
  readonly start: number;
  end: number;
  readonly scope: PrefixLookup;
  /** Set when another element has the same `id`. */
  ambiguous: boolean;
}

/**
 * Follows the references of SOAP encoding inside one body (SOAP 1.1 §5.4.1, 1.2 part 2 §3.1.5.3). Most SOAP
 * stacks write references for values that occur twice; some write one for every value. A referenced element is read once for
 * each reference, so the values form a tree. All limits, including the depth of the message, apply to that tree.
 */
export class BodyReferences implements ReferenceReader {
  readonly #text: string;
  readonly #xml: ReaderModule;
  readonly #limits: XmlLimits & ReferenceLimits;
  readonly #prefixes: PrefixLookup | undefined;
  #targets: ReadonlyMap<string, Target> | undefined;
  /** The ids of the references that are being followed. */
  readonly #open = new Set<string>();
  #followed = 0;
  #chars = 0;

  constructor(text: string, { xml, limits, prefixes }: ReferenceOptions) {
    this.#text = text;
    this.#xml = xml;
    this.#limits = { ...referenceLimits, ...limits };
    this.#prefixes = prefixes;
  }

  /** Whether the element at START is a reference. An attribute that its type declares is not one. */
  isAt({ attributes }: XmlReader, type: DecodeType): boolean {
    const reference = attributes.find(isReference);
    if (reference === undefined) {
      return false;
    }
    const table = type.kind === "record" ? type.table : type.kind === "polymorphic" ? type.declared : undefined;
    return table?.attributesByName.has(reference.localName) !== true;
  }

  /** Returns the value that the element at START refers to. Leaves the reader at the END of the referring element. */
  value(run: ElementDecoder, type: DecodeType, declaration: Declaration): unknown {
    const { reader, referenceDepth } = run;
    const { namespace = "", value = "" } = reader.attributes.find(isReference) ?? {};
    // In SOAP 1.2 the attribute is an IDREF; PHP writes it with a "#".
    if (namespace === "" && !value.startsWith("#")) {
      throw new SchemaMismatch("The reference (href) must refer to an element of the body.");
    }
    const depth = referenceDepth + reader.depth;
    reader.skip();
    return this.#follow(value.replace(/^#/, ""), depth, (target) =>
      run.elsewhere(target, depth).value(type, declaration),
    );
  }

  #findTargets(): ReadonlyMap<string, Target> {
    const reader = new this.#xml.XmlReader(this.#text, this.#limits, this.#prefixes);
    return findTargets(reader, this.#xml, this.#prefixes);
  }

  #follow<T>(id: string, depth: number, read: (reader: XmlReader) => T): T {
    this.#targets ??= this.#findTargets();
    const target = this.#targets.get(id);
    if (target === undefined) {
      throw new SchemaMismatch(`No element of the body has the id "${id.slice(0, 64)}".`);
    }
    if (target.ambiguous) {
      throw new SchemaMismatch(`Two elements of the body have the id "${id.slice(0, 64)}".`);
    }
    if (this.#open.has(id)) {
      throw new SchemaMismatch(`The element with the id "${id.slice(0, 64)}" refers to itself.`);
    }
    if (depth > this.#limits.depth) {
      throw overLimit("depth", this.#limits.depth);
    }
    this.#followed += 1;
    if (this.#followed > this.#limits.references) {
      throw overLimit("references", this.#limits.references);
    }
    this.#chars += target.end - target.start;
    if (this.#chars > this.#limits.referencedChars) {
      throw overLimit("referencedChars", this.#limits.referencedChars);
    }
    const reader = new this.#xml.XmlReader(this.#text.slice(target.start, target.end), this.#limits, target.scope);
    reader.next();
    this.#open.add(id);
    try {
      return read(reader);
    } finally {
      this.#open.delete(id);
    }
  }
}

function overLimit(name: keyof (XmlLimits & ReferenceLimits), value: number): SchemaMismatch {
  return new SchemaMismatch(
    `The references of the message exceed the limit ${name} = ${value}. The option limits.${name} sets it.`,
  );
}

/** Finds the elements of the body that have an `id`, at any depth. */
function findTargets(
  reader: XmlReader,
  { START, END, DONE }: ReaderModule,
  prefixes: PrefixLookup | undefined,
): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  const unclosed: { readonly depth: number; readonly target: Target }[] = [];
  const scopes: PrefixLookup[] = [prefixes ?? new Map<string, string>()];
  for (let event = reader.next(); event !== DONE; event = reader.next()) {
    const { depth } = reader;
    if (event === START) {
      const scope = scopeAt(reader, scopes[depth - 1]);
      scopes[depth] = scope;
      if (depth === 2 && reader.localName !== "Body") {
        reader.skip();
      }
      const id = depth > 2 ? idOf(reader) : undefined;
      if (id === undefined) {
        continue;
      }
      const existing = targets.get(id);
      if (existing !== undefined) {
        existing.ambiguous = true;
      }
      const target = existing ?? { start: reader.offset, end: reader.end, scope, ambiguous: false };
      targets.set(id, target);
      if (existing === undefined) {
        unclosed.push({ depth, target });
      }
    } else if (event === END && unclosed.at(-1)?.depth === depth) {
      const closed = unclosed.pop();
      if (closed !== undefined) {
        closed.target.end = reader.end;
      }
    }
  }
  return targets;
}

/** The prefixes in scope at a START: its own declarations, then those of the outer scope, which are not copied. */
function scopeAt(reader: XmlReader, around: PrefixLookup | undefined): PrefixLookup {
  const prefixes = reader.declaredPrefixes();
  if (prefixes.length === 0 && around !== undefined) {
    return around;
  }
  const declared = new Map(prefixes.map((prefix) => [prefix, reader.resolve(prefix)]));
  return { get: (prefix) => declared.get(prefix) ?? around?.get(prefix) };
}

/** The `id` by which references find an element (SOAP 1.1 §5.4.1, 1.2 part 2 §3.1.5.2). */
function idOf({ attributes }: XmlReader): string | undefined {
  return attributes.find((attribute) => attribute.localName === "id" && isOfEncoding(attribute))?.value;
}
