import { choose } from "./choice.js";
import type { DecodeMember, DecodeStep, DecodeTable } from "./decode-table.js";
import { has, put, type Result } from "./decode-value.js";
import { Misfit } from "./misfit.js";
import { isModel } from "./table.js";

/** Checks that what the content model requires has been read, once all elements have been, in whatever order. */
export function checkPresence(table: DecodeTable, result: Result): void {
  if (table.hasModels) checkSteps(table.steps, result);
  else for (const member of table.required) if (!has(result, member)) requireMember(member, result);
}

function checkSteps(steps: readonly DecodeStep[], result: Result): void {
  const present = (member: DecodeMember): boolean => has(result, member);
  for (const step of steps) {
    if (!isModel(step)) {
      if (step.min > 0 && !present(step)) requireMember(step, result);
    } else if (step.kind === "choice") {
      const arm = choose(step, present);
      if (arm !== undefined) checkSteps([arm], result);
    } else if (!step.optional || step.members.some(present)) {
      checkSteps(step.steps, result);
    }
  }
}

/** A required member that never came: null where it is nillable, so that its absence and its nil mean the same. */
export function requireMember(member: DecodeMember, result: Result): void {
  if (member.kind === "element" && member.nillable && !member.array) put(result, member, null);
  else throw new Misfit("The element is required.").within(member.kind === "element" ? member.local : "*");
}
