export type { CannotPublish, LoadDocument } from "./definitions.js";
export { type PublishFacts, publishServices, publishWsdl, type ToPublish } from "./publish-wsdl.js";
export type { Piece, PublishedWsdl, ServiceDocument, Slot } from "./slots.js";
