import { suggestNearest } from "@bothends/xml/nearest-name";
import { ConfigError } from "../../errors.js";
import { isHeader } from "../../http/headers.js";
import { checkNames, describeOptionValue } from "../../option-checks.js";
import {
  booleanType,
  createChoice,
  createInterface,
  functionType,
  namesType,
  type OptionType,
  objectType,
} from "../../option-types.js";
import { serverLimits } from "../../server-limits.js";
import { describeValue } from "../../value-problems.js";
import { optionNames } from "./option-places.js";

/** The longest delay of a timer in milliseconds. */
const longestDelay = 2_147_483_647;

const observersType: OptionType = {
  accepts: (value) => [value].flat().every(createInterface("begin").accepts),
  description: "an object with the function begin, or a list of such objects",
};
const durationType: OptionType = {
  accepts: (value) => typeof value === "number" && value >= 0 && value <= longestDelay,
  description: `a number of milliseconds from 0 to ${longestDelay}`,
};

const pageType: OptionType = {
  accepts: (value) => ["boolean", "function", "string"].includes(typeof value),
  description: "false, a path such as /_browse (of REST routes), or a function (of SOAP routes)",
};
const understandsType: OptionType = { ...namesType, description: "a list of names, as {namespace}local" };
const validateType: OptionType = {
  accepts: (value) => objectType.accepts(value) || functionType.accepts(value),
  description: "an object (of SOAP routes) or the result of checkAnswers (of REST routes)",
};

/**
 * The options that have the same type in all functions, except those that are checked where they are used. If functions
 * have different types for an option, the type here accepts all of them, because programs pass one object to several
 * functions.
 */
const optionTypes: Readonly<Record<string, OptionType>> = {
  authenticate: functionType,
  authorize: functionType,
  allowOrigin: functionType,
  verifyNonce: functionType,
  onError: functionType,
  onCall: functionType,
  http2: booleanType,
  compressedRequests: booleanType,
  limits: objectType,
  requestIds: objectType,
  tls: objectType,
  observe: observersType,
  drainDelay: durationType,
  page: pageType,
  understands: understandsType,
  validate: validateType,
  wireNames: objectType,
  conventions: objectType,
  jsonp: booleanType,
  plainPermalinks: booleanType,
  compress: booleanType,
  handleOptions: booleanType,
  cors: {
    accepts: (value) => typeof value === "boolean" || value === "wordpress",
    description: 'true or false (of SOAP routes), or "wordpress" (of REST routes)',
  },
  illegalCharacters: createChoice("refuse", "replace"),
  invalidAnswers: createChoice("refuse", "report"),
  missing: createChoice("fault", "error"),
};

/** The members of options that are objects: those of SOAP routes, and those of REST routes. */
const optionMembers: Readonly<Record<string, readonly string[]>> = {
  wireNames: ["namespaces", "operations", "segments"],
  validate: ["identity", "wildcards"],
  requestIds: ["header", "inAnswers"],
};

/**
 * Throws `ConfigError` for an option whose name is probably misspelled. If `authorize` were misspelled, for example,
 * the server would allow every call. Other unknown names are ignored, because programs pass one object to several
 * functions; `describeMisplacedOptions` finds the options of another function. Also throws if a value has the wrong
 * type, because the option would then fail in each call, or do nothing.
 */
export function checkServerOptions(options: object): void {
  if (!objectType.accepts(options)) {
    throw new ConfigError(`The options must be an object, not ${describeValue(options)}.`);
  }
  checkOtherNames(options);
  for (const name of Object.keys(options)) {
    const suggestion = optionNames.includes(name) ? "" : suggestNearest(name, optionNames);
    if (suggestion !== "") {
      throw new ConfigError(`There is no option "${name}".${suggestion}`);
    }
    const value: unknown = Reflect.get(options, name);
    const type = Object.hasOwn(optionTypes, name) ? optionTypes[name] : undefined;
    if (type !== undefined && value !== undefined && !type.accepts(value)) {
      throw new ConfigError(`The option "${name}" must be ${type.description}, not ${describeOptionValue(value)}.`);
    }
    if (name === "page" && typeof value === "string") {
      checkPagePath(value);
    }
    const memberNames = Object.hasOwn(optionMembers, name) ? optionMembers[name] : undefined;
    if (memberNames !== undefined && objectType.accepts(value)) {
      checkNames(Object(value), memberNames, `The option "${name}"`);
    }
  }
}

/**
 * Throws `ConfigError` for a limit outside the option `limits`, and for options that have another name in other
 * libraries. Without this check, they would have no effect.
 */
function checkOtherNames(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && Object.hasOwn(serverLimits, name)) {
      throw new ConfigError(`The option "${name}" is a member of the option "limits": { limits: { ${name}: … } }.`);
    }
    const ownName = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
    if (value !== undefined && ownName !== undefined) {
      throw new ConfigError(`There is no option "${name}". Did you mean "${ownName}"?`);
    }
  }
}

/** The names of options in other libraries, such as Express and Fastify, and the options that replace them. */
const otherNames: Readonly<Record<string, string>> = {
  trustProxy: "trustedProxies",
  hostname: "host",
  middleware: "use",
  logger: "onError",
  requestIdHeader: "requestIds",
};

function checkPagePath(path: string): void {
  if (!/^(?:\/[\w.~-]+)+$/.test(path)) {
    throw new ConfigError(`The path "${path}" of the option "page" is not valid. Use a path such as "/_browse".`);
  }
}

/** Matches paths that a request can have: without an origin, a query, a fragment, a backslash, and dot segments. */
const pathPattern = /^(?![A-Za-z][\w+.-]*:\/\/)(?!(?:.*\/)?\.{1,2}(?:\/|$))[^?#\\\x00-\x1f\x7f]*$/;

/**
 * Throws `ConfigError` for the path of SOAP routes, or the base path of REST routes, if no request can have it. Only a
 * base path may omit its first slash.
 */
export function checkPath(name: "path" | "base", path: unknown): void {
  if (isPath(name, path)) {
    return;
  }
  const [, withoutOrigin = ""] = /^(?:[A-Za-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)/.exec(String(path)) ?? [];
  const correctedPath = `/${withoutOrigin.replace(/^\/+/, "")}`;
  const example = name === "path" ? "/reg.asmx" : "/wp-json";
  const canCorrect = typeof path === "string" && isPath(name, correctedPath);
  const advice = canCorrect ? `Use ${JSON.stringify(correctedPath)}.` : `Use a path such as "${example}".`;
  const beginning = name === "path" ? "begin with a slash and " : "";
  throw new ConfigError(
    `The option "${name}" is ${JSON.stringify(path)}, but it must ${beginning}be without an origin, a query, a fragment, a backslash, and segments "." and "..". ${advice}`,
  );
}

function isPath(name: "path" | "base", path: unknown): boolean {
  return typeof path === "string" && pathPattern.test(path) && (name === "base" || path.startsWith("/"));
}

/** Throws `ConfigError` for an option that must be the address of the server or of its site, and is not. */
export function checkServerAddress(name: "publicUrl" | "url", address: unknown, use: string): void {
  const isAddress = typeof address === "string" && /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(address);
  if (address !== undefined && !(isAddress && URL.canParse(address))) {
    throw new ConfigError(
      `The option "${name}" must be an address such as https://example.com, without a query: ${use}.`,
    );
  }
}

/**
 * Creates the error for an option with a wrong value, which the message shows. The value must not be a text that may be
 * secret, such as a key in the option `tls`.
 */
export function createOptionError(name: string, description: string, value: unknown): ConfigError {
  const form = typeof value === "string" ? JSON.stringify(value) : describeOptionValue(value);
  return new ConfigError(`The option "${name}" must be ${description}, not ${form}.`);
}

/** The option `requestIds`: which header contains the id of a request. */
export interface RequestIdOptions {
  /** The header that contains the request's id; requests without it get a new id. Default `X-Request-Id`. */
  readonly header?: string | undefined;
  /** Whether answers also contain this header. Default false. */
  readonly inAnswers?: boolean | undefined;
}

/** Matches the names of headers that cannot contain the id of a request, because they have another meaning. */
const takenHeaders = /^(?:authorization|connection|content-.*|cookie|host|set-cookie|transfer-encoding)$/i;

/** Returns the option `requestIds`. Throws `ConfigError` for a header with which every answer would fail. */
export function checkRequestIds(requestIds: RequestIdOptions = {}): RequestIdOptions {
  const { header } = requestIds;
  if (header !== undefined && !isHeader(header, "")) {
    throw createOptionError("requestIds.header", "the name of a header", header);
  }
  if (header !== undefined && takenHeaders.test(header)) {
    throw new ConfigError(
      `The option "requestIds.header" is "${header}", which has another meaning in HTTP. Choose a name such as X-Request-Id.`,
    );
  }
  return requestIds;
}
