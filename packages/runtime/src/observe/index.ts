/** Hooks and types for observing the calls of servers and clients. */

export type {
  BegunCall,
  CallDurations,
  CallEvent,
  CallObservation,
  CallObserver,
  CallObservers,
  ClientIncident,
  OnCall,
  OnClientError,
  OnError,
  ServerIncident,
} from "./events.js";
export {
  type ConsoleLike,
  consoleLogger,
  type LineLoggerOptions,
  type LoggerOptions,
  lineLogger,
  type PinoLike,
  pinoLogger,
} from "./loggers.js";
