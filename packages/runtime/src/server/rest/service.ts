import type {
  EndpointTypes,
  IndexTypes,
  JsonValue,
  Method,
  RestEndpointList,
  RestInterfaceDescriptor,
} from "../../descriptor.js";
import type { ClientCertificate } from "../../http/client-certificate.js";
import type { OnError } from "../../observe/events.js";
import type { AnswerCheck } from "../../rest/check-answers.js";
import type { UploadedFile } from "../../rest/php-form.js";
import type { RestResult } from "../../rest/rest-answer.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import type { LimitOptions } from "../../server-limits.js";
import type { Middleware } from "../calls/middleware.js";
import type { NotNull } from "../refuse-request.js";
import type { Answer } from "../routes.js";

/** The description of an interface. A generated server module passes it to `restRoutes`. */
export interface RestService {
  readonly interface: RestInterfaceDescriptor;
  readonly endpoints: RestEndpointList;
  /**
   * The handlers: one function per endpoint, nested by the words of its name. Handlers of index routes are optional.
   */
  readonly handlers: object;
  /** The index document without the site's name, description and addresses. */
  readonly index: JsonValue;
}

/** Options of a generated REST server. `Principal` is the result type of `authenticate`. */
export interface RestServerOptions<Principal = unknown> {
  /** The site's name in the index. */
  readonly name?: string | undefined;
  /** The site's description in the index. */
  readonly description?: string | undefined;
  /** The site's address: `https://site.example`. Default: the origin of the request. */
  readonly url?: string | undefined;
  /** The address of the home page in the request's language. Default: the site's address followed by the language. */
  readonly home?: string | undefined;
  readonly gmt_offset?: string | undefined;
  readonly timezone_string?: string | undefined;
  /**
   * The path of the index, relative to the address of the site: `/wp-json`. Default: the path in the generated code.
   */
  readonly base?: string | undefined;
  /**
   * Whether the addresses of sites without URL rewriting are also answered: `/?rest_route=/shop/v1/orders` and
   * `/index.php/wp-json/shop/v1/orders`. A guard for the path `/wp-json` does not see them. Default true.
   */
  readonly plainPermalinks?: boolean | undefined;
  /** The names that replace path segments on the wire, by the name of the segment in the index. */
  readonly wireNames?: { readonly segments?: Readonly<Record<string, string | undefined>> | undefined } | undefined;
  readonly limits?: LimitOptions | undefined;
  /**
   * Called before each handler, with a valid input. Return true to allow the call. The result false refuses the call
   * with 401, or with 403 if the caller is known or the request has credentials. Throw a `RestError` to refuse it in
   * any other way.
   */
  readonly authorize?: AuthorizeHook<Principal> | undefined;
  /**
   * Identifies the caller. `authorize`, the handler's context and call events receive the result as `principal`. Return
   * undefined for an anonymous caller; throw a `RestError` to refuse the call.
   */
  readonly authenticate?: ((call: RestContext) => NotNull<Principal> | Promise<NotNull<Principal>>) | undefined;
  /** Functions that run around each handler. The first is the outermost. */
  readonly use?: Middleware<RestContext<Principal>> | readonly Middleware<RestContext<Principal>>[] | undefined;
  /**
   * Whether pages of an origin can read answers, send credentials, and change data with a cookie or a stored password.
   * Default: pages of all origins can read answers, but without credentials, and only pages of the server's own origin
   * can change data with a cookie.
   */
  readonly allowOrigin?: ((origin: string) => boolean) | undefined;
  /**
   * Returns whether a nonce (`X-WP-Nonce`, or `_wpnonce` in the query) belongs to the session in the headers: true, or
   * 1 or 2 like `wp_verify_nonce`. With any other result, the request is refused with 403; any result but false is then
   * also reported as a mistake. If the nonce is valid, a request that changes data with a cookie can come from any
   * origin.
   */
  readonly verifyNonce?:
    | ((nonce: string, headers: ReadonlyMap<string, string>) => NonceResult | Promise<NonceResult>)
    | undefined;
  /**
   * With `"wordpress"`, pages of every origin can send credentials, unless `allowOrigin` refuses the origin, and
   * requests that change data with a cookie or a stored password are not refused. The option `authorize` must then
   * ignore a cookie that comes without a valid nonce.
   */
  readonly cors?: "wordpress" | undefined;
  /**
   * Whether the parameter `_jsonp=name` wraps an answer in a call of the function `name`. Pages of any origin can run
   * such an answer. Default false.
   */
  readonly jsonp?: boolean | undefined;
  /**
   * The path, relative to the index, of the HTML page on which users can browse the index and try calls. Default:
   * `/_browse`, or no page if a route has this path. False turns the page off. Every client that may read the index can
   * see the page.
   */
  readonly page?: boolean | string | undefined;
  /** Behavior of the server that the index does not describe. Default: the behavior of WordPress. */
  readonly conventions?: Partial<RestConventions> | undefined;
  /**
   * Validates the answers of handlers: `checkAnswers(contentAnswers)`. If a body is invalid, the client receives status
   * 500, and an incident is reported. The same happens if the function throws or returns a promise.
   */
  readonly validate?: AnswerCheck | undefined;
  /**
   * What happens to an answer that the option `validate` finds invalid. With `"report"`, the client receives the answer
   * nevertheless, as from WordPress, and the incident is reported once a minute. Default `"refuse"`.
   */
  readonly invalidAnswers?: "refuse" | "report" | undefined;
  /** Called for every incident. An incident contains details that clients do not receive. */
  readonly onError?: OnError | undefined;
}

/**
 * The result of checking a nonce. `wp_verify_nonce` returns 1 in the first half of the nonce's lifetime, and 2 in the
 * second half.
 */
export type NonceResult = boolean | 1 | 2;

/**
 * The type of the option `authorize`. It is written as a method, so that the function can declare the type of its
 * principal.
 */
type AuthorizeHook<Principal> = { hook(call: RestCallToAuthorize<Principal>): boolean | Promise<boolean> }["hook"];

/** The second parameter of a handler. It can be copied: `{ ...context }`. */
export interface RestContext<Principal = unknown> {
  /** The name of the endpoint in the generated code: `shop.orders.list`. */
  readonly operation: string;
  /** The method of the endpoint; GET for a HEAD request. */
  readonly method: Method;
  /** The language, from the arguments or the path; undefined if the interface has no languages. */
  readonly language: string | undefined;
  /** The HTTP headers of the request by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /**
   * The nonce of the session, from `X-WP-Nonce` or `_wpnonce`. It is only useful on servers that issue and verify
   * nonces.
   */
  readonly nonce: string | undefined;
  /** Aborted when the client disconnects or the handler times out. */
  readonly signal: AbortSignal;
  /** The route's key in the index. */
  readonly route: string;
  /** The values of the variables in the path, as strings. */
  readonly params: Readonly<Record<string, string>>;
  /** The body's bytes, for uploads. */
  readonly body: Uint8Array;
  /** The files in a `multipart/form-data` body. The other fields of the form are arguments. */
  readonly files: readonly UploadedFile[];
  /** The address of the index, without a slash at its end. All addresses in answers begin with it. */
  readonly baseUrl: string;
  /** The result of the option `authenticate`. */
  readonly principal: Principal;
  /**
   * The id of the request, from its header `X-Request-Id`, or a new id. Write it to logs, and send it with calls to
   * other services.
   */
  readonly requestId: string;
  readonly remoteAddress?: string | undefined;
  /**
   * The certificate of the client, if the server asks for certificates (`tls.requestCert`) and accepts this one.
   * Undefined for requests that a trusted proxy has sent, and on platforms other than Node.
   */
  readonly clientCertificate?: ClientCertificate | undefined;
}

/** The parameter of the option `authorize`. */
export interface RestCallToAuthorize<Principal = unknown> extends RestContext<Principal> {
  /**
   * The valid input. If the option is called only to create the `Allow` header, the input contains only the variables
   * of the path, with the types of the arguments.
   */
  readonly input: RestInput;
}

/** The arguments of a call, by name. */
export type RestInput = Readonly<Record<string, JsonValue>>;

/** A handler without the types of its endpoint. The generated code has checked these types. */
export type RestHandler = (input: RestInput, context: RestContext) => unknown;

/** The handlers of a tree of endpoints: a function for each endpoint, and an object of handlers for each group. */
export type RestHandlers<Tree, Principal = unknown> = { readonly [Name in keyof Tree]: Handler<Tree[Name], Principal> };

/**
 * The handlers of a namespace. The handler of the namespace's index is optional; without it, the server answers from
 * the index document.
 */
export type NamespaceHandlers<Tree extends { readonly index: unknown }, Principal = unknown> = HandlersFor<
  Tree,
  Exclude<keyof Tree, "index">,
  Principal
> &
  Partial<HandlersFor<Tree, "index", Principal>>;

type HandlersFor<Tree, Names extends keyof Tree, Principal> = {
  readonly [Name in Names]: Handler<Tree[Name], Principal>;
};

/**
 * The handlers for a node of the tree: one handler if the node is an endpoint (a function), otherwise the handlers of a
 * group (an object).
 */
type Handler<Node, Principal> = Node extends (...parameters: never) => unknown
  ? Node extends { readonly endpoint?: EndpointTypes<infer Input, infer Body> }
    ? EndpointHandler<Input, Body, Principal>
    : never
  : Node extends { readonly index: { readonly endpoint?: IndexTypes<unknown, unknown> } }
    ? NamespaceHandlers<Node, Principal>
    : RestHandlers<Node, Principal>;

/** The type of a handler. It is written as a method, so that a handler can declare the type of its principal. */
type EndpointHandler<Input, Body, Principal> = {
  handler(input: Input, context: RestContext<Principal>): Answer<RestResult<Body>>;
}["handler"];
