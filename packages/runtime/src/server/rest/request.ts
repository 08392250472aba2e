import type { JsonObject, JsonValue } from "../../descriptor.js";
import { MultipartError } from "../../http/body-parts.js";
import { type MediaType, parseMediaType } from "../../http/media-type.js";
import {
  FormLimitError,
  type FormLimits,
  readMultipartForm,
  readPhpForm,
  type UploadedFile,
} from "../../rest/php-form.js";
import { isObject, JsonBodyError, readJsonBody } from "../../rest/php-json.js";

import type { RestConventions } from "../../rest/wordpress-conventions.js";
import { LimitError, type ServerLimits } from "../../server-limits.js";
import { conventionalError, RefusedRequest } from "./errors.js";

const noValues: ReadonlyMap<string, JsonValue> = new Map();
const formMethods = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Reads a query as PHP does. */
export function readQuery(query: string, limits: ServerLimits): ReadonlyMap<string, JsonValue> {
  return query === "" ? noValues : withinLimit("queryPairs", limits, (form) => readPhpForm(query, form));
}

/** The arguments in a body, and its files. */
export interface BodyValues {
  readonly json: JsonObject | undefined;
  readonly form: ReadonlyMap<string, JsonValue> | undefined;
  readonly files: readonly UploadedFile[];
}

const noBody: BodyValues = { json: undefined, form: undefined, files: [] };
const plainJson: MediaType = { name: "application/json", parameters: new Map() };

interface BodyContext {
  readonly contentType: string | undefined;
  readonly method: string;
  readonly limits: ServerLimits;
  readonly conventions: RestConventions;
}

/** Reads a body as JSON or as a form, by its media type; other bodies have no arguments. */
export function readBodyValues(bytes: Uint8Array, context: BodyContext): BodyValues {
  const { contentType, method, limits } = context;
  if (bytes.length === 0 || contentType === undefined) {
    return noBody;
  }
  const type = contentType === "application/json" ? plainJson : parseMediaType(contentType);
  if (type === undefined) {
    return noBody;
  }
  const { name } = type;
  if (name === "application/json" || name.endsWith("+json")) {
    return { ...noBody, json: readJson(bytes, context) };
  }
  // PHP reads multipart forms only for POST.
  if (name === "multipart/form-data" && method === "POST") {
    return readMultipart(bytes, type, context);
  }
  if (name !== "application/x-www-form-urlencoded" || !formMethods.has(method)) {
    return noBody;
  }
  const text = new TextDecoder().decode(bytes);
  return { ...noBody, form: withinLimit("formPairs", limits, (form) => readPhpForm(text, form)) };
}

function readMultipart(bytes: Uint8Array, { parameters }: MediaType, { limits, conventions }: BodyContext): BodyValues {
  try {
    const { fields, files } = withinLimit("formPairs", limits, (form) =>
      readMultipartForm(bytes, parameters.get("boundary"), form),
    );
    return { json: undefined, form: fields, files };
  } catch (error) {
    if (!(error instanceof MultipartError)) {
      throw error;
    }
    if (error.tooMany) {
      throw new LimitError("formPairs", limits.formPairs);
    }
    const answer = conventionalError("invalidMultipart", conventions);
    throw new RefusedRequest(answer, [{ reason: "The body is not a valid multipart form." }]);
  }
}

/** Returns undefined for JSON that is not an object: it has no named arguments. */
function readJson(bytes: Uint8Array, { limits, conventions }: BodyContext): JsonObject | undefined {
  try {
    const value = readJsonBody(bytes, limits);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof JsonBodyError)) {
      throw error;
    }
    const data = { json_error_code: error.code, json_error_message: error.reason };
    if (error.limit !== undefined) {
      const cause = new LimitError(error.limit, limits[error.limit]);
      throw conventionalError("invalidJson", conventions, { data, cause });
    }
    throw new RefusedRequest(conventionalError("invalidJson", conventions, { data }), [
      { reason: `The body is not valid JSON: ${error.reason}.` },
    ]);
  }
}

/** Reads a query or form, and names the server's limit if it exceeds one. */
function withinLimit<T>(pairs: "queryPairs" | "formPairs", limits: ServerLimits, read: (limits: FormLimits) => T): T {
  const { paramName, paramValue } = limits;
  try {
    return read({ pairs: limits[pairs], paramName, paramValue });
  } catch (error) {
    if (!(error instanceof FormLimitError)) {
      throw error;
    }
    const limit = error.limit === "pairs" ? pairs : error.limit;
    throw new LimitError(limit, limits[limit]);
  }
}
