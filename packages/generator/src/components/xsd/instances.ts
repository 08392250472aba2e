import type { Import, Include, Redefine, Schema } from "../../read/xsd/documents.js";
import type { SchemaDocuments } from "../../read/xsd/read-schemas.js";
import type { Diagnostics } from "../../source/diagnostics.js";

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
