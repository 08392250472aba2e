import type { RestAnswer } from "../../rest/rest-answer.js";
import { restAnswer } from "../../rest/rest-answer.js";
import type { Exchange } from "./exchange.js";

export const scriptType = "application/javascript; charset=UTF-8";

/** Whether to answer with a script, which pages of any origin can run. */
export function isScript({ query, serving }: Exchange): boolean {
  return serving.options.jsonp === true && query.has("_jsonp");
}

/** The refusal of a request for a script that is not given, or whose callback is not a plain name. It has no `data`. */
export function refuseScript(exchange: Exchange): RestAnswer | undefined {
  if (!exchange.query.has("_jsonp")) return undefined;
  if (exchange.serving.options.jsonp !== true) {
    const message = "JSONP support is disabled on this site.";
    return restAnswer({ status: 400, body: { code: "rest_callback_disabled", message } });
  }
  if (callbackOf(exchange) !== undefined) return undefined;
  const message = "Invalid JSONP callback function.";
  return restAnswer({ status: 400, body: { code: "rest_callback_invalid", message } });
}

/** A JSON text as a call of the request's callback; as it is where there is none. */
export function withCallback(json: string, exchange: Exchange): string {
  const callback = isScript(exchange) ? callbackOf(exchange) : undefined;
  if (callback === undefined) return json;
  // Line ends to older scripts, and nothing special to JSON.
  const text = json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  // The comment keeps the callback from being the first bytes of a file of another type.
  return `/**/${callback}(${text})`;
}

/** Letters, digits, `_` and dots alone, as WordPress has it: nothing that runs by itself. */
function callbackOf({ query }: Exchange): string | undefined {
  const given = query.get("_jsonp");
  return typeof given === "string" && /^[\w.]+$/.test(given) ? given : undefined;
}
