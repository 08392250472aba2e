import { decodeXml, readTree, schemaLimits, type XmlElement, XmlError, type XmlLimits } from "@bothends/xml";
import { describeNonXml, describeRoot, type UnexpectedFile } from "../source/unexpected-files.js";
import { isXsdNamespace, wsdlNamespace } from "../source/xml-names.js";
import { isWellKnown } from "./xsd/well-known/index.js";

/**
 * A document and the locations that it imports. Used by programs that copy documents, such as `bothends fetch`, and not
 * by the generator.
 */
export interface ImportingDocument {
  readonly kind: "document";
  readonly text: string;
  readonly root: "wsdl" | "schema" | "other";
  /** The content of the document as named in messages: `a WSDL 2.0 description`. */
  readonly description: string;
  /** The help for a document that is neither a WSDL nor a schema; undefined if its root element is not known. */
  readonly help: string | undefined;
  readonly imports: readonly ImportLocation[];
}

/** The location of a `wsdl:import`, `xs:import`, `xs:include` or `xs:redefine`. */
export interface ImportLocation {
  readonly location: string;
  /** The offsets at which the attribute's value starts and ends in the document, without its quotes. */
  readonly start: number;
  readonly end: number;
  /** Whether the generator has a built-in schema for the imported namespace. */
  readonly isBuiltin: boolean;
}

/** A document that cannot be read as XML. */
export interface UnreadableDocument {
  readonly kind: "problem";
  readonly message: string;
  readonly help: string | undefined;
  /** The kind of the received document; absent unless the help suggests fetching the document again. */
  readonly receivedKind?: UnexpectedFile["receivedKind"];
}

/** Finds the imports of a document (WSDL 1.1 §2.1.1, XSD Part 1 §4.2). Nothing else in it is checked. */
export function readImportLocations(
  bytes: Uint8Array,
  limits: XmlLimits = schemaLimits,
): ImportingDocument | UnreadableDocument {
  const unexpectedFile = describeNonXml(bytes);
  if (unexpectedFile !== undefined) {
    const { description, ...file } = unexpectedFile;
    return { kind: "problem", message: `The file is ${description}.`, ...file };
  }
  try {
    const text = decodeXml(bytes);
    const root = readTree(text, limits);
    const { namespace, localName } = root;
    const isWsdl = namespace === wsdlNamespace && localName === "definitions";
    const isSchema = isXsdNamespace(namespace) && localName === "schema";
    return {
      kind: "document",
      text,
      root: isWsdl ? "wsdl" : isSchema ? "schema" : "other",
      ...describeRoot(root),
      imports: listLocationsIn(root),
    };
  } catch (error) {
    if (!(error instanceof XmlError)) {
      throw error;
    }
    return {
      kind: "problem",
      message: `Line ${error.line}, column ${error.column}: ${error.message}`,
      help: undefined,
    };
  }
}

function listLocationsIn(element: XmlElement): readonly ImportLocation[] {
  const ownLocation = findLocation(element);
  const innerLocations = element.children.flatMap((child) => (child.kind === "element" ? listLocationsIn(child) : []));
  return ownLocation === undefined ? innerLocations : [ownLocation, ...innerLocations];
}

function findLocation(element: XmlElement): ImportLocation | undefined {
  const name = getNameOfLocation(element);
  const attribute = element.attributes.find(({ localName, namespace }) => localName === name && namespace === "");
  if (name === undefined || attribute === undefined || attribute.value.trim() === "") {
    return undefined;
  }
  const namespaceAttribute = element.attributes.find(
    ({ localName, namespace }) => localName === "namespace" && namespace === "",
  );
  return {
    location: attribute.value.trim(),
    start: attribute.valueStart,
    end: attribute.valueEnd,
    isBuiltin:
      element.localName === "import" && namespaceAttribute !== undefined && isWellKnown(namespaceAttribute.value),
  };
}

function getNameOfLocation({ namespace, localName }: XmlElement): string | undefined {
  if (namespace === wsdlNamespace && localName === "import") {
    return "location";
  }
  return isXsdNamespace(namespace) && /^(?:import|include|redefine)$/.test(localName) ? "schemaLocation" : undefined;
}
