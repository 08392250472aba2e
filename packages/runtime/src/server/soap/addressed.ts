import type { AddressingDescriptor, AnyElement } from "../../descriptor.js";
import { type AskedAddressing, answerBlocks, askedAddressing, faultAction } from "../../protocol/soap/addressing.js";
import { writeAnyElement } from "../../protocol/soap/any-element.js";
import type { OperationNames } from "../../wire-names.js";
import type { Outcome } from "./call.js";

/** What a request of an operation asks of addressing, where its binding has to do with that at all. */
export function addressedRequest(
  addressing: AddressingDescriptor | undefined,
  blocks: readonly AnyElement[],
): AskedAddressing | undefined {
  return addressing === undefined ? undefined : askedAddressing(blocks);
}

/** The header blocks that an addressed request is answered with. */
export function addressedAnswer(
  outcome: Outcome,
  { answer = "", faults = {} }: AddressingDescriptor,
  { asked, names }: { readonly asked: AskedAddressing; readonly names: OperationNames },
): readonly string[] {
  const own = "fault" in outcome ? outcome.faultName && faults[outcome.faultName] : answer;
  const action = own === undefined || own === "" ? faultAction : names.action(own);
  return answerBlocks(action, asked).map(writeAnyElement);
}
