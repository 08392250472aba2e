import type { XmlElement } from "@bothends/xml";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { Sources, XmlDocument } from "../../source/sources.js";
import { spanOf } from "../../source/xml-span.js";
import type { Import, Include, Redefine, Schema } from "./documents.js";
import { isXsdNamespace } from "./namespaces.js";
import { readSchema, type SchemaElement } from "./read-schema.js";
import { isWellKnown, wellKnownSchema } from "./well-known/index.js";

/** Schema documents and what they include and import, each read once. */
export interface SchemaDocuments {
  /** Those that were asked for, in order. */
  readonly roots: readonly Schema[];
  /** All, roots first. */
  readonly all: readonly Schema[];
  /** Where an include, redefine or import leads; absent where it names no location, or none that could be read. */
  readonly targets: ReadonlyMap<Include | Redefine | Import, Schema>;
}

/** Who else refers to components, such as a WSDL: namespaces that it names, so that well-known ones are brought along. */
export interface ReadSchemasOptions {
  readonly namespaces?: Iterable<string>;
}

/** Reads schemas and everything that they include, redefine and import, cycles too. */
export function readSchemas(
  roots: readonly SchemaElement[],
  { sources, diagnostics }: { readonly sources: Sources; readonly diagnostics: Diagnostics },
  options: ReadSchemasOptions = {},
): SchemaDocuments {
  const known = new Map<XmlElement, Schema>();
  const targets = new Map<Include | Redefine | Import, Schema>();
  const read = (root: SchemaElement): Schema => {
    const before = known.get(root.element);
    if (before !== undefined) return before;
    const schema = readSchema(root, { diagnostics, descriptionChars: sources.limits.descriptionChars });
    known.set(root.element, schema);
    return schema;
  };
  const rootSchemas = roots.map(read);
  // Iterating over a map visits what is added meanwhile.
  for (const schema of known.values()) {
    for (const link of [...schema.includes, ...schema.redefines, ...schema.imports]) {
      const document = follow(link, sources);
      if (document !== undefined) targets.set(link, read({ ...document, inline: false }));
    }
  }
  // What is brought along may refer to other schemas that are.
  let missing = missingWellKnown(known.values(), options.namespaces ?? []);
  while (missing.length > 0) {
    for (const root of missing.map(wellKnownSchema)) if (root !== undefined) read(root);
    missing = missingWellKnown(known.values(), []);
  }
  return { roots: rootSchemas, all: [...known.values()], targets };

  function follow(
    link: Include | Redefine | Import,
    from: Sources,
  ): { element: XmlElement; source: XmlDocument["source"] } | undefined {
    if (link.location === undefined) return undefined;
    const namespace = link.kind === "import" ? (link.namespace ?? "") : "";
    const document = from.follow(link.location.text, {
      from: link.location.span,
      expected: "an XML Schema document",
      standIn: isWellKnown(namespace) ? `the schema brought along for ${namespace}` : undefined,
    });
    if (document === undefined) return undefined;
    const { root, source } = document;
    if (root.localName === "schema" && isXsdNamespace(root.namespace)) return { element: root, source };
    diagnostics.error("SRC004", spanOf(source, root), {
      message: `Not an XML Schema document (found <${root.localName}>${root.namespace === "" ? "" : ` of ${root.namespace}`}).`,
    });
    return undefined;
  }
}

/** Well-known namespaces that somebody names, and that no document declares. */
function missingWellKnown(schemas: Iterable<Schema>, others: Iterable<string>): readonly string[] {
  const named = new Set(others);
  const declared = new Set<string>();
  for (const schema of schemas) {
    declared.add(schema.targetNamespace ?? "");
    for (const link of schema.imports) named.add(link.namespace ?? "");
    for (const namespace of schema.referenced) named.add(namespace);
  }
  return [...named].filter((namespace) => isWellKnown(namespace) && !declared.has(namespace)).sort();
}
