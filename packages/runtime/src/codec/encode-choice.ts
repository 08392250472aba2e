import { LexicalError } from "../errors.js";
import { type EncodeMember, type EncodeModel, type EncodeStep, encodeMembers } from "./encode-table.js";
import { isPresent, type Members } from "./encode-value.js";

/** The arm of a choice to write, by the members that are present; undefined where nothing need be written. */
export function choose(model: EncodeModel, members: Members): EncodeStep | undefined {
  const present = presentIn(model.members, members);
  if (present.size === 0) {
    if (model.emptiable) return undefined;
    const [only] = model.steps;
    if (model.steps.length === 1 && only !== undefined) return only;
    throw new LexicalError(`One of ${namesOf(model.members.map((member) => member.key))} is required.`);
  }
  const holding = model.steps.filter((arm) => holdsAll(arm, present));
  const [first] = holding;
  if (first === undefined) throw new LexicalError(`${namesOf(present)} exclude each other.`);
  // Where several arms hold the same members in another order, the first one that is complete is written.
  return holding.find((arm) => isComplete(arm, members)) ?? first;
}

/** Whether any member of a group that may be left out is present. */
export function anyPresent(model: EncodeModel, members: Members): boolean {
  return model.members.some((member) => isPresent(members, member));
}

function presentIn(candidates: readonly EncodeMember[], members: Members): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const member of candidates) if (isPresent(members, member)) keys.add(member.key);
  return keys;
}

function holdsAll(arm: EncodeStep, present: ReadonlySet<string>): boolean {
  const own = new Set(encodeMembers(arm).map((member) => member.key));
  for (const key of present) if (!own.has(key)) return false;
  return true;
}

function isComplete(step: EncodeStep, members: Members): boolean {
  switch (step.kind) {
    case "element":
      return step.min === 0 || (step.nillable && !step.array) || isPresent(members, step);
    case "any":
    case "group":
      return step.min === 0 || isPresent(members, step);
    case "choice":
      return step.emptiable || step.steps.some((arm) => anyOf(arm, members) && isComplete(arm, members));
    default:
      return (step.optional && !anyPresent(step, members)) || step.steps.every((inner) => isComplete(inner, members));
  }
}

function anyOf(step: EncodeStep, members: Members): boolean {
  return encodeMembers(step).some((member) => isPresent(members, member));
}

function namesOf(keys: Iterable<string>): string {
  const names = [...keys].map((key) => `"${key}"`);
  const shown = names.length > 8 ? [...names.slice(0, 8), "…"] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
