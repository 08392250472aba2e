import type { AnyElement, JsonObject, Method, Protocol } from "../descriptor.js";
import { ConfigError } from "../errors.js";
import { nearest } from "../nearest.js";
import type { AnswerCheck } from "../rest/check-answers.js";
import type { WireNameOptions } from "../wire-names.js";
import type { Credentials } from "./address.js";
import type { HeaderOptions } from "./headers.js";
import type { Hooks } from "./hooks.js";
import type { ClientLimitOptions } from "./settings.js";
import type { Transport, TransportOptions } from "./transport.js";

/** What may be chosen for a client, and for each call again. */
export interface SharedOptions {
  /**
   * Milliseconds for the whole call: connecting, hooks, retries and the last byte of the answer included, so that an answer
   * that always goes on a little ends too. Default 60,000; `Infinity` for none.
   */
  readonly timeout?: number | undefined;
  /** Ends the call with its own reason. A client's signal ends all of its calls. */
  readonly signal?: AbortSignal | undefined;
  /** Over the client's, which are over the protocol's. */
  readonly headers?: HeaderOptions | undefined;
  /** User and password for Basic authentication, or the value of the `Authorization` header. */
  readonly authorization?: string | Credentials | undefined;
  /** One, or several: the first stands around the others. */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
  readonly limits?: ClientLimitOptions | undefined;
  /** How often a GET is sent again when the connection fails or a gateway does (502, 503, 504): 0, 1 or 2. Default 0. */
  readonly retries?: number | undefined;
}

/** What may be chosen for a client of any kind. */
export interface ConnectionOptions extends SharedOptions, TransportOptions {
  /** Default: `node:http` on Node, `fetch` elsewhere. */
  readonly transport?: Transport | undefined;
  /** Milliseconds until a new connection must stand. Default 10,000. */
  readonly connectTimeout?: number | undefined;
}

/** What may be chosen for a client of SOAP and HTTP services. */
export interface SoapClientOptions extends ConnectionOptions {
  /** Takes the place of scheme and host in the addresses of the WSDL; their paths follow it. */
  readonly baseUrl?: string | undefined;
  /** The whole address of the service; for an interface of several services by the name of each. */
  readonly address?: string | Readonly<Record<string, string | undefined>> | undefined;
  /** Default: the first of the WSDL's ports that has the operation. */
  readonly protocol?: Protocol | undefined;
  /** The real names for those that the schema stands in for. */
  readonly wireNames?: WireNameOptions | undefined;
  /** What to do with elements of an answer that the schema does not have. Default `ignore`: servers grow. */
  readonly unknown?: "ignore" | "error" | undefined;
  /** What to do with characters of an input that XML cannot carry. Default `refuse`. */
  readonly illegalCharacters?: "refuse" | "replace" | undefined;
}

/** What may be chosen for one call of an operation. */
export interface CallOptions<
  SoapHeaders extends object = Readonly<Record<string, unknown>>,
  AnswerHeaders extends object = Readonly<Record<string, unknown>>,
> extends SharedOptions {
  readonly protocol?: Protocol | undefined;
  /** The header blocks that the operation declares. */
  readonly soapHeaders?: SoapHeaders | undefined;
  /** Header blocks that no schema declares, security tokens for one. */
  readonly extraSoapHeaders?: readonly AnyElement[] | undefined;
  /** Told what came with the result, or with a SOAP fault before it is thrown. */
  readonly onAnswer?: ((answer: AnswerFacts<AnswerHeaders>) => void) | undefined;
}

/** What an answer has beside the result. */
export interface AnswerFacts<SoapHeaders extends object = Readonly<Record<string, unknown>>> {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The declared header blocks of the answer, by member name. */
  readonly soapHeaders: SoapHeaders;
}

/** What may be chosen for a client of a REST interface. The variables of its base, as `lang`, are options too. */
export interface RestClientOptions extends ConnectionOptions {
  /** The address of the site; the interface lies below it. */
  readonly siteUrl: string;
  readonly wireNames?: { readonly segments?: Readonly<Record<string, string | undefined>> | undefined } | undefined;
  /** For a site without pretty permalinks: routes go into the query, `?rest_route=/…`. */
  readonly plainPermalinks?: boolean | undefined;
  /** Looks at every answer that has a type, `checkAnswers(contentAnswers)`; default: servers are trusted. */
  readonly validate?: AnswerCheck | undefined;
}

/** A file on its way to a site. */
export interface Upload {
  readonly content: Uint8Array;
  /** Its media type, `image/png`. */
  readonly type: string;
  /** What it is called, `sample.png`. */
  readonly name: string;
}

/** What may be chosen for one call of an endpoint. */
export interface RestCallOptions extends SharedOptions {
  /** Another of the endpoint's methods. */
  readonly method?: Method | undefined;
  /** Arguments that the index does not list. */
  readonly extra?: JsonObject | undefined;
  /** Sent as the body, where an endpoint takes a file (`POST /wp/v2/media`); the arguments go into the query. */
  readonly upload?: Upload | undefined;
  /** The members that the answer is to have, `["id", "title.rendered"]`; all, if absent. Sent as `_fields`. */
  readonly fields?: readonly string[] | undefined;
  /** Whether linked resources are to come along, below `_embedded`: all, or those of some relations. Sent as `_embed`. */
  readonly embed?: boolean | readonly string[] | undefined;
  /** Told what came with the body. */
  readonly onAnswer?: ((answer: Omit<AnswerFacts, "soapHeaders">) => void) | undefined;
}

/** `Input` without the need for members that `Options` certainly holds, the client's own options apart. */
export type Supplied<Input, Options> = Input extends unknown
  ? Omit<Input, Held<Options> & keyof Input> & Partial<Pick<Input, Held<Options> & keyof Input>>
  : never;

type Held<Options> = Exclude<
  { [Name in keyof Options]-?: undefined extends Options[Name] ? never : Name }[keyof Options],
  keyof SoapClientOptions
>;

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

/** Generated code and a runtime that do not fit each other fail at once. */
export function checkFormat(descriptor: { readonly descriptorFormat: number; readonly name: string }): void {
  if (descriptor.descriptorFormat === 1) return;
  const { name, descriptorFormat } = descriptor;
  throw new ConfigError(`${name} was generated in descriptor format ${descriptorFormat}; this runtime reads format 1.`);
}
