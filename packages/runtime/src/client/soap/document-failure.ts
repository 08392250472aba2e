import { XmlError } from "@bothends/xml";
import { DecodeError } from "../../errors.js";
import { contentFailure, protocolFailure } from "../failures.js";
import type { ClientAnswer } from "../hooks.js";
import type { ReadFacts } from "./protocol.js";

/** What is wrong with a document: it is too large, not well-formed, or not what the schema says. */
export function documentFailure(error: unknown, answer: ClientAnswer, call: ReadFacts): unknown {
  if (error instanceof DecodeError) return contentFailure(error, answer, call);
  if (!(error instanceof XmlError)) return error;
  if (error.limit !== undefined) return protocolFailure(error.message, answer, call);
  const message = `The answer is not well-formed (line ${error.line}, column ${error.column}): ${error.message}`;
  return contentFailure(new DecodeError(message, { path: "/", cause: error }), answer, call);
}
