import type { JsonObject, JsonValue } from "../../descriptor.js";
import { FormLimitError, type FormLimits } from "../../http/body-collector.js";
import { MultipartError } from "../../http/body-parts.js";
import { type MediaType, parseMediaType } from "../../http/media-type.js";
import { gzipCause } from "../../observe/unreadable-messages.js";
import { readMultipartForm, readPhpForm, type UploadedFile } from "../../rest/php-form.js";
import { isJsonObject, JsonBodyError, readJsonBody } from "../../rest/php-json.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import { LimitError, type ServerLimits } from "../../server-limits.js";
import { findJsonEnding } from "../../value-problems.js";
import { createConventionalError, RefusedRequest } from "./rest-errors.js";

// Reads the arguments in the body of a request: JSON, a form, or a multipart form with files.

/** The first byte of a JSON object. */
export const openingBrace = 0x7b;

const formMethods = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** The arguments and the files in a body. */
interface BodyValues {
  readonly json: JsonObject | undefined;
  readonly form: ReadonlyMap<string, JsonValue> | undefined;
  readonly files: readonly UploadedFile[];
  /** Why no arguments were read, as the rest of a sentence: `of its Content-Type`. Undefined if they were read. */
  readonly unreadCause?: string | undefined;
}

const noBody: BodyValues = { json: undefined, form: undefined, files: [] };
const otherBody: BodyValues = { ...noBody, unreadCause: "of its Content-Type" };
const plainJson: MediaType = { name: "application/json", parameters: new Map() };

interface BodyContext {
  readonly contentType: string | undefined;
  readonly method: string;
  readonly limits: ServerLimits;
  readonly conventions: RestConventions;
}

/**
 * Reads the arguments in a body. The media type decides whether it is read as JSON or as a form; a body of any other
 * type contains no arguments.
 */
export function readBodyValues(bytes: Uint8Array, context: BodyContext): BodyValues {
  const { contentType, method, limits } = context;
  if (contentType === undefined) {
    return { ...noBody, unreadCause: "it has no Content-Type, which a proxy may have removed" };
  }
  const type = contentType === "application/json" ? plainJson : parseMediaType(contentType);
  if (type === undefined) {
    return otherBody;
  }
  const { name } = type;
  if (name === "application/json" || name.endsWith("+json")) {
    const json = readJson(bytes, context);
    return { ...noBody, json, unreadCause: json === undefined ? "it is JSON, but not an object" : undefined };
  }
  // PHP reads multipart forms only for POST.
  if (name === "multipart/form-data" && method === "POST") {
    return readMultipart(bytes, type, context);
  }
  if (name !== "application/x-www-form-urlencoded" || !formMethods.has(method)) {
    return otherBody;
  }
  const text = new TextDecoder().decode(bytes);
  const form = readWithinLimits("formPairs", limits, (formLimits) => readPhpForm(text, formLimits));
  const isJson = bytes[0] === openingBrace;
  return {
    ...noBody,
    form,
    unreadCause: isJson ? "it begins like JSON, but its Content-Type is that of a form" : undefined,
  };
}

function readMultipart(bytes: Uint8Array, { parameters }: MediaType, { limits, conventions }: BodyContext): BodyValues {
  try {
    const { fields, files } = readWithinLimits("formPairs", limits, (form) =>
      readMultipartForm(bytes, parameters.get("boundary"), form),
    );
    return { json: undefined, form: fields, files };
  } catch (error) {
    if (!(error instanceof MultipartError)) {
      throw error;
    }
    if (error.hasTooManyParts) {
      throw new LimitError("formPairs", limits.formPairs);
    }
    const answer = createConventionalError("invalidMultipart", conventions);
    throw new RefusedRequest(answer, [{ reason: "The body is not a valid multipart form." }]);
  }
}

/**
 * Reads a JSON body. Returns undefined if it is not an object, because only the members of an object can be arguments.
 */
function readJson(bytes: Uint8Array, { limits, conventions }: BodyContext): JsonObject | undefined {
  try {
    const value = readJsonBody(bytes, limits);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof JsonBodyError)) {
      throw error;
    }
    const data = { json_error_code: error.code, json_error_message: error.reason };
    if (error.limit !== undefined) {
      const cause = new LimitError(error.limit, limits[error.limit]);
      throw createConventionalError("invalidJson", conventions, { data, cause });
    }
    throw new RefusedRequest(createConventionalError("invalidJson", conventions, { data }), [
      { reason: `The body is not valid JSON: ${error.reason}.${describeJsonProblem(bytes)}` },
    ]);
  }
}

/**
 * Returns a sentence with the probable cause of a body that is not JSON: it is not plain UTF-8 (RFC 8259 §8.1), is cut
 * off, or is followed by other text. Returns "" if no cause is known.
 */
function describeJsonProblem(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return " It begins with a byte-order mark, which JSON must not have.";
  }
  if (first === 0x1f && second === 0x8b) {
    return ` ${gzipCause}`;
  }
  if (first === 0 || second === 0 || (first === 0xff && second === 0xfe)) {
    return " It is in UTF-16 instead of UTF-8.";
  }
  switch (findJsonEnding(new TextDecoder().decode(bytes))) {
    case "incomplete":
      return ` It ends after ${bytes.length} bytes, before its last bracket: a proxy or the client may have cut it off.`;
    case "followed":
      return " Other text follows its last bracket: the client may have joined two bodies, or written a warning after it.";
    default:
      return "";
  }
}

/** Reads a query or form. Throws a `LimitError` that names the server's limit, if one is exceeded. */
export function readWithinLimits<T>(
  pairs: "queryPairs" | "formPairs",
  limits: ServerLimits,
  read: (limits: FormLimits) => T,
): T {
  const { paramName, paramValue } = limits;
  try {
    return read({ pairs: limits[pairs], paramName, paramValue });
  } catch (error) {
    if (!(error instanceof FormLimitError)) {
      throw error;
    }
    const limit = error.limit === "pairs" ? pairs : error.limit;
    throw new LimitError(limit, error.value);
  }
}
