/** Conversions of values to and from dates, JSON and the content of wildcards. Each function is bundled only if it is imported. */

export { messageElements } from "../codec/kinds/any.js";
export { decodeAny, encodeAny, formatAny, fromDate, fromJson, parseAny, toDate, toJson } from "./conversions.js";
