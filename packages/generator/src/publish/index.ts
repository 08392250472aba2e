export { publishDocument, type ToPublish } from "./documents.js";
export type { CannotPublish, LoadDocument } from "./inline.js";
export { type PublishFacts, publishWsdl } from "./publish-wsdl.js";
export type { Piece, PublishedDocument, Slot } from "./published.js";
