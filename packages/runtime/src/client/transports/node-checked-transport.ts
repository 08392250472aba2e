import { ConfigError } from "../../errors.js";
import { describeType } from "../check-options.js";
import type { Transport, TransportAnswer } from "../transport.js";

// Checks custom transports on Node. On other platforms, this code would be too large for small programs.

/** Returns a transport that refuses answers of another form from the custom transport of the option `transport`. */
export function checkTransport(transport: Transport): Transport {
  if (typeof transport.send !== "function") {
    throw new ConfigError(
      `The option "transport" must be an object with the method send, not ${describeType(transport)}. To send with a function such as fetch, use fetchTransport of @bothends/runtime/client/fetch.`,
    );
  }
  return {
    async send(request) {
      const answer = await transport.send(request);
      checkAnswer(answer, transport);
      return answer;
    },
    rejectsOnCancel: transport.rejectsOnCancel,
    reportsUploads: transport.reportsUploads,
    proxy: transport.proxy,
    get hasUsedAnswer() {
      return transport.hasUsedAnswer;
    },
    close: () => transport.close?.(),
  };
}

function checkAnswer(answer: unknown, transport: Transport): void {
  const problem = findProblem(answer);
  if (problem !== undefined) {
    const { name } = transport.constructor ?? {};
    const owner = name === undefined || name === "" || name === "Object" ? "" : `, of the class ${name},`;
    throw new ConfigError(
      `The transport in the option "transport"${owner} must answer with { status, headers, body }: a number, a Map with names in lower case, and a Uint8Array. ${problem}`,
    );
  }
}

/** Returns a sentence about a value that is not an answer; undefined for an answer. */
function findProblem(answer: unknown): string | undefined {
  const { status, headers, body } = Object(answer ?? {}) as Partial<Record<keyof TransportAnswer, unknown>>;
  if (typeof answer !== "object" || answer === null) {
    return `Its method send returned ${describeType(answer)}.`;
  }
  if (typeof Object(answer).arrayBuffer === "function") {
    return "Its method send returned a Response: use fetchTransport of @bothends/runtime/client/fetch, which reads it.";
  }
  if (!Number.isInteger(status)) {
    return `The member "status" is ${describeType(status)}.`;
  }
  if (typeof Object(headers).get !== "function" || typeof Object(headers).has !== "function") {
    const advice = typeof headers === "object" && headers !== null ? " Use new Map(Object.entries(headers))." : "";
    return `The member "headers" is ${describeType(headers)}.${advice}`;
  }
  if (!ArrayBuffer.isView(body)) {
    const advice = typeof body === "string" ? " Use new TextEncoder().encode(body)." : "";
    return `The member "body" is ${describeType(body)}.${advice}`;
  }
  return undefined;
}
