import type { JsonObject, JsonValue } from "../../descriptor.js";
import { RestError } from "../../errors.js";
import { parseMediaType } from "../../media-type.js";
import { FormBoundsError, readPhpForm } from "../../rest/form.js";
import { JsonBodyError, readJsonBody } from "../../rest/json-body.js";
import { isObject } from "../../rest/values.js";
import { LimitError, type ServerLimits } from "../limits.js";

const noValues: ReadonlyMap<string, JsonValue> = new Map();
const withForm = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** A query as PHP reads it. */
export function readQuery(query: string, limits: ServerLimits): ReadonlyMap<string, JsonValue> {
  if (query === "") return noValues;
  return readBounded(query, limits, "queryPairs");
}

export interface BodySources {
  readonly json: JsonObject | undefined;
  readonly form: ReadonlyMap<string, JsonValue> | undefined;
}

const nothing: BodySources = { json: undefined, form: undefined };

/** What a body says: JSON or a form by its media type, else nothing. */
export function readBodySources(
  bytes: Uint8Array,
  { contentType, method, limits }: { contentType: string | undefined; method: string; limits: ServerLimits },
): BodySources {
  if (bytes.length === 0 || contentType === undefined) return nothing;
  const type = contentType === "application/json" ? contentType : parseMediaType(contentType)?.name;
  if (type === undefined) return nothing;
  if (type === "application/json" || type.endsWith("+json")) return { json: readJson(bytes, limits), form: undefined };
  if (type !== "application/x-www-form-urlencoded" || !withForm.has(method)) return nothing;
  const text = new TextDecoder().decode(bytes);
  return { json: undefined, form: readBounded(text, limits, "formPairs") };
}

/** A body that is no object names no arguments. */
function readJson(bytes: Uint8Array, limits: ServerLimits): JsonObject | undefined {
  try {
    const value = readJsonBody(bytes, limits);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof JsonBodyError)) throw error;
    throw new RestError({
      code: "rest_invalid_json",
      message: "Invalid JSON body passed.",
      status: 400,
      data: { json_error_code: error.code, json_error_message: error.reason },
      cause: error.bound === undefined ? undefined : new LimitError(error.bound, limits[error.bound]),
    });
  }
}

function readBounded(
  text: string,
  limits: ServerLimits,
  pairs: "queryPairs" | "formPairs",
): ReadonlyMap<string, JsonValue> {
  const { paramName, paramValue } = limits;
  try {
    return readPhpForm(text, { pairs: limits[pairs], paramName, paramValue });
  } catch (error) {
    if (!(error instanceof FormBoundsError)) throw error;
    const limit = error.bound === "pairs" ? pairs : error.bound;
    throw new LimitError(limit, limits[limit]);
  }
}
