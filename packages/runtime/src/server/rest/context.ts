import type { Method } from "../../descriptor.js";
import type { UploadedFile } from "../../rest/php-form.js";
import type { CallSignal } from "../call-handler.js";
import { headerMap } from "../headers.js";
import type { Exchange, Input } from "./exchange.js";
import type { RestCallToAuthorize, RestContext } from "./service.js";

/** What one call tells its handler. What few handlers ask for is made when one does. */
export class CallContext implements RestContext {
  readonly operation: string;
  readonly method: Method;
  readonly language: string | undefined;
  readonly route: string;
  readonly body: Uint8Array;
  readonly files: readonly UploadedFile[];
  readonly remoteAddress: string | undefined;
  readonly #exchange: Exchange;
  readonly #signal: CallSignal | undefined;
  #headers: ReadonlyMap<string, string> | undefined;

  /** Without a `signal`, that of the request counts. */
  constructor(
    exchange: Exchange,
    called: { readonly operation: string; readonly method: Method },
    signal?: CallSignal,
  ) {
    this.operation = called.operation;
    this.method = called.method;
    this.language = exchange.language;
    this.route = exchange.match?.route.key ?? "";
    this.body = exchange.body;
    this.files = exchange.files;
    this.remoteAddress = exchange.request.remoteAddress;
    this.#exchange = exchange;
    this.#signal = signal;
  }

  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= headerMap(this.#exchange.request.headers);
    return this.#headers;
  }

  get baseUrl(): string {
    return this.#exchange.baseUrl;
  }

  get signal(): AbortSignal {
    return this.#signal?.signal ?? this.#exchange.request.signal;
  }

  get nonce(): string | undefined {
    return this.#exchange.nonce;
  }

  get params(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#exchange.match?.variables ?? []);
  }
}

/** A call before it is made, as the user's hook sees it. */
export class CallBefore extends CallContext implements RestCallToAuthorize {
  readonly input: Input;

  constructor(exchange: Exchange, called: { readonly operation: string; readonly method: Method }, input: Input) {
    super(exchange, called);
    this.input = input;
  }
}
