import { createHeaderMap, findHeader, type HeaderLine } from "../../http/headers.js";
import type { ParsedRequest } from "../../http/server-request.js";
import type { BegunCall } from "../../observe/events.js";

/** A request as observers receive it. Its headers are read only if an observer uses them. */
export class BegunRequest implements BegunCall {
  readonly side = "server";
  readonly requestId: string;
  readonly method: string;
  readonly address: string;
  readonly secure: boolean;
  readonly remoteAddress: string | undefined;
  readonly #lines: readonly HeaderLine[];
  #headers: ReadonlyMap<string, string> | undefined;

  constructor({ id, method, path, secure, remoteAddress, headers }: ParsedRequest) {
    this.requestId = id;
    this.method = method;
    this.address = path;
    this.secure = secure;
    this.remoteAddress = remoteAddress;
    this.#lines = headers;
  }

  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= createHeaderMap(this.#lines);
    return this.#headers;
  }

  header(name: string): string | undefined {
    return findHeader(this.#lines, name);
  }
}
