import { clark } from "@bothends/xml";
import type { Declaration, Import, Include, Redefine, Redefinition, Schema } from "../../read/xsd/documents.js";
import type { SchemaDocuments } from "../../read/xsd/read-schemas.js";
import type { Code } from "../../source/catalogue/index.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { positionOf } from "../../source/position.js";
import type { Span } from "../../source/span.js";

/** A document in a namespace. A document without a target namespace takes that of each document that includes it (Part 1 §4.2.1). */
export interface SchemaInstance {
  readonly schema: Schema;
  readonly namespace: string;
  /** Names without a namespace are in its namespace, which the including document gave. */
  readonly chameleon: boolean;
  /** Namespaces that the document imports. */
  readonly imported: ReadonlySet<string>;
  /** What its includes and redefines lead to. */
  readonly included: readonly SchemaInstance[];
  readonly redefined: readonly { readonly redefine: Redefine; readonly target: SchemaInstance }[];
}

interface GrowingInstance extends SchemaInstance {
  readonly imported: Set<string>;
  readonly included: SchemaInstance[];
  readonly redefined: { readonly redefine: Redefine; readonly target: SchemaInstance }[];
}

/**
 * Every document in every namespace that it declares for. Roots come first, in their order; the others by path, so that the
 * order of includes and imports does not show.
 */
export function resolveInstances(documents: SchemaDocuments, diagnostics: Diagnostics): readonly SchemaInstance[] {
  const known = new Map<Schema, Map<string, GrowingInstance>>();
  const open: GrowingInstance[] = [];
  const instanceOf = (schema: Schema, namespace: string): GrowingInstance => {
    const byNamespace = known.get(schema) ?? new Map<string, GrowingInstance>();
    known.set(schema, byNamespace);
    const before = byNamespace.get(namespace);
    if (before !== undefined) return before;
    const instance: GrowingInstance = {
      schema,
      namespace,
      chameleon: schema.targetNamespace === undefined && namespace !== "",
      imported: new Set(schema.imports.map((link) => link.namespace ?? "")),
      included: [],
      redefined: [],
    };
    byNamespace.set(namespace, instance);
    open.push(instance);
    return instance;
  };
  const reached = new Set(documents.targets.values());
  for (const schema of documents.roots) instanceOf(schema, schema.targetNamespace ?? "");
  for (const schema of documents.all) if (!reached.has(schema)) instanceOf(schema, schema.targetNamespace ?? "");
  for (let instance = open.pop(); instance !== undefined; instance = open.pop()) {
    for (const link of instance.schema.includes) {
      const target = includedInstance(link, instance);
      if (target !== undefined && target !== instance) instance.included.push(target);
    }
    for (const redefine of instance.schema.redefines) {
      const target = includedInstance(redefine, instance);
      if (target !== undefined && target !== instance) instance.redefined.push({ redefine, target });
    }
    for (const link of instance.schema.imports) importInstance(link, instance);
  }
  return inOrder(documents, known);

  function includedInstance(link: Include | Redefine, from: GrowingInstance): GrowingInstance | undefined {
    const schema = documents.targets.get(link);
    if (schema === undefined) return undefined;
    // §4.2.1: the same target namespace, or none.
    if (schema.targetNamespace === undefined || schema.targetNamespace === from.namespace) {
      return instanceOf(schema, from.namespace);
    }
    const message = `${schema.source.path} has the target namespace "${schema.targetNamespace}", not "${from.namespace}".`;
    if (link.kind === "redefine") {
      diagnostics.unresolved("XSD020", link.location.span, { message, instead: "It is left out." });
      return undefined;
    }
    // What it declares is meant to be there, and no name of it can mean anything else.
    diagnostics.breach("XSD020", link.location.span, { message, help: "It is read as an import. Import it." });
    instanceOf(schema, schema.targetNamespace);
    from.imported.add(schema.targetNamespace);
    return undefined;
  }

  function importInstance(link: Import, from: GrowingInstance): void {
    const schema = documents.targets.get(link);
    if (schema === undefined) return;
    instanceOf(schema, schema.targetNamespace ?? "");
    from.imported.add(schema.targetNamespace ?? "");
    if ((schema.targetNamespace ?? "") === (link.namespace ?? "")) return;
    diagnostics.breach("XSD021", link.location?.span ?? link.span, {
      message:
        `${schema.source.path} has ${namespaceText(schema.targetNamespace)}, ` +
        `and is imported as having ${namespaceText(link.namespace)}.`,
      help: schema.targetNamespace && `Write namespace="${schema.targetNamespace}".`,
    });
  }
}

function inOrder(
  documents: SchemaDocuments,
  known: ReadonlyMap<Schema, ReadonlyMap<string, SchemaInstance>>,
): readonly SchemaInstance[] {
  const roots = new Set(documents.roots);
  const others = [...known.keys()].filter((schema) => !roots.has(schema)).sort(byPlace);
  return [...roots, ...others].flatMap((schema) =>
    [...(known.get(schema)?.values() ?? [])].sort((a, b) => compareText(a.namespace, b.namespace)),
  );
}

function byPlace(a: Schema, b: Schema): number {
  return compareText(a.source.path, b.source.path) || a.span.start - b.span.start;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function namespaceText(namespace: string | undefined): string {
  return namespace === undefined ? "no target namespace" : `the target namespace "${namespace}"`;
}

/** A declaration at the top of a document, in a namespace. */
export interface Declared<D extends Declaration = Declaration> {
  readonly declaration: D;
  readonly instance: SchemaInstance;
  /** Its Clark name. */
  readonly key: string;
  /** What it redefines: references to its own name mean that (Part 1 §4.2.2). */
  readonly original: Declared<D> | undefined;
}

/** The symbol spaces of XSD 1.0 Part 1 §2.5. Simple and complex types share one. */
export type SymbolSpace = "element" | "attribute" | "type" | "group" | "attributeGroup" | "notation";

/** What the documents declare at the top, by space and Clark name, in order. */
export type Symbols = ReadonlyMap<SymbolSpace, ReadonlyMap<string, Declared>>;

type GrowingSymbols = ReadonlyMap<SymbolSpace, Map<string, Declared>>;

const spaces: readonly SymbolSpace[] = ["element", "attribute", "type", "group", "attributeGroup", "notation"];

/** Collects the declarations of all documents; reports names that are declared twice, and puts redefinitions in place. */
export function resolveSymbols(instances: readonly SchemaInstance[], diagnostics: Diagnostics): Symbols {
  const symbols: GrowingSymbols = new Map(spaces.map((space) => [space, new Map<string, Declared>()]));
  for (const instance of instances) {
    for (const declaration of instance.schema.declarations) {
      if (declaration.kind === "notation" ? declaration.name.text === "" : declaration.name?.text === "") continue;
      const declared = { declaration, instance, key: keyOf(declaration, instance), original: undefined };
      const table = symbols.get(spaceOf(declaration));
      const before = table?.get(declared.key);
      if (before === undefined) table?.set(declared.key, declared);
      else if (saysTheSame(before, declared)) reportRepeated(before, declared, diagnostics);
      else reportDuplicate(before, declared, diagnostics);
    }
  }
  const seen = new Set<SchemaInstance>();
  for (const instance of instances) redefine(instance, { symbols, diagnostics, seen });
  return symbols;
}

/** The symbol space of a declaration. */
function spaceOf(declaration: Declaration): SymbolSpace {
  return declaration.kind === "complexType" || declaration.kind === "simpleType" ? "type" : declaration.kind;
}

/** A place as text: `a.xsd:10:3`. */
export function placeText(span: Span): string {
  const { line, column } = positionOf(span.source, span.start);
  return `${span.source.path}:${line}:${column}`;
}

function keyOf(declaration: Declaration, instance: SchemaInstance): string {
  return clark(instance.namespace, declaration.name?.text ?? "");
}

/** Two copies of one document declare everything twice, and mean one thing. */
function saysTheSame(first: Declared, second: Declared): boolean {
  return first.instance.namespace === second.instance.namespace && factsText(first) === factsText(second);
}

const places: ReadonlySet<string> = new Set(["span", "documentation", "element"]);

function factsText({ declaration }: Declared): string {
  return JSON.stringify(declaration, (key, value: unknown) => {
    if (places.has(key)) return undefined;
    return value instanceof Set ? [...value] : value;
  });
}

function reportRepeated(first: Declared, second: Declared, diagnostics: Diagnostics): void {
  diagnostics.breach("XSD022", nameSpan(second.declaration), {
    message: `The ${nouns[spaceOf(first.declaration)]} ${first.key} is declared already, in the same words, at ${placeText(nameSpan(first.declaration))}.`,
  });
}

function reportDuplicate(first: Declared, second: Declared, diagnostics: Diagnostics): void {
  const what = `${nouns[spaceOf(first.declaration)]} ${first.key}`;
  diagnostics.unresolved("XSD022", nameSpan(first.declaration), {
    message: `The ${what} is declared twice; the other is at ${placeText(nameSpan(second.declaration))}.`,
    instead: "This one is kept.",
  });
  diagnostics.unresolved("XSD022", nameSpan(second.declaration), {
    message: `The ${what} is declared already, at ${placeText(nameSpan(first.declaration))}.`,
    instead: "The first is kept.",
  });
}

/** What each space's components are called in messages, and the code for a name that is not there. */
export const nouns: Readonly<Record<SymbolSpace, string>> = {
  element: "element",
  attribute: "attribute",
  type: "type",
  group: "group",
  attributeGroup: "attribute group",
  notation: "notation",
};
export const unknownCodes: Readonly<Record<SymbolSpace, Code>> = {
  type: "XSD023",
  element: "XSD024",
  attribute: "XSD025",
  group: "XSD026",
  attributeGroup: "XSD027",
  notation: "XSD029",
};

interface Redefining {
  readonly symbols: GrowingSymbols;
  readonly diagnostics: Diagnostics;
  readonly seen: Set<SchemaInstance>;
}

/** Redefinitions in what an instance includes come before its own: it redefines what those made. */
function redefine(instance: SchemaInstance, context: Redefining): void {
  if (context.seen.has(instance)) return;
  context.seen.add(instance);
  for (const included of instance.included) redefine(included, context);
  for (const { target } of instance.redefined) redefine(target, context);
  for (const { redefine: element, target } of instance.redefined) {
    for (const redefinition of element.redefinitions) replace(redefinition, { instance, target, context });
  }
}

function replace(
  declaration: Redefinition,
  where: { readonly instance: SchemaInstance; readonly target: SchemaInstance; readonly context: Redefining },
): void {
  const { instance, target, context } = where;
  const table = context.symbols.get(spaceOf(declaration));
  const key = keyOf(declaration, instance);
  const original = table?.get(key);
  if (original === undefined || !closure(target).has(original.instance)) {
    context.diagnostics.error("XSD031", nameSpan(declaration), {
      message: `${target.schema.source.path} has no ${nouns[spaceOf(declaration)]} ${key} to redefine.`,
    });
    return;
  }
  if (original.declaration.kind !== declaration.kind) {
    context.diagnostics.error("XSD031", nameSpan(declaration), {
      message: `A ${declaration.kind} cannot redefine the ${original.declaration.kind} ${key}.`,
    });
    return;
  }
  table?.set(key, { declaration, instance, key, original });
}

function closure(from: SchemaInstance): ReadonlySet<SchemaInstance> {
  const reached = new Set([from]);
  for (const instance of reached) {
    for (const included of instance.included) reached.add(included);
    for (const { target } of instance.redefined) reached.add(target);
  }
  return reached;
}

function nameSpan(declaration: Declaration): Span {
  return declaration.name?.span ?? declaration.span;
}
