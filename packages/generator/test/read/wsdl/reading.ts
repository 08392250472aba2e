import { readWsdl, type WsdlDocuments } from "../../../src/read/wsdl/read-wsdl.js";
import { catalogue } from "../../../src/source/catalogue/index.js";
import { type Diagnostic, Diagnostics, type Strictness } from "../../../src/source/diagnostics.js";
import { type FileRead, Sources } from "../../../src/source/sources.js";
import { getPosition, type Span } from "../../../src/source/span.js";

export type Files = Readonly<Record<string, string | Uint8Array>>;

const configText = { path: "bothends.json", text: "{}" };
export const configSpan: Span = { source: configText, start: 0, end: 2 };

interface Reading {
  readonly documents: WsdlDocuments;
  readonly diagnostics: Diagnostics;
}

/** Reads WSDLs: the first of the given files, or those with the given paths. */
export function read(
  files: Files,
  paths: readonly string[] = Object.keys(files).slice(0, 1),
  strictness: Strictness = "default",
): Reading {
  const diagnostics = new Diagnostics(strictness);
  const sources = new Sources({ readFile: (path) => fileOf(files[path]), diagnostics });
  const documents = readWsdl({ wsdl: paths.map((path) => ({ path, span: configSpan })) }, sources, diagnostics);
  return { documents, diagnostics };
}

function fileOf(content: string | Uint8Array | undefined): FileRead {
  if (content === undefined) {
    return { kind: "problem", problem: "missing", message: "no such file" };
  }
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { kind: "file", bytes };
}

/** `a.wsdl:3:5 error wsdl.unknown-message: …`. */
export function reported(diagnostics: Diagnostics): readonly string[] {
  return diagnostics.all.map(reportText);
}

export function problems(diagnostics: Diagnostics): readonly string[] {
  return diagnostics.all.filter(({ severity }) => severity === "error").map(reportText);
}

function reportText({ code, severity, span, message, help }: Diagnostic): string {
  const { line, column } = getPosition(span.source, span.start);
  const more = help === undefined ? "" : ` ${help}`;
  return `${span.source.path}:${line}:${column} ${severity} ${catalogue[code].kind}: ${message}${more}`;
}

const namespaces = [
  'xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"',
  'xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"',
  'xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"',
  'xmlns:http="http://schemas.xmlsoap.org/wsdl/http/"',
  'xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/"',
  'xmlns:xs="http://www.w3.org/2001/XMLSchema"',
  'xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/"',
  'xmlns:t="urn:t"',
].join(" ");

/** A WSDL in the namespace `urn:t`, prefix `t`. */
export function wsdl(content: string, attributes = ""): string {
  return `<wsdl:definitions ${namespaces} targetNamespace="urn:t" ${attributes}>\n${content}\n</wsdl:definitions>`;
}

/** `wsdl:types` with one schema for `urn:t`. */
export function schema(content: string, attributes = 'elementFormDefault="qualified"'): string {
  return `<wsdl:types><xs:schema targetNamespace="urn:t" ${attributes}>${content}</xs:schema></wsdl:types>`;
}
