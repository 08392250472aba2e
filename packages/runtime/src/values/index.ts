/** For values of generated types: dates, JSON, and the content of wildcards. Each function is bundled only if it is imported. */

export { decodeAny, encodeAny, formatAny, parseAny } from "./any.js";
export { fromDate, fromJson, toDate, toJson } from "./conversions.js";
