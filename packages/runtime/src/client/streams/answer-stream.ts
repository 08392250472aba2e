import type { AnyOperationDescriptor } from "../../descriptor.js";
import type { ErrorContext } from "../../errors.js";
import type { ClientAnswer } from "../hooks.js";
import type { Transport } from "../transport.js";

/**
 * Reads the items of one answer while it arrives; created by `streamOf` and passed as an option of the call. The call then
 * receives an answer without the items. This file contains only types: clients without streams bundle none of its code.
 */
export interface AnswerStream {
  soap(call: SoapStreamCall): Transport;
  rest(call: RestStreamCall): Transport;
  /**
   * Throws if the answer without the items that were read as a stream still has items: SOAP encoding may write a list anywhere
   * in the body.
   */
  checkRest(value: unknown, answer: Pick<ClientAnswer, "status">): void;
}

/** A call whose answer is read as a stream. */
export interface StreamCall {
  readonly transport: Transport;
  readonly context: ErrorContext;
  /** The maximum size of one item, and of the rest of the answer. */
  readonly bodyBytes: number;
}

export interface SoapStreamCall extends StreamCall {
  readonly operation: AnyOperationDescriptor;
  readonly protocol: string;
  /** The real name of an element, `{namespace}local`. */
  readonly element: (name: string) => string;
  /** Reads an answer to an operation. */
  readonly read: (operation: AnyOperationDescriptor, answer: ClientAnswer) => ReadValue | Promise<ReadValue>;
}

interface ReadValue {
  readonly value: unknown;
}

export interface RestStreamCall extends StreamCall {
  /** Reads and checks the body of an answer. */
  readonly read: (answer: ClientAnswer) => Promise<unknown>;
}
