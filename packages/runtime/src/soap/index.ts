export { isAnyElement, writeAnyElement } from "./any-element.js";
export { type Attachments, attach, detach, type Packaged, rootType, unpackaged, writeAttached } from "./attachments.js";
export { type Encoding, encodingOf, isEncoded } from "./encoding.js";
export { type BodyPart, MultipartError } from "./multipart.js";
export {
  type Envelope,
  EnvelopeError,
  type HeaderBlock,
  type ReadEnvelopeOptions,
  readEnvelope,
} from "./read-envelope.js";
export { isFault, type ReadFault, type ReadFaultOptions, readFault } from "./read-fault.js";
export {
  envelopeNamespace,
  instanceNamespace,
  type SoapVersion,
  schemaNamespace,
  soapMediaType,
  versionOf,
  xmlDeclaration,
} from "./version.js";
export { type EnvelopePieces, writeEnvelope } from "./write-envelope.js";
export { type FaultPieces, upgradeHeader, writeFault } from "./write-fault.js";
