export {
  type AnswerErrorInit,
  DecodeError,
  type DecodeErrorInit,
  EncodeError,
  type EncodeErrorInit,
  HttpStatusError,
  isRestError,
  ProtocolError,
  RestError,
  type RestErrorInit,
  SoapFault,
  type SoapFaultInit,
  type Tolerance,
} from "./answer-errors.js";
export type { EmbeddedResource, InAnyContext, LinksTo, ListContexts } from "./client/rest/answer.js";
export type { RestEndpoint, RestIndexEndpoint } from "./client/rest/rest-endpoint.js";
export type * from "./descriptor.js";
export {
  AbortError,
  BothendsError,
  ConfigError,
  type ErrorContext,
  LexicalError,
  TimeoutError,
  TransportError,
} from "./errors.js";
