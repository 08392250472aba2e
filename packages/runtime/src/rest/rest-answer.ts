import type { JsonValue } from "../descriptor.js";
import { createBrand, isInstance } from "../errors.js";

/**
 * The headers of an answer: an object, or one of the class `Headers`. Only `Set-Cookie` can have a list of values, each
 * of which is sent in a line of its own.
 */
export type RestHeaders = Readonly<Record<string, string | readonly string[]>> | Headers;

/** The members of a `RestAnswer`. */
export interface RestAnswerInit<Body = JsonValue> {
  /** The HTTP status: an integer from 200 to 599. Default 200. */
  readonly status?: number | undefined;
  readonly headers?: RestHeaders | undefined;
  /** The body: a JSON value, or bytes. For bytes, `headers` must contain a `Content-Type`. */
  readonly body?: Body | Uint8Array | undefined;
  /**
   * The number of items in the whole collection, of which the body contains one page. If set, `X-WP-Total`,
   * `X-WP-TotalPages` and links to the next and previous pages are added.
   */
  readonly total?: number | undefined;
}

/** The answer of a handler that sets more than a body: a status, headers, or the size of a collection. */
export class RestAnswer<Body = JsonValue> {
  static readonly brand: symbol = /* @__PURE__ */ createBrand("RestAnswer");
  static [Symbol.hasInstance] = isInstance;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Body | Uint8Array | null;
  readonly total: number | undefined;

  constructor(init: RestAnswerInit<Body>) {
    this.status = init.status ?? 200;
    this.headers = readHeaders(init.headers);
    this.body = init.body ?? null;
    this.total = init.total;
  }
}

function readHeaders(headers: RestHeaders | undefined): RestAnswer["headers"] {
  if (!isHeaders(headers)) {
    return headers ?? {};
  }
  const cookies = headers.getSetCookie();
  const values = Object.fromEntries(headers);
  return cookies.length < 2 ? values : { ...values, "set-cookie": cookies };
}

function isHeaders(headers: RestHeaders | undefined): headers is Headers {
  return typeof headers?.["getSetCookie" as never] === "function";
}

/** The members of a `RestAnswerInit`. */
export const answerMembers: readonly string[] = ["status", "headers", "body", "total"];

/** The other members of the objects that `restAnswer` received, by answer. They may be misspelled. */
export const otherMembers: WeakMap<object, readonly string[]> = /* @__PURE__ */ new WeakMap<
  object,
  readonly string[]
>();

/** Creates an answer with a body and a status, headers or the size of a collection. */
export function restAnswer(init: RestAnswerInit<never>): RestAnswer<never>;
export function restAnswer<Body = JsonValue>(init: RestAnswerInit<Body>): RestAnswer<Body>;
export function restAnswer<Body>(init: RestAnswerInit<Body>): RestAnswer<Body> {
  const answer = new RestAnswer(init);
  for (const name in init) {
    if (!answerMembers.includes(name) && !(name in Object.prototype)) {
      otherMembers.set(answer, [...(otherMembers.get(answer) ?? []), name]);
    }
  }
  return answer;
}

/** The result of a handler: the body of an answer, or a `RestAnswer`. */
export type RestResult<Body = JsonValue> = Body | RestAnswer<Body>;
