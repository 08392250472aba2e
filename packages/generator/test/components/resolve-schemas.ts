import { resolveSchema } from "../../src/components/xsd/resolve/schema.js";
import type { SchemaComponents } from "../../src/components/xsd/schema-components.js";
import { readSchemas } from "../../src/read/xsd/read-schemas.js";
import { catalogue } from "../../src/source/catalogue/index.js";
import { type Diagnostic, Diagnostics, type Strictness, sortDiagnostics } from "../../src/source/diagnostics.js";
import { type ReadFile, Sources } from "../../src/source/sources.js";
import { getPosition, type Span } from "../../src/source/span.js";

/** The span of references in the tests. */
export const rootSpan: Span = { source: { path: "bothends.json", text: "" }, start: 0, end: 0 };

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Resolved {
  readonly schema: SchemaComponents;
  readonly diagnostics: Diagnostics;
}

/** Reads files from a table of texts. */
export function filesOf(files: Files): ReadFile {
  return (path) => {
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    if (file === undefined) {
      return { kind: "problem", problem: "missing", message: "no such file" };
    }
    return { kind: "file", bytes: typeof file === "string" ? new TextEncoder().encode(file) : file };
  };
}

/** Resolves documents. */
export function resolveFiles(
  readFile: ReadFile,
  roots: readonly string[],
  strictness: Strictness = "default",
): Resolved {
  const diagnostics = new Diagnostics(strictness);
  const sources = new Sources({ readFile, diagnostics });
  const documents = roots.flatMap((path) => {
    const document = sources.readXml(path, { reference: rootSpan, expected: "an XML Schema document" });
    return document === undefined ? [] : [{ element: document.root, source: document.source, inline: false }];
  });
  return { schema: resolveSchema(readSchemas(documents, { sources, diagnostics }), diagnostics), diagnostics };
}

/** Resolves the first file, with the others as its imports. */
export function resolve(files: Files, strictness: Strictness = "default"): Resolved {
  return resolveFiles(filesOf(files), Object.keys(files).slice(0, 1), strictness);
}

/** A document with the namespace `urn:a`, on one line, with the prefixes `t` for it and `x` for XSD. */
export function inSchema(declarations: string, attributes = 'elementFormDefault="qualified"'): string {
  return (
    '<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:a" targetNamespace="urn:a" ' +
    `${attributes}>${declarations}</x:schema>`
  );
}

/** Resolves declarations in `urn:a`. */
export function resolveText(declarations: string, strictness: Strictness = "default"): Resolved {
  return resolve({ "a.xsd": inSchema(declarations) }, strictness);
}

/** `a.xsd:1:5 error xsd.unknown-type: …`, in the order of positions. */
export function reports({ diagnostics }: Resolved): readonly string[] {
  return sortDiagnostics(diagnostics.all).map(reportText);
}

/** The kinds of reports: `error xsd.unknown-type`. */
export function kinds({ diagnostics }: Resolved): readonly string[] {
  return sortDiagnostics(diagnostics.all).map(({ severity, code }) => `${severity} ${catalogue[code].kind}`);
}

function reportText({ span, severity, code, message }: Diagnostic): string {
  const { line, column } = getPosition(span.source, span.start);
  return `${span.source.path}:${line}:${column} ${severity} ${catalogue[code].kind}: ${message}`;
}
