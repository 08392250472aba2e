import { clark } from "@bothends/xml";
import type {
  Declaration,
  Import,
  Include,
  Redefine,
  Redefinition,
  Schema,
  SchemaDocuments,
} from "../../read/xsd/documents.js";
import type { Code } from "../../source/catalogue/index.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { compareSpans, compareText, formatPosition, type Span } from "../../source/span.js";

/**
 * A schema document with a namespace: its target namespace, or the target namespace of a document that includes it
 * (Part 1 §4.2.1).
 */
export interface NamespacedDocument {
  readonly schema: Schema;
  readonly namespace: string;
  /**
   * Whether the document has the namespace of an including document. Names without a namespace are then in that
   * namespace.
   */
  readonly isChameleon: boolean;
  /** The namespaces that the document imports. */
  readonly importedNamespaces: ReadonlySet<string>;
  /** Whether another document imports this document. */
  readonly isImported: boolean;
  readonly includedDocuments: readonly NamespacedDocument[];
  readonly redefined: readonly { readonly redefine: Redefine; readonly target: NamespacedDocument }[];
}

interface MutableDocument extends NamespacedDocument {
  readonly importedNamespaces: Set<string>;
  isImported: boolean;
  readonly includedDocuments: NamespacedDocument[];
  readonly redefined: { readonly redefine: Redefine; readonly target: NamespacedDocument }[];
}

/**
 * Returns each document once for every namespace into which its declarations are put. Roots come first, in their order.
 * The other documents are sorted by path, so that the order of includes and imports has no effect.
 */
export function resolveDocuments(documents: SchemaDocuments, diagnostics: Diagnostics): readonly NamespacedDocument[] {
  return new DocumentResolution(documents, diagnostics).resolve();
}

class DocumentResolution {
  readonly #sources: SchemaDocuments;
  readonly #diagnostics: Diagnostics;
  readonly #documents = new Map<Schema, Map<string, MutableDocument>>();
  readonly #pendingDocuments: MutableDocument[] = [];

  constructor(sources: SchemaDocuments, diagnostics: Diagnostics) {
    this.#sources = sources;
    this.#diagnostics = diagnostics;
  }

  resolve(): readonly NamespacedDocument[] {
    const { roots, all, targets } = this.#sources;
    const linkedSchemas = new Set(targets.values());
    for (const schema of [...roots, ...all.filter((other) => !linkedSchemas.has(other))]) {
      this.#getDocument(schema, schema.targetNamespace ?? "");
    }
    for (let document = this.#pendingDocuments.pop(); document !== undefined; document = this.#pendingDocuments.pop()) {
      this.#resolveLinks(document);
    }
    return this.#sortDocuments();
  }

  #getDocument(schema: Schema, namespace: string): MutableDocument {
    const documentsByNamespace = this.#documents.get(schema) ?? new Map<string, MutableDocument>();
    this.#documents.set(schema, documentsByNamespace);
    const knownDocument = documentsByNamespace.get(namespace);
    if (knownDocument !== undefined) {
      return knownDocument;
    }
    const document: MutableDocument = {
      schema,
      namespace,
      isChameleon: schema.targetNamespace === undefined && namespace !== "",
      importedNamespaces: new Set(schema.imports.map((link) => link.namespace ?? "")),
      isImported: false,
      includedDocuments: [],
      redefined: [],
    };
    documentsByNamespace.set(namespace, document);
    this.#pendingDocuments.push(document);
    return document;
  }

  #resolveLinks(document: MutableDocument): void {
    const { includes, redefines, imports } = document.schema;
    for (const link of includes) {
      const includedDocument = this.#findIncludedDocument(link, document);
      if (includedDocument !== undefined && includedDocument !== document) {
        document.includedDocuments.push(includedDocument);
      }
    }
    for (const redefine of redefines) {
      const redefinedDocument = this.#findIncludedDocument(redefine, document);
      if (redefinedDocument !== undefined && redefinedDocument !== document) {
        document.redefined.push({ redefine, target: redefinedDocument });
      }
    }
    for (const link of imports) {
      this.#addImport(link, document);
    }
  }

  /**
   * Finds an included document. Its target namespace must be absent, or equal to the target namespace of the including
   * document (Part 1 §4.2.1).
   */
  #findIncludedDocument(link: Include | Redefine, includingDocument: MutableDocument): MutableDocument | undefined {
    const schema = this.#sources.targets.get(link);
    if (schema === undefined) {
      return undefined;
    }
    if (schema.targetNamespace === undefined || schema.targetNamespace === includingDocument.namespace) {
      return this.#getDocument(schema, includingDocument.namespace);
    }
    const message = `The document ${schema.source.path} has the target namespace "${schema.targetNamespace}", not "${includingDocument.namespace}".`;
    if (link.kind === "redefine") {
      this.#diagnostics.unresolved("XSD020", link.location.span, { message, fallback: "The document is left out." });
      return undefined;
    }
    // The include can only have been meant as an import, because the namespaces differ, so it is read as an import.
    this.#diagnostics.violation("XSD020", link.location.span, {
      message,
      help: "The <include> is read as an <import>. Write <import> instead.",
    });
    this.#getDocument(schema, schema.targetNamespace);
    includingDocument.importedNamespaces.add(schema.targetNamespace);
    return undefined;
  }

  #addImport(link: Import, importingDocument: MutableDocument): void {
    const schema = this.#sources.targets.get(link);
    if (schema === undefined) {
      return;
    }
    const namespace = schema.targetNamespace ?? "";
    this.#getDocument(schema, namespace).isImported = true;
    importingDocument.importedNamespaces.add(namespace);
    if (namespace === (link.namespace ?? "")) {
      return;
    }
    this.#diagnostics.violation("XSD021", link.location?.span ?? link.span, {
      message:
        `The document ${schema.source.path} has ${formatNamespace(schema.targetNamespace)}, ` +
        `but the import declares ${formatNamespace(link.namespace)}.`,
      help: schema.targetNamespace && `Write namespace="${schema.targetNamespace}".`,
    });
  }

  #sortDocuments(): readonly NamespacedDocument[] {
    const roots = new Set(this.#sources.roots);
    const otherSchemas = [...this.#documents.keys()]
      .filter((schema) => !roots.has(schema))
      .sort((a, b) => compareSpans(a.span, b.span));
    return [...roots, ...otherSchemas].flatMap((schema) =>
      [...(this.#documents.get(schema)?.values() ?? [])].sort((a, b) => compareText(a.namespace, b.namespace)),
    );
  }
}

function formatNamespace(namespace: string | undefined): string {
  return namespace === undefined ? "no target namespace" : `the target namespace "${namespace}"`;
}

/** A declaration at the top level of a document, in a namespace. */
export interface TopLevelDeclaration<D extends Declaration = Declaration> {
  readonly declaration: D;
  readonly document: NamespacedDocument;
  /** The Clark name of the component. */
  readonly key: string;
  /** The original declaration of a redefinition, to which the name refers inside the redefinition (Part 1 §4.2.2). */
  readonly original: TopLevelDeclaration<D> | undefined;
}

/** The symbol spaces of XSD 1.0 Part 1 §2.5, in which names are unique. Simple and complex types share a space. */
export type SymbolSpace = "element" | "attribute" | "type" | "group" | "attributeGroup" | "notation";

/** The top-level declarations of all documents by symbol space and Clark name, in schema order. */
export type Symbols = ReadonlyMap<SymbolSpace, ReadonlyMap<string, TopLevelDeclaration>>;

type MutableSymbols = ReadonlyMap<SymbolSpace, Map<string, TopLevelDeclaration>>;

const symbolSpaces: readonly SymbolSpace[] = ["element", "attribute", "type", "group", "attributeGroup", "notation"];

/** Collects the declarations of all documents, applies redefinitions, and reports names that are declared twice. */
export function resolveSymbols(documents: readonly NamespacedDocument[], diagnostics: Diagnostics): Symbols {
  const symbols: MutableSymbols = new Map(symbolSpaces.map((space) => [space, new Map<string, TopLevelDeclaration>()]));
  for (const document of documents) {
    for (const declaration of document.schema.declarations) {
      if (declaration.name?.text !== "") {
        const topLevelDeclaration = { declaration, document, key: getKey(declaration, document), original: undefined };
        addSymbol(topLevelDeclaration, symbols, diagnostics);
      }
    }
  }
  const appliedDocuments = new Set<NamespacedDocument>();
  for (const document of documents) {
    applyRedefinitions(document, { symbols, diagnostics, appliedDocuments });
  }
  return symbols;
}

function addSymbol(addedDeclaration: TopLevelDeclaration, symbols: MutableSymbols, diagnostics: Diagnostics): void {
  const table = symbols.get(getSpace(addedDeclaration.declaration));
  const earlierDeclaration = table?.get(addedDeclaration.key);
  if (earlierDeclaration === undefined) {
    table?.set(addedDeclaration.key, addedDeclaration);
  } else if (areEquivalent(earlierDeclaration, addedDeclaration)) {
    reportRepeated(earlierDeclaration, addedDeclaration, diagnostics);
  } else {
    reportDuplicate(earlierDeclaration, addedDeclaration, diagnostics);
  }
}

function getSpace(declaration: Declaration): SymbolSpace {
  return declaration.kind === "complexType" || declaration.kind === "simpleType" ? "type" : declaration.kind;
}

function getKey(declaration: Declaration, document: NamespacedDocument): string {
  return clark(document.namespace, declaration.name?.text ?? "");
}

/** Whether two declarations are copies of each other, for example in two copies of one document. */
function areEquivalent(first: TopLevelDeclaration, second: TopLevelDeclaration): boolean {
  return first.document.namespace === second.document.namespace && formatContent(first) === formatContent(second);
}

const ignoredKeys: ReadonlySet<string> = new Set(["span", "documentation", "element"]);

function formatContent({ declaration }: TopLevelDeclaration): string {
  return JSON.stringify(declaration, (key, value: unknown) => {
    if (ignoredKeys.has(key)) {
      return undefined;
    }
    return value instanceof Set ? [...value] : value;
  });
}

function reportRepeated(first: TopLevelDeclaration, second: TopLevelDeclaration, diagnostics: Diagnostics): void {
  diagnostics.violation("XSD022", getDeclaredNameSpan(second.declaration), {
    message: `The ${formatComponent(first)} is already declared with the same content at ${formatPosition(getDeclaredNameSpan(first.declaration))}.`,
  });
}

function reportDuplicate(
  firstDeclaration: TopLevelDeclaration,
  secondDeclaration: TopLevelDeclaration,
  diagnostics: Diagnostics,
): void {
  const component = formatComponent(firstDeclaration);
  // Part 1 §4.2.3: the location of an import is only a hint, so a second document for a namespace may be ignored.
  if (
    secondDeclaration.document !== firstDeclaration.document &&
    (firstDeclaration.document.isImported || secondDeclaration.document.isImported)
  ) {
    diagnostics.violation("XSD022", getDeclaredNameSpan(secondDeclaration.declaration), {
      message: `The ${component} is declared differently at ${formatPosition(getDeclaredNameSpan(firstDeclaration.declaration))}. That declaration is used.`,
      help: "Import only one document for the namespace.",
    });
    return;
  }
  diagnostics.unresolved("XSD022", getDeclaredNameSpan(firstDeclaration.declaration), {
    message: `The ${component} is declared twice; the other declaration is at ${formatPosition(getDeclaredNameSpan(secondDeclaration.declaration))}.`,
    fallback: "This declaration is used.",
  });
  diagnostics.unresolved("XSD022", getDeclaredNameSpan(secondDeclaration.declaration), {
    message: `The ${component} is already declared at ${formatPosition(getDeclaredNameSpan(firstDeclaration.declaration))}.`,
    fallback: "The first declaration is used.",
  });
}

function formatComponent({ declaration, key }: TopLevelDeclaration): string {
  return `${componentNouns[getSpace(declaration)]} ${key}`;
}

/** The nouns with which messages refer to components. */
export const componentNouns: Readonly<Record<SymbolSpace, string>> = {
  element: "element",
  attribute: "attribute",
  type: "type",
  group: "group",
  attributeGroup: "attribute group",
  notation: "notation",
};

/** The codes of diagnostics about references to unknown components. */
export const unknownNameCodes: Readonly<Record<SymbolSpace, Code>> = {
  type: "XSD023",
  element: "XSD024",
  attribute: "XSD025",
  group: "XSD026",
  attributeGroup: "XSD027",
  notation: "XSD029",
};

interface RedefinitionContext {
  readonly symbols: MutableSymbols;
  readonly diagnostics: Diagnostics;
  readonly appliedDocuments: Set<NamespacedDocument>;
}

/** Replaces the declarations that a document redefines. The redefinitions of included documents are applied first. */
function applyRedefinitions(document: NamespacedDocument, context: RedefinitionContext): void {
  if (context.appliedDocuments.has(document)) {
    return;
  }
  context.appliedDocuments.add(document);
  for (const includedDocument of document.includedDocuments) {
    applyRedefinitions(includedDocument, context);
  }
  for (const { target } of document.redefined) {
    applyRedefinitions(target, context);
  }
  for (const { redefine: element, target } of document.redefined) {
    for (const redefinition of element.redefinitions) {
      redefine(redefinition, { document, target, context });
    }
  }
}

function redefine(
  declaration: Redefinition,
  {
    document,
    target,
    context,
  }: {
    readonly document: NamespacedDocument;
    readonly target: NamespacedDocument;
    readonly context: RedefinitionContext;
  },
): void {
  const table = context.symbols.get(getSpace(declaration));
  const key = getKey(declaration, document);
  const originalDeclaration = table?.get(key);
  if (originalDeclaration === undefined || !listDocumentsWithin(target).has(originalDeclaration.document)) {
    context.diagnostics.error("XSD031", getDeclaredNameSpan(declaration), {
      message: `The document ${target.schema.source.path} has no ${componentNouns[getSpace(declaration)]} ${key} to redefine.`,
    });
    return;
  }
  if (originalDeclaration.declaration.kind !== declaration.kind) {
    context.diagnostics.error("XSD031", getDeclaredNameSpan(declaration), {
      message: `A ${declaration.kind} cannot redefine the ${originalDeclaration.declaration.kind} ${key}.`,
    });
    return;
  }
  table?.set(key, { declaration, document, key, original: originalDeclaration });
}

/** Returns a document with all documents that it includes or redefines, directly or indirectly. */
function listDocumentsWithin(document: NamespacedDocument): ReadonlySet<NamespacedDocument> {
  const documents = new Set([document]);
  for (const { includedDocuments, redefined } of documents) {
    for (const target of [...includedDocuments, ...redefined.map((redefinition) => redefinition.target)]) {
      documents.add(target);
    }
  }
  return documents;
}

function getDeclaredNameSpan(declaration: Declaration): Span {
  return declaration.name?.span ?? declaration.span;
}
