import { XmlError } from "@bothends/xml";
import { DecodeError } from "../../errors.js";
import { protocolFailure } from "../failures.js";
import type { ClientAnswer } from "../hooks.js";
import type { ReadFacts } from "./protocol.js";

/** What a document is that cannot be read as XML: too large, or not well-formed. */
export function documentFailure(error: unknown, answer: ClientAnswer, call: ReadFacts): unknown {
  if (!(error instanceof XmlError)) return error;
  if (error.limit !== undefined) return protocolFailure(error.message, answer, call);
  const message = `The answer is not well-formed (line ${error.line}, column ${error.column}): ${error.message}`;
  return new DecodeError(message, { path: "/", cause: error });
}
