import { XmlError } from "@bothends/xml/error";
import { DecodeError } from "../answer-errors.js";
import { contentFailure, protocolFailure } from "../client/failures.js";
import type { ClientAnswer } from "../client/hooks.js";
import type { ReadFacts } from "./client.js";

/** The error for a document that is too large, is not well-formed, or does not fit the schema. */
export function documentFailure(error: unknown, answer: ClientAnswer, call: ReadFacts): unknown {
  if (error instanceof DecodeError) {
    return contentFailure(error, answer, call);
  }
  if (!(error instanceof XmlError)) {
    return error;
  }
  if (error.limit !== undefined) {
    return protocolFailure(error.message, answer, call);
  }
  const message = `The answer is not well-formed (line ${error.line}, column ${error.column}): ${error.message}`;
  return contentFailure(new DecodeError(message, { path: "/", cause: error }), answer, call);
}
