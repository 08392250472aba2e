import type { OnCall, OnError } from "./events.js";

/** The methods of a pino logger, or of one like it, that are called. */
export interface PinoLike {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/**
 * Hooks for servers and clients that log calls and incidents with pino: `listen(routes, pinoLogger(pino()))`. The exception of
 * an incident is its member `err`, which pino writes with its stack.
 */
export function pinoLogger(logger: PinoLike): { readonly onCall: OnCall; readonly onError: OnError } {
  return {
    onCall(event) {
      const { error, ...facts } = event;
      const call = error === undefined ? facts : { ...facts, error: error.kind };
      logger.info(call, `${event.method} ${event.address} ${event.status}`);
    },
    onError(incident) {
      const { message, error, ...facts } = incident;
      const logged = error === undefined || incident.side === "client" ? facts : { ...facts, err: error };
      if (incident.kind === "request" || incident.limit !== undefined) {
        logger.warn(logged, message);
      } else {
        logger.error(logged, message);
      }
    },
  };
}
