import type { Diagnostics } from "../../source/diagnostics.js";
import type { JsonNode } from "../../source/json.js";
import type { Sources } from "../../source/sources.js";
import type { Span } from "../../source/span.js";
import {
  type AnswerDefinition,
  type AnswerSchema,
  type AnswerSchemaContext,
  findStringMember,
  readJsonDocument,
} from "./documents.js";
import { readAnswerSchema, reportRestrictingKeywords } from "./read-answer-schema.js";

type Definitions = ReadonlyMap<string, AnswerDefinition>;

/** Finds definitions that describe no value, because they consist only of references that lead back to them. */
class AnswerCycles {
  readonly #definitions: Definitions;
  readonly #checkedIds = new Set<string>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Follows the references from a definition. Returns one definition of each newly found cycle. */
  findFrom(start: string): readonly AnswerDefinition[] {
    const cycles: AnswerDefinition[] = [];
    const path: { readonly id: string; readonly references: string[] }[] = [];
    const idsOnPath = new Set<string>();
    const startDefinition = (id: string): void => {
      const definition = this.#definitions.get(id);
      if (definition === undefined || this.#checkedIds.has(id)) {
        return;
      }
      idsOnPath.add(id);
      path.push({ id, references: [...listReferences(definition.schema)] });
    };
    startDefinition(start);
    // A loop instead of recursion, because a chain of references may be long.
    for (let current = path.at(-1); current !== undefined; current = path.at(-1)) {
      const reference = current.references.pop();
      const definition = this.#definitions.get(current.id);
      if (reference === undefined) {
        path.pop();
        idsOnPath.delete(current.id);
        this.#checkedIds.add(current.id);
      } else if (idsOnPath.has(reference) && definition !== undefined) {
        cycles.push(definition);
      } else {
        startDefinition(reference);
      }
    }
    return cycles;
  }
}

/**
 * Returns the references that determine a schema's type. References inside properties and items are not included,
 * because they do not affect it.
 */
function listReferences({ reference, alternatives }: AnswerSchema): readonly string[] {
  return reference === undefined ? alternatives.flatMap(listReferences) : [reference];
}

interface Document {
  readonly path: string;
  /** The node to which JSON pointers are relative. */
  readonly root: JsonNode;
  readonly context: AnswerSchemaContext;
}

interface QueuedSchema {
  readonly id: string;
  readonly node: JsonNode;
  readonly document: Document;
}

/** Reads answer schemas and all schemas to which they refer, each once. */
export class AnswerSchemas {
  readonly #sources: Sources;
  readonly #diagnostics: Diagnostics;
  readonly #documents = new Map<string, Document | undefined>();
  readonly #definitions = new Map<string, AnswerDefinition>();
  readonly #cycles = new AnswerCycles(this.#definitions);
  readonly #knownIds = new Set<string>();
  readonly #queuedSchemas: QueuedSchema[] = [];

  constructor(sources: Sources, diagnostics: Diagnostics) {
    this.#sources = sources;
    this.#diagnostics = diagnostics;
  }

  /** Reads a schema file, or one schema of the file: `block.json#/$defs/link`. */
  readFile(path: string, pointer: string, reference: Span): AnswerDefinition | undefined {
    const document = this.#readDocument(path, reference);
    const id = document && this.#findSchema(document, pointer, reference);
    this.#readAll();
    return id === undefined ? undefined : this.#definitions.get(id);
  }

  /** Reads a schema in the index. Adds problems to `diagnostics`, and returns undefined if the schema is unusable. */
  readIndexSchema(path: string, root: JsonNode, diagnostics: Diagnostics): AnswerDefinition | undefined {
    const document = this.#getDocument({ path, root, isUserFile: false, diagnostics });
    const id = this.#queueSchema(document, root);
    this.#readAll();
    return this.#definitions.get(id);
  }

  /** Returns the definition with the given id. Every `reference` in a schema is the id of a definition. */
  findDefinition(id: string): AnswerDefinition | undefined {
    return this.#definitions.get(id);
  }

  /** Reports the keywords that generated types do not express. Must be called after all files have been read. */
  reportRestrictingKeywords(): void {
    for (const document of this.#documents.values()) {
      if (document !== undefined) {
        reportRestrictingKeywords(document.context);
      }
    }
  }

  #readDocument(path: string, referenceSpan: Span): Document | undefined {
    if (this.#documents.has(path)) {
      return this.#documents.get(path);
    }
    const source = this.#sources.readText(path, { reference: referenceSpan, expected: "a JSON Schema" });
    const root = source && readJsonDocument(source, this.#sources.limits, this.#diagnostics);
    const document = root && this.#getDocument({ path, root, isUserFile: true, diagnostics: this.#diagnostics });
    this.#documents.set(path, document);
    return document;
  }

  #getDocument({
    path,
    root,
    isUserFile,
    diagnostics,
  }: Omit<Document, "context"> & Pick<AnswerSchemaContext, "isUserFile" | "diagnostics">) {
    const document: Document = {
      path,
      root,
      context: {
        diagnostics,
        isUserFile,
        foundRestrictions: new Map(),
        refer: (reference, from) => this.#resolveReference(reference, from, document),
      },
    };
    return document;
  }

  #resolveReference(reference: string, referenceSpan: Span, document: Document): string | undefined {
    const [location = "", pointer = ""] = splitReference(reference);
    if (location === "") {
      return this.#findSchema(document, pointer, referenceSpan);
    }
    const path = this.#sources.resolvePath(location, referenceSpan);
    const otherDocument = path === undefined ? undefined : this.#readDocument(path, referenceSpan);
    return otherDocument && this.#findSchema(otherDocument, pointer, referenceSpan);
  }

  #findSchema(document: Document, pointer: string, referenceSpan: Span): string | undefined {
    const node = findNodeAt(document.root, pointer);
    if (node !== undefined) {
      return this.#queueSchema(document, node);
    }
    document.context.diagnostics.error("ANS006", referenceSpan, {
      message: `The file ${document.path} has no value at ${JSON.stringify(pointer)}.`,
    });
    return undefined;
  }

  #queueSchema(document: Document, node: JsonNode): string {
    const id = `${document.path}#${node.pointer}`;
    if (!this.#knownIds.has(id)) {
      this.#queuedSchemas.push({ id, node, document });
    }
    this.#knownIds.add(id);
    return id;
  }

  /** Reads the queued schemas, with a loop instead of recursion, because schemas may refer to each other in cycles. */
  #readAll(): void {
    const finishedSchemas: QueuedSchema[] = [];
    for (
      let queuedSchema = this.#queuedSchemas.shift();
      queuedSchema !== undefined;
      queuedSchema = this.#queuedSchemas.shift()
    ) {
      const { id, node, document } = queuedSchema;
      this.#definitions.set(id, {
        id,
        name: getDefinitionName(node, document),
        schema: readAnswerSchema(node, document.context),
      });
      finishedSchemas.push(queuedSchema);
    }
    for (const { id, document } of finishedSchemas) {
      for (const { schema } of this.#cycles.findFrom(id)) {
        document.context.diagnostics.error("ANS010", schema.span, {
          message: "This schema consists only of references that lead back to it, so it describes no value.",
        });
      }
    }
  }
}

/** Splits a reference at its first `#`, which begins the fragment (RFC 3986 §3.5). */
export function splitReference(reference: string): readonly [location: string, pointer: string] {
  const hashIndex = reference.indexOf("#");
  if (hashIndex < 0) {
    return [reference, ""];
  }
  return [reference.slice(0, hashIndex), decodeFragment(reference.slice(hashIndex + 1))];
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Finds the node to which a JSON pointer refers (RFC 6901 §4). */
function findNodeAt(root: JsonNode, pointer: string): JsonNode | undefined {
  if (pointer !== "" && !pointer.startsWith("/")) {
    return undefined;
  }
  let node: JsonNode | undefined = root;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (node?.kind === "object") {
      node = node.members.get(name)?.value;
    } else if (node?.kind === "array" && /^\d+$/.test(name)) {
      node = node.items[Number(name)];
    } else {
      return undefined;
    }
  }
  return node;
}

function getDefinitionName(node: JsonNode, { root, path, context }: Document): string {
  const key = /\/(?:\$defs|definitions)\/([^/]+)$/.exec(node.pointer)?.[1];
  if (key !== undefined) {
    return key.replaceAll("~1", "/").replaceAll("~0", "~");
  }
  const title = node.kind === "object" ? findStringMember(node, "title") : undefined;
  if (title !== undefined && title !== "") {
    return title;
  }
  if (node !== root) {
    return node.pointer.slice(node.pointer.lastIndexOf("/") + 1);
  }
  return context.isUserFile ? path.slice(path.lastIndexOf("/") + 1).replace(/(?:\.schema)?\.json$/i, "") : "";
}
