import type { IncomingMessage, ServerResponse } from "node:http";
import type { HeaderLine, ServerRequest } from "../types.js";
import { IncomingBody } from "./incoming-body.js";

/** A request of `node:http` as the core sees it. */
export class NodeRequest implements ServerRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly secure: boolean;
  readonly remoteAddress?: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #expectsContinue: boolean;
  #controller: AbortController | undefined;
  #body: AsyncIterable<Uint8Array> | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue: boolean) {
    this.method = incoming.method ?? "";
    this.target = incoming.url ?? "";
    this.headers = linesOf(incoming.rawHeaders);
    this.secure = "encrypted" in incoming.socket;
    const { remoteAddress } = incoming.socket;
    if (remoteAddress !== undefined) this.remoteAddress = remoteAddress;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#expectsContinue = expectsContinue;
  }

  /** Created on first use. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      if (this.#isGone()) controller.abort();
      else
        this.#outgoing.once("close", () => {
          if (!this.#outgoing.writableFinished) controller.abort();
        });
    }
    return this.#controller.signal;
  }

  /** The bytes as they arrive. If reading ends early, the connection stays open for the answer. */
  get body(): AsyncIterable<Uint8Array> {
    // RFC 9110 §10.1.1: the client waits for this before it sends the body.
    const begin = () => {
      if (this.#expectsContinue) this.#outgoing.writeContinue();
    };
    this.#body ??= new IncomingBody(this.#incoming, begin);
    return this.#body;
  }

  #isGone(): boolean {
    return this.#outgoing.closed && !this.#outgoing.writableFinished;
  }
}

function linesOf(raw: readonly string[]): readonly HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) lines.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return lines;
}
