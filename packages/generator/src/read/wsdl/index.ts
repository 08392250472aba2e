export type * from "./documents.js";
export { readWsdl, type WsdlDocuments, type WsdlPaths, type WsdlRoot } from "./read-wsdl.js";
