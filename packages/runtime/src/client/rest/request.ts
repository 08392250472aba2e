import { EncodeError } from "../../answer-errors.js";
import type {
  AnyEndpointDescriptor,
  ImportedFeature,
  JsonValue,
  Method,
  PathPiece,
  PathVariable,
} from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { encodePart } from "../../protocol/http/form-encoding.js";
import type { PathPatternFeature } from "../../rest/path-pattern.js";
import { renameInPath } from "../../rest/route-paths.js";
import { describeValue } from "../../value-problems.js";
import type { ClientRequest } from "../hooks.js";
import type { RestCallOptions, Upload } from "../options.js";
import { checkArguments, checkExtraArguments, createArgumentError } from "./arguments.js";
import type { InterfaceTarget, RequestParts } from "./usual-request.js";

// This module is loaded for requests that `writeUsualRequest` cannot write, and for invalid arguments.

/** Writes the request of a call. Throws `EncodeError` or `ConfigError`. */
export async function writeRequest(
  endpoint: AnyEndpointDescriptor,
  { input, method, extra, upload, fields, embed }: RequestParts,
  { address, headers }: InterfaceTarget,
): Promise<ClientRequest> {
  checkMethod(endpoint, method);
  const uploadedFile = upload && (await readUpload(upload));
  if (typeof input !== "object" || input === null) {
    throw new EncodeError(`The input must be an object with the arguments, not ${describeValue(input)}.`, {
      path: "/",
    });
  }
  const values = new Map(checkArguments(input, endpoint.args));
  const route = writeEndpointPath(renameInPath(endpoint.path, address.wireSegments ?? []), values);
  for (const [name, value] of checkExtraArguments(extra ?? {})) {
    if (values.has(name)) {
      throw createArgumentError(
        `/${name}`,
        'The argument is in the input and in the option "extra". Remove one of them.',
      );
    }
    values.set(name, value);
  }
  const hasNoBody = method === "GET" || method === "DELETE";
  if (hasNoBody && uploadedFile !== undefined) {
    throw new ConfigError(`The option "upload" needs a method whose requests have a body, not ${method}.`);
  }
  const isInQuery = hasNoBody || uploadedFile !== undefined;
  const query = writeQuery([...(isInQuery ? values : []), ...createSelectionParameters({ fields, embed })]);
  const request = { operation: endpoint.name, method, url: address.url(route, query) };
  if (uploadedFile !== undefined) {
    return { ...request, headers: { ...headers.withoutBody, ...uploadedFile.headers }, body: uploadedFile.body };
  }
  return isInQuery || values.size === 0
    ? { ...request, headers: headers.withoutBody, body: undefined }
    : { ...request, headers: headers.withBody, body: JSON.stringify(Object.fromEntries(values)) };
}

/** Refuses a method that an endpoint does not have. */
export function checkMethod({ name, methods }: AnyEndpointDescriptor, method: Method): void {
  if (!methods.includes(method)) {
    throw new ConfigError(`The endpoint ${name} has only the methods ${methods.join(", ")}, not "${String(method)}".`);
  }
}

/** Writes the path of an endpoint with the values of its variables. Removes these values from `values`. */
export function writeEndpointPath(path: readonly PathPiece[], values: Map<string, JsonValue>): string {
  const usedVariables = new Set<string>();
  const text = writePath(path, { values, usedVariables, textBefore: "" });
  // The complete path is checked, because a segment may consist of a variable and literal text beside it.
  const dotSegment = text
    .split("/")
    .slice(1)
    .find((segment) => segment === "." || segment === "..");
  if (dotSegment !== undefined) {
    throw new EncodeError(
      'With these arguments, the path has a segment "." or "..", which an address cannot contain. Change the arguments.',
      {
        path: "/",
      },
    );
  }
  for (const name of usedVariables) {
    values.delete(name);
  }
  return text;
}

interface PathContext {
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly usedVariables: Set<string>;
  /** The text of the path before the current piece. */
  readonly textBefore: string;
}

function writePath(path: readonly PathPiece[], { values, usedVariables, textBefore }: PathContext): string {
  return path.reduce((text: string, piece) => {
    if (typeof piece === "string") {
      return text + piece.split("/").map(encodePart).join("/");
    }
    const context: PathContext = { values, usedVariables, textBefore: textBefore + text };
    if ("variable" in piece) {
      return text + formatVariable(piece, context);
    }
    const optionalPieces = piece.optional;
    return hasValue(optionalPieces, context) ? text + writePath(optionalPieces, context) : text;
  }, "");
}

/** Whether any variable in an optional part of a path has a non-empty value. */
function hasValue(pieces: readonly PathPiece[], context: PathContext): boolean {
  return pieces.some((piece) => {
    if (typeof piece === "string") {
      return false;
    }
    if ("optional" in piece) {
      return hasValue(piece.optional, context);
    }
    context.usedVariables.add(piece.variable);
    return (context.values.get(piece.variable) ?? "") !== "";
  });
}

function formatVariable(pathVariable: PathVariable, { values, usedVariables, textBefore }: PathContext): string {
  const { variable } = pathVariable;
  usedVariables.add(variable);
  const path = `/${variable}`;
  const value = values.get(variable);
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text === "") {
    throw createArgumentError(path, "The value must be a non-empty string or a number: it is part of the path.");
  }
  const segments = text.includes("/") && allowsSlashes(pathVariable, text) ? text.split("/") : [text];
  for (const [index, segment] of segments.entries()) {
    // A slash at the start of the value is allowed if it ends a segment that began before the value. Two slashes inside
    // a value are valid: `twentytwentyfive//single`.
    const isEmptyEnd = segment === "" && (index > 0 ? index === segments.length - 1 : textBefore.endsWith("/"));
    if (isEmptyEnd || segment === "." || segment === "..") {
      throw createArgumentError(
        path,
        'A segment must not be "." or "..", and the value must not begin or end with a slash.',
      );
    }
  }
  return segments.map(encodePart).join("/");
}

/** Whether the variable's pattern matches `text`, which contains slashes. */
function allowsSlashes({ pattern, by }: PathVariable, text: string): boolean {
  return pattern !== undefined && by !== undefined && isPathPatternFeature(by) && by.matches(pattern, text);
}

function isPathPatternFeature(feature: ImportedFeature<"pathPattern">): feature is PathPatternFeature {
  return "matches" in feature;
}

/**
 * Writes arguments as a query that PHP can read: a list as `k[]=a&k[]=b`, objects and lists of objects as `k[a]=b`.
 * Null, empty lists and empty objects become `k=`, which WordPress reads as an empty list.
 */
function writeQuery(values: Iterable<readonly [string, JsonValue]>): string {
  const pairs: string[] = [];
  for (const [name, value] of values) {
    writeParameter(encodePart(name), value, pairs);
  }
  return pairs.join("&");
}

function writeParameter(name: string, value: JsonValue, pairs: string[]): void {
  if (typeof value !== "object" || value === null) {
    pairs.push(`${name}=${value === null ? "" : encodePart(String(value))}`);
    return;
  }
  const countBefore = pairs.length;
  if (isJsonList(value)) {
    const isFlat = value.every((item) => typeof item !== "object" || item === null);
    for (const [index, item] of value.entries()) {
      writeParameter(`${name}%5B${isFlat ? "" : index}%5D`, item, pairs);
    }
  } else {
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) {
        writeParameter(`${name}%5B${encodePart(key)}%5D`, member, pairs);
      }
    }
  }
  if (pairs.length === countBefore) {
    pairs.push(`${name}=`);
  }
}

function isJsonList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns the query that selects members of an answer. */
export function formatFields(fields: readonly string[]): string {
  return writeQuery(createSelectionParameters({ fields }));
}

/** Returns the parameters that select members of an answer, or embed linked resources in it. */
function createSelectionParameters({
  fields,
  embed,
}: Pick<RestCallOptions, "fields" | "embed">): readonly (readonly [string, string])[] {
  const isEmbedding = embed !== undefined && embed !== false;
  // WordPress embeds resources only if the answer contains `_links`, so this field is requested too.
  const linksField = isEmbedding ? ",_links" : "";
  return [
    ...(fields === undefined ? [] : [["_fields", `${joinNames(fields, "fields")}${linksField}`] as const]),
    ...(isEmbedding ? [["_embed", embed === true ? "1" : joinNames(embed, "embed")] as const] : []),
  ];
}

function joinNames(names: readonly string[], option: string): string {
  const isInvalid = (name: unknown) => typeof name !== "string" || name === "" || name.includes(",");
  if (!Array.isArray(names) || names.length === 0 || names.some(isInvalid)) {
    throw new ConfigError(`The option "${option}" must be a non-empty list of names without commas.`);
  }
  return names.join(",");
}

/** The headers and the body of a request that sends a file. */
interface UploadRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Reads a file, and writes the headers for it (RFC 6266 §4). The name is in UTF-8, as servers expect, although HTTP
 * does not define bytes above ASCII (RFC 9110 §5.5); `checkHeaders` refuses line breaks and control characters.
 */
async function readUpload({ content, type, name }: Upload): Promise<UploadRequest> {
  if (!(content instanceof Uint8Array) && typeof Object(content).arrayBuffer !== "function") {
    throw new ConfigError('The member "content" of the option "upload" must be a Uint8Array, a Blob or a File.');
  }
  if (typeof type !== "string" || !/^[^\s/;]+\/[^\s/;]+/.test(type)) {
    throw new ConfigError('The member "type" of the option "upload" must be a media type, such as image/png.');
  }
  if (typeof name !== "string" || name === "" || /[/\\"]/.test(name)) {
    throw new ConfigError(
      'The member "name" of the option "upload" must be a file name without slashes, backslashes and quotation marks.',
    );
  }
  const bytes = Array.from(new TextEncoder().encode(name), (byte) => String.fromCharCode(byte));
  return {
    headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${bytes.join("")}"` },
    body: content instanceof Uint8Array ? content : await readBytes(content),
  };
}

/**
 * Reads a blob. In Node, `arrayBuffer` needs memory for two copies of a large file; reading the blob's stream needs
 * memory for only one.
 */
async function readBytes(blob: Exclude<Upload["content"], Uint8Array>): Promise<Uint8Array> {
  if (typeof Blob === "undefined" || !(blob instanceof Blob)) {
    return new Uint8Array(await blob.arrayBuffer());
  }
  const bytes = new Uint8Array(blob.size);
  const reader = blob.stream().getReader();
  let offset = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return bytes;
    }
    bytes.set(value, offset);
    offset += value.length;
  }
}
