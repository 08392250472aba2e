import type { AnyEndpointDescriptor, JsonValue, Method } from "../../descriptor.js";
import { ConfigError, describeValue, EncodeError } from "../../errors.js";
import { encodePart } from "../../protocol/http/form-encoding.js";
import type { ClientRequest } from "../hooks.js";
import type { RestCallOptions } from "../options.js";
import { endpointPath, type RestAddress } from "./address.js";
import { checkedArguments, extraArguments } from "./arguments.js";

/** The parts of a request: the input and the options of a call. */
interface RequestParts extends RestCallOptions {
  readonly input: unknown;
  readonly method: Method;
  /** The headers for the option `upload`. */
  readonly uploadHeaders: Headers | undefined;
}

/** The headers of requests without and with a JSON body. */
export interface RestHeaders {
  readonly withoutBody: Headers;
  readonly withBody: Headers;
}

type Headers = Readonly<Record<string, string>>;

/** Writes the request of a call. Throws `EncodeError` or `ConfigError`. */
export function writeRequest(
  endpoint: AnyEndpointDescriptor,
  { input, method, extra, upload, uploadHeaders, ...selection }: RequestParts,
  { address, headers }: { readonly address: RestAddress; readonly headers: RestHeaders },
): ClientRequest {
  if (typeof input !== "object" || input === null) {
    throw new EncodeError(`The input must be an object with the arguments, not ${describeValue(input)}.`, {
      path: "/",
    });
  }
  const values = new Map(checkedArguments(input, endpoint.args));
  const route = endpointPath(address.path(endpoint.path), values);
  for (const [name, value] of extraArguments(extra ?? {})) {
    if (values.has(name)) {
      throw new EncodeError(`/${name}: The argument is in the input and in the option extra. Remove one of them.`, {
        path: `/${name}`,
      });
    }
    values.set(name, value);
  }
  const hasNoBody = method === "GET" || method === "DELETE";
  if (hasNoBody && upload !== undefined) {
    throw new ConfigError(`The option upload cannot be used with the method ${method}.`);
  }
  const isInQuery = hasNoBody || upload !== undefined;
  const query = writeQuery([...(isInQuery ? values : []), ...selectionParameters(selection)]);
  const request = { operation: endpoint.name, method, url: address.url(route, query) };
  if (upload !== undefined) {
    return { ...request, headers: { ...headers.withoutBody, ...uploadHeaders }, body: upload.content };
  }
  return isInQuery || values.size === 0
    ? { ...request, headers: headers.withoutBody, body: undefined }
    : { ...request, headers: headers.withBody, body: JSON.stringify(Object.fromEntries(values)) };
}

export function restHeaders(authorization: string | undefined): RestHeaders {
  const withoutBody = {
    Accept: "application/json",
    ...(authorization === undefined ? {} : { Authorization: authorization }),
  };
  return {
    withoutBody: Object.freeze(withoutBody),
    withBody: Object.freeze({ ...withoutBody, "Content-Type": "application/json" }),
  };
}

/** The method of a call: the requested one, or the endpoint's first. */
export function methodOf({ name, methods }: AnyEndpointDescriptor, requested: Method | undefined): Method {
  if (requested === undefined) {
    return methods[0];
  }
  if (methods.includes(requested)) {
    return requested;
  }
  throw new ConfigError(`${name} has the methods ${methods.join(", ")}, not "${String(requested)}".`);
}

/**
 * Writes arguments as a query that PHP can read: a list as `k[]=a&k[]=b`, objects and lists of objects as `k[a]=b`. Null and
 * empty lists and objects become `k=`, which WordPress reads as an empty list.
 */
function writeQuery(values: Iterable<readonly [string, JsonValue]>): string {
  const pairs: string[] = [];
  for (const [name, value] of values) {
    write(encodePart(name), value, pairs);
  }
  return pairs.join("&");
}

function write(name: string, value: JsonValue, pairs: string[]): void {
  if (typeof value !== "object" || value === null) {
    pairs.push(`${name}=${value === null ? "" : encodePart(String(value))}`);
    return;
  }
  const count = pairs.length;
  if (isList(value)) {
    const isFlat = value.every((item) => typeof item !== "object" || item === null);
    for (const [index, item] of value.entries()) {
      write(`${name}%5B${isFlat ? "" : index}%5D`, item, pairs);
    }
  } else {
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) {
        write(`${name}%5B${encodePart(key)}%5D`, member, pairs);
      }
    }
  }
  if (pairs.length === count) {
    pairs.push(`${name}=`);
  }
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The query that selects members of an answer. */
export function fieldsQuery(fields: readonly string[]): string {
  return writeQuery(selectionParameters({ fields }));
}

/** The parameters that select members of an answer, or embed linked resources in it. */
function selectionParameters({
  fields,
  embed,
}: Pick<RestCallOptions, "fields" | "embed">): readonly (readonly [string, string])[] {
  return [
    ...(fields === undefined ? [] : [["_fields", joinNames(fields, "fields")] as const]),
    ...(embed === undefined || embed === false
      ? []
      : [["_embed", embed === true ? "1" : joinNames(embed, "embed")] as const]),
  ];
}

function joinNames(names: readonly string[], option: string): string {
  const isInvalid = (name: unknown) => typeof name !== "string" || name === "" || name.includes(",");
  if (!Array.isArray(names) || names.length === 0 || names.some(isInvalid)) {
    throw new ConfigError(`The option ${option} must be a non-empty list of names without commas.`);
  }
  return names.join(",");
}
