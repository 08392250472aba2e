/** Random valid values, for tests that run a contract. */
export { isObject, makeJson, memberOf } from "./random-json.js";
export { Random, textOfPattern } from "./random-text.js";
export { type MadeValue, makeConstrained, makeText, makeValue, textValue } from "./random-values.js";
