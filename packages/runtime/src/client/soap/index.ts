// The entry point for clients of SOAP and HTTP services. If a program imports `@bothends/runtime/client` instead, it
// also loads the client of REST interfaces on Node, and a code-splitting bundler divides the program into more files.
export type {
  AnswerHead,
  CallOptions,
  CallResult,
  OutcomeOf,
  ResultOption,
  SoapClientOptions,
  Supplied,
} from "../options.js";
export { ServiceClient } from "./service-client.js";
