// The exports for a program that serves only SOAP interfaces. Without a bundler, the entry point
// `@bothends/runtime/server` would also load the code for REST.
export { SoapFault } from "../../answer-errors.js";
export { asmxConventions, type ServerConventions, standardConventions } from "../../protocol/conventions.js";
export type { WireNameOptions } from "../../wire-names.js";
export * from "../shared-exports.js";
export type {
  CallToAuthenticate,
  CallToAuthorize,
  OperationContext,
  PublishedDocument,
  PublishedSlot,
  ServicePage,
  SoapServerOptions,
  SoapService,
} from "./service.js";
export { soapRoutes } from "./soap-routes.js";
