import type { XmlElement } from "@bothends/xml";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { SourceText } from "../../source/span.js";
import { collapse } from "./attribute-values.js";
import { checkGrammar } from "./check-grammar.js";
import type { Declaration, Import, Include, Notation, Redefine, Redefinition, Schema, Word } from "./documents.js";
import { readAttributeDeclaration, readAttributeGroup } from "./read-attributes.js";
import { readComplexType } from "./read-complex-type.js";
import { readGlobalElement } from "./read-element.js";
import { readGroup } from "./read-particle.js";
import { readSimpleType } from "./read-simple-type.js";
import { type DocumentContext, XsdElement } from "./xsd-element.js";

/** A `<schema>` element to read: a document's root, or one in the types of a WSDL. */
export interface SchemaElement {
  readonly element: XmlElement;
  readonly source: SourceText;
  readonly inline: boolean;
}

/** Reads one `<schema>` element, alone (XSD 1.0 Part 1 §3.15.2). What it includes and imports is read by `readSchemas`. */
export function readSchema(
  { element, source, inline }: SchemaElement,
  { diagnostics, descriptionChars }: { readonly diagnostics: Diagnostics; readonly descriptionChars: number },
): Schema {
  checkGrammar(element, source, diagnostics);
  const context = readContext(element, { source, diagnostics, descriptionChars });
  const schema = new XsdElement(element, context);
  const namespace = schema.word("targetNamespace");
  if (namespace?.text === "") {
    diagnostics.breach("XSD004", schema.span, {
      message: 'targetNamespace="" names no namespace.',
      help: "Remove it.",
    });
  }
  const includes: Include[] = [];
  const imports: Import[] = [];
  const redefines: Redefine[] = [];
  const declarations: Declaration[] = [];
  for (const child of schema.children) {
    if (child.localName === "include") push(includes, readInclude(child));
    else if (child.localName === "import") readImport(child, { imports, includes });
    else if (child.localName === "redefine") push(redefines, readRedefine(child));
    else push(declarations, readDeclaration(child));
  }
  return {
    ...schema.declared,
    source,
    element,
    inline,
    targetNamespace: context.targetNamespace,
    referenced: context.referenced,
    includes,
    imports,
    redefines,
    declarations,
  };
}

function readContext(
  element: XmlElement,
  document: Pick<DocumentContext, "source" | "diagnostics" | "descriptionChars">,
): DocumentContext {
  const text = (localName: string) => {
    const attribute = element.attributes.find((one) => one.localName === localName && one.namespace === "");
    return attribute && collapse(attribute.value);
  };
  const targetNamespace = text("targetNamespace");
  return {
    ...document,
    targetNamespace: targetNamespace === "" ? undefined : targetNamespace,
    elementsQualified: text("elementFormDefault") === "qualified",
    attributesQualified: text("attributeFormDefault") === "qualified",
    blockDefault: text("blockDefault") ?? "",
    finalDefault: text("finalDefault") ?? "",
    referenced: new Set(),
  };
}

function readInclude(element: XsdElement): Include | undefined {
  const location = element.word("schemaLocation");
  return location && { ...element.declared, kind: "include", location };
}

function readImport(
  element: XsdElement,
  { imports, includes }: { readonly imports: Import[]; readonly includes: Include[] },
): void {
  const namespace = element.word("namespace");
  const location = element.word("schemaLocation");
  // §4.2.3: a schema imports other namespaces than its own, and "none" is one of them.
  if ((namespace?.text ?? "") !== (element.context.targetNamespace ?? "")) {
    imports.push({ ...element.declared, kind: "import", namespace: namespace?.text, location });
    return;
  }
  reportOwnImport(element, { namespace, location });
  if (location !== undefined && element.context.diagnostics.tolerance === "lenient") {
    includes.push({ ...element.declared, kind: "include", location });
  }
}

function reportOwnImport(
  element: XsdElement,
  { namespace, location }: { readonly namespace: Word | undefined; readonly location: Word | undefined },
): void {
  element.context.diagnostics.unresolved("XSD012", namespace?.span ?? element.span, {
    message:
      element.context.targetNamespace === undefined
        ? "A schema without a target namespace imports none."
        : "A schema imports its own target namespace.",
    help: "Include the document, or name another namespace.",
    instead: location === undefined ? "It is left out." : "The document is included.",
  });
}

function readRedefine(element: XsdElement): Redefine | undefined {
  const location = element.word("schemaLocation");
  const redefinitions: Redefinition[] = [];
  for (const child of element.children) {
    const declaration = readDeclaration(child);
    if (declaration === undefined) continue;
    if (isRedefinition(declaration)) redefinitions.push(declaration);
  }
  return location && { ...element.declared, kind: "redefine", location, redefinitions };
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
    element.context.diagnostics.breach("XSD003", element.span, {
      message: '<notation> has neither "public" nor "system".',
    });
  }
  return {
    ...element.declared,
    kind: "notation",
    name: element.name(),
    publicId: element.word("public")?.text,
    systemId: element.word("system")?.text,
  };
}

function isRedefinition(declaration: Declaration): declaration is Redefinition {
  return declaration.kind !== "element" && declaration.kind !== "attribute" && declaration.kind !== "notation";
}

function push<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item);
}
