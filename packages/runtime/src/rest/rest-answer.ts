import { brandOf, isInstance } from "../brand.js";
import type { JsonValue } from "../descriptor.js";

export interface RestAnswerInit<Body = JsonValue> {
  /** Default 200. */
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A JSON value; bytes are sent as they are, under the `Content-Type` in `headers`. */
  readonly body?: Body | Uint8Array | undefined;
  /** How many items the whole collection has: adds `X-WP-Total`, `X-WP-TotalPages` and the links to the pages beside. */
  readonly total?: number | undefined;
}

/** What a handler answers when it has more to say than a body. */
export class RestAnswer<Body = JsonValue> {
  static readonly brand: symbol = /* @__PURE__ */ brandOf("RestAnswer");
  static [Symbol.hasInstance] = isInstance;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | Uint8Array | null;
  readonly total: number | undefined;

  constructor(init: RestAnswerInit<Body>) {
    this.status = init.status ?? 200;
    this.headers = init.headers ?? {};
    this.body = init.body ?? null;
    this.total = init.total;
  }
}

/** An answer with a status, headers, or the size of a collection beside its body. */
export function restAnswer(init: RestAnswerInit<never>): RestAnswer<never>;
export function restAnswer<Body = JsonValue>(init: RestAnswerInit<Body>): RestAnswer<Body>;
export function restAnswer<Body>(init: RestAnswerInit<Body>): RestAnswer<Body> {
  return new RestAnswer(init);
}

/** What a handler returns: a body, or an answer. */
export type RestResult<Body = JsonValue> = Body | RestAnswer<Body>;
