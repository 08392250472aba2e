import type { JsonValue } from "../../descriptor.js";
import { exceededLimit, mayBeForbidden } from "../../rest/json-limits.js";
import type { ClientAnswer } from "../hooks.js";
import type { ClientLimits } from "../options.js";

const jsonInUtf8 = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads what nearly all sites answer: valid JSON in UTF-8, within the limits, with a status of 2xx, and without an error; null if
 * there is no body. Returns undefined for all else, which `answer.ts` reads: it is loaded when it is needed.
 */
export function readUsualAnswer({ status, headers, body }: ClientAnswer, limits: ClientLimits): JsonValue | undefined {
  if (status < 200 || status > 299) {
    return undefined;
  }
  if (body.length === 0) {
    return null;
  }
  if (!jsonInUtf8.test(headers.get("content-type") ?? "")) {
    return undefined;
  }
  try {
    // A byte-order mark is not valid JSON.
    const text = utf8.decode(body);
    if (exceededLimit(text, limits) !== undefined || mayBeForbidden.test(text)) {
      return undefined;
    }
    const value = JSON.parse(text) as JsonValue;
    const mayBeError = typeof value === "object" && value !== null && "code" in value && "message" in value;
    return mayBeError ? undefined : value;
  } catch {
    return undefined;
  }
}
