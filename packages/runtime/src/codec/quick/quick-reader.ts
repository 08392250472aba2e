import type { XmlLimits } from "@bothends/xml";
import { instanceNamespace } from "../names.js";

/** An attribute that is not a namespace declaration. */
export interface QuickAttribute {
  readonly namespace: string;
  readonly localName: string;
  readonly value: string;
}

const SPACE = 0x20;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;

/** The maximum recursion of decoders, regardless of the limits. */
const maxDepth = 512;
/** The maximum length of a text whose references are replaced here, in UTF-16 units. */
const longText = 4096;
/** Never the rest of a tag. */
const noRest = "\n";
const none: readonly QuickAttribute[] = [];

// Matches ASCII names, and values without references, tabs and line ends, as in nearly all messages.
const prolog =
  /^<\?xml version=(["'])1\.0\1(?: encoding=(["'])[Uu][Tt][Ff]-8\2)?(?: standalone=(["'])(?:yes|no)\3)? ?\?>/;
const tagStart = /<(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)/y;
const attribute = /[ \n]+(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)=(?:"([^"<&\t\n]*)"|'([^'<&\t\n]*)')/y;
const tagEnd = /[ \n]*(\/?)>/y;

const references: ReadonlyMap<string, string> = new Map([
  ["amp;", "&"],
  ["lt;", "<"],
  ["gt;", ">"],
  ["quot;", '"'],
  ["apos;", "'"],
  ["#13;", "\r"],
  ["#xD;", "\r"],
]);

/** Stops quick reading because the document is unusual or invalid. `Decoder` then reads it and reports errors. */
export function unusual(): never {
  throw new Error("unusual");
}

/**
 * Reads documents in the form that peers usually send. Stops at anything else: comments, CDATA sections, processing instructions,
 * other characters in names, a limit that may be exceeded, and anything not well-formed (XML 1.0, Namespaces in XML 1.0). It
 * never accepts a document that `XmlReader` refuses, and reads the same values. Kept small, because every client contains it.
 */
export class QuickReader {
  /** The current element. */
  namespace = "";
  localName = "";
  prefix = "";
  attributes: readonly QuickAttribute[] = [];
  /** The namespaces by prefix in the scope of the current element. */
  scope: ReadonlyMap<string, string>;
  readonly #text: string;
  readonly #limits: XmlLimits;
  #at = 0;
  #isEmpty = false;
  #elements = 0;
  #nodes = 0;
  /** The offset of the next `&`; the length of the text if there is none. */
  #ampersand = -1;
  /** The rest of the last tag with `xsi:nil="true" />`, which .NET writes for each absent value. */
  #nilRest = noRest;
  // The open elements: their names as written, and the scopes around them.
  readonly #open: string[] = [];
  readonly #scopes: ReadonlyMap<string, string>[] = [];

  /** `text` has been decoded from UTF-8. `prefixes` contains namespaces of prefixes that the document need not declare. */
  constructor(text: string, limits: XmlLimits, prefixes: ReadonlyMap<string, string> = new Map()) {
    // XML 1.0 §2.11: line ends are normalized before parsing.
    this.#text = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    this.#limits = limits;
    this.scope = prefixes;
    // Several searches are faster than one large character class.
    if (
      /[\0-\x08\x0b-\x1f]/.test(this.#text) ||
      text.includes("\ufffe") ||
      text.includes("\uffff") ||
      text.includes("]]>")
    ) {
      unusual();
    }
    this.#at = prolog.exec(this.#text)?.[0].length ?? 0;
  }

  /** Moves to the start of the next child. At the end of the current element, leaves it and returns false. */
  nextChild(): boolean {
    if (this.#isEmpty) {
      this.#leave();
      return false;
    }
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at + 1) === SLASH && this.#open.length > 0) {
      this.#readEnd();
      return false;
    }
    this.#readStart();
    return true;
  }

  /** Reads the current element, which contains only text, to its end. */
  readText(): string {
    if (this.#isEmpty) {
      this.#leave();
      return "";
    }
    const value = this.#readValue();
    this.#readEnd();
    return value;
  }

  /** Reads the current element to its end. */
  skip(): void {
    const { length } = this.#open;
    while (this.#open.length >= length) {
      if (this.#isEmpty) {
        this.#leave();
        continue;
      }
      this.#readValue();
      if (this.#text.charCodeAt(this.#at + 1) === SLASH) {
        this.#readEnd();
      } else {
        this.#readStart();
      }
    }
  }

  /** Refuses any content but white space after the document element. */
  finish(): void {
    this.#skipSpace();
    if (this.#at !== this.#text.length) {
      unusual();
    }
  }

  // The methods `expect…` read the next child if it has the expected name, as written, in its parent's namespace. If the order of
  // elements is known, this takes half the time of reading the name.

  /** The text of the next child, if it has the expected name and only text. */
  expectText(name: string): string | undefined {
    const text = this.#text;
    const nameEnd = this.#expect(name);
    if (nameEnd < 0 || text.charCodeAt(nameEnd) !== GREATER) {
      return undefined;
    }
    const close = text.indexOf("<", nameEnd);
    const end = close + 2 + name.length;
    if (
      text.charCodeAt(close + 1) !== SLASH ||
      text.charCodeAt(end) !== GREATER ||
      text.slice(close + 2, end) !== name
    ) {
      return undefined;
    }
    this.#count(0);
    this.#at = end + 1;
    return this.#value(nameEnd + 1, close);
  }

  /** Whether the next child has the expected name and `xsi:nil="true"`, written like the last such tag; if so, reads it. */
  expectNil(name: string): boolean {
    const rest = this.#nilRest;
    const nameEnd = rest === noRest ? -1 : this.#expect(name);
    if (nameEnd < 0 || this.#text.slice(nameEnd, nameEnd + rest.length) !== rest) {
      return false;
    }
    this.#count(1);
    this.#at = nameEnd + rest.length;
    return true;
  }

  /** Moves to the start of the next child, if it has the expected name and no attributes. */
  expectStart(name: string, prefix: string, element: { readonly namespace: string; readonly local: string }): boolean {
    const nameEnd = this.#expect(name);
    if (nameEnd < 0 || this.#text.charCodeAt(nameEnd) !== GREATER) {
      return false;
    }
    this.#count(0);
    this.#open.push(name);
    this.#scopes.push(this.scope);
    this.#at = nameEnd + 1;
    this.prefix = prefix;
    this.namespace = element.namespace;
    this.localName = element.local;
    this.attributes = none;
    return true;
  }

  /** The end of the next tag's name if it is the expected one; otherwise -1. */
  #expect(name: string): number {
    if (this.#isEmpty) {
      return -1;
    }
    const text = this.#text;
    if (text.charCodeAt(this.#at) !== LESS) {
      this.#skipSpace();
    }
    const at = this.#at;
    const end = at + 1 + name.length;
    // Comparing slices is faster than `startsWith`.
    return text.charCodeAt(at) === LESS && text.slice(at + 1, end) === name ? end : -1;
  }

  #skipSpace(): void {
    let code = this.#text.charCodeAt(this.#at);
    while (code === SPACE || code === 0x0a || code === 0x09) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
  }

  #readStart(): void {
    const text = this.#text;
    tagStart.lastIndex = this.#at;
    const [start, prefix = "", localName = ""] = tagStart.exec(text) ?? unusual();
    const nameEnd = tagStart.lastIndex;
    const written: [prefix: string, localName: string, value: string][] = [];
    const declared: [prefix: string, namespace: string][] = [];
    let at = nameEnd;
    attribute.lastIndex = at;
    for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
      at = attribute.lastIndex;
      const [, attributePrefix = "", name = "", quoted, value = quoted ?? ""] = match;
      this.#checkLengths(attributePrefix.length + name.length, value.length);
      if (attributePrefix === "xmlns") {
        declared.push([name, value]);
      } else if (name === "xmlns" && attributePrefix === "") {
        declared.push(["", value]);
      } else {
        written.push([attributePrefix, name, value]);
      }
    }
    tagEnd.lastIndex = at;
    const end = tagEnd.exec(text) ?? unusual();
    this.#checkLengths(start.length, 0);
    this.#count(written.length + declared.length);
    this.#open.push(start.slice(1));
    this.#scopes.push(this.scope);
    if (declared.length > 0) {
      this.#declare(declared);
    }
    this.#at = tagEnd.lastIndex;
    this.#isEmpty = end[1] === "/";
    this.prefix = prefix;
    this.localName = localName;
    this.namespace = this.#namespaceOf(prefix);
    this.attributes = written.length === 0 ? none : this.#bound(written);
    if (this.#isEmpty && declared.length === 0 && written.length === 1 && isNil(this.attributes[0])) {
      this.#nilRest = text.slice(nameEnd, this.#at);
    }
  }

  /** Namespaces in XML 1.0 §3: some prefixes and namespaces must not be declared. */
  #declare(declared: readonly (readonly [prefix: string, namespace: string])[]): void {
    const isWrong = declared.some(
      ([prefix, namespace]) =>
        prefix.startsWith("xml") ||
        (prefix !== "" && namespace === "") ||
        /^http:\/\/www\.w3\.org\/(?:XML|2000)\//.test(namespace),
    );
    if (isWrong || new Map(declared).size < declared.length) {
      unusual();
    }
    this.scope = new Map([...this.scope, ...declared]);
    this.#nilRest = noRest;
  }

  /** Attributes with their namespaces. No two may have the same name (Namespaces in XML 1.0 §6.3). */
  #bound(written: readonly (readonly [prefix: string, localName: string, value: string])[]): readonly QuickAttribute[] {
    const names = new Set<string>();
    const attributes = written.map(([prefix, localName, value]) => {
      const namespace = prefix === "" ? "" : this.#namespaceOf(prefix);
      names.add(`${localName} ${namespace}`);
      return { namespace, localName, value };
    });
    return names.size < written.length ? unusual() : attributes;
  }

  #namespaceOf(prefix: string): string {
    return this.scope.get(prefix) ?? (prefix === "" ? "" : unusual());
  }

  #readEnd(): void {
    const name = this.#open.at(-1) ?? unusual();
    const text = this.#text;
    const end = this.#at + 2 + name.length;
    if (!text.startsWith("</", this.#at) || text.slice(this.#at + 2, end) !== name) {
      unusual();
    }
    if (text.charCodeAt(end) === GREATER) {
      this.#at = end + 1;
    } else {
      tagEnd.lastIndex = end;
      if (tagEnd.exec(text)?.[1] !== "") {
        unusual();
      }
      this.#at = tagEnd.lastIndex;
    }
    this.#leave();
  }

  #leave(): void {
    this.#isEmpty = false;
    this.#open.pop();
    const outer = this.#scopes.pop() ?? this.scope;
    if (outer !== this.scope) {
      this.scope = outer;
      this.#nilRest = noRest;
    }
  }

  #readValue(): string {
    const less = this.#text.indexOf("<", this.#at);
    if (less < 0) {
      unusual();
    }
    const start = this.#at;
    this.#at = less;
    return this.#value(start, less);
  }

  /** The text between two offsets without markup, with its references replaced (XML 1.0 §4.1). */
  #value(start: number, end: number): string {
    if (this.#ampersand < start) {
      const found = this.#text.indexOf("&", start);
      this.#ampersand = found < 0 ? this.#text.length : found;
    }
    if (end - start > this.#limits.textChars) {
      unusual();
    }
    const value = this.#text.slice(start, end);
    if (this.#ampersand >= end) {
      return value;
    }
    // The full reader is faster for long texts with references.
    return value.length > longText
      ? unusual()
      : value.replace(/&([^;]*;?)/g, (_, name: string) => references.get(name) ?? unusual());
  }

  /** Stops when a limit may be exceeded. Each element counts as an element and two texts, inside it and after it. */
  #count(attributes: number): void {
    const { depth, attributes: most, namespaces, children, nodes } = this.#limits;
    this.#elements += 1;
    this.#nodes += 3 + attributes;
    if (
      this.#nodes > nodes ||
      this.#elements > children ||
      this.#open.length >= Math.min(depth, maxDepth) ||
      attributes > most ||
      attributes > namespaces
    ) {
      unusual();
    }
  }

  #checkLengths(name: number, value: number): void {
    if (name >= this.#limits.nameChars || value > this.#limits.attributeChars) {
      unusual();
    }
  }
}

/** Whether an attribute is `xsi:nil="true"`. */
export function isNil(attribute: QuickAttribute | undefined): boolean {
  return (
    attribute?.localName === "nil" &&
    attribute.namespace === instanceNamespace &&
    ["true", "1"].includes(attribute.value.trim())
  );
}
