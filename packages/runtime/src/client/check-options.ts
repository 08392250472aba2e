import { ConfigError } from "../errors.js";
import { nearest } from "../nearest.js";

const shared = ["timeout", "signal", "headers", "authorization", "hooks", "limits", "retries"];
const connection = [...shared, "transport", "connectTimeout", "agent", "proxy", "tls", "maxSockets", "maxQueued"];

/** The names of options, so that a misspelt one is not silently without effect. */
export const optionNames = {
  soapClient: [...connection, "baseUrl", "address", "protocol", "wireNames", "unknown", "illegalCharacters"],
  soapCall: [...shared, "protocol", "soapHeaders", "extraSoapHeaders", "onAnswer"],
  restClient: [...connection, "siteUrl", "wireNames", "plainPermalinks", "validate"],
  restCall: [...shared, "method", "extra", "upload", "fields", "embed", "onAnswer"],
} as const;

/** Options whose values are objects, whatever stands in them. */
const objects: ReadonlySet<string> = new Set([
  "signal",
  "headers",
  "hooks",
  "limits",
  "transport",
  "agent",
  "tls",
  "wireNames",
  "soapHeaders",
  "extra",
]);

/** Refuses options of other names, and those that are no objects where objects belong. */
export function checkOptions(options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw new ConfigError("Options are an object.");
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new ConfigError(`There is no option "${name}".${nearest(name, known)}`);
    const value: unknown = Reflect.get(options, name);
    if (value === undefined) continue;
    if (name === "validate" && typeof value !== "function") throw new ConfigError("The option validate is a function.");
    if (!objects.has(name)) continue;
    if (typeof value !== "object" || value === null) throw new ConfigError(`The option ${name} is an object.`);
    if (name === "signal" && !isSignal(value)) throw new ConfigError("The option signal is an AbortSignal.");
    if (name === "hooks") for (const hooks of Array.isArray(value) ? value : [value]) checkHooks(hooks);
  }
}

function isSignal(value: object): boolean {
  return "aborted" in value && "addEventListener" in value && typeof value.addEventListener === "function";
}

function checkHooks(hooks: object): void {
  for (const name of ["before", "again", "after"]) {
    const hook: unknown = Reflect.get(hooks, name);
    if (hook !== undefined && typeof hook !== "function") throw new ConfigError(`The hook ${name} is a function.`);
  }
}

export function checkMilliseconds(value: number, name: string): number {
  if (typeof value === "number" && value >= 0) return value;
  throw new ConfigError(`The option ${name} is a number of milliseconds from 0 on.`);
}

export function checkRetries(value: number): number {
  if (value === 0 || value === 1 || value === 2) return value;
  throw new ConfigError("The option retries is 0, 1 or 2.");
}
