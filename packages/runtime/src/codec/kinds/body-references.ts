import type { PrefixLookup, XmlLimits } from "@bothends/xml";
import { DONE, END, START, XmlReader } from "@bothends/xml/reader";
import { type ReferenceLimits, referenceLimits } from "../../reference-limits.js";
import type { Declaration, DecodeContext, DecodeType } from "../decode-table.js";
import { isReference } from "../element-attributes.js";
import { encodingNamespaces } from "../names.js";
import { SchemaMismatch } from "../schema-mismatch.js";

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
export class BodyReferences {
  readonly #text: string;
  readonly #limits: XmlLimits & ReferenceLimits;
  readonly #prefixes: PrefixLookup | undefined;
  #targets: ReadonlyMap<string, Target> | undefined;
  /** The ids of the references that are being followed. */
  readonly #open = new Set<string>();
  #followed = 0;
  #chars = 0;

  /** `prefixes`: the prefixes that are bound outside the message. */
  constructor(
    text: string,
    {
      limits,
      prefixes,
    }: { readonly limits: XmlLimits & Partial<ReferenceLimits>; readonly prefixes?: PrefixLookup | undefined },
  ) {
    this.#text = text;
    this.#limits = { ...referenceLimits, ...limits };
    this.#prefixes = prefixes;
  }

  /**
   * Returns the value that the element at START refers to, and leaves the reader at the END of the referring element. Undefined
   * if the element is not a reference; an attribute that its type declares is not one.
   */
  follow(context: DecodeContext, type: DecodeType, declaration: Declaration): { readonly value: unknown } | undefined {
    const { reader, referenceDepth } = context;
    const reference = reader.attributes.find(isReference);
    if (reference === undefined || declares(type, reference.localName)) {
      return undefined;
    }
    const { namespace, value } = reference;
    // In SOAP 1.2 the attribute is an IDREF; PHP writes it with a "#".
    if (namespace === "" && !value.startsWith("#")) {
      throw new SchemaMismatch("The reference (href) must refer to an element of the body.");
    }
    const depth = referenceDepth + reader.depth;
    reader.skip();
    return this.#follow(value.replace(/^#/, ""), depth, (target) => ({
      value: context.elsewhere(target, depth).value(type, declaration),
    }));
  }

  #follow<T>(id: string, depth: number, read: (reader: XmlReader) => T): T {
    this.#targets ??= findTargets(this.#text, this.#limits, this.#prefixes);
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
    const reader = new XmlReader(this.#text.slice(target.start, target.end), this.#limits, target.scope);
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
function findTargets(text: string, limits: XmlLimits, prefixes: PrefixLookup | undefined): ReadonlyMap<string, Target> {
  const reader = new XmlReader(text, limits, prefixes);
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
  const { soap12 } = encodingNamespaces;
  return attributes.find(({ localName, namespace }) => localName === "id" && (namespace === "" || namespace === soap12))
    ?.value;
}

/** Whether a type declares an attribute without a namespace. */
function declares(type: DecodeType, attribute: string): boolean {
  if (type.kind === "record") {
    return type.table.attributes.some(({ local }) => local === attribute);
  }
  return type.kind === "other" && type.declares?.(attribute) === true;
}
