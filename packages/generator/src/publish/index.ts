export { type PublishFacts, publishServices, publishWsdl, type ToPublish } from "./publish-wsdl.js";
export type { Piece, PublishedWsdl, ServiceDocument, Slot } from "./slots.js";
export type { CannotPublish, LoadDocument } from "./source-elements.js";
