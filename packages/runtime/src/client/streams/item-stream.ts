import { DecodeError, ProtocolError } from "../../answer-errors.js";
import { createOnFirstUse } from "../../codec/resolved-types.js";
import { AbortError, type ErrorContext, TimeoutError } from "../../errors.js";
import { readMediaType } from "../../http/media-type.js";
import { longestTimerDelay } from "../exchange/cancellation.js";
import type { ClientAnswer } from "../hooks.js";
import type {
  AnswerBody,
  AnswerStream,
  RestStreamCall,
  SoapStreamCall,
  StreamSettings,
  Transport,
  TransportHead,
  TransportRequest,
} from "../transport.js";
import type { ItemScanner } from "./byte-window.js";
import { JsonItems } from "./json-items.js";
import { locateSoapItems } from "./soap-items.js";
import { XmlItems } from "./xml-items.js";

/**
 * The reason for aborting a call when the loop over its items ends before the answer does. Observers do not report it
 * as a failure.
 */
class ClosedStreamError extends AbortError {
  readonly isClosedStream = true;
}

/** A call whose answer is read as a stream. */
interface StreamedCall {
  readonly transport: Transport;
  readonly context: ErrorContext;
}

const noDocument = () => undefined;

export interface ItemStreamOptions {
  /** The names of the members that lead to the list, joined with dots. */
  readonly items: string;
  /** The maximum number of milliseconds between two parts of the answer. */
  readonly idleTimeout: number;
}

/** The functions that find and read the items in the answer to one call. */
interface ItemReader {
  readonly createScanner: () => ItemScanner;
  /** Reads the document of an item. `index` counts from 0. */
  readonly read: (bytes: Uint8Array, head: TransportHead, index: number) => unknown;
  /** Replaces the path in an error, which refers to the document of one item, with the path in the complete answer. */
  readonly locateError: (error: unknown, index: number) => unknown;
}

/**
 * Finds the items of one answer in the bytes that the transport delivers. Reads each item only when the user's loop
 * requests it, because the garbage collector would copy items that wait. While the loop processes an item, no more
 * bytes are received.
 */
export class ItemStream implements AnswerStream {
  readonly #options: ItemStreamOptions;
  /** Returns the document of the next item that has arrived; undefined if there is none. */
  #nextDocument: () => Uint8Array | undefined = noDocument;
  /** The number of items that have been read. */
  #itemCount = 0;
  #readDocument = async (_bytes: Uint8Array, _index: number): Promise<unknown> => undefined;
  /** Whether a call has used this stream. */
  isUsed = false;
  #wakeLoop = () => {};
  #wakeTransport = () => {};
  readonly #controller = new AbortController();
  readonly #abortCall = (reason: unknown): void => this.#controller.abort(reason);
  /** The function that cancels the call. While the transport sends a request, the function cancels that request. */
  #cancelCall = this.#abortCall;
  #hasItems = false;
  #isEnded = false;
  /** Whether the user's loop ended before the answer did. */
  isClosed = false;
  #isCancelled = false;
  #checkRemainder: AnswerStream["checkRemainder"] = () => {};

  constructor(options: ItemStreamOptions) {
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  soap<CallSettings extends StreamSettings>(call: SoapStreamCall, settings: CallSettings): CallSettings {
    const { limits } = settings;
    const { protocol, context } = call.prepared;
    const items = locateSoapItems(call, this.#options.items);
    const { bodyBytes: limit, attributeChars: outerLimit } = limits;
    const location = { names: items.names, keptItemCount: items.min, limit, outerLimit };
    const getItemPath = (index: number) => `${items.path}[${index + 1}]`;
    this.#checkRemainder = (value, { status }) => {
      if (items.min === 0 && items.hasItems(value)) {
        const reason = "The list is a reference to another element of the answer, so it cannot be read as a stream.";
        throw new DecodeError(`${items.path}: ${reason}`, { ...context, status, path: items.path, reason });
      }
    };
    const prepareItems = createOnFirstUse(() => call.connection.prepareSteps(items.singleItemOperation, protocol));
    const transport = this.#createTransport(
      { transport: settings.transport, context },
      {
        createScanner: () => new XmlItems(location),
        read: (bytes, head, index) => {
          if (index >= items.max) {
            const message = `${getItemPath(index)}: The element may occur at most ${items.max} times.`;
            throw new DecodeError(message, { ...context, path: getItemPath(index) });
          }
          const { steps } = prepareItems();
          const { status, headers } = head;
          const answer = steps.read({ status, headers, body: bytes }, { limits, context });
          return answer instanceof Promise
            ? answer.then(({ value }) => items.readItem(value))
            : items.readItem(answer.value);
        },
        locateError: (error, index) =>
          withLocation(error, {
            documentPath: items.path,
            indexPattern: /^(?:\/[^/[]*)?\[1\]/,
            answerPath: getItemPath(index),
          }),
      },
    );
    return { ...settings, transport };
  }

  rest<CallSettings extends StreamSettings>(call: RestStreamCall, settings: CallSettings): CallSettings {
    const names = this.#options.items === "" ? [] : this.#options.items.split(".");
    const parentPath = names.map((name) => `/${name}`).join("");
    const transport = this.#createTransport(
      { transport: settings.transport, context: call.context },
      {
        createScanner: () => new JsonItems({ names, limit: settings.limits.bodyBytes }),
        read: async (bytes, head) => {
          const { body: list } = await call.read({ status: head.status, headers: head.headers, body: bytes });
          return Array.isArray(list) ? list[0] : undefined;
        },
        locateError: (error, index) =>
          withLocation(error, { documentPath: "", indexPattern: /^\/0(?=\/|$)/, answerPath: `${parentPath}/${index}` }),
      },
    );
    return { ...settings, transport };
  }

  /**
   * Reads the next item. If no item has arrived, lets the transport continue, and waits. Returns undefined when the
   * call has ended; an invalid item ends the call.
   */
  async next(): Promise<{ readonly item: unknown } | undefined> {
    try {
      let bytes = this.#nextDocument();
      while (bytes === undefined) {
        if (this.#isEnded) {
          return undefined;
        }
        await new Promise<void>((resolve) => {
          this.#wakeLoop = resolve;
          this.#wakeTransport();
        });
        bytes = this.#nextDocument();
      }
      const item = await this.#readDocument(bytes, this.#itemCount);
      this.#itemCount += 1;
      return { item };
    } catch (error) {
      this.#cancel(error);
      return undefined;
    }
  }

  /** Must be called when the call has ended. */
  end(): void {
    this.#isEnded = true;
    this.#wakeLoop();
  }

  checkRemainder(value: unknown, answer: Pick<ClientAnswer, "status">): void {
    this.#checkRemainder(value, answer);
  }

  /** Aborts the call, unless the call has ended. */
  close(): void {
    this.isClosed = true;
    this.#cancel(new ClosedStreamError("The stream was closed before its end."));
  }

  #cancel(reason: unknown): void {
    this.#isCancelled = true;
    this.#nextDocument = noDocument;
    this.#cancelCall(reason);
    this.#wakeTransport();
  }

  #createTransport(call: StreamedCall, itemReader: ItemReader): Transport {
    this.isUsed = true;
    const hasItems = () => this.#hasItems;
    return {
      get hasUsedAnswer() {
        return hasItems();
      },
      send: (request) => {
        if (this.#hasItems || this.#isCancelled) {
          throw new AbortError(
            "The call cannot be repeated: items of its answer have already been read.",
            call.context,
          );
        }
        return this.#send(request, call, itemReader);
      },
      ...(call.transport.rejectsOnCancel && { rejectsOnCancel: true }),
    };
  }

  #send(request: TransportRequest, call: StreamedCall, itemReader: ItemReader): ReturnType<Transport["send"]> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const { idleTimeout } = this.#options;
      const idleTimer = new IdleTimer(idleTimeout, () => this.#cancelCall(createIdleError(idleTimeout, call.context)));
      const cancelRequest = (reason: unknown): void => {
        reject(reason);
        controller.abort();
      };
      this.#cancelCall = cancelRequest;
      const removeListener = request.onCancel(() => {
        this.#nextDocument = noDocument;
        controller.abort();
      });
      let body: StreamedBody | undefined;
      const countBytes = (bytes: number) => {
        request.streamedBytes = (request.streamedBytes ?? 0) + bytes;
      };
      const createBody = (head: TransportHead) => {
        body = this.#createBody(head, { call, itemReader, idleTimer, countBytes });
        return body;
      };
      const streamedRequest = createStreamedRequest(request, { signal: controller.signal, createBody });
      idleTimer.start();
      call.transport
        .send(streamedRequest)
        .then((answer) => {
          if (body === undefined && isStreamed(answer) && answer.body.length > 0) {
            throw new ProtocolError(
              'The answer cannot be read as a stream, because the custom transport in the option "transport" does not call "collect".',
              { ...call.context, status: answer.status },
            );
          }
          body?.checkEnd();
          resolve(answer);
        })
        .catch((error: unknown) => {
          Reflect.set(Object(error), "hasUsedAnswer", this.#hasItems);
          reject(error);
        })
        .finally(() => {
          idleTimer.stop();
          removeListener();
          if (this.#cancelCall === cancelRequest) {
            this.#cancelCall = this.#abortCall;
          }
        });
    });
  }

  /** Creates the body that receives the bytes of an answer and finds the documents of its items. */
  #createBody(
    head: TransportHead,
    {
      call: { context },
      itemReader,
      ...reading
    }: Pick<BodyReading, "idleTimer" | "countBytes"> & { readonly call: StreamedCall; readonly itemReader: ItemReader },
  ): StreamedBody {
    this.#readDocument = async (bytes, index) => {
      try {
        return await itemReader.read(bytes, head, index);
      } catch (error) {
        throw itemReader.locateError(error, index);
      }
    };
    return new StreamedBody(itemReader.createScanner(), {
      ...reading,
      deliver: (nextDocument) => this.#deliver(nextDocument),
      toCallError: (error) =>
        error instanceof RangeError ? new ProtocolError(error.message, { ...context, status: head.status }) : error,
    });
  }

  /**
   * Passes documents to the user's loop, which requests them one by one. The promise is fulfilled when the loop needs
   * more documents, and rejected if the loop has ended.
   */
  async #deliver(nextDocument: () => Uint8Array | undefined): Promise<void> {
    this.#checkOpen();
    this.#hasItems = true;
    this.#nextDocument = nextDocument;
    await new Promise<void>((resolve) => {
      this.#wakeTransport = resolve;
      this.#wakeLoop();
    });
    this.#checkOpen();
  }

  #checkOpen(): void {
    if (this.#isCancelled) {
      throw new AbortError("The stream was closed before its end.");
    }
  }
}

/** Aborts a call when no part of its answer arrives in time. Paused while the user's loop processes an item. */
class IdleTimer {
  readonly #milliseconds: number;
  readonly #onExpiry: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number, onExpiry: () => void) {
    this.#milliseconds = milliseconds;
    this.#onExpiry = onExpiry;
  }

  start(): void {
    this.stop();
    if (this.#milliseconds <= longestTimerDelay) {
      this.#timer = setTimeout(this.#onExpiry, this.#milliseconds);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** The number of bytes that are passed to a scanner at once. */
const bytesPerStep = 16_384;

interface BodyReading {
  readonly countBytes: (bytes: number) => void;
  readonly idleTimer: IdleTimer;
  /** Passes on the documents of items. The promise is fulfilled when more documents are needed. */
  readonly deliver: (nextDocument: () => Uint8Array | undefined) => Promise<void>;
  /** Converts a scanner's error to an error of the call. */
  readonly toCallError: (error: unknown) => unknown;
}

/** Receives the bytes of an answer, and reads its items. The result of `bytes` is the answer without the items. */
class StreamedBody implements AnswerBody {
  readonly #scanner: ItemScanner;
  readonly #reading: BodyReading;
  #problem: { readonly error: unknown } | undefined;
  size = 0;

  constructor(scanner: ItemScanner, reading: BodyReading) {
    this.#scanner = scanner;
    this.#reading = reading;
  }

  async add(chunk: Uint8Array): Promise<void> {
    const { idleTimer, deliver, countBytes } = this.#reading;
    idleTimer.start();
    if (this.size === 0) {
      refuseWideCharacters(chunk);
    }
    this.size += chunk.length;
    countBytes(chunk.length);
    for (let start = 0; start < chunk.length; start += bytesPerStep) {
      const documents = this.#scanner.push(chunk.subarray(start, start + bytesPerStep));
      const next = () => this.#convertError(() => documents.next().value);
      let firstDocument = next();
      if (firstDocument !== undefined) {
        idleTimer.stop();
        await deliver(() => {
          const document = firstDocument ?? next();
          firstDocument = undefined;
          return document;
        });
        idleTimer.start();
      }
    }
  }

  bytes(): Uint8Array {
    try {
      return this.#convertError(() => this.#scanner.remainder());
    } catch (error) {
      this.#problem = { error };
      return new Uint8Array();
    }
  }

  /** Throws the error that occurred in `bytes`, if any. */
  checkEnd(): void {
    if (this.#problem !== undefined) {
      throw this.#problem.error;
    }
  }

  #convertError<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw this.#reading.toCallError(error);
    }
  }
}

/** Refuses UTF-16 and UTF-32, which begin with a byte-order mark, or have zeros in their first characters. */
function refuseWideCharacters([firstByte, secondByte]: Uint8Array): void {
  if (
    firstByte === 0 ||
    secondByte === 0 ||
    (firstByte === 0xfe && secondByte === 0xff) ||
    (firstByte === 0xff && secondByte === 0xfe)
  ) {
    throw new DecodeError(
      "An answer in UTF-16 or UTF-32 cannot be read as a stream. Call the operation without streamOf.",
      { path: "" },
    );
  }
}

function createIdleError(milliseconds: number, context: ErrorContext): TimeoutError {
  return new TimeoutError(
    `No part of the answer arrived within ${milliseconds} ms. To wait longer, increase the option "idleTimeout".`,
    { ...context, milliseconds },
  );
}

/** Whether an answer is read as a stream. Faults, errors and messages with attachments are read completely. */
function isStreamed({ status, headers }: TransportHead): boolean {
  return status >= 200 && status < 300 && !readMediaType(headers.get("content-type")).name.startsWith("multipart/");
}

/**
 * Removes `Content-Length`, because the byte limit applies to each item and to the answer without its items, not to the
 * whole answer.
 */
function omitLength(head: TransportHead): TransportHead {
  return { ...head, headers: new Map([...head.headers].filter(([name]) => name !== "content-length")) };
}

/** Returns a request that reads its answer as a stream into the body that `createBody` returns. */
function createStreamedRequest(
  request: TransportRequest,
  { signal, createBody }: { readonly signal: AbortSignal; readonly createBody: (head: TransportHead) => AnswerBody },
): TransportRequest {
  const { method, url, headers, body, bodyBytes, connectTimeout } = request;
  const members = { method, url, headers, body, bodyBytes, connectTimeout, signal };
  return {
    ...members,
    onCancel: (listener) => {
      // If the call was cancelled while the transport was still preparing the request, the signal emits no further
      // event.
      if (signal.aborted) {
        listener();
      }
      signal.addEventListener("abort", listener, { once: true });
      return () => signal.removeEventListener("abort", listener);
    },
    ...(request.onConnection && { onConnection: () => request.onConnection?.() }),
    checkHead: (head) => request.checkHead(isStreamed(head) ? omitLength(head) : head),
    collect: (head) => (isStreamed(head) ? createBody(head) : undefined),
  };
}

interface ItemPaths {
  /** The path of the item in the document that contains only this item. */
  readonly documentPath: string;
  /** Matches the index that follows `documentPath`. */
  readonly indexPattern: RegExp;
  /** The path of the item in the complete answer. */
  readonly answerPath: string;
}

/** Matches the reason for refusing an item that refers to an element outside the item. */
const unknownIdPattern = /^No element of the body has the id (".*")\.$/s;

function withLocation(error: unknown, { documentPath, indexPattern, answerPath }: ItemPaths): unknown {
  if (!(error instanceof DecodeError)) {
    return error;
  }
  const { path } = error;
  const reason = error.reason.replace(
    unknownIdPattern,
    "The item refers to the id $1 elsewhere in the answer, so it cannot be read as a stream.",
  );
  const message = error.message.replace(error.reason, () => reason);
  const pathInItem =
    path !== "/" && path.startsWith(documentPath) ? path.slice(documentPath.length).replace(indexPattern, "") : "";
  const pathInAnswer = answerPath + pathInItem;
  const completeMessage =
    path.length > 1 && message.includes(path)
      ? message.replace(path, () => pathInAnswer)
      : `${pathInAnswer}: ${message}`;
  const { value, status, body, tolerance, operation, method, address, cause } = error;
  const init = { path: pathInAnswer, reason, value, status, body, tolerance, operation, method, address, cause };
  return new DecodeError(completeMessage, init);
}
