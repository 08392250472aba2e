import type { JsonObject, JsonValue } from "../../descriptor.js";
import { RestError } from "../../errors.js";
import { type FormBounds, FormBoundsError, readPhpForm } from "../../rest/form.js";
import { JsonBodyError, readJsonBody } from "../../rest/json-body.js";
import { isObject } from "../../rest/values.js";
import { parseMediaType } from "../headers.js";
import { LimitError, type ServerLimits } from "../limits.js";

const noValues: ReadonlyMap<string, JsonValue> = new Map();
const noMembers: JsonObject = {};
const withForm = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** A query as PHP reads it. */
export function readQuery(query: string, limits: ServerLimits): ReadonlyMap<string, JsonValue> {
  if (query === "") return noValues;
  return readBounded(query, { ...limits, pairs: limits.queryPairs }, "queryPairs");
}

export interface BodySources {
  readonly json: JsonObject;
  readonly form: ReadonlyMap<string, JsonValue>;
}

/** What a body says: JSON or a form by its media type, else nothing. */
export function readBodySources(
  bytes: Uint8Array,
  { contentType, method, limits }: { contentType: string | undefined; method: string; limits: ServerLimits },
): BodySources {
  const type = parseMediaType(contentType)?.name;
  if (type === undefined || bytes.length === 0) return { json: noMembers, form: noValues };
  if (type === "application/json" || type.endsWith("+json")) return { json: readJson(bytes, limits), form: noValues };
  if (type !== "application/x-www-form-urlencoded" || !withForm.has(method)) return { json: noMembers, form: noValues };
  const text = new TextDecoder().decode(bytes);
  return { json: noMembers, form: readBounded(text, { ...limits, pairs: limits.formPairs }, "formPairs") };
}

/** A body that is no object names no arguments. */
function readJson(bytes: Uint8Array, limits: ServerLimits): JsonObject {
  try {
    const value = readJsonBody(bytes, limits);
    return isObject(value) ? value : noMembers;
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
  bounds: FormBounds,
  pairs: "queryPairs" | "formPairs",
): ReadonlyMap<string, JsonValue> {
  try {
    return readPhpForm(text, bounds);
  } catch (error) {
    if (!(error instanceof FormBoundsError)) throw error;
    throw new LimitError(error.bound === "pairs" ? pairs : error.bound, bounds[error.bound]);
  }
}
