import { enumeration, list, union } from "@bothends/datatypes/xs";
import { escapeAttribute, escapeText } from "@bothends/xml";
import { schemaNamespace, type WireName, type WireNames, wireName } from "../codec/names.js";
import { encodingNamespace } from "../codec/soap-encoding.js";
import { type ContentMember, type RecordTable, recordTable, type Step } from "../codec/table.js";
import { type AnyReference, type ArrayFacts, type RecordFacts, resolveType } from "../codec/types.js";
import type { DerivedSimpleType } from "../descriptor.js";
import type { SoapVersion } from "../protocol/soap/envelope.js";
import { type Content, html } from "./page.js";

/** Writes elements with words in place of values. A type that holds itself ends where it comes again. */
export class SampleWriter {
  readonly #names: WireNames;
  /** The version whose encoding values are written in. */
  readonly #encoding: SoapVersion | undefined;
  /** Types around the current place. */
  readonly #open = new Set<object>();
  /** Schemas may be without end: a sample is not. */
  #left = 600;

  constructor(names: WireNames, encoding?: SoapVersion) {
    this.#names = names;
    this.#encoding = encoding;
  }

  /** The element of this name in the schema; `scope` is the default namespace around it. */
  element(name: string, type: AnyReference, { scope = "", nillable = false }: Place = {}): SampleElement {
    return this.#element(this.#names.element(wireName(name)), type, { scope, nillable });
  }

  /** The elements of a record, side by side. */
  content(record: RecordFacts, scope = ""): readonly SampleNode[] {
    return this.#steps(recordTable(record, this.#names).content, scope);
  }

  /** One member of a record, once. */
  member(member: Extract<ContentMember, { kind: "element" }>, scope: string): SampleElement {
    const element = this.#element(member, member.type, { scope, nillable: member.nillable });
    const fixed = member.fixed ?? member.default;
    return fixed === undefined || Array.isArray(element.content) ? element : { ...element, content: { value: fixed } };
  }

  #element(name: WireName, reference: AnyReference, { scope, nillable }: Required<Place>): SampleElement {
    this.#left -= 1;
    const declaration = name.namespace === scope ? "" : ` xmlns="${escapeAttribute(name.namespace)}"`;
    const start = `<${name.local}${declaration}`;
    const type = resolveType(reference);
    if (type.kind === "simple" || type.kind === "anyType") {
      const typed = this.#encoding === undefined ? "" : xsiType(this.#typeName(reference), name.namespace);
      return { start: [start + typed], name: name.local, content: { value: placeholderOf(reference) } };
    }
    if (type.kind === "array") return this.#array(start, name, type);
    const arm = type.kind === "record" ? { record: type, typed: this.#encoding !== undefined } : armOf(type);
    const typeName = arm.typed ? xsiType(wireName(this.#names.type(arm.record.name)), name.namespace) : "";
    if (this.#open.has(arm.record) || this.#left <= 0) {
      return { start: [start + (nillable ? ' xsi:nil="true"' : typeName)], name: name.local, content: [] };
    }
    this.#open.add(arm.record);
    const table = recordTable(arm.record, this.#names);
    const content = this.#contentOf(table, name.namespace);
    this.#open.delete(arm.record);
    return { start: [start + typeName, ...attributes(table)], name: name.local, content };
  }

  /** A SOAP array of two items (SOAP 1.1 §5.4.2, SOAP 1.2 part 2 §3.1.6); in one that holds itself, of none. */
  #array(start: string, name: WireName, array: ArrayFacts): SampleElement {
    const ends = this.#open.has(array) || this.#left <= 0;
    this.#open.add(array);
    const items = ends ? [] : [this.element(array.element, array.item, { scope: name.namespace, nillable: true })];
    this.#open.delete(array);
    const content = [...items, ...items];
    const facts = this.#encoding === undefined ? "" : this.#arrayFacts(array, content.length, name.namespace);
    return { start: [start + facts], name: name.local, content };
  }

  #arrayFacts({ item }: ArrayFacts, size: number, scope: string): string {
    const { name, dimensions } = this.#itemType(item);
    const { declaration, text } = qname(name, scope);
    if (this.#encoding === "soap12") {
      const type = dimensions === "" ? text : "soapenc:Array";
      return `${declaration} xmlns:soapenc="${encodingNamespace.soap12}" xsi:type="soapenc:Array" soapenc:itemType="${type}" soapenc:arraySize="${size}"`;
    }
    return `${declaration} xmlns:soapenc="${encodingNamespace.soap11}" xsi:type="soapenc:Array" soapenc:arrayType="${text}${dimensions}[${size}]"`;
  }

  /** What the items are at last, and how many arrays are between. */
  #itemType(reference: AnyReference): { readonly name: WireName; readonly dimensions: string } {
    let dimensions = "";
    let item = reference;
    for (let type = resolveType(item); type.kind === "array" && dimensions.length < 16; type = resolveType(item)) {
      dimensions += "[]";
      item = type.item;
    }
    return { name: this.#typeName(item), dimensions };
  }

  /** The name of a type on the wire; `anyType` for one that has none. */
  #typeName(reference: AnyReference): WireName {
    const type = resolveType(reference);
    const name = type.kind === "anyType" ? "" : type.name;
    if (name.startsWith("{")) return wireName(this.#names.type(name));
    return { namespace: schemaNamespace, local: name.startsWith("xs:") ? name.slice(3) : "anyType" };
  }

  #contentOf(table: RecordTable, scope: string): SampleElement["content"] {
    if (table.text !== undefined) return { value: placeholderOf(table.text.type) };
    return table.mixed === undefined ? this.#steps(table.content, scope) : { value: "text and elements" };
  }

  #steps(steps: readonly Step[], scope: string): readonly SampleNode[] {
    return steps.flatMap((step) => (this.#left <= 0 ? [] : this.#step(step, scope)));
  }

  #step(step: Step, scope: string): readonly SampleNode[] {
    switch (step.kind) {
      case "element": {
        const one = this.member(step, scope);
        return step.max > 1 ? [one, one] : [one];
      }
      case "any":
        return [{ comment: "any element" }];
      case "group":
        return this.#open.has(step.record()) ? [] : this.#group(step.record(), scope);
      case "choice": {
        const [first, ...others] = step.steps;
        const names = others.flatMap((other) => namesIn(other).slice(0, 1));
        const comment = names.length === 0 ? [] : [{ comment: `or ${names.join(", or ")}` }];
        return first === undefined ? [] : [...this.#step(first, scope), ...comment];
      }
      default:
        return this.#steps(step.steps, scope);
    }
  }

  #group(record: RecordFacts, scope: string): readonly SampleNode[] {
    this.#open.add(record);
    const nodes = this.content(record, scope);
    this.#open.delete(record);
    return nodes;
  }
}

interface Place {
  readonly scope?: string;
  readonly nillable?: boolean;
}

/** The arm that is shown for a type that others derive from: itself, or the first that derives. */
function armOf(type: Extract<ReturnType<typeof resolveType>, { kind: "polymorphic" }>): {
  readonly record: RecordFacts;
  readonly typed: boolean;
} {
  const own = type.declared === undefined ? undefined : type.arms[type.declared];
  const [reference] = own === undefined ? Object.values(type.arms) : [own];
  const record = reference === undefined ? undefined : resolveType(reference);
  const none: RecordFacts = { kind: "record", name: type.name, fields: {} };
  return { record: record?.kind === "record" ? record : none, typed: own === undefined };
}

function xsiType(name: WireName, scope: string): string {
  const { declaration, text } = qname(name, scope);
  return `${declaration} xsi:type="${text}"`;
}

/** A name in an attribute's value, with the declaration that it needs where `scope` is the default namespace. */
function qname({ namespace, local }: WireName, scope: string): { readonly declaration: string; readonly text: string } {
  if (namespace === schemaNamespace) return { declaration: "", text: `xsd:${local}` };
  if (namespace === scope) return { declaration: "", text: local };
  return { declaration: ` xmlns:q="${escapeAttribute(namespace)}"`, text: `q:${local}` };
}

function attributes({ attributes: all }: RecordTable): readonly SamplePiece[] {
  return all.flatMap(({ local, namespace, type, fixed, default: usual }, index) => {
    const name = namespace === "" ? local : `a${index}:${local}`;
    const declaration = namespace === "" ? "" : ` xmlns:a${index}="${escapeAttribute(namespace)}"`;
    return [`${declaration} ${name}="`, { value: escapeAttribute(fixed ?? usual ?? placeholderOf(type)) }, '"'];
  });
}

function namesIn(step: Step): readonly string[] {
  switch (step.kind) {
    case "element":
      return [step.local];
    case "any":
      return ["any element"];
    case "group":
      return [step.key];
    default:
      return step.steps.flatMap(namesIn);
  }
}

const maxShown = 20;

/** The word that stands for a value of a simple type: `string`, `int`, `red or green`. */
export function placeholderOf(reference: AnyReference): string {
  const type = typeof reference === "function" ? reference() : reference;
  if (isDerived(type)) {
    const values = enumerationOf(type);
    if (values !== undefined)
      return [...values.slice(0, maxShown), ...(values.length > maxShown ? ["…"] : [])].join(" or ");
    const of = type.of.map(placeholderOf);
    if (type.by === union) return of.join(" or ");
    return type.by === list ? `${of[0]} ${of[0]}` : (of[0] ?? "");
  }
  const name = "name" in type && typeof type.name === "string" ? type.name : type.kind;
  return name.replace(/^xs:/, "");
}

/** The values that a simple type lists; undefined where it lists none. */
export function enumerationValues(reference: AnyReference): readonly string[] | undefined {
  const type = typeof reference === "function" ? reference() : reference;
  return isDerived(type) ? enumerationOf(type) : undefined;
}

function enumerationOf(type: DerivedSimpleType<unknown>): readonly string[] | undefined {
  const value = type.facets?.find(([facet]) => facet === enumeration)?.[1];
  if (Array.isArray(value)) return value.map(String);
  const [base] = type.of;
  const isRestriction = type.by !== list && type.by !== union;
  return isRestriction && base !== undefined ? enumerationValues(base) : undefined;
}

function isDerived(type: { readonly kind: string }): type is DerivedSimpleType<unknown> {
  return type.kind === "derived";
}

/** A piece of a sample: text as it is sent, or a word that stands for a value. */
export type SamplePiece = string | { readonly value: string };

/** An element of a sample message, its tags written. */
interface SampleElement {
  /** Without its `>`. */
  readonly start: readonly SamplePiece[];
  readonly name: string;
  readonly content: readonly SampleNode[] | SamplePiece;
}
export type SampleNode = SampleElement | { readonly comment: string };

/** Elements on lines of their own, two spaces deeper than what holds them. */
export function layout(nodes: readonly SampleNode[], depth = 0): readonly SamplePiece[] {
  return nodes.flatMap((node): readonly SamplePiece[] => {
    const indent = "  ".repeat(depth);
    if ("comment" in node) return [`${indent}<!-- ${node.comment.replaceAll("--", "- -")} -->\n`];
    const { start, name, content } = node;
    if (!isNodes(content)) return [indent, ...start, ">", escaped(content), `</${name}>\n`];
    if (content.length === 0) return [indent, ...start, " />\n"];
    return [indent, ...start, ">\n", ...layout(content, depth + 1), `${indent}</${name}>\n`];
  });
}

function escaped(content: SamplePiece): SamplePiece {
  return typeof content === "string" ? escapeText(content) : { value: escapeText(content.value) };
}

function isNodes(content: SampleElement["content"]): content is readonly SampleNode[] {
  return Array.isArray(content);
}

/** A sample as the text that a person edits. */
export function sampleText(pieces: readonly SamplePiece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.value)).join("");
}

/** A sample as a block of a page; what stands for values is marked. */
export function sampleBlock(pieces: readonly SamplePiece[]): Content {
  const last = pieces.at(-1);
  const shown = typeof last === "string" ? [...pieces.slice(0, -1), last.trimEnd()] : pieces;
  return html`<pre>${shown.map((piece) => (typeof piece === "string" ? piece : html`<var>${piece.value}</var>`))}</pre>`;
}
