import {
  type DecodeAny,
  type DecodeElement,
  type DecodeGroup,
  type DecodeMember,
  type DecodeStep,
  hasMember,
  type ReadRecord,
  setMember,
} from "../decode-table.js";
import { isEmptiable, isModel, membersOf as membersOfStep } from "../types.js";

/*
 * Two adjacent occurrences of a group can share a run of a repeated member: `a a b` is one occurrence of `(a{1,2}, b?)` or two.
 * Unique Particle Attribution (XSD 1.0 Part 1 §3.8.6) determines the particle of each element, but not its occurrence. Elements
 * are therefore read into as few occurrences as possible, and divided again when all are known. Only such runs can be divided in
 * more than one way, and only their counts matter, so the cost is linear.
 */

/** A repeated member that can be the only content of an occurrence, so that adjacent occurrences can share a run. */
interface Core {
  readonly member: DecodeElement | DecodeAny | DecodeGroup;
  /** The members before and after the core. */
  readonly before: readonly DecodeMember[];
  readonly after: readonly DecodeMember[];
}

/** The properties of a group that are needed to divide it. */
interface Division {
  readonly cores: readonly Core[];
  /** Members that are counted only once the group is divided. */
  readonly countedLater: ReadonlySet<DecodeMember>;
}

const divisions = new WeakMap<DecodeGroup, Division>();

/** The members of a group that are counted once it is divided; empty if the fewest occurrences are always valid. */
export function countedLater(group: DecodeGroup): ReadonlySet<DecodeMember> {
  return divisionOf(group).countedLater;
}

/** Divides the items of a group so that the group and its members occur often enough; undefined if that is impossible. */
export function divided(group: DecodeGroup, values: unknown): readonly unknown[] | undefined {
  const divisible = divisibleItems(group, values);
  return divisible === undefined || divisible.most < group.min ? undefined : divisible.divide(group.min);
}

function divisionOf(group: DecodeGroup): Division {
  let division = divisions.get(group);
  if (division === undefined) {
    const cores = uniqueCores(coresOfSequence(group.table().steps, { before: [], after: [] }));
    const inner = cores.flatMap(({ member }) => (member.kind === "group" ? [...countedLater(member)] : []));
    const chosen = inner.length > 0 || cores.some(({ member }) => group.min > 1 || member.min > 1);
    division = { cores, countedLater: new Set(chosen ? [...cores.map(({ member }) => member), ...inner] : []) };
    divisions.set(group, division);
  }
  return division;
}

type Around = Pick<Core, "before" | "after">;

/** Finds the cores: steps that can be the only content, because everything else is optional. */
function coresOfSequence(steps: readonly DecodeStep[], { before, after }: Around): readonly Core[] {
  const needed = steps.filter((step) => !isEmptiable(step));
  return steps.flatMap((step, index) => {
    if (needed.some((other) => other !== step)) {
      return [];
    }
    return coresOfStep(step, {
      before: [...before, ...steps.slice(0, index).flatMap(membersOf)],
      after: [...steps.slice(index + 1).flatMap(membersOf), ...after],
    });
  });
}

function coresOfStep(step: DecodeStep, around: Around): readonly Core[] {
  if (!isModel(step)) {
    return canMeet(step) ? [{ member: step, ...around }] : [];
  }
  if (step.kind === "sequence") {
    return coresOfSequence(step.steps, around);
  }
  return step.kind === "choice" ? step.steps.flatMap((inner) => coresOfStep(inner, around)) : [];
}

/** Adjacent occurrences can also share an inner group, unless it can be empty: empty occurrences cannot be counted. */
function canMeet(member: DecodeMember): boolean {
  return member.kind === "group" ? !member.table().steps.every(isEmptiable) : member.max > 1;
}

function membersOf(step: DecodeStep): readonly DecodeMember[] {
  return membersOfStep<DecodeMember>(step);
}

/** Leaves out members with several positions, because their values do not show which position they come from. */
function uniqueCores(cores: readonly Core[]): readonly Core[] {
  return cores.filter(
    ({ member, before, after }) =>
      cores.filter((other) => other.member === member).length === 1 && ![...before, ...after].includes(member),
  );
}

/** A run of items that can be divided into any number of occurrences from `least` to `most`. */
interface Divisible {
  readonly least: number;
  readonly most: number;
  /** Divides the run into as few occurrences as possible, but at least `wanted`. */
  divide(wanted: number): readonly unknown[];
}

/** Adjacent items that share a run of one member, and all values of the run. */
interface Run {
  readonly core: Core;
  readonly start: number;
  readonly values: unknown[];
  length: number;
}

interface DivisibleRun extends Run, Divisible {}

function divisibleItems(group: DecodeGroup, values: unknown): Divisible | undefined {
  const items = Array.isArray(values) ? values.filter(isResult) : [];
  const runs: DivisibleRun[] = [];
  let least = items.length;
  let most = items.length;
  for (const run of runsOf(group, items)) {
    const divisible = divisibleRun(run);
    if (divisible === undefined) {
      return undefined;
    }
    least += divisible.least - run.length;
    most += divisible.most - run.length;
    runs.push({ ...run, ...divisible });
  }
  return { least, most, divide: (count) => dividedRuns(runs, items, count - least) };
}

/** Divides the runs of a group into `missing` more items than the fewest possible. */
function dividedRuns(
  runs: readonly DivisibleRun[],
  items: readonly ReadRecord[],
  missing: number,
): readonly ReadRecord[] {
  const result: ReadRecord[] = [];
  let next = 0;
  let left = missing;
  for (const { core, start, length, least, most, divide } of runs) {
    while (next < start) {
      result.push(items[next++] ?? {});
    }
    // The last item of one run can be the first of the next.
    const first = (start < next ? result.pop() : items[start]) ?? {};
    const last = length === 1 ? first : (items[start + length - 1] ?? {});
    const more = Math.max(0, Math.min(left, most - least));
    left -= more;
    const parts = divide(least + more);
    parts.forEach((part, index) => {
      const item: ReadRecord = {};
      if (index === 0) {
        copy(first, core.before, item);
      }
      setMember(item, core.member, part);
      if (index === parts.length - 1) {
        copy(last, core.after, item);
      }
      result.push(item);
    });
    next = start + length;
  }
  while (next < items.length) {
    result.push(items[next++] ?? {});
  }
  return result;
}

/** Divides the values of a run among its items. */
function divisibleRun({ core: { member }, values }: Run): Divisible | undefined {
  const inner = member.kind === "group" ? divisibleItems(member, values) : whole(values);
  if (inner === undefined) {
    return undefined;
  }
  const min = Math.max(1, member.min);
  const least = Math.max(1, Math.ceil(inner.least / member.max));
  const most = Math.floor(inner.most / min);
  const divide = (count: number) => {
    const all = inner.divide(count * min);
    let at = 0;
    return Array.from({ length: count }, (_, index) => {
      const size = Math.min(member.max, all.length - at - min * (count - index - 1));
      at += size;
      return all.slice(at - size, at);
    });
  };
  return least > most ? undefined : { least, most, divide };
}

function whole(values: readonly unknown[]): Divisible {
  return { least: values.length, most: values.length, divide: () => values };
}

function copy(from: ReadRecord, members: readonly DecodeMember[], to: ReadRecord): void {
  for (const member of members) {
    if (hasMember(from, member)) {
      setMember(to, member, from[member.key]);
    }
  }
}

function runsOf(group: DecodeGroup, items: readonly ReadRecord[]): readonly Run[] {
  const runs: Run[] = [];
  const open = new Map<Core, Run>();
  items.forEach((item, index) => {
    for (const core of divisionOf(group).cores) {
      const values = item[core.member.key];
      if (!hasMember(item, core.member) || !Array.isArray(values)) {
        continue;
      }
      let run = open.get(core);
      if (run === undefined || run.start + run.length < index || hasAny(item, core.before)) {
        run = { core, start: index, values: [], length: 0 };
        runs.push(run);
      }
      run.length += 1;
      for (const value of values) {
        run.values.push(value);
      }
      if (hasAny(item, core.after)) {
        open.delete(core);
      } else {
        open.set(core, run);
      }
    }
  });
  return runs;
}

function hasAny(item: ReadRecord, members: readonly DecodeMember[]): boolean {
  return members.some((member) => hasMember(item, member));
}

function isResult(value: unknown): value is ReadRecord {
  return typeof value === "object" && value !== null;
}
