import type { XmlElement } from "@bothends/xml";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { KnownParts, XmlDocument } from "../../source/known-documents.js";
import type { SourceLimits } from "../../source/source-limits.js";
import type { Sources } from "../../source/sources.js";
import { getNameSpan, type SpannedText } from "../../source/span.js";
import { isXsdNamespace, xsdNamespace } from "../../source/xml-names.js";
import { readTargetNamespace } from "../target-namespace.js";
import { checkGrammar } from "./check-grammar.js";
import type {
  Declaration,
  Import,
  Include,
  Notation,
  Redefine,
  Redefinition,
  Schema,
  SchemaDocuments,
  SchemaElement,
} from "./documents.js";
import {
  readAttributeDeclaration,
  readAttributeGroup,
  readComplexType,
  readGlobalElement,
  readGroup,
} from "./read-elements.js";
import { readSimpleType } from "./read-simple-types.js";
import { isWellKnown, readWellKnownSchema } from "./well-known/index.js";
import { collapse, type DocumentContext, findCorrectedAttribute, XsdElement } from "./xsd-element.js";

/** A declaration, and the namespaces to which its references belong. */
interface ReadDeclaration {
  readonly declaration: Declaration;
  readonly referencedNamespaces: ReadonlySet<string>;
}

/** The declarations from earlier runs, which are reused if their elements are unchanged. */
export type KnownDeclarations = KnownParts<ReadDeclaration>;

interface ReadingContext {
  readonly diagnostics: Diagnostics;
  readonly limits: SourceLimits;
  readonly known: KnownDeclarations | undefined;
}

/** Additional namespaces whose built-in schemas are needed, for example because a WSDL refers to them. */
interface ReadSchemasOptions {
  readonly namespaces?: Iterable<string>;
}

/** Reads schemas and all documents that they include, redefine and import. Cycles are allowed. */
export function readSchemas(
  roots: readonly SchemaElement[],
  {
    sources,
    diagnostics,
    known: knownDeclarations,
  }: { readonly sources: Sources; readonly diagnostics: Diagnostics; readonly known?: KnownDeclarations | undefined },
  options: ReadSchemasOptions = {},
): SchemaDocuments {
  const schemasByElement = new Map<XmlElement, Schema>();
  const targets = new Map<Include | Redefine | Import, Schema>();
  const readOnce = (root: SchemaElement): Schema => {
    const knownSchema = schemasByElement.get(root.element);
    if (knownSchema !== undefined) {
      return knownSchema;
    }
    const schema = readSchema(root, { diagnostics, limits: sources.limits, known: knownDeclarations });
    schemasByElement.set(root.element, schema);
    return schema;
  };
  const rootSchemas = roots.map(readOnce);
  // The loop also visits schemas that `read` adds to the map during the iteration.
  for (const schema of schemasByElement.values()) {
    for (const link of [...schema.includes, ...schema.redefines, ...schema.imports]) {
      const document = readTarget(link, sources, diagnostics);
      if (document !== undefined) {
        targets.set(link, readOnce({ ...document, inline: false }));
      }
    }
  }
  // Repeated until nothing is missing, because a built-in schema may refer to other built-in schemas.
  let missingNamespaces = findMissingWellKnown(schemasByElement.values(), options.namespaces ?? []);
  while (missingNamespaces.length > 0) {
    for (const root of missingNamespaces.map(readWellKnownSchema)) {
      if (root !== undefined) {
        readOnce(root);
      }
    }
    missingNamespaces = findMissingWellKnown(schemasByElement.values(), []);
  }
  return { roots: rootSchemas, all: [...schemasByElement.values()], targets };
}

/**
 * Reads the document to which an include, redefinition or import refers. Returns undefined if there is no location, or
 * if the document cannot be read.
 */
function readTarget(
  link: Include | Redefine | Import,
  sources: Sources,
  diagnostics: Diagnostics,
): { element: XmlElement; source: XmlDocument["source"] } | undefined {
  if (link.location === undefined) {
    return undefined;
  }
  const namespace = link.kind === "import" ? (link.namespace ?? "") : "";
  const document = sources.readLocation(link.location.text, {
    reference: link.location.span,
    expected: "an XML Schema document",
    fallback: isWellKnown(namespace) ? `the built-in schema for ${namespace}` : undefined,
  });
  if (document === undefined) {
    return undefined;
  }
  const { root, source } = document;
  if (root.localName === "schema" && isXsdNamespace(root.namespace)) {
    return { element: root, source };
  }
  diagnostics.error("SRC004", getNameSpan(source, root), {
    message: `Expected an XML Schema document, but found <${root.localName}>${root.namespace === "" ? " without a namespace" : ` in the namespace ${root.namespace}`}.`,
    help:
      root.localName === "schema" && root.namespace === ""
        ? `Declare the namespace of XML Schema: xmlns="${xsdNamespace}".`
        : undefined,
  });
  return undefined;
}

/**
 * Reads one `<schema>` element (XSD 1.0 Part 1 §3.15.2). `readSchemas` reads the documents that it includes and
 * imports.
 */
function readSchema(
  { element, source, inline }: SchemaElement,
  { diagnostics, limits, known: knownDeclarations }: ReadingContext,
): Schema {
  const corrections = checkGrammar(
    element,
    { source, diagnostics, limits },
    (child) => knownDeclarations?.has(child) ?? false,
  );
  const schema = new XsdElement(element, readContext(element, { source, diagnostics, limits, corrections }));
  const { context } = schema;
  const namespace = schema.findValue("targetNamespace");
  if (namespace?.text === "") {
    diagnostics.violation("XSD004", schema.span, {
      message: "The value of targetNamespace is empty, but it must be a namespace.",
      help: "Remove the attribute.",
    });
  }
  const includes: Include[] = [];
  const imports: Import[] = [];
  const redefines: Redefine[] = [];
  const declarations: Declaration[] = [];
  const readChild =
    knownDeclarations === undefined
      ? readDeclaration
      : findKnownReader(knownDeclarations, { context, flawlessChildren: corrections.flawlessChildren });
  for (const child of schema.children) {
    if (child.localName === "include") {
      addIfDefined(includes, readInclude(child));
    } else if (child.localName === "import") {
      readImport(child, { imports, includes });
    } else if (child.localName === "redefine") {
      addIfDefined(redefines, readRedefine(child));
    } else {
      addIfDefined(declarations, readChild(child));
    }
  }
  return {
    span: schema.span,
    documentation: schema.documentation,
    source,
    element,
    inline,
    targetNamespace: context.targetNamespace,
    namespaceSpan: namespace?.span ?? schema.span,
    elementForm: {
      isQualified: context.elementsQualified,
      span: schema.findValue("elementFormDefault")?.span ?? schema.span,
    },
    referencedNamespaces: context.referencedNamespaces,
    includes,
    imports,
    redefines,
    declarations,
  };
}

function readContext(
  element: XmlElement,
  {
    source,
    diagnostics,
    limits,
    corrections,
  }: Pick<DocumentContext, "source" | "diagnostics" | "corrections"> & Pick<ReadingContext, "limits">,
): DocumentContext {
  const findAttribute = (localName: string) => findCorrectedAttribute(element, localName, corrections);
  const getText = (localName: string) => {
    const attribute = findAttribute(localName);
    return attribute && collapse(attribute.value);
  };
  const targetNamespace = readTargetNamespace(findAttribute("targetNamespace"), { source, diagnostics, limits });
  return {
    source,
    diagnostics,
    descriptionChars: limits.descriptionChars,
    corrections,
    targetNamespace: targetNamespace === "" ? undefined : targetNamespace,
    elementsQualified: getText("elementFormDefault") === "qualified",
    attributesQualified: getText("attributeFormDefault") === "qualified",
    blockDefault: getText("blockDefault") ?? "",
    finalDefault: getText("finalDefault") ?? "",
    referencedNamespaces: new Set(),
  };
}

function readDeclaration(element: XsdElement): Declaration | undefined {
  switch (element.localName) {
    case "element":
      return readGlobalElement(element);
    case "attribute":
      return readAttributeDeclaration(element);
    case "simpleType":
      return readSimpleType(element, true);
    case "complexType":
      return readComplexType(element, true);
    case "group":
      return readGroup(element);
    case "attributeGroup":
      return readAttributeGroup(element);
    case "notation":
      return readNotation(element);
    default:
      return undefined;
  }
}

function readNotation(element: XsdElement): Notation {
  if (!element.has("public") && !element.has("system")) {
    element.context.diagnostics.violation("XSD003", element.span, {
      message: '<notation> has neither "public" nor "system".',
    });
  }
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "notation",
    name: element.readName(),
    publicId: element.findValue("public")?.text,
    systemId: element.findValue("system")?.text,
  };
}

/** Returns a function that reads a declaration, or reuses the declaration from an earlier run. */
function findKnownReader(
  knownDeclarations: KnownDeclarations,
  {
    context,
    flawlessChildren,
  }: { readonly context: DocumentContext; readonly flawlessChildren: ReadonlySet<XmlElement> },
): typeof readDeclaration {
  const { diagnostics, source } = context;
  const { targetNamespace, elementsQualified, attributesQualified, blockDefault, finalDefault } = context;
  const settings = JSON.stringify([
    targetNamespace,
    elementsQualified,
    attributesQualified,
    blockDefault,
    finalDefault,
  ]);
  return ({ element }) => {
    const declaration = knownDeclarations.find(element, source, settings) ?? readAndKeep(element);
    for (const namespace of declaration?.referencedNamespaces ?? []) {
      context.referencedNamespaces.add(namespace);
    }
    return declaration?.declaration;
  };

  function readAndKeep(element: XmlElement): ReadDeclaration | undefined {
    const earlierCount = diagnostics.all.length;
    const referencedNamespaces = new Set<string>();
    const declaration = readDeclaration(new XsdElement(element, { ...context, referencedNamespaces }));
    const newDeclaration = declaration && { declaration, referencedNamespaces };
    if (newDeclaration !== undefined && diagnostics.all.length === earlierCount && flawlessChildren.has(element)) {
      knownDeclarations.keep(element, newDeclaration, settings);
    }
    return newDeclaration;
  }
}

function addIfDefined<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) {
    list.push(item);
  }
}

function readInclude(element: XsdElement): Include | undefined {
  const location = element.findValue("schemaLocation");
  return location && { span: element.span, documentation: element.documentation, kind: "include", location };
}

function readImport(
  element: XsdElement,
  { imports, includes }: { readonly imports: Import[]; readonly includes: Include[] },
): void {
  const namespace = element.findValue("namespace");
  const location = element.findValue("schemaLocation");
  // §4.2.3: a schema must not import its own target namespace. A schema without a target namespace must not import
  // names without a namespace.
  if ((namespace?.text ?? "") !== (element.context.targetNamespace ?? "")) {
    imports.push({
      span: element.span,
      documentation: element.documentation,
      kind: "import",
      namespace: namespace?.text,
      location,
    });
    return;
  }
  reportOwnImport(element, { namespace, location });
  if (location !== undefined) {
    includes.push({ span: element.span, documentation: element.documentation, kind: "include", location });
  }
}

function reportOwnImport(
  element: XsdElement,
  { namespace, location }: { readonly namespace: SpannedText | undefined; readonly location: SpannedText | undefined },
): void {
  const message =
    element.context.targetNamespace === undefined
      ? "A schema without a target namespace has an import without a namespace."
      : "A schema imports its own target namespace.";
  const consequence = location === undefined ? "The import is ignored." : "The import is read as an include.";
  element.context.diagnostics.violation("XSD012", namespace?.span ?? element.span, {
    message: `${message} ${consequence}`,
    help: location === undefined ? "Remove the import." : "Write <include> instead, or correct the namespace.",
  });
}

function readRedefine(element: XsdElement): Redefine | undefined {
  const location = element.findValue("schemaLocation");
  const redefinitions: Redefinition[] = [];
  for (const child of element.children) {
    const declaration = readDeclaration(child);
    if (declaration === undefined) {
      continue;
    }
    if (isRedefinition(declaration)) {
      redefinitions.push(declaration);
    }
  }
  return (
    location && { span: element.span, documentation: element.documentation, kind: "redefine", location, redefinitions }
  );
}

function isRedefinition(declaration: Declaration): declaration is Redefinition {
  return declaration.kind !== "element" && declaration.kind !== "attribute" && declaration.kind !== "notation";
}

/** Returns the namespaces that documents refer to but do not declare, and for which a built-in schema exists. */
function findMissingWellKnown(schemas: Iterable<Schema>, otherNamespaces: Iterable<string>): readonly string[] {
  const namespaces = new Set(otherNamespaces);
  const declaredNamespaces = new Set<string>();
  for (const schema of schemas) {
    declaredNamespaces.add(schema.targetNamespace ?? "");
    for (const link of schema.imports) {
      namespaces.add(link.namespace ?? "");
    }
    for (const namespace of schema.referencedNamespaces) {
      namespaces.add(namespace);
    }
  }
  return [...namespaces].filter((namespace) => isWellKnown(namespace) && !declaredNamespaces.has(namespace)).sort();
}
