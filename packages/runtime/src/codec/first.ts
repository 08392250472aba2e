import type { XmlReader } from "@bothends/xml";
import type { DecodeAny, DecodeElement, DecodeStep } from "./decode-table.js";
import { isModel } from "./table.js";
import { admits } from "./wildcard.js";

/** The elements a model may begin with, and the step that each belongs to. */
export class First {
  readonly #names = new Map<string, { readonly namespace: string; readonly step: number }[]>();
  readonly #wildcards: { readonly member: DecodeAny; readonly step: number }[] = [];

  add(member: DecodeElement | DecodeAny, step: number): void {
    if (member.max === 0) return;
    if (member.kind === "any") {
      this.#wildcards.push({ member, step });
      return;
    }
    const same = this.#names.get(member.local);
    if (same === undefined) this.#names.set(member.local, [{ namespace: member.namespace, step }]);
    else same.push({ namespace: member.namespace, step });
  }

  /** The step that the reader's element begins; -1 where it begins none. */
  stepAt(reader: XmlReader): number {
    for (const { namespace, step } of this.#names.get(reader.localName) ?? []) {
      if (namespace === reader.namespace) return step;
    }
    for (const { member, step } of this.#wildcards) if (admits(member.namespaces, reader.namespace)) return step;
    return -1;
  }
}

const firsts = new WeakMap<object, First>();

/** What the steps of a choice, or of an `all`, or a sequence as a whole may begin with. */
export function firstOf(owner: object, steps: readonly DecodeStep[], kind: "sequence" | "choice" | "all"): First {
  let first = firsts.get(owner);
  if (first === undefined) {
    first = new First();
    addFirst(first, steps, kind);
    firsts.set(owner, first);
  }
  return first;
}

function addFirst(first: First, steps: readonly DecodeStep[], kind: "sequence" | "choice" | "all"): void {
  for (const [index, step] of steps.entries()) {
    for (const member of firstMembers(step)) first.add(member, index);
    if (kind === "sequence" && !mayBeEmpty(step)) return;
  }
}

function firstMembers(step: DecodeStep): readonly (DecodeElement | DecodeAny)[] {
  if (!isModel(step)) {
    if (step.kind !== "group") return [step];
    return firstOfSequence(step.table().steps);
  }
  return step.kind === "sequence" ? firstOfSequence(step.steps) : step.steps.flatMap(firstMembers);
}

function firstOfSequence(steps: readonly DecodeStep[]): readonly (DecodeElement | DecodeAny)[] {
  const members: (DecodeElement | DecodeAny)[] = [];
  for (const step of steps) {
    members.push(...firstMembers(step));
    if (!mayBeEmpty(step)) break;
  }
  return members;
}

/** Whether a step may stand for no element. */
export function mayBeEmpty(step: DecodeStep): boolean {
  if (isModel(step)) return step.emptiable;
  return step.min === 0 || (step.kind === "group" && step.table().emptiable);
}
