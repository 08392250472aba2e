import { isBytes } from "../http/bytes.js";
import { findHeader } from "../http/headers.js";
import type { ServerAnswer } from "../http/server-answer.js";
import { type ParsedRequest, toParsedRequest } from "../http/server-request.js";
import { isPromise } from "../is-promise.js";
import { report } from "../observe/incidents.js";
import { type RecordedMessage, type RecordOptions, Redactor, writeMessage } from "../observe/redact.js";
import { RepeatedProblem, RepeatedReports } from "../observe/repeated-incidents.js";
import { checkOptionsOf } from "../option-checks.js";
import { functionType, namesType, notNegativeType, type OptionTypes, required } from "../option-types.js";
import { checkWrappedRoutes, type Routes, withAnswer } from "./routes.js";

/** Options for `recordedRoutes`. */
export interface RecordedRoutesOptions extends RecordOptions {
  /**
   * Returns whether a request is recorded. Can depend on the client, for example. Default: all requests are recorded.
   */
  readonly when?:
    | ((request: {
        readonly method: string;
        readonly path: string;
        readonly remoteAddress: string | undefined;
      }) => boolean)
    | undefined;
}

const recordTypes: OptionTypes<RecordedRoutesOptions> = {
  write: required(functionType),
  secrets: namesType,
  maxBytes: notNegativeType,
  when: functionType,
};

/**
 * Passes each request and answer of the routes to the option `write`, with their bodies but without secrets. Answers
 * are recorded in their uncompressed form.
 */
export function recordedRoutes(routes: Routes, options: RecordedRoutesOptions): Routes {
  checkWrappedRoutes("recordedRoutes", routes);
  checkOptionsOf("recordedRoutes", options, recordTypes);
  const redactor = new Redactor(options);
  const reports = new RepeatedReports();
  const reportFailure = (option: "when" | "write", error: unknown, request: ParsedRequest): void => {
    const message = `The function in the option "${option}" of recordedRoutes failed, so the message is not recorded. This is reported once a minute.`;
    const repeated = new RepeatedProblem(reports, option);
    report(undefined, { kind: "hook", message, error }, request, { endsCall: false, repeated });
  };
  /** Whether to record a request. If the option `when` fails, the request is not recorded. */
  const isRecorded = (request: ParsedRequest): boolean => {
    try {
      const result: unknown = options.when?.(request);
      if (isPromise(result)) {
        result.then(undefined, () => {});
        throw new TypeError("The function returned a promise. It must return true or false.");
      }
      return result !== false;
    } catch (error) {
      reportFailure("when", error, request);
      return false;
    }
  };
  return withAnswer(routes, (receivedRequest) => {
    const request = toParsedRequest(receivedRequest);
    if (!isRecorded(request)) {
      return routes.answer(request);
    }
    const time = Date.now();
    const { request: recordedRequest, getBody } = recordBody(request);
    const record = (answer: ServerAnswer | undefined): ServerAnswer | undefined => {
      if (answer === undefined) {
        return undefined;
      }
      const { id, method, target, headers } = request;
      const body = getBody();
      const write = (message: RecordedMessage) =>
        writeMessage(options, message, (error) => reportFailure("write", error, request));
      const encoding = findHeader(headers, "content-encoding")?.trim().toLowerCase();
      write({
        direction: "request",
        side: "server",
        time,
        id,
        method,
        address: redactor.redactAddress(target),
        headers: redactor.redactHeaders(headers),
        body: redactor.redactBody(body, encoding),
        bytes: body.length,
      });
      write(recordAnswer(answer, redactor, id));
      return answer;
    };
    const answer = routes.answer(recordedRequest);
    return isPromise(answer) ? answer.then(record) : record(answer);
  });
}

function recordAnswer(answer: ServerAnswer, redactor: Redactor, id: string): RecordedMessage {
  const body = typeof answer.body === "string" ? new TextEncoder().encode(answer.body) : answer.body;
  const bytes = body ?? new Uint8Array();
  return {
    direction: "answer",
    side: "server",
    time: Date.now(),
    id,
    status: answer.status,
    headers: redactor.redactHeaders(answer.headers),
    body: redactor.redactBody(bytes, undefined),
    bytes: bytes.length,
  };
}

/** A request whose body is recorded while routes read it. */
interface RecordedRequest {
  readonly request: ParsedRequest;
  /** Returns the bytes that have been read so far. */
  readonly getBody: () => Uint8Array;
}

function recordBody(request: ParsedRequest): RecordedRequest {
  const { body, usage } = request;
  if (isBytes(body)) {
    return { request, getBody: () => body };
  }
  const chunks: Uint8Array[] = [];
  usage?.body?.keep();
  const getBody = () => {
    const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let offset = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes;
  };
  return { request: request.withBody(new RecordedBody(body, chunks)), getBody };
}

/** A body that also stores each of its chunks in a list. The code that reads the body limits the number of bytes. */
class RecordedBody implements AsyncIterable<Uint8Array> {
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #chunks: Uint8Array[];

  constructor(body: AsyncIterable<Uint8Array>, chunks: Uint8Array[]) {
    this.#body = body;
    this.#chunks = chunks;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#body) {
      this.#chunks.push(chunk);
      yield chunk;
    }
  }
}
