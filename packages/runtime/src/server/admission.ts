import type { BodyCollector } from "../http/body-collector.js";
import { isBytes } from "../http/bytes.js";
import type { CallRecord, LimitedBody, RequestUsage, ServerRequest } from "../http/server-request.js";
import { formatOperations } from "../observe/stalls.js";
import { createTooLargeError, LimitError, type ServerLimits } from "../server-limits.js";
import {
  type CollectableBody,
  collectChunks,
  createRefusalError,
  DisconnectError,
  describeBodyFailure,
  isCollectable,
  UsedBody,
} from "./body.js";
import { RunningClock } from "./limits/running-clock.js";

type Limits = Pick<
  ServerLimits,
  | "inFlight"
  | "inFlightBytes"
  | "arrivingBodies"
  | "arrivingBytes"
  | "bodyRate"
  | "bodyRateGracePeriod"
  | "requestTimeout"
  | "checkInterval"
>;

/** The limits that only many requests together can exceed. Each is reported at most once a minute. */
export const capacityLimits: ReadonlySet<unknown> = new Set([
  "inFlight",
  "inFlightBytes",
  "arrivingBodies",
  "unreadBytes",
]);

/** The memory of the requests in flight that take more than their share. */
export class CountedMemory {
  /** The memory at present, in bytes. */
  bytes = 0;
  /** The highest number of bytes so far. */
  highestBytes = 0;
}

/** What an adapter knows about the answers and the memory of its requests. */
export interface AdmissionFeatures {
  /** Returns the limit that a new request exceeds until clients have received the answers to earlier ones. */
  readonly findOverload?: ((request: ServerRequest) => LimitError | undefined) | undefined;
  /** Receives the memory of the requests in flight, for the state of the server. */
  readonly memory?: CountedMemory | undefined;
}

/**
 * Limits the requests of one router. A request counts as in flight while it is being answered, but not while its body
 * is arriving, so that slow clients do not block other calls. Arriving bodies have their own limits: for their number,
 * for their bytes in memory, and for the rate at which they arrive.
 *
 * The memory of the requests in flight has a limit, too. Requests that take less than an equal share of this limit do
 * not count toward it, so that large requests cannot keep out small ones.
 */
export class Admission {
  readonly #limits: Limits;
  readonly #findOverload: AdmissionFeatures["findOverload"];
  readonly #arrivingBodies = new Set<ArrivingBody>();
  #arrivingBytes = 0;
  /** The requests in flight, in no particular order. */
  readonly #inFlight: CountedUsage[] = [];
  readonly #memory: CountedMemory;
  readonly #share: number;
  /** Runs while bodies are arriving. */
  readonly clock: RunningClock;

  constructor(limits: Limits, { findOverload, memory = new CountedMemory() }: AdmissionFeatures = {}) {
    this.#limits = limits;
    this.#share = limits.inFlightBytes / limits.inFlight;
    this.#findOverload = findOverload;
    this.#memory = memory;
    this.clock = new RunningClock(limits.checkInterval);
  }

  /** Returns the limit that a new request exceeds, if any. */
  findExceededLimit(request: ServerRequest): LimitError | undefined {
    return this.isFull ? new LimitError("inFlight", this.#limits.inFlight) : this.#findOverload?.(request);
  }

  /** Whether as many requests are in flight as the limit allows. */
  get isFull(): boolean {
    return this.#inFlight.length >= this.#limits.inFlight;
  }

  /** Counts a request as in flight. */
  begin(usage: CountedUsage): void {
    usage.index = this.#inFlight.push(usage) - 1;
  }

  /**
   * Stops counting a request as in flight, because its answer is known or its body is arriving. Does nothing if the
   * request is not counted.
   */
  end(usage: CountedUsage): void {
    const { index } = usage;
    if (index === undefined) {
      return;
    }
    usage.index = undefined;
    const last = this.#inFlight.pop();
    if (last !== undefined && last !== usage) {
      this.#inFlight[index] = last;
      last.index = index;
    }
  }

  /**
   * Returns a sentence for operators that lists the operations whose requests use up a limit, because it is often
   * another operation that is refused. Returns undefined for limits other than those of the requests in flight.
   */
  describeUse(limit: string): string | undefined {
    if (limit !== "inFlight" && limit !== "inFlightBytes") {
      return undefined;
    }
    const now = performance.now();
    const uses = new Map<string | undefined, OperationUse>();
    for (const { record, countedBytes } of this.#inFlight) {
      const { count = 0, bytes = 0, longest = 0 } = uses.get(record?.operation) ?? {};
      const duration = now - (record?.measurements?.receivedAt ?? now);
      uses.set(record?.operation, {
        count: count + 1,
        bytes: bytes + countedBytes,
        longest: Math.max(longest, duration),
      });
    }
    const isOfMemory = limit === "inFlightBytes";
    const listed = [...uses]
      .filter(([, { bytes }]) => !isOfMemory || bytes > 0)
      .map(([operation, use]) => ({
        operation,
        weight: isOfMemory ? use.bytes : use.count,
        text: formatUse(use, isOfMemory),
      }));
    return listed.length === 0 ? undefined : `In progress: ${formatOperations(listed)}.`;
  }

  /**
   * Counts `bytes` of memory for a request instead of the `countedBytes` that were counted before. Returns the bytes
   * that are now counted, or undefined if all requests together would exceed the limit.
   */
  replaceCountedBytes(countedBytes: number, bytes: number): number | undefined {
    const newBytes = bytes > this.#share ? bytes : 0;
    const totalBytes = this.#memory.bytes - countedBytes + newBytes;
    if (newBytes > 0 && totalBytes > this.#limits.inFlightBytes) {
      return undefined;
    }
    this.#memory.bytes = totalBytes;
    this.#memory.highestBytes = Math.max(this.#memory.highestBytes, totalBytes);
    return newBytes;
  }

  /** Returns the error for a request with which all requests together, or which alone, exceeds the limit for memory. */
  createMemoryError(bytes: number): LimitError {
    const { inFlightBytes } = this.#limits;
    return bytes > inFlightBytes
      ? createTooLargeError("inFlightBytes", inFlightBytes)
      : new LimitError("inFlightBytes", inFlightBytes);
  }

  /**
   * Stops counting a request as in flight, because its body is arriving. Returns the limit that the body exceeds, if
   * any.
   */
  beginArrival(body: ArrivingBody): LimitError | undefined {
    this.end(body.usage);
    const { arrivingBodies } = this.#limits;
    if (this.#arrivingBodies.size >= arrivingBodies) {
      return new LimitError("arrivingBodies", arrivingBodies);
    }
    this.#arrivingBodies.add(body);
    if (!this.clock.isStarted) {
      this.clock.start(() => this.#checkRates());
    }
    return undefined;
  }

  /**
   * Counts a request as in flight again, because its body is complete. Returns the limit that the request exceeds, if
   * any.
   */
  completeArrival(body: ArrivingBody): LimitError | undefined {
    this.cancelArrival(body);
    if (body.usage.isEnded) {
      return undefined;
    }
    if (this.isFull) {
      return new LimitError("inFlight", this.#limits.inFlight);
    }
    this.begin(body.usage);
    return undefined;
  }

  /** Stops counting a body that will not arrive completely. */
  cancelArrival(body: ArrivingBody): void {
    if (this.#arrivingBodies.delete(body)) {
      this.#arrivingBytes -= body.keptBytes;
    }
  }

  /**
   * Counts bytes of an arriving body that are stored in memory. If all bodies together exceed the limit, refuses bodies
   * until they no longer do.
   */
  keepBytes(body: ArrivingBody, bytes: number): void {
    body.keptBytes += bytes;
    this.#arrivingBytes += bytes;
    const { arrivingBytes } = this.#limits;
    while (this.#arrivingBytes > arrivingBytes) {
      const costliestBody = this.#findCostliestBody();
      costliestBody.refuse(
        costliestBody.keptBytes > arrivingBytes
          ? createTooLargeError("arrivingBytes", arrivingBytes)
          : new LimitError("arrivingBytes", arrivingBytes),
      );
    }
  }

  /**
   * Returns the body for which the number of stored bytes times the elapsed time is highest, so that short and fast
   * bodies are not refused.
   */
  #findCostliestBody(): ArrivingBody {
    // Adds 1 ms, because on some platforms the clock does not advance between events, and every product would be 0.
    const computeWeight = ({ keptBytes, elapsedTime }: ArrivingBody) => keptBytes * (elapsedTime + 1);
    return [...this.#arrivingBodies].reduce((costliest, body) =>
      computeWeight(body) > computeWeight(costliest) ? body : costliest,
    );
  }

  /** Refuses bodies that arrive too slowly, or take too long. */
  #checkRates(): void {
    const { bodyRate, bodyRateGracePeriod, requestTimeout, checkInterval } = this.#limits;
    for (const body of this.#arrivingBodies) {
      const milliseconds = body.elapsedTime;
      if (milliseconds > bodyRateGracePeriod && body.receivedBytes < (milliseconds / 1_000) * bodyRate) {
        body.refuse(new LimitError("bodyRate", bodyRate));
      } else if (milliseconds > requestTimeout + checkInterval) {
        // One interval later than the check of `node:http`, which only knows requests over HTTP/1.1.
        body.refuse(new LimitError("requestTimeout", requestTimeout));
      }
    }
    if (this.#arrivingBodies.size === 0) {
      this.clock.stop();
    }
  }
}

/** What the requests of one operation in flight use. */
interface OperationUse {
  readonly count: number;
  readonly bytes: number;
  /** The time in milliseconds since the first of them arrived; 0 if calls are not observed. */
  readonly longest: number;
}

function formatUse({ count, bytes, longest }: OperationUse, isOfMemory: boolean): string {
  return [
    String(count),
    ...(isOfMemory ? [`${bytes} bytes`] : []),
    ...(longest > 0 ? [`the oldest for ${Math.round(longest)} ms`] : []),
  ].join(", ");
}

/**
 * What a request uses of the limits of its router. If its body is still arriving, the limits for arriving bodies apply
 * when it is read.
 */
export class CountedUsage implements RequestUsage {
  readonly body: ArrivingBody | undefined;
  readonly record: CallRecord | undefined;
  /** The position in the list of the requests in flight; undefined if the request is not in flight. */
  index: number | undefined;
  /** Whether the answer to the request is known. */
  isEnded = false;
  /** The memory that counts toward the limit, in bytes. */
  countedBytes = 0;
  readonly #admission: Admission;
  #memoryRefusal: LimitError | undefined;

  constructor({ body }: Pick<ServerRequest, "body">, admission: Admission, record?: CallRecord) {
    this.body = isBytes(body) ? undefined : new ArrivingBody(body, admission, this);
    this.record = record;
    this.index = undefined;
    this.#admission = admission;
  }

  /** The limit that the request exceeded while its body was being received or read, unless routes answer it. */
  get refusal(): LimitError | undefined {
    const refusal = this.#memoryRefusal ?? this.body?.refusal;
    return refusal?.exceededByOneRequest === true ? undefined : refusal;
  }

  countMemory(bytes: number): void {
    const countedBytes = this.#admission.replaceCountedBytes(this.countedBytes, bytes);
    if (countedBytes === undefined) {
      this.#memoryRefusal = this.#admission.createMemoryError(bytes);
      throw createRefusalError(this.#memoryRefusal);
    }
    this.countedBytes = countedBytes;
  }

  /** Stops counting the request, because its answer is known. */
  end(): void {
    this.#admission.replaceCountedBytes(this.countedBytes, 0);
    this.countedBytes = 0;
    this.isEnded = true;
    this.body?.end();
    this.#admission.end(this);
  }
}

/** The body of a request in a router. Reading the body fails when a limit is exceeded. */
class ArrivingBody implements LimitedBody, CollectableBody, AsyncIterator<Uint8Array> {
  receivedBytes = 0;
  /** The number of received bytes that are stored in memory. */
  keptBytes = 0;
  refusal: LimitError | undefined;
  isCutOff = false;
  /** Whether other code had paused the body when it was refused. */
  isHeld = false;
  /** When reading began, and when bytes arrived last, by the clock of the router. */
  #startedAt = 0;
  #lastArrivalAt = 0;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #admission: Admission;
  readonly usage: CountedUsage;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #state: "unread" | "arriving" | "complete" | "ended" = "unread";
  #rejectRead: ((error: Error) => void) | undefined;
  #keepsBytes = false;

  constructor(source: AsyncIterable<Uint8Array>, admission: Admission, usage: CountedUsage) {
    this.usage = usage;
    this.#source = source;
    this.#admission = admission;
  }

  get elapsedTime(): number {
    return this.#state === "unread" ? 0 : this.#admission.clock.now() - this.#startedAt;
  }

  get idleTime(): number {
    return this.#admission.clock.now() - this.#lastArrivalAt;
  }

  get usedBodyError(): Error | undefined {
    return this.#source instanceof UsedBody ? this.#source.error : undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    this.#begin();
    if (this.refusal === undefined) {
      this.#chunks = this.#source[Symbol.asyncIterator]();
    }
    return this;
  }

  keep(): void {
    this.#keepsBytes = true;
  }

  collect(collector: BodyCollector): Promise<Uint8Array> {
    const source = this.#source;
    this.keep();
    if (!isCollectable(source)) {
      return collectChunks(this, collector);
    }
    this.#begin();
    return new Promise((resolve, reject) => {
      if (this.refusal !== undefined) {
        reject(createRefusalError(this.refusal));
        return;
      }
      this.#rejectRead = reject;
      const updateProgress = (): void => this.#receive(collector.size - this.receivedBytes);
      source.collect(collector, updateProgress).then(
        (bytes) => {
          this.#complete();
          if (this.refusal === undefined) {
            resolve(bytes);
          } else {
            reject(createRefusalError(this.refusal));
          }
        },
        (error: unknown) => {
          this.#fail(error);
          reject(error);
        },
      );
    });
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, fail) => {
      const reject = (thrown: unknown): void => {
        const error = describeBodyFailure(thrown);
        this.#fail(error);
        fail(error);
      };
      if (this.#chunks === undefined || this.refusal !== undefined) {
        reject(createRefusalError(this.refusal));
        return;
      }
      this.#rejectRead = reject;
      this.#chunks.next().then((result) => {
        if (result.done === true) {
          this.#complete();
        } else {
          this.#receive(result.value.length);
        }
        if (this.refusal === undefined) {
          resolve(result);
        } else {
          reject(createRefusalError(this.refusal));
        }
      }, reject);
    });
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#stop();
    await this.#chunks?.return?.();
    return { done: true, value: undefined };
  }

  /** Refuses the rest of the body. A pending read fails, and the bytes that have been collected are released. */
  refuse(error: LimitError): void {
    this.#setRefusal(error);
    if (isCollectable(this.#source)) {
      this.isHeld = this.#source.isHeld === true;
      this.#source.stopCollecting?.();
    }
    this.#rejectRead?.(createRefusalError(error));
    this.#chunks?.return?.().catch(() => {});
  }

  /** Called when the request is answered. */
  end(): void {
    this.#stop();
  }

  #begin(): void {
    this.#state = "arriving";
    const refusal = this.#admission.beginArrival(this);
    this.#startedAt = this.#admission.clock.now();
    this.#lastArrivalAt = this.#startedAt;
    if (refusal !== undefined) {
      this.#setRefusal(refusal);
    }
  }

  #receive(bytes: number): void {
    this.receivedBytes += bytes;
    this.#lastArrivalAt = this.#admission.clock.now();
    if (this.#keepsBytes && this.#state === "arriving") {
      this.#admission.keepBytes(this, bytes);
    }
  }

  /** Ends the arrival of a complete body. Does nothing if the body was refused before its last bytes arrived. */
  #complete(): void {
    if (this.#state !== "arriving") {
      return;
    }
    const refusal = this.#admission.completeArrival(this);
    if (refusal === undefined) {
      this.#state = "complete";
    } else {
      this.#setRefusal(refusal);
    }
  }

  #fail(error: unknown): void {
    this.isCutOff = this.refusal === undefined && error instanceof DisconnectError;
    this.#stop();
  }

  #setRefusal(error: LimitError): void {
    this.refusal = error;
    this.#stop();
  }

  #stop(): void {
    if (this.#state === "arriving") {
      this.#admission.cancelArrival(this);
    }
    this.#state = "ended";
  }
}
