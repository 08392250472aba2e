import { LexicalError } from "../errors.js";
import { isModel, type Model, modelMembers } from "./table.js";

/** What choosing needs to know of a member. */
interface Choosable {
  readonly kind: "element" | "group" | "any";
  readonly key: string;
  readonly min: number;
  readonly array?: boolean;
  readonly nillable?: boolean;
}

/** Whether a value has the member. */
export type Presence<M> = (member: M) => boolean;

/** The arm of a choice that a value takes, by the members it has; undefined where it takes none and need not. */
export function choose<M extends Choosable>(model: Model<M>, has: Presence<M>): M | Model<M> | undefined {
  const present: string[] = [];
  for (const member of model.members) if (has(member) && !present.includes(member.key)) present.push(member.key);
  if (present.length === 0) {
    if (model.emptiable) return undefined;
    if (model.steps.length === 1) return model.steps[0];
    throw new LexicalError(`One of ${namesOf(model.members.map((member) => member.key))} is required.`);
  }
  const holding = model.steps.filter((arm) => holdsAll(arm, present));
  if (holding.length === 0) throw new LexicalError(`${namesOf(present)} exclude each other.`);
  // Where several arms hold the same members in another order, the first one that is complete will do.
  return holding.find((arm) => isComplete(arm, has)) ?? holding[0];
}

function holdsAll<M extends Choosable>(arm: M | Model<M>, present: readonly string[]): boolean {
  return present.every((key) => (isModel(arm) ? arm.members.some((member) => member.key === key) : arm.key === key));
}

function isComplete<M extends Choosable>(step: M | Model<M>, has: Presence<M>): boolean {
  if (!isModel(step)) return step.min === 0 || has(step) || (step.nillable === true && step.array !== true);
  const any = step.members.some(has);
  if (step.kind !== "choice") return (step.optional && !any) || step.steps.every((inner) => isComplete(inner, has));
  return step.emptiable || step.steps.some((arm) => modelMembers(arm).some(has) && isComplete(arm, has));
}

function namesOf(keys: Iterable<string>): string {
  const names = [...keys].map((key) => `"${key}"`);
  const shown = names.length > 8 ? [...names.slice(0, 8), "…"] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
