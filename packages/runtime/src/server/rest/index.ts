// Everything for a program that serves only REST interfaces. Without a bundler, `@bothends/runtime/server` also loads the code of SOAP.
export { RestError } from "../../answer-errors.js";
export type { HeaderLine, ServerAnswer, ServerRequest } from "../../http/server-messages.js";
export type {
  BegunCall,
  CallDurations,
  CallEvent,
  CallObservation,
  CallObserver,
  OnCall,
  OnError,
  ServerIncident,
} from "../../observe/events.js";
export { type LineLoggerOptions, lineLogger } from "../../observe/loggers.js";
export type { CallObservers } from "../../observe/observations.js";
export type { RecordedMessage, RecordOptions } from "../../observe/redact.js";
export type { ServedEntry } from "../../pages/index.js";
export { type AnswerCheck, type AnswerProblem, type AnswerToCheck, checkAnswers } from "../../rest/check-answers.js";
export type { UploadedFile } from "../../rest/php-form.js";
export { RestAnswer, type RestAnswerInit, type RestResult, restAnswer } from "../../rest/rest-answer.js";
export { type LimitOptions, type ServerLimits, serverLimits } from "../../server-limits.js";
export { DisconnectError } from "../body.js";
export { type HandlerCall, type HookProblem, isCallOf, type Middleware } from "../call-handler.js";
export {
  type CallContext,
  type CallRate,
  type ConcurrencyLimit,
  concurrencyLimit,
  memoryStore,
  type Rate,
  type RateCount,
  type RateLimitStore,
  type RequestRate,
  type RequestToCount,
  rateLimit,
  rateLimitedRoutes,
} from "../call-limits.js";
export { type HealthOptions, healthRoutes } from "../health-routes.js";
export { type RecordedRoutesOptions, recordedRoutes } from "../recorded-routes.js";
export { createRouter, type RequestIdOptions, type Router, type RouterOptions } from "../router.js";
export type { HandlersOf, HandlersOfServices, MissingOption, PartialHandlers } from "../routes.js";
export { type Answer, combineRoutes, type Routes } from "../routes.js";
export type { TrustedProxies } from "../trusted-proxies.js";
export type { NamespaceHandlers, RestHandlers } from "./rest-routes.js";
export { restRoutes } from "./rest-routes.js";
export type { RestCallToAuthorize, RestContext, RestServerOptions, RestService } from "./service.js";
export {
  type WordpressAuthentication,
  type WordpressUsers,
  wordpressAuthentication,
} from "./wordpress-authentication.js";
