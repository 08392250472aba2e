import { DecodeError, ProtocolError } from "../../answer-errors.js";
import { AbortError, TimeoutError } from "../../errors.js";
import { readMediaType } from "../../http/media-type.js";
import { longestTimer } from "../cancellation.js";
import type { ClientAnswer } from "../hooks.js";
import type {
  AnswerBody,
  AnswerStream,
  RestStreamCall,
  SoapStreamCall,
  StreamCall,
  Transport,
  TransportHead,
  TransportRequest,
} from "../transport.js";
import type { ItemScanner } from "./byte-window.js";
import { JsonItems } from "./json-items.js";
import { soapItems } from "./soap-items.js";
import { XmlItems } from "./xml-items.js";

export interface ItemStreamOptions {
  /** The names of the members that lead to the list, joined with dots. */
  readonly items: string;
  /** Milliseconds. */
  readonly idleTimeout: number;
}

/** Functions that find and read the items of one call. */
interface ItemReader {
  readonly scanner: () => ItemScanner;
  /** Reads the document of an item. `index` counts from 0. */
  readonly read: (bytes: Uint8Array, head: TransportHead, index: number) => unknown;
  /** Adds an item's position in the whole answer to the error. */
  readonly located: (error: unknown, index: number) => unknown;
}

/**
 * The items of one answer, between the transport, which passes on bytes, and a loop, which consumes items. While the loop works
 * on an item, no more bytes are read.
 */
export class ItemStream implements AnswerStream {
  readonly #options: ItemStreamOptions;
  #items: unknown[] = [];
  #count = 0;
  /** Whether a call has used this stream. */
  isUsed = false;
  #wakeLoop = () => {};
  #wakeTransport = () => {};
  #cancelTransport: (reason: unknown) => void = () => {};
  #isClosed = false;
  #checkRest: AnswerStream["checkRest"] = () => {};

  constructor(options: ItemStreamOptions) {
    this.#options = options;
  }

  soap(call: SoapStreamCall): Transport {
    const items = soapItems(call, this.#options.items);
    const place = { names: items.names, kept: items.min, limit: call.bodyBytes };
    const pathOf = (index: number) => `${items.path}[${index + 1}]`;
    this.#checkRest = (value, { status }) => {
      if (items.min === 0 && items.hasItems(value)) {
        const reason = "The list is elsewhere in the answer and is referred to, so it cannot be read as a stream.";
        throw new DecodeError(`${items.path}: ${reason}`, { ...call.context, status, path: items.path, reason });
      }
    };
    return this.#transport(call, {
      scanner: () => new XmlItems(place),
      read: (bytes, head, index) => {
        if (index >= items.max) {
          const message = `${pathOf(index)}: The element may occur at most ${items.max} times.`;
          throw new DecodeError(message, { ...call.context, path: pathOf(index) });
        }
        const answer = call.read(items.single, { ...head, body: bytes });
        return answer instanceof Promise ? answer.then(({ value }) => items.read(value)) : items.read(answer.value);
      },
      located: (error, index) =>
        located(error, { inItem: items.path, first: /^(?:\/[^/[]*)?\[1\]/, inAnswer: pathOf(index) }),
    });
  }

  rest(call: RestStreamCall): Transport {
    const names = this.#options.items === "" ? [] : this.#options.items.split(".");
    const parent = names.map((name) => `/${name}`).join("");
    return this.#transport(call, {
      scanner: () => new JsonItems({ names, limit: call.bodyBytes }),
      read: async (bytes, head) => {
        const list = await call.read({ ...head, body: bytes });
        return Array.isArray(list) ? list[0] : undefined;
      },
      located: (error, index) => located(error, { inItem: "", first: /^\/0(?=\/|$)/, inAnswer: `${parent}/${index}` }),
    });
  }

  /** The items that have arrived; waits for at least one, or for `end`. Lets the transport continue reading. */
  async take(end: Promise<unknown>): Promise<readonly unknown[]> {
    if (this.#items.length === 0) {
      this.#wakeTransport();
      await Promise.race([
        end,
        new Promise<void>((resolve) => {
          this.#wakeLoop = resolve;
        }),
      ]);
    }
    const items = this.#items;
    this.#items = [];
    return items;
  }

  checkRest(value: unknown, answer: Pick<ClientAnswer, "status">): void {
    this.#checkRest(value, answer);
  }

  /** Aborts the call unless it has ended. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTransport(new AbortError("The stream was closed before its end."));
  }

  #transport(call: StreamCall, reader: ItemReader): Transport {
    this.isUsed = true;
    return {
      send: (request) => {
        if (this.#count > 0 || this.#isClosed) {
          throw new AbortError("The call cannot be repeated: items of its answer were read already.", call.context);
        }
        return this.#send(request, call, reader);
      },
      ...(call.transport.rejectsOnCancel && { rejectsOnCancel: true }),
    };
  }

  #send(request: TransportRequest, call: StreamCall, reader: ItemReader): ReturnType<Transport["send"]> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const idle = new IdleTimer(this.#options.idleTimeout, () =>
        this.#cancelTransport(
          new TimeoutError(`No part of the answer within ${this.#options.idleTimeout} ms.`, {
            ...call.context,
            milliseconds: this.#options.idleTimeout,
          }),
        ),
      );
      this.#cancelTransport = (reason) => {
        reject(reason);
        controller.abort();
      };
      const removeListener = request.onCancel(() => controller.abort());
      let body: StreamedBody | undefined;
      const refused = (message: string, status: number) => new ProtocolError(message, { ...call.context, status });
      const streamed: TransportRequest = {
        ...partsOf(request),
        signal: controller.signal,
        onCancel: (listener) => {
          controller.signal.addEventListener("abort", listener, { once: true });
          return () => controller.signal.removeEventListener("abort", listener);
        },
        ...(request.onConnection && { onConnection: () => request.onConnection?.() }),
        checkHead: (head) => request.checkHead(isRead(head) ? withoutLength(head) : head),
        collect: (head) => {
          if (!isRead(head)) {
            return undefined;
          }
          body = new StreamedBody(reader.scanner(), {
            idle,
            read: (documents) => this.#read(documents, head, reader),
            failure: (error) => (error instanceof RangeError ? refused(error.message, head.status) : error),
          });
          return body;
        },
      };
      idle.start();
      call.transport
        .send(streamed)
        .then((answer) => {
          if (body === undefined && isRead(answer) && answer.body.length > 0) {
            throw refused(
              "The transport cannot pass on the answer while it arrives, or the answer is compressed.",
              answer.status,
            );
          }
          body?.checkEnd();
          resolve(answer);
        })
        .catch(reject)
        .finally(() => {
          idle.stop();
          removeListener();
        });
    });
  }

  /** Reads items and passes them to the loop. Waits until the loop needs more. */
  async #read(documents: readonly Uint8Array[], head: TransportHead, reader: ItemReader): Promise<void> {
    for (const bytes of documents) {
      const index = this.#count;
      try {
        const item = reader.read(bytes, head, index);
        this.#items.push(item instanceof Promise ? await item : item);
      } catch (error) {
        throw reader.located(error, index);
      }
      this.#count += 1;
    }
    const taken = new Promise<void>((resolve) => {
      this.#wakeTransport = resolve;
    });
    this.#wakeLoop();
    await taken;
  }
}

/** Aborts a call whose answer makes no progress. Paused while the loop works on items. */
class IdleTimer {
  readonly #milliseconds: number;
  readonly #expired: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number, expired: () => void) {
    this.#milliseconds = milliseconds;
    this.#expired = expired;
  }

  start(): void {
    this.stop();
    if (this.#milliseconds <= longestTimer) {
      this.#timer = setTimeout(this.#expired, this.#milliseconds);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

interface BodyReading {
  readonly idle: IdleTimer;
  /** Reads the documents of items. */
  readonly read: (documents: readonly Uint8Array[]) => Promise<void>;
  /** Converts an error of the scanner. */
  readonly failure: (error: unknown) => unknown;
}

/** Receives the bytes of an answer. The remainder is the answer without its items. */
class StreamedBody implements AnswerBody {
  readonly #scanner: ItemScanner;
  readonly #reading: BodyReading;
  #problem: { readonly error: unknown } | undefined;
  size = 0;

  constructor(scanner: ItemScanner, reading: BodyReading) {
    this.#scanner = scanner;
    this.#reading = reading;
  }

  add(chunk: Uint8Array): Promise<void> | undefined {
    const { idle, read } = this.#reading;
    idle.start();
    if (this.size === 0) {
      refuseWideCharacters(chunk);
    }
    this.size += chunk.length;
    const documents = this.#checked(() => this.#scanner.push(chunk));
    if (documents.length === 0) {
      return undefined;
    }
    idle.stop();
    return read(documents).then(() => idle.start());
  }

  bytes(): Uint8Array {
    try {
      return this.#checked(() => this.#scanner.remainder());
    } catch (error) {
      this.#problem = { error };
      return new Uint8Array();
    }
  }

  /** Throws the errors that `bytes` could not throw. */
  checkEnd(): void {
    if (this.#problem !== undefined) {
      throw this.#problem.error;
    }
  }

  #checked<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw this.#reading.failure(error);
    }
  }
}

/** UTF-16 and UTF-32 begin with a byte-order mark, or have zeros in their first characters. */
function refuseWideCharacters([first, second]: Uint8Array): void {
  if (first === 0 || second === 0 || (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)) {
    throw new DecodeError("An answer in UTF-16 cannot be read as a stream.", { path: "" });
  }
}

/** Whether an answer is read as a stream. Faults, errors and messages with attachments are read completely. */
function isRead({ status, headers }: TransportHead): boolean {
  return status >= 200 && status < 300 && !readMediaType(headers.get("content-type")).name.startsWith("multipart/");
}

/** Removes the length, because the byte limit applies to the parts of the answer. */
function withoutLength(head: TransportHead): TransportHead {
  return { ...head, headers: new Map([...head.headers].filter(([name]) => name !== "content-length")) };
}

function partsOf({ method, url, headers, body, bodyBytes, connectTimeout }: TransportRequest) {
  return { method, url, headers, body, bodyBytes, connectTimeout };
}

interface Place {
  /** The item's path in its own document. */
  readonly inItem: string;
  /** Matches the item's index in that document. */
  readonly first: RegExp;
  readonly inAnswer: string;
}

/** The reason for a reference to another part of the answer: an item's own document contains only the item. */
const unknownId = /^No element of the body has the id (".*")\.$/s;

function located(error: unknown, { inItem, first, inAnswer }: Place): unknown {
  if (!(error instanceof DecodeError)) {
    return error;
  }
  const { path } = error;
  const reason = error.reason.replace(
    unknownId,
    "The item refers to the id $1 elsewhere in the answer, so it cannot be read as a stream.",
  );
  const message = error.message.replace(error.reason, () => reason);
  const inside = path !== "/" && path.startsWith(inItem) ? path.slice(inItem.length).replace(first, "") : "";
  const whole = inAnswer + inside;
  const explained =
    path.length > 1 && message.includes(path) ? message.replace(path, () => whole) : `${whole}: ${message}`;
  const { value, status, body, tolerance, operation, method, address, cause } = error;
  const init = { path: whole, reason, value, status, body, tolerance, operation, method, address, cause };
  return new DecodeError(explained, init);
}
