import { XmlError } from "@bothends/xml/error";
import { DecodeError } from "../answer-errors.js";
import { createContentFailure, createProtocolFailure, withFacts } from "../client/errors/failures.js";
import type { ClientAnswer } from "../client/hooks.js";
import type { ReadInputs } from "./client.js";
import type { AnswerDecoder } from "./client-answer-decoder.js";

/** A document, and the decoder that has read it. */
interface DecodedDocument {
  readonly text: string;
  readonly decoder: AnswerDecoder;
}

/** Returns the error for a document that is too large, not well-formed, or does not match the schema. */
export function createDocumentFailure(
  error: unknown,
  answer: ClientAnswer,
  call: ReadInputs,
  document?: DecodedDocument,
): unknown {
  if (error instanceof DecodeError) {
    const { limits } = call;
    const failure = createContentFailure(error, answer, call);
    return document === undefined
      ? failure
      : withFacts(failure, document.decoder.explain(error, { ...document, limits }));
  }
  if (!(error instanceof XmlError)) {
    return error;
  }
  const position = `line ${error.line}, column ${error.column}`;
  if (error.limit !== undefined) {
    return createProtocolFailure(`${error.message} The limit is exceeded at ${position}.`, answer, call);
  }
  const message = `The answer is not well-formed (${position}): ${error.message}`;
  return createContentFailure(new DecodeError(message, { path: "/", cause: error }), answer, {
    ...call,
    problem: "xml",
  });
}
