import type { DecodeError } from "../answer-errors.js";
import type { FailureFacts } from "../client/errors/described-error.js";
import type { CodecOptions } from "../codec/codec-options.js";
import { Decoder } from "../codec/decoder.js";
import {
  describeUndeclaredNames,
  explainMissingNode,
  isAboutMissingNode,
  type MessageWithProblem,
} from "./missing-nodes.js";

/** The maximum number of undeclared elements and attributes of an answer that an error names. */
const maxPaths = 5;

/** Reads answers, and remembers their undeclared elements and attributes, to explain why a declared one is missing. */
export class AnswerDecoder extends Decoder {
  readonly #undeclaredPaths: Set<string>;

  constructor(options: CodecOptions) {
    const undeclaredPaths = new Set<string>();
    super({
      ...options,
      onIgnored(node, part) {
        if (part === "undeclared" && undeclaredPaths.size < maxPaths) {
          undeclaredPaths.add(node.path);
        }
      },
    });
    this.#undeclaredPaths = undeclaredPaths;
  }

  /** Forgets the elements and attributes of the previous answer. */
  beginAnswer(): void {
    this.#undeclaredPaths.clear();
  }

  /** Explains why the current answer lacks a required element or attribute. Returns no facts for other errors. */
  explain(error: DecodeError, message: Pick<MessageWithProblem, "text" | "limits">): FailureFacts {
    if (!isAboutMissingNode(error)) {
      return {};
    }
    const missingCause = explainMissingNode(error, { ...message, parentPath: "", sender: "server" });
    return missingCause === undefined
      ? { undeclaredNames: describeUndeclaredNames([...this.#undeclaredPaths], "server") }
      : { missingCause };
  }
}
