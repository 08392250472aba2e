export type { CannotPublish, LoadDocument } from "./definitions.js";
export { type PublishFacts, publishDocument, publishWsdl, type ToPublish } from "./publish-wsdl.js";
export type { Piece, PublishedDocument, Slot } from "./slots.js";
