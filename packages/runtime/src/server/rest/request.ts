import { MultipartError } from "../../body-parts.js";
import type { JsonObject, JsonValue } from "../../descriptor.js";
import { RestError } from "../../errors.js";
import { type MediaType, parseMediaType } from "../../media-type.js";
import { JsonBodyError, readJsonBody } from "../../rest/json-body.js";
import {
  FormLimitError,
  type FormLimits,
  readMultipartForm,
  readPhpForm,
  type UploadedFile,
} from "../../rest/php-form.js";
import { isObject } from "../../rest/php-values.js";
import { LimitError, type ServerLimits } from "../limits.js";
import { RefusedRequest } from "./errors.js";

const noValues: ReadonlyMap<string, JsonValue> = new Map();
const withForm = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** A query as PHP reads it. */
export function readQuery(query: string, limits: ServerLimits): ReadonlyMap<string, JsonValue> {
  if (query === "") return noValues;
  return readBounded(query, limits, "queryPairs");
}

interface BodySources {
  readonly json: JsonObject | undefined;
  readonly form: ReadonlyMap<string, JsonValue> | undefined;
  readonly files: readonly UploadedFile[];
}

const nothing: BodySources = { json: undefined, form: undefined, files: [] };

/** What a body says: JSON or a form by its media type, else nothing. */
export function readBodySources(
  bytes: Uint8Array,
  { contentType, method, limits }: { contentType: string | undefined; method: string; limits: ServerLimits },
): BodySources {
  if (bytes.length === 0 || contentType === undefined) return nothing;
  const type = contentType === "application/json" ? plainJson : parseMediaType(contentType);
  if (type === undefined) return nothing;
  const { name } = type;
  if (name === "application/json" || name.endsWith("+json")) return { ...nothing, json: readJson(bytes, limits) };
  // PHP reads such a body of POST alone.
  if (name === "multipart/form-data" && method === "POST") return readMultipart(bytes, type, limits);
  if (name !== "application/x-www-form-urlencoded" || !withForm.has(method)) return nothing;
  return { ...nothing, form: readBounded(new TextDecoder().decode(bytes), limits, "formPairs") };
}

const plainJson: MediaType = { name: "application/json", parameters: new Map() };

function readMultipart(bytes: Uint8Array, { parameters }: MediaType, limits: ServerLimits): BodySources {
  try {
    const { fields, files } = bounded(limits, "formPairs", (bounds) =>
      readMultipartForm(bytes, parameters.get("boundary"), bounds),
    );
    return { json: undefined, form: fields, files };
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    if (error.tooMany) throw new LimitError("formPairs", limits.formPairs);
    const message = "Invalid multipart body passed.";
    const answer = new RestError({ code: "rest_invalid_multipart", message, status: 400 });
    throw new RefusedRequest(answer, [{ reason: "The body is not a valid multipart form." }]);
  }
}

/** A body that is no object names no arguments. */
function readJson(bytes: Uint8Array, limits: ServerLimits): JsonObject | undefined {
  try {
    const value = readJsonBody(bytes, limits);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof JsonBodyError)) throw error;
    const refusal = {
      code: "rest_invalid_json",
      message: "Invalid JSON body passed.",
      status: 400,
      data: { json_error_code: error.code, json_error_message: error.reason },
    };
    if (error.limit !== undefined) {
      throw new RestError({ ...refusal, cause: new LimitError(error.limit, limits[error.limit]) });
    }
    throw new RefusedRequest(new RestError(refusal), [{ reason: `The body is not valid JSON: ${error.reason}.` }]);
  }
}

function readBounded(
  text: string,
  limits: ServerLimits,
  pairs: "queryPairs" | "formPairs",
): ReadonlyMap<string, JsonValue> {
  return bounded(limits, pairs, (bounds) => readPhpForm(text, bounds));
}

function bounded<T>(limits: ServerLimits, pairs: "queryPairs" | "formPairs", read: (bounds: FormLimits) => T): T {
  const { paramName, paramValue } = limits;
  try {
    return read({ pairs: limits[pairs], paramName, paramValue });
  } catch (error) {
    if (!(error instanceof FormLimitError)) throw error;
    const limit = error.limit === "pairs" ? pairs : error.limit;
    throw new LimitError(limit, limits[limit]);
  }
}
