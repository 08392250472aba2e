export { isXmlText } from "./characters.js";
export { clark } from "./clark-names.js";
export { decodeText, decodeXml } from "./decode.js";
export {
  convertToUtf16Position,
  type Position,
  XmlError,
  type XmlErrorCode,
  type XmlErrorInit,
} from "./error.js";
export { escapeAttribute, escapeText } from "./escape.js";
export { messageLimits, schemaLimits, type XmlLimits } from "./limits.js";
export { isName, isNCName, splitQName, xmlNamespace, xmlnsNamespace } from "./name-characters.js";
export { findNearestName, suggestName } from "./nearest-name.js";
export type { PrefixLookup } from "./reader/scope.js";
export type { XmlAttribute } from "./reader/start-tag-reader.js";
export { XmlReader } from "./reader.js";
export { DONE, END, START, TEXT } from "./reader-events.js";
export { splitClark } from "./split-clark.js";
export {
  findAttribute,
  getTextContent,
  type ReadDocument,
  readEditedTree,
  readTree,
  type XmlElement,
  type XmlText,
  type XmlTreeAttribute,
} from "./tree.js";
