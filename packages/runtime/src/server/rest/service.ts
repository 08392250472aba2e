import type { JsonValue, Method, RestEndpointList, RestInterfaceDescriptor } from "../../descriptor.js";
import type { OnError } from "../../observe/events.js";
import type { AnswerCheck } from "../../rest/check-answers.js";
import type { UploadedFile } from "../../rest/php-form.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import type { LimitOptions } from "../../server-limits.js";
import type { Middleware } from "../call-handler.js";

/** The parameter that a generated server module passes to `restRoutes`. */
export interface RestService {
  readonly interface: RestInterfaceDescriptor;
  readonly endpoints: RestEndpointList;
  /** One function per endpoint, nested by the words of its name; the generated interface has checked their types. Handlers of index routes are optional. */
  readonly handlers: object;
  /** The index document without the site's name, description and addresses. */
  readonly index: JsonValue;
}

/** Options of a generated REST server. `Principal` is the type of the result of `authenticate`. */
export interface RestServerOptions<Principal = unknown> {
  /** The site's name in the index. */
  readonly name?: string | undefined;
  /** The site's description in the index. */
  readonly description?: string | undefined;
  /** The site's address, `https://site.example`; default the origin of the request. */
  readonly url?: string | undefined;
  /** The address of the home page in the request's language; default the site's address followed by the language. */
  readonly home?: string | undefined;
  readonly gmt_offset?: string | undefined;
  readonly timezone_string?: string | undefined;
  /** The path of the index below the site; default as generated. */
  readonly base?: string | undefined;
  /** Whether to answer `/?rest_route=/shop/v1/orders` too; default true. */
  readonly plainPermalinks?: boolean | undefined;
  /** The real names of segments that have other names in the index. */
  readonly wireNames?: { readonly segments?: Readonly<Record<string, string | undefined>> | undefined } | undefined;
  readonly limits?: LimitOptions | undefined;
  /** Called before each handler, with valid input. False refuses the call with 401, or with 403 if the request has credentials; throw a `RestError` for another refusal. */
  readonly authorize?: AuthorizeHook<Principal> | undefined;
  /**
   * Identifies the caller. The result is the `principal` of `authorize`, of the handler's context and of call events. Return
   * undefined for an anonymous caller; throw a `RestError` to refuse the call.
   */
  readonly authenticate?: ((call: RestContext) => Principal | Promise<Principal>) | undefined;
  /** Functions that run around each handler, the first one outermost. */
  readonly use?: Middleware<RestContext<Principal>> | readonly Middleware<RestContext<Principal>>[] | undefined;
  /**
   * Origins whose pages may read answers, send credentials, and change data with a cookie. Default: every origin may read
   * answers, without credentials, and only the server's own pages may change data with a cookie.
   */
  readonly allowOrigin?: ((origin: string) => boolean) | undefined;
  /**
   * Whether a nonce (`X-WP-Nonce`, or `_wpnonce` in the query) belongs to the session in the headers. An invalid nonce is refused
   * with 403. With a valid nonce, a change with a cookie needs no allowed origin.
   */
  readonly verifyNonce?:
    | ((nonce: string, headers: ReadonlyMap<string, string>) => boolean | Promise<boolean>)
    | undefined;
  /**
   * `"wordpress"`: pages of every origin may send credentials (unless `allowOrigin` refuses them), and a change with a
   * cookie is not refused: `authorize` must ignore a cookie without a valid nonce.
   */
  readonly cors?: "wordpress" | undefined;
  /** Whether `_jsonp=name` wraps answers in a call to that function, which pages of any origin can run; default false. */
  readonly jsonp?: boolean | undefined;
  /**
   * The path, below the base, of the HTML page for browsing the index and trying calls; default `/_browse`, unless a route has
   * this path. False turns the page off. Every client that may read the index may see the page.
   */
  readonly page?: boolean | string | undefined;
  /** Server behavior that the index does not describe; default that of WordPress. */
  readonly conventions?: Partial<RestConventions> | undefined;
  /** Validates the answers of handlers, `checkAnswers(contentAnswers)`: an invalid body becomes a 500 and an incident. */
  readonly validate?: AnswerCheck | undefined;
  /** Called for every incident, with the details that clients do not receive. */
  readonly onError?: OnError | undefined;
}

/** Written as a method, so that a hook may declare the type of its principal. */
type AuthorizeHook<Principal> = { hook(call: RestCallToAuthorize<Principal>): boolean | Promise<boolean> }["hook"];

/** The second parameter of a handler. It may be copied: `{ ...context }`. */
export interface RestContext<Principal = unknown> {
  /** The endpoint's name in code: `shop.orders.list`. */
  readonly operation: string;
  /** The endpoint's method; a HEAD request runs as GET. */
  readonly method: Method;
  /** The language in the path or the arguments; undefined if the interface has no languages. */
  readonly language: string | undefined;
  /** The HTTP headers, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The nonce of a session, from `X-WP-Nonce` or `_wpnonce`, for servers that issue and verify nonces. */
  readonly nonce: string | undefined;
  /** Aborted when the client disconnects and when the handler times out. */
  readonly signal: AbortSignal;
  /** The route's key in the index. */
  readonly route: string;
  /** The path's variables, as text. */
  readonly params: Readonly<Record<string, string>>;
  /** The body's bytes, for uploads. */
  readonly body: Uint8Array;
  /** The files of a `multipart/form-data` body; its other fields are arguments. */
  readonly files: readonly UploadedFile[];
  /** The address of the index, with which addresses in answers begin. */
  readonly baseUrl: string;
  /** The result of the option `authenticate`. */
  readonly principal: Principal;
  /** The id of the request: from its header `X-Request-Id`, or new. Log it, and send it with calls to other services. */
  readonly requestId: string;
  readonly remoteAddress?: string | undefined;
}

/** The parameter of the `authorize` hook. */
export interface RestCallToAuthorize<Principal = unknown> extends RestContext<Principal> {
  /** The valid input; for the `Allow` header of other methods, only the path's variables. */
  readonly input: RestInput;
}

/** The arguments of a call, by name. */
export type RestInput = Readonly<Record<string, JsonValue>>;

/** A handler with its types erased: the generated interface has checked them. */
export type RestHandler = (input: RestInput, context: RestContext) => unknown;
