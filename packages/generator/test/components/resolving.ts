import { resolveSchema } from "../../src/components/xsd/resolve-schema.js";
import type { SchemaComponents } from "../../src/components/xsd/schema-components.js";
import { readSchemas } from "../../src/read/xsd/read-schemas.js";
import { catalogue } from "../../src/source/catalogue/index.js";
import { type Diagnostic, Diagnostics, sortDiagnostics, type Tolerance } from "../../src/source/diagnostics.js";
import { type ReadFile, Sources } from "../../src/source/sources.js";
import { positionOf, type Span } from "../../src/source/span.js";

/** Where the tests ask from. */
export const asker: Span = { source: { path: "bothends.json", text: "" }, start: 0, end: 0 };

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Resolved {
  readonly schema: SchemaComponents;
  readonly diagnostics: Diagnostics;
}

/** Files out of a table of texts. */
export function filesOf(files: Files): ReadFile {
  return (path) => {
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    if (file === undefined) return { kind: "problem", problem: "missing", message: "no such file" };
    return { kind: "file", bytes: typeof file === "string" ? new TextEncoder().encode(file) : file };
  };
}

/** The schema of some documents, and all that is wrong with it. */
export function resolveFiles(readFile: ReadFile, roots: readonly string[], tolerance: Tolerance = "usual"): Resolved {
  const diagnostics = new Diagnostics(tolerance);
  const sources = new Sources({ readFile, diagnostics });
  const documents = roots.flatMap((path) => {
    const document = sources.readXml(path, { from: asker, expected: "an XML Schema document" });
    return document === undefined ? [] : [{ element: document.root, source: document.source, inline: false }];
  });
  return { schema: resolveSchema(readSchemas(documents, { sources, diagnostics }), diagnostics), diagnostics };
}

/** The schema of the first of some files. */
export function resolve(files: Files, tolerance: Tolerance = "usual"): Resolved {
  return resolveFiles(filesOf(files), Object.keys(files).slice(0, 1), tolerance);
}

/** A document of namespace `urn:a`, on one line, with `t:` for it and `x:` for XSD. */
export function inSchema(declarations: string, attributes = 'elementFormDefault="qualified"'): string {
  return (
    '<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:a" targetNamespace="urn:a" ' +
    `${attributes}>${declarations}</x:schema>`
  );
}

/** The schema of declarations in `urn:a`. */
export function resolveText(declarations: string, tolerance: Tolerance = "usual"): Resolved {
  return resolve({ "a.xsd": inSchema(declarations) }, tolerance);
}

/** `a.xsd:1:5 error xsd.unknown-type: …`, in the order of places. */
export function told({ diagnostics }: Resolved): readonly string[] {
  return sortDiagnostics(diagnostics.all).map(tell);
}

/** The kinds of what is wrong: `error xsd.unknown-type`. */
export function kinds({ diagnostics }: Resolved): readonly string[] {
  return sortDiagnostics(diagnostics.all).map(({ severity, code }) => `${severity} ${catalogue[code].kind}`);
}

function tell({ span, severity, code, message }: Diagnostic): string {
  const { line, column } = positionOf(span.source, span.start);
  return `${span.source.path}:${line}:${column} ${severity} ${catalogue[code].kind}: ${message}`;
}
