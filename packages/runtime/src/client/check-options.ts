import { ConfigError } from "../errors.js";
import { nearest } from "../nearest.js";

const shared = ["timeout", "signal", "headers", "hooks", "limits", "retries"];
const connection = [...shared, "transport", "connectTimeout", "agent", "tls"];

/** The names of options, so that a misspelt one is not silently without effect. */
export const optionNames = {
  soapClient: [...connection, "baseUrl", "address", "protocol", "wireNames", "unknown", "illegalCharacters"],
  soapCall: [...shared, "protocol", "soapHeaders", "extraSoapHeaders", "onAnswer"],
  restClient: [...connection, "siteUrl", "wireNames", "plainPermalinks"],
  restCall: [...shared, "method", "extra", "upload", "onAnswer"],
} as const;

/** Refuses options of other names. */
export function checkOptionNames(options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw new ConfigError("Options are an object.");
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new ConfigError(`There is no option "${name}".${nearest(name, known)}`);
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
