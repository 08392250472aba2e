/** What observes calls of servers and clients. */

export type {
  BegunCall,
  CallDurations,
  CallEvent,
  CallObservation,
  CallObserver,
  ClientIncident,
  OnCall,
  OnClientError,
  OnError,
  ServerIncident,
} from "./events.js";
export { type ConsoleLike, consoleLogger, type LineLoggerOptions, lineLogger } from "./line-logger.js";
export type { CallObservers } from "./observations.js";
export { type PinoLike, pinoLogger } from "./pino-logger.js";
