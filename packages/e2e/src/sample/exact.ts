import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { ContentHandlers } from "@bothends/server/content";
import { RestError } from "@bothends/server/content";
import { SoapFault, type VehicleHandlers } from "@bothends/server/vehicle";
import { type Lookup, lookups } from "./lookups.js";
import { vehicleSample } from "./vehicle.js";

/** A call as a handler receives it. */
export interface ReceivedCall {
  /** The handler's path in the handlers object, such as `core.blocks.list`. */
  readonly operation: string;
  readonly input: unknown;
  readonly context: unknown;
}

/**
 * Returns the sample's handlers, which refuse every call that does not have exactly the arguments of one of the
 * `lookups`.
 */
export function createExactVehicle(
  expected: readonly Pick<Lookup, "service" | "operation" | "input">[] = lookups,
): VehicleHandlers {
  return withCheck(vehicleSample, ({ operation, input }) => {
    const isKnown = expected.some(
      (lookup) => getHandler(lookup) === operation && isDeepStrictEqual(copyPlainValue(input), lookup.input),
    );
    if (!isKnown) {
      throw new SoapFault({ code: "Client", reason: describeRefusal(operation, input) });
    }
  });
}

function getHandler({ service, operation }: Pick<Lookup, "service" | "operation">): string {
  return `${service}.${operation.charAt(0).toLowerCase()}${operation.slice(1)}`;
}

/** A call of a REST endpoint, with everything that its handler must receive, except defaults from the index. */
export interface ContentCall {
  readonly operation: string;
  readonly method: string;
  readonly language: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Returns the handlers of the content site, which refuse every call that does not have exactly the arguments of an
 * expected call.
 */
export function createExactContent(handlers: ContentHandlers, expected: readonly ContentCall[]): ContentHandlers {
  return withCheck(handlers, (receivedInput) => {
    if (!expected.some((call) => isExpected(receivedInput, call))) {
      throw new RestError({
        code: "sample_unexpected_call",
        message: describeRefusal(receivedInput.operation, receivedInput.input),
        status: 400,
      });
    }
  });
}

/**
 * Whether a handler received exactly the expected call: the arguments of the call, and the defaults of the index for
 * all others.
 */
export function isExpected({ operation, input, context }: ReceivedCall, call: ContentCall): boolean {
  const defaults = getDefaults(String(getMember(context, "route")), call.method);
  return (
    operation === call.operation &&
    getMember(context, "method") === call.method &&
    getMember(context, "language") === call.language &&
    isDeepStrictEqual(copyPlainValue(input), copyPlainValue({ ...defaults, ...call.input }))
  );
}

/** Wraps each handler with a check of its calls. */
function withCheck<Handlers extends object>(
  handlers: Handlers,
  check: (call: ReceivedCall) => void,
  path = "",
): Handlers {
  return new Proxy(handlers, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const operation = `${path}${String(key)}`;
      if (typeof value === "object" && value !== null) {
        return withCheck(value, check, `${operation}.`);
      }
      if (typeof value !== "function") {
        return value;
      }
      return (input: unknown, context: unknown) => {
        check({ operation, input, context });
        return Reflect.apply(value, target, [input, context]);
      };
    },
  });
}

const index: unknown = JSON.parse(
  readFileSync(new URL("../../../../schemas/content/index.json", import.meta.url), "utf8"),
);

/** Reads the defaults that the index declares for the arguments of a method of a route. */
function getDefaults(route: string, method: string): Readonly<Record<string, unknown>> {
  const endpoints = getMember(getMember(getMember(index, "routes"), route), "endpoints");
  const endpoint = (Array.isArray(endpoints) ? endpoints : []).find((described: unknown) => {
    const methods = getMember(described, "methods");
    return Array.isArray(methods) && methods.includes(method);
  });
  const args = getMember(endpoint, "args");
  const entries: readonly [string, unknown][] = typeof args === "object" && args !== null ? Object.entries(args) : [];
  const defaults = entries.map(([name, arg]) => [name, getDefault(arg)] as const);
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
}

/** Reads the default of an argument. The default of a list may be a single item. */
function getDefault(arg: unknown): unknown {
  const value = getMember(arg, "default");
  return getMember(arg, "type") === "array" && typeof value === "string" ? [value] : value;
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Copies a value without prototypes and undefined members, for comparison. */
function copyPlainValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(copyPlainValue);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const members = Object.entries(value).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, copyPlainValue(value)]));
}

function describeRefusal(operation: string, input: unknown): string {
  return `${operation} was called with unexpected arguments: ${JSON.stringify(input)}`;
}
