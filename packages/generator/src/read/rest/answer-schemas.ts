import { suggestName } from "@bothends/xml";
import type { JsonValue } from "../../model/rest.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type JsonMember, type JsonNode, toJsonValue } from "../../source/json.js";
import type { Sources } from "../../source/sources.js";
import type { Span } from "../../source/span.js";
import {
  type AnswerDefinition,
  type AnswerProperty,
  type AnswerSchema,
  type AnswerSchemaContext,
  findStringMember,
  type JsonTypeName,
  readJsonDocument,
  readList,
  readMembers,
  reportWrongType,
} from "./documents.js";
import { readEnum, readFormat, readTypes } from "./read-endpoint.js";

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

/** The JSON Schema keywords that determine the type of a value. */
const typeKeywords = new Set(
  (
    "$ref type properties required items enum const additionalProperties patternProperties oneOf anyOf title description " +
    "context readonly readOnly format $defs definitions"
  ).split(" "),
);

/** The JSON Schema keywords for documentation and tools, which do not affect types. */
const annotationKeywords = new Set(
  (
    "$schema $id id $comment comment examples example default deprecated writeOnly links contentEncoding contentMediaType " +
    "$vocabulary"
  ).split(" "),
);

/**
 * The JSON Schema keywords that restrict values more than a type can. A type generated without them is still correct.
 */
const restrictingKeywords = new Set(
  (
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems " +
    "minProperties maxProperties contains minContains maxContains propertyNames"
  ).split(" "),
);

/**
 * The unsupported JSON Schema keywords. They affect the type of a value, so a type generated without them would be
 * wrong.
 */
const unsupportedKeywords = new Set(
  (
    "allOf not if then else prefixItems additionalItems dependencies dependentRequired dependentSchemas unevaluatedItems " +
    "unevaluatedProperties $dynamicRef $recursiveRef $anchor $dynamicAnchor extends disallow contentSchema"
  ).split(" "),
);

/** Reports all keywords of a file that restrict values, in one diagnostic. */
export function reportRestrictingKeywords({ foundRestrictions, diagnostics }: AnswerSchemaContext): void {
  const [firstSpan] = foundRestrictions.values();
  if (firstSpan === undefined) {
    return;
  }
  const names = [...foundRestrictions.keys()].map((name) => `"${name}"`);
  diagnostics.info("ANS003", firstSpan, {
    message: `The generated types do not express these keywords of the file: ${names.join(", ")}.`,
  });
}

/** Reads an answer schema. Its references are resolved by `context.refer`. */
export function readAnswerSchema(node: JsonNode, context: AnswerSchemaContext): AnswerSchema {
  const { diagnostics } = context;
  if (node.kind === "scalar" && node.value === true) {
    return createAnySchema(node);
  }
  const members = readMembers(node, diagnostics);
  if (members === undefined || node.kind !== "object") {
    return createAnySchema(node);
  }
  checkKeywords(members, context);
  const findMemberValue = (name: string) => members.get(name)?.value;
  const constant = findMemberValue("const");
  return {
    span: node.span,
    description: findStringMember(node, "description"),
    reference: readReference(findMemberValue("$ref"), context),
    types: readTypes(findMemberValue("type"), diagnostics) ?? findImpliedType(members),
    enum: constant === undefined ? readEnum(findMemberValue("enum"), diagnostics) : [constant],
    items: readItems(findMemberValue("items"), context),
    properties: readProperties(members, context),
    additional: readAdditional(members, context),
    alternatives: readAlternatives(findMemberValue("oneOf") ?? findMemberValue("anyOf"), context),
    contexts: readContexts(findMemberValue("context"), context),
    readOnly: isTrue(findMemberValue("readOnly")) || isTrue(findMemberValue("readonly")),
    format: readFormat(members),
    restrictions: readRestrictions(members),
  };
}

/** Reports the unsupported keywords of a schema, and collects the keywords that restrict values. */
function checkKeywords(members: ReadonlyMap<string, JsonMember>, context: AnswerSchemaContext): void {
  for (const { name, nameSpan } of members.values()) {
    if (typeKeywords.has(name) || annotationKeywords.has(name)) {
      continue;
    }
    if (unsupportedKeywords.has(name)) {
      context.diagnostics.error("ANS002", nameSpan, { message: `The keyword "${name}" is not supported.` });
    } else if (restrictingKeywords.has(name)) {
      if (!context.foundRestrictions.has(name)) {
        context.foundRestrictions.set(name, nameSpan);
      }
    } else if (context.isUserFile) {
      context.diagnostics.warning("ANS004", nameSpan, {
        message: `The member "${name}" is not a JSON Schema keyword.`,
        help: suggestName(name, typeKeywords),
      });
    }
  }
}

function readRestrictions(members: ReadonlyMap<string, JsonMember>): ReadonlyMap<string, JsonValue> {
  const restrictions = [...members.values()].flatMap(({ name, value }): readonly (readonly [string, JsonValue])[] => {
    const isClosed = name === "additionalProperties" && isFalse(value);
    return restrictingKeywords.has(name) || name === "default" || isClosed ? [[name, toJsonValue(value)]] : [];
  });
  return new Map(restrictions);
}

/** Returns a schema that allows every value. */
export function createAnySchema({ span }: Pick<JsonNode, "span">): AnswerSchema {
  return {
    span,
    description: undefined,
    reference: undefined,
    types: undefined,
    enum: undefined,
    items: undefined,
    properties: [],
    additional: [],
    alternatives: [],
    contexts: undefined,
    readOnly: false,
    format: undefined,
    restrictions: new Map(),
  };
}

/**
 * Returns the type that WordPress assumes for a schema without `type`: object if the schema has properties, array if
 * the schema has items.
 */
function findImpliedType(members: ReadonlyMap<string, JsonMember>): readonly JsonTypeName[] | undefined {
  if (members.has("type")) {
    return undefined;
  }
  if (members.has("properties") || members.has("patternProperties")) {
    return ["object"];
  }
  return members.has("items") ? ["array"] : undefined;
}

function readReference(node: JsonNode | undefined, context: AnswerSchemaContext): string | undefined {
  if (node === undefined) {
    return undefined;
  }
  if (node.kind === "scalar" && typeof node.value === "string") {
    return context.refer(node.value, node.span);
  }
  return reportWrongType(node, "a string", context.diagnostics);
}

function readItems(node: JsonNode | undefined, context: AnswerSchemaContext): AnswerSchema | undefined {
  if (node?.kind !== "array") {
    return node && readAnswerSchema(node, context);
  }
  if (node.items.length === 0) {
    return undefined;
  }
  if (!context.isUserFile) {
    return reportWrongType(node, "a schema", context.diagnostics);
  }
  context.diagnostics.error("ANS002", node.span, { message: 'A list of schemas under "items" is not supported.' });
  return undefined;
}

function readProperties(
  members: ReadonlyMap<string, JsonMember>,
  context: AnswerSchemaContext,
): readonly AnswerProperty[] {
  const node = members.get("properties")?.value;
  const properties = node === undefined ? undefined : readMembers(node, context.diagnostics);
  const requiredNode = members.get("required")?.value;
  const requiredNames = new Set(
    requiredNode?.kind === "array"
      ? requiredNode.items.map((item) => (item.kind === "scalar" ? item.value : null))
      : [],
  );
  for (const item of requiredNode?.kind === "array" ? requiredNode.items : []) {
    const isProperty = item.kind === "scalar" && typeof item.value === "string" && properties?.has(item.value);
    if (isProperty !== true && context.isUserFile) {
      context.diagnostics.error("ANS005", item.span, {
        message: `The value at ${item.pointer} does not name a property of this schema.`,
      });
    }
  }
  return [...(properties?.values() ?? [])].map(({ name, value }) => ({
    name,
    isListed: requiredNames.has(name),
    isMarked: value.kind === "object" && isTrue(value.members.get("required")?.value),
    schema: readAnswerSchema(value, context),
  }));
}

/**
 * Reads the schemas of additional members. `additionalProperties: false` has no effect, because servers send additional
 * members anyway.
 */
function readAdditional(
  members: ReadonlyMap<string, JsonMember>,
  context: AnswerSchemaContext,
): readonly AnswerSchema[] {
  const additional = members.get("additionalProperties")?.value;
  const patterns = members.get("patternProperties")?.value;
  const additionalSchemas =
    additional === undefined || isFalse(additional) ? [] : [readAnswerSchema(additional, context)];
  const patternMembers =
    patterns === undefined ? [] : [...(readMembers(patterns, context.diagnostics)?.values() ?? [])];
  return [...additionalSchemas, ...patternMembers.map(({ value }) => readAnswerSchema(value, context))];
}

function readAlternatives(node: JsonNode | undefined, context: AnswerSchemaContext): readonly AnswerSchema[] {
  if (node === undefined) {
    return [];
  }
  return (readList(node, context.diagnostics) ?? []).map((member) => readAnswerSchema(member, context));
}

function readContexts(node: JsonNode | undefined, { diagnostics }: AnswerSchemaContext): readonly string[] | undefined {
  if (node === undefined) {
    return undefined;
  }
  return readList(node, diagnostics)?.flatMap((item) =>
    item.kind === "scalar" && typeof item.value === "string" ? [item.value] : [],
  );
}

function isTrue(node: JsonNode | undefined): boolean {
  return node?.kind === "scalar" && node.value === true;
}

function isFalse(node: JsonNode): boolean {
  return node.kind === "scalar" && node.value === false;
}
