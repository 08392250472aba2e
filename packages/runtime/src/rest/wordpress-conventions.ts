import type { JsonObject } from "../descriptor.js";
import type { ArgumentProblem } from "./argument-schema.js";
import { nonceHeader, pagesHeader, totalHeader } from "./json-limits.js";

/**
 * The parts of a REST server's behavior that neither its index nor HTTP defines. The option `conventions` can replace
 * each member of the default, `wordpressConventions`.
 */
export interface RestConventions {
  /**
   * Schema keywords by argument name. They apply if the index itself has no such keywords, as in WordPress up to 5.5.
   */
  readonly hiddenLimits: Readonly<Record<string, JsonObject>>;
  /**
   * The names of object arguments that also accept plain text. The handler receives plain text as `{ raw }`, and any
   * other value that is not an object as an empty object.
   */
  readonly rawText: readonly string[];
  /** For GET endpoints: the names of the arguments that are checked before all other arguments. */
  readonly checkedFirst: readonly string[];
  /**
   * For methods other than GET: the names of the arguments that are checked after all other arguments. A route without
   * GET is an action, so all its arguments are checked last.
   */
  readonly checkedLast: readonly string[];
  /** The arguments that have a single message for all problems. */
  readonly refusals: readonly ArgumentRefusal[];
  /** The names of the parameters that control the answer and are not arguments of an endpoint. */
  readonly parameters: Readonly<Record<"fields" | "envelope" | "embed" | "callback" | "nonce" | "route", string>>;
  /** The header that contains the nonce of a session. */
  readonly nonceHeader: string;
  /** The number of items on a page of a collection if the request has no argument `per_page`. */
  readonly pageSize: number;
  /** The headers that contain the number of items and the number of pages in a collection. */
  readonly totalHeaders: Readonly<Record<"items" | "pages", string>>;
  /** Returns the headers that every answer has besides its content type. `index` is the address of the index. */
  createHeaders(index: string): HeaderLines;
  /** The headers that prevent the caching of answers that depend on the user. */
  readonly uncachedHeaders: HeaderLines;
  /** The value of the header `Access-Control-Allow-Methods`. */
  readonly crossOriginMethods: string;
  /** The path of the script that answers all requests on a site without URL rewriting. */
  readonly script: string;
  readonly errors: Readonly<Record<RestErrorName, RestErrorText>>;
}

type HeaderLines = readonly (readonly [name: string, value: string])[];

/** The errors with which the server itself answers, without calling a handler. */
export type RestErrorName =
  | "noRoute"
  | "serverError"
  | "unauthorized"
  | "forbidden"
  | "forgedRequest"
  | "missingArguments"
  | "invalidArguments"
  | "invalidJson"
  | "invalidMultipart"
  | "compressedBody"
  | "bodyTooLarge"
  | "tooManyItems"
  | "addressTooLong"
  | "timeout"
  | "scriptsDisabled"
  | "invalidCallback"
  | "unknownNamespace";

/** The parts of an error body that a convention determines. */
export interface RestErrorText {
  readonly code: string;
  /** The message for clients. For missing and invalid arguments, the argument names are appended. */
  readonly message: string;
  readonly status: number;
}

/**
 * The message for every problem of an argument. It applies either to endpoints that read (`GET`) or to endpoints that
 * write.
 */
export interface ArgumentRefusal {
  readonly name: string;
  readonly method: "GET" | "write";
  /** The type that the argument must have in the index for this message to apply. */
  readonly type: "array" | "object";
  readonly message: string;
  /** The entry for this argument in the member `details` of the error. Absent if there is no such entry. */
  readonly detail?: Pick<ArgumentProblem, "code" | "data">;
}

const instant = { format: "date-time" };

/** The limits of arguments that WordPress applies but does not list in its index up to version 5.5. */
export const hiddenLimits: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  page: { minimum: 1 },
  per_page: { minimum: 1, maximum: 100 },
  after: instant,
  before: instant,
  modified_after: instant,
  modified_before: instant,
  date: instant,
  date_gmt: instant,
};

/** The behavior of WordPress 6.1. */
export const wordpressConventions: RestConventions = {
  hiddenLimits,
  rawText: ["title", "content", "excerpt", "caption", "description"],
  checkedFirst: ["context", "page", "per_page", "search"],
  checkedLast: ["id", "parent", "force"],
  refusals: [
    {
      name: "status",
      method: "GET",
      type: "array",
      message: "Status is forbidden.",
      detail: { code: "rest_forbidden_status", data: { status: 401 } },
    },
    { name: "meta", method: "write", type: "object", message: "Invalid parameter." },
  ],
  parameters: {
    fields: "_fields",
    envelope: "_envelope",
    embed: "_embed",
    callback: "_jsonp",
    nonce: "_wpnonce",
    route: "rest_route",
  },
  nonceHeader: /* @__PURE__ */ nonceHeader.toLowerCase(),
  pageSize: 10,
  totalHeaders: { items: totalHeader, pages: pagesHeader },
  createHeaders: (index) => [
    ["X-Robots-Tag", "noindex"],
    ["Link", `<${index}>; rel="https://api.w.org/"`],
    ["X-Content-Type-Options", "nosniff"],
    ["Access-Control-Expose-Headers", `${totalHeader}, ${pagesHeader}, Link`],
    ["Access-Control-Allow-Headers", `Authorization, ${nonceHeader}, Content-Disposition, Content-MD5, Content-Type`],
  ],
  uncachedHeaders: [
    ["Expires", "Wed, 11 Jan 1984 05:00:00 GMT"],
    ["Cache-Control", "no-cache, must-revalidate, max-age=0"],
  ],
  crossOriginMethods: "OPTIONS, GET, POST, PUT, PATCH, DELETE",
  script: "/index.php",
  errors: {
    noRoute: {
      code: "rest_no_route",
      message: "No route was found matching the URL and request method.",
      // WordPress answers 404, not 405, if the route does not support the method.
      status: 404,
    },
    serverError: { code: "internal_server_error", message: "The server failed to answer the request.", status: 500 },
    unauthorized: { code: "rest_forbidden", message: "Sorry, you are not allowed to do that.", status: 401 },
    forbidden: { code: "rest_forbidden", message: "Sorry, you are not allowed to do that.", status: 403 },
    forgedRequest: { code: "rest_cookie_invalid_nonce", message: "Cookie check failed", status: 403 },
    missingArguments: { code: "rest_missing_callback_param", message: "Missing parameter(s):", status: 400 },
    invalidArguments: { code: "rest_invalid_param", message: "Invalid parameter(s):", status: 400 },
    invalidJson: { code: "rest_invalid_json", message: "Invalid JSON body passed.", status: 400 },
    invalidMultipart: { code: "rest_invalid_multipart", message: "Invalid multipart body passed.", status: 400 },
    compressedBody: {
      code: "rest_unsupported_encoding",
      message: "Compressed request bodies are not supported.",
      status: 415,
    },
    bodyTooLarge: { code: "rest_body_too_large", message: "The request body is too large.", status: 413 },
    tooManyItems: { code: "rest_too_many_items", message: "The request has too many list items.", status: 400 },
    addressTooLong: {
      code: "rest_uri_too_long",
      message: "The request has too many parameters, or a parameter is too long.",
      status: 414,
    },
    timeout: { code: "rest_timeout", message: "The server did not answer in time.", status: 503 },
    scriptsDisabled: {
      code: "rest_callback_disabled",
      message: "JSONP support is disabled on this site.",
      status: 400,
    },
    invalidCallback: { code: "rest_callback_invalid", message: "Invalid JSONP callback function.", status: 400 },
    unknownNamespace: {
      code: "rest_invalid_namespace",
      message: "The specified namespace could not be found.",
      status: 404,
    },
  },
};
