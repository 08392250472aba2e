// The exports that `server/soap` and `server/rest` have in common, because they do not depend on the protocol: routers,
// limits, middleware and logs.
export type { ClientCertificate } from "../http/client-certificate.js";
export type { HeaderLine } from "../http/headers.js";
export type { ServerAnswer } from "../http/server-answer.js";
export type { ServerRequest } from "../http/server-request.js";
export type {
  BegunCall,
  CallDurations,
  CallEvent,
  CallObservation,
  CallObserver,
  CallObservers,
  OnCall,
  OnError,
  ServerIncident,
} from "../observe/events.js";
export { type LineLoggerOptions, type LoggerOptions, lineLogger } from "../observe/loggers.js";
export type { RecordedMessage, RecordOptions } from "../observe/redact.js";
export type { ServedEntry } from "../pages/index.js";
export { type LimitOptions, type ServerLimits, serverLimits } from "../server-limits.js";
export { DisconnectError } from "./body.js";
export {
  type HandlerCall,
  type HookProblem,
  isCallOf,
  type Middleware,
  middlewareFor,
  type OperationMiddleware,
} from "./calls/middleware.js";
export { type HealthOptions, healthRoutes } from "./health-routes.js";
export {
  type CallContext,
  type CallRate,
  type ConcurrencyLimit,
  concurrencyLimit,
  type Rate,
  type RequestRate,
  type RequestToCount,
  rateLimit,
  rateLimitedRoutes,
} from "./limits/call-limits.js";
export { memoryStore, type RateCount, type RateLimitStore } from "./limits/rate-limit-store.js";
export type { RequestIdOptions } from "./options/server-options.js";
export { type RecordedRoutesOptions, recordedRoutes } from "./recorded-routes.js";
export { createRouter, type Router, type RouterOptions } from "./router.js";
export {
  type Answer,
  combineRoutes,
  type HandlersOf,
  type HandlersOfServices,
  type MissingOption,
  type PartialHandlers,
  type Routes,
} from "./routes.js";
export type { TrustedProxies, XForwardedHeader } from "./trusted-proxies.js";
