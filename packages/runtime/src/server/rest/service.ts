import type { JsonValue, Method, RestInterfaceDescriptor } from "../../descriptor.js";
import type { AnswerCheck } from "../../rest/check-answers.js";
import type { UploadedFile } from "../../rest/php-form.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import type { LimitOptions } from "../limits.js";
import type { OnError } from "../types.js";

/** What a generated server module knows of its interface. */
export interface RestService {
  readonly interface: RestInterfaceDescriptor;
  /** Endpoint descriptors, nested as their names are. */
  readonly endpoints: object;
  /** One function per endpoint, nested alike; the generated interface has checked their types. Those of index routes may be missing. */
  readonly handlers: object;
  /** The index document without the site's own facts. */
  readonly index: JsonValue;
}

/** What the user of a generated server may choose. */
export interface RestServerOptions {
  /** What the index says of the site. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** The site's address, `https://site.example`; default the origin of the request. */
  readonly url?: string | undefined;
  /** The address of the home page in the request's language; default the site's with the language behind. */
  readonly home?: string | undefined;
  readonly gmt_offset?: string | undefined;
  readonly timezone_string?: string | undefined;
  /** Where the index lies below the site; default as generated. */
  readonly base?: string | undefined;
  /** Whether `/?rest_route=/shop/v1/orders` is answered too; default true. */
  readonly plainPermalinks?: boolean | undefined;
  /** The real names for those that the index stands in for. */
  readonly wireNames?: { readonly segments?: Readonly<Record<string, string | undefined>> | undefined } | undefined;
  readonly limits?: LimitOptions | undefined;
  /** Asked before each call, when its input is valid: false refuses it with 401, or 403 where the request has credentials; a thrown `RestError` says more. */
  readonly authorize?: ((call: RestCallToAuthorize) => boolean | Promise<boolean>) | undefined;
  /**
   * Origins whose pages may read answers, send credentials, and change things with a cookie. Default: every origin may
   * read answers, without credentials, and only the server's own pages change things with a cookie.
   */
  readonly allowOrigin?: ((origin: string) => boolean) | undefined;
  /**
   * Whether a nonce (`X-WP-Nonce`, or `_wpnonce` in the query) belongs to the session in the headers. One that is not
   * valid is refused with 403; a change with a cookie and a valid one needs no allowed origin.
   */
  readonly verifyNonce?:
    | ((nonce: string, headers: ReadonlyMap<string, string>) => boolean | Promise<boolean>)
    | undefined;
  /**
   * `"wordpress"`: pages of every origin may send credentials (unless `allowOrigin` says otherwise), and a change with a
   * cookie is not refused: `authorize` must ignore a cookie without a valid nonce.
   */
  readonly cors?: "wordpress" | undefined;
  /** Whether `_jsonp=name` wraps answers in a call of that function, which pages of any origin can run; default false. */
  readonly jsonp?: boolean | undefined;
  /**
   * Where people browse the index and try calls, below the base; default `/_browse`, unless a route is there. False:
   * nowhere. Whoever may read the index may see the page.
   */
  readonly page?: boolean | string | undefined;
  /** What the index does not say of arguments; default WordPress's own ways. */
  readonly conventions?: Partial<RestConventions> | undefined;
  /** Looks at what handlers answer, `checkAnswers(contentAnswers)`: a wrong body becomes an error 500 and an incident. */
  readonly validate?: AnswerCheck | undefined;
  /** Told of everything that the wire does not tell. */
  readonly onError?: OnError | undefined;
}

/** What a handler is told beside its input. */
export interface RestContext {
  /** As code names the endpoint: `shop.orders.list`. */
  readonly operation: string;
  /** One of the endpoint's methods; a HEAD request runs as GET. */
  readonly method: Method;
  /** The language the path or the arguments ask for, where the interface has one. */
  readonly language: string | undefined;
  /** The HTTP headers, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The nonce of a session, as `X-WP-Nonce` or `_wpnonce` says it: for who gives out nonces, and checks them. */
  readonly nonce: string | undefined;
  /** Fires when the client goes away and when the time for the handler is over. */
  readonly signal: AbortSignal;
  /** The route's key in the index. */
  readonly route: string;
  /** The path's variables, as text. */
  readonly params: Readonly<Record<string, string>>;
  /** The body as it came, for uploads. */
  readonly body: Uint8Array;
  /** The files of a `multipart/form-data` body; its other fields are arguments. */
  readonly files: readonly UploadedFile[];
  /** The address of the index: what addresses in answers begin with. */
  readonly baseUrl: string;
  readonly remoteAddress?: string | undefined;
}

export interface RestCallToAuthorize extends RestContext {
  /** The valid input; for the `Allow` header of other methods, the path's variables alone. */
  readonly input: Readonly<Record<string, JsonValue>>;
}
