/** Random valid values, for tests that run a contract. */
export { findMember, isObject, makeJson } from "./random-json.js";
export { getTextOfPattern, Random } from "./random-text.js";
export { createTextValue, type MadeValue, makeConstrained, makeText, makeValue } from "./random-values.js";
