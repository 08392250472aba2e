import type { Method } from "../../descriptor.js";
import { CallBefore } from "./context.js";
import { forbidden } from "./errors.js";
import type { Exchange } from "./exchange.js";
import { hasCredentials } from "./headers.js";
import type { ServedEndpoint } from "./serving.js";

/** Asks the user's hook about the call. Throws the `RestError` of a refusal. */
export async function authorize(exchange: Exchange, endpoint: ServedEndpoint): Promise<void> {
  const { options } = exchange.serving;
  if (options.authorize === undefined) return;
  exchange.authorized = false;
  const { method, input } = exchange;
  const call = new CallBefore(exchange, { operation: endpoint.descriptor.name, method }, input);
  exchange.authorized = await options.authorize(call);
  if (!exchange.authorized) throw forbidden(hasCredentials(exchange.request));
}

/** The methods of the route that this caller may use: all, unless the user's hook says otherwise. */
export async function allowedMethods(exchange: Exchange): Promise<readonly Method[]> {
  const { match, serving } = exchange;
  if (match === undefined) return [];
  const all = match.route.methods;
  if (serving.options.authorize === undefined) return all;
  const methods = new Set<Method>();
  for (const endpoint of match.route.endpoints) {
    for (const method of endpoint.descriptor.methods) {
      if (await isAllowed(exchange, endpoint, method)) methods.add(method);
    }
  }
  return all.filter((method) => methods.has(method));
}

/** What was asked before is not asked again; a hook that throws allows nothing. */
async function isAllowed(exchange: Exchange, endpoint: ServedEndpoint, method: Method): Promise<boolean> {
  const { match, serving, authorized } = exchange;
  if (endpoint === exchange.endpoint && method === exchange.method && authorized !== undefined) return authorized;
  const input = Object.fromEntries(match?.variables ?? []);
  try {
    const call = new CallBefore(exchange, { operation: endpoint.descriptor.name, method }, input);
    return (await serving.options.authorize?.(call)) ?? true;
  } catch {
    return false;
  }
}
