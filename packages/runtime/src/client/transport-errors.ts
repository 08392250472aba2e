/** A new connection did not stand in time. */
export class ConnectTimeoutError extends Error {
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    super(`No connection within ${milliseconds} ms.`);
    this.name = "ConnectTimeoutError";
    this.milliseconds = milliseconds;
  }
}

/** The answer's body is compressed, though the request asked for it as it is. */
export class EncodingError extends Error {
  constructor(encoding: string) {
    super(`The answer comes in the content encoding "${encoding.slice(0, 64)}", which was not asked for.`);
    this.name = "EncodingError";
  }
}

/** The connection ended before the answer did. */
export class TruncatedError extends Error {
  readonly code = "ECONNRESET";
  constructor() {
    super("The connection was closed before the answer was complete.");
    this.name = "TruncatedError";
  }
}

/** Too many calls wait for a connection. */
export class QueueFullError extends Error {
  constructor(maxQueued: number) {
    super(`${maxQueued} calls wait for a connection; the options maxSockets and maxQueued set the limits.`);
    this.name = "QueueFullError";
  }
}

/** A proxy does not open a tunnel. */
export class ProxyRefusal extends Error {
  constructor(status: number) {
    super(`The proxy answers ${status}, and opens no tunnel.`);
    this.name = "ProxyRefusal";
  }
}
