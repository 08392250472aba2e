import type { ResponseConfig, RestInterfaceConfig } from "../model/config.js";
import type { Endpoint, Index, Route } from "../read/discovery/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { didYouMean } from "../source/nearest.js";

/** The schema that bothends.json has for an endpoint. */
export interface Response extends ResponseConfig {
  /** It is the whole answer; else it is the object that the route is about. */
  readonly whole: boolean;
}

interface ResponsesContext {
  readonly config: RestInterfaceConfig;
  readonly index: Index;
  readonly routes: readonly Route[];
  readonly operations: ReadonlyMap<Endpoint, readonly string[]>;
  readonly diagnostics: Diagnostics;
}

/**
 * Finds the endpoints that `responses` speaks of. An operation, `core.blocks.get`, or a method and a route has a schema of
 * its whole answer; a group, `core.blocks`, or a route has one of the object that its endpoints are about.
 */
export function readResponses(context: ResponsesContext): ReadonlyMap<Endpoint, Response> {
  const { config, index, routes, diagnostics } = context;
  const keys = keysOf(context, routes);
  const found = new Map<Endpoint, Response>();
  const twice = new Map<ResponseConfig, string | undefined>();
  for (const whole of [true, false]) {
    const level = new Map<Endpoint, Response>();
    for (const response of config.responses) {
      for (const endpoint of keys.get(response.key)?.[whole ? "whole" : "objects"] ?? []) {
        if (level.has(endpoint)) twice.set(response, level.get(endpoint)?.key);
        level.set(endpoint, { ...response, whole });
      }
    }
    for (const [endpoint, response] of level) if (!found.has(endpoint)) found.set(endpoint, response);
  }
  for (const [{ key, keySpan }, other] of twice) {
    diagnostics.error("ANS009", keySpan, { message: `"${key}" says again what "${other}" says.` });
  }
  const listed = routes.length === index.routes.length ? keys : keysOf(context, index.routes);
  for (const { key, keySpan } of config.responses) {
    if (listed.has(key)) continue;
    diagnostics.error("ANS008", keySpan, {
      message: `"${key}" is no operation, group of operations or route of ${config.name}.`,
      help: didYouMean(key, listed.keys()),
    });
  }
  return found;
}

interface Named {
  readonly whole: Endpoint[];
  readonly objects: Endpoint[];
}

/** Every key that `responses` may have, with the endpoints it stands for. */
function keysOf({ operations }: ResponsesContext, routes: readonly Route[]): ReadonlyMap<string, Named> {
  const keys = new Map<string, Named>();
  const add = (key: string, kind: keyof Named, endpoint: Endpoint): void => {
    const named = keys.get(key) ?? { whole: [], objects: [] };
    named[kind].push(endpoint);
    keys.set(key, named);
  };
  for (const route of routes) {
    for (const endpoint of route.endpoints) {
      const words = operations.get(endpoint) ?? [];
      if (words.length > 0) add(words.join("."), "whole", endpoint);
      if (words.length > 1) add(words.slice(0, -1).join("."), "objects", endpoint);
      for (const method of endpoint.methods) add(`${method} ${route.key}`, "whole", endpoint);
      add(route.key, "objects", endpoint);
    }
  }
  return keys;
}
