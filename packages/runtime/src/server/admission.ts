import type { BodyCollector } from "../http/body-collector.js";
import type { LimitedBody, RoutedRequest } from "../http/server-messages.js";
import { LimitError, type ServerLimits } from "../server-limits.js";
import { type CollectableBody, collectChunks, DisconnectError, isCollectable } from "./body.js";

type Limits = Pick<
  ServerLimits,
  "inFlight" | "arrivingBodies" | "arrivingBytes" | "bodyRate" | "bodyRateGracePeriod" | "checkInterval"
>;

/**
 * Limits the requests of one router. A request is in flight while it is answered, but not while its body arrives, so that
 * slow clients do not block other calls. Arriving bodies have a separate limit, a limit of their bytes, and a minimum rate.
 */
export class Admission {
  readonly #limits: Limits;
  readonly #arriving = new Set<ArrivingBody>();
  #arrivingBytes = 0;
  #inFlight = 0;
  #lastCheck = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Whether another request may be answered now. */
  get isFull(): boolean {
    return this.#inFlight >= this.#limits.inFlight;
  }

  /** Because the length of an answer is not known in advance, every answer is compressed. */
  admit(request: RoutedRequest): void {
    this.#inFlight++;
    const { body } = request;
    if (!(body instanceof Uint8Array)) {
      request.arriving = new ArrivingBody(body, this);
    }
  }

  /** Called when a request is answered. */
  end({ arriving }: RoutedRequest): void {
    if (arriving === undefined || arriving.end()) {
      this.#inFlight--;
    }
  }

  /** Stops counting a request as in flight while its body arrives. Returns the limit that it exceeds, if any. */
  beginArrival(body: ArrivingBody): LimitError | undefined {
    this.#inFlight--;
    const { arrivingBodies, checkInterval } = this.#limits;
    if (this.#arriving.size >= arrivingBodies) {
      return new LimitError("arrivingBodies", arrivingBodies);
    }
    this.#arriving.add(body);
    if (this.#timer === undefined) {
      this.#lastCheck = performance.now();
      this.#timer = checkEvery(checkInterval, () => this.#check());
    }
    return undefined;
  }

  /** Counts a request with a complete body as in flight again. Returns the limit that it exceeds, if any. */
  completeArrival(body: ArrivingBody): LimitError | undefined {
    this.cancelArrival(body);
    if (this.isFull) {
      return new LimitError("inFlight", this.#limits.inFlight);
    }
    this.#inFlight++;
    return undefined;
  }

  cancelArrival(body: ArrivingBody): void {
    if (this.#arriving.delete(body)) {
      this.#arrivingBytes -= body.kept;
    }
  }

  /** Counts bytes of an arriving body that are kept in memory. Refuses bodies until all together are within the limit. */
  keepBytes(body: ArrivingBody, bytes: number): void {
    body.kept += bytes;
    this.#arrivingBytes += bytes;
    const { arrivingBytes } = this.#limits;
    while (this.#arrivingBytes > arrivingBytes) {
      this.#largest().refuse(new LimitError("arrivingBytes", arrivingBytes));
    }
  }

  /** The body that has kept most memory for the longest time. Short bodies, and those that arrive fast, are spared. */
  #largest(): ArrivingBody {
    const now = performance.now();
    const weight = ({ kept, started }: ArrivingBody) => kept * (now - started);
    return [...this.#arriving].reduce((largest, body) => (weight(body) > weight(largest) ? body : largest));
  }

  #check(): void {
    const { bodyRate, bodyRateGracePeriod, checkInterval } = this.#limits;
    const now = performance.now();
    // While this process could not run, bytes arrived that are not read yet.
    const stalled = Math.max(0, now - this.#lastCheck - Math.max(1, checkInterval));
    this.#lastCheck = now;
    for (const body of this.#arriving) {
      body.started += stalled;
      const milliseconds = now - body.started;
      if (milliseconds > bodyRateGracePeriod && body.received < (milliseconds / 1_000) * bodyRate) {
        body.refuse(new LimitError("bodyRate", bodyRate));
      }
    }
    if (this.#arriving.size > 0) {
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Starts a timer that does not keep the process alive, if the platform has such timers. */
function checkEvery(milliseconds: number, check: () => void): ReturnType<typeof setInterval> {
  const timer = setInterval(check, Math.max(1, milliseconds));
  if (typeof timer === "object" && "unref" in timer) {
    timer.unref();
  }
  return timer;
}

/** The body of an admitted request. Reading it fails when a limit is exceeded. */
class ArrivingBody implements LimitedBody, CollectableBody, AsyncIterator<Uint8Array> {
  started = 0;
  received = 0;
  /** The bytes that are in memory, of those received. */
  kept = 0;
  refusal: LimitError | undefined;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #admission: Admission;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #state: "unread" | "arriving" | "complete" | "ended" = "unread";
  #fail: ((error: Error) => void) | undefined;
  #keepsBytes = false;

  constructor(source: AsyncIterable<Uint8Array>, admission: Admission) {
    this.#source = source;
    this.#admission = admission;
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
        reject(unreadable(this.refusal));
        return;
      }
      this.#fail = reject;
      const progress = (): void => this.#receive(collector.size - this.received);
      source.collect(collector, progress).then(
        (bytes) => {
          this.#complete();
          if (this.refusal === undefined) {
            resolve(bytes);
          } else {
            reject(unreadable(this.refusal));
          }
        },
        (error: unknown) => {
          this.#stop();
          reject(error);
        },
      );
    });
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      if (this.#chunks === undefined) {
        reject(unreadable(this.refusal));
        return;
      }
      this.#fail = reject;
      this.#chunks.next().then((result) => {
        if (result.done === true) {
          this.#complete();
        } else {
          this.#receive(result.value.length);
        }
        if (this.refusal === undefined) {
          resolve(result);
        } else {
          reject(unreadable(this.refusal));
        }
      }, reject);
    });
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#stop();
    await this.#chunks?.return?.();
    return { done: true, value: undefined };
  }

  /** Ends the arrival. A pending read fails, and the bytes that were collected are released. */
  refuse(error: LimitError): void {
    this.#refused(error);
    if (isCollectable(this.#source)) {
      this.#source.stopCollecting?.();
    }
    this.#fail?.(unreadable(error));
  }

  end(): boolean {
    const inFlight = this.#state === "unread" || this.#state === "complete";
    this.#stop();
    return inFlight;
  }

  #begin(): void {
    this.started = performance.now();
    this.#state = "arriving";
    const refusal = this.#admission.beginArrival(this);
    if (refusal !== undefined) {
      this.#refused(refusal);
    }
  }

  #receive(bytes: number): void {
    this.received += bytes;
    if (this.#keepsBytes && this.#state === "arriving") {
      this.#admission.keepBytes(this, bytes);
    }
  }

  /** Does nothing if the body was refused before its last bytes arrived: the request has been answered. */
  #complete(): void {
    if (this.#state !== "arriving") {
      return;
    }
    const refusal = this.#admission.completeArrival(this);
    if (refusal === undefined) {
      this.#state = "complete";
    } else {
      this.#refused(refusal);
    }
  }

  #refused(error: LimitError): void {
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

/** The error for the routes. The router reports the limit and answers the request. */
function unreadable(cause: LimitError | undefined): Error {
  return new DisconnectError(cause);
}
