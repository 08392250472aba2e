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
import { isEmptiable, isModel, listMembers as membersOfStep } from "../resolved-types.js";

// Adjacent occurrences of a group can share a run, which consists of elements of one repeated member: `a a b` is one
// occurrence of `(a{1,2}, b?)` or two. Unique Particle Attribution (XSD 1.0 Part 1 §3.8.6) determines the particle of
// each element, but not the occurrence to which the element belongs. Elements are therefore read into as few
// occurrences as possible, and divided again when all elements have been read. Only a shared run can be divided in more
// than one way, and only the number of its elements matters, so this takes linear time.

/**
 * A repeated member that can be the only content of a group's occurrence, so that adjacent occurrences can share a run
 * of this member.
 */
interface Core {
  readonly member: DecodeElement | DecodeAny | DecodeGroup;
  /** The members before and after the core. */
  readonly before: readonly DecodeMember[];
  readonly after: readonly DecodeMember[];
}

/** The properties of a group that are needed to divide it. */
interface Division {
  readonly cores: readonly Core[];
  /** The members whose occurrences are counted only after the group is divided. */
  readonly membersCountedLater: ReadonlySet<DecodeMember>;
}

const divisions = new WeakMap<DecodeGroup, Division>();

/**
 * Returns the members of a group that are counted only after the group is divided; empty if the group never needs to be
 * divided.
 */
export function listMembersCountedLater(group: DecodeGroup): ReadonlySet<DecodeMember> {
  return computeDivision(group).membersCountedLater;
}

/**
 * Divides the items of a group so that the group and its members have at least their minimum numbers of occurrences;
 * undefined if that is impossible.
 */
export function divideItems(group: DecodeGroup, values: unknown): readonly unknown[] | undefined {
  const items = findDivisibleItems(group, values);
  return items === undefined || items.maxCount < group.min ? undefined : items.divide(group.min);
}

function computeDivision(group: DecodeGroup): Division {
  let division = divisions.get(group);
  if (division === undefined) {
    const cores = omitAmbiguousCores(listCoresOfSequence(group.table().steps, { before: [], after: [] }));
    const innerMembers = cores.flatMap(({ member }) =>
      member.kind === "group" ? [...listMembersCountedLater(member)] : [],
    );
    const mayNeedDivision = innerMembers.length > 0 || cores.some(({ member }) => group.min > 1 || member.min > 1);
    division = {
      cores,
      membersCountedLater: new Set(mayNeedDivision ? [...cores.map(({ member }) => member), ...innerMembers] : []),
    };
    divisions.set(group, division);
  }
  return division;
}

type Surroundings = Pick<Core, "before" | "after">;

/** Finds the cores of a sequence: the steps that can be its only content, because all other steps are optional. */
function listCoresOfSequence(steps: readonly DecodeStep[], { before, after }: Surroundings): readonly Core[] {
  const requiredSteps = steps.filter((step) => !isEmptiable(step));
  return steps.flatMap((step, index) => {
    if (requiredSteps.some((other) => other !== step)) {
      return [];
    }
    return listCoresOfStep(step, {
      before: [...before, ...steps.slice(0, index).flatMap(listDecodeMembers)],
      after: [...steps.slice(index + 1).flatMap(listDecodeMembers), ...after],
    });
  });
}

function listCoresOfStep(step: DecodeStep, surroundings: Surroundings): readonly Core[] {
  if (!isModel(step)) {
    return canShareRun(step) ? [{ member: step, ...surroundings }] : [];
  }
  if (step.kind === "sequence") {
    return listCoresOfSequence(step.steps, surroundings);
  }
  return step.kind === "choice" ? step.steps.flatMap((innerStep) => listCoresOfStep(innerStep, surroundings)) : [];
}

/**
 * Whether adjacent occurrences can share a run of the member. False for an inner group that can be empty, because its
 * empty occurrences could not be counted.
 */
function canShareRun(member: DecodeMember): boolean {
  return member.kind === "group" ? !member.table().steps.every(isEmptiable) : member.max > 1;
}

function listDecodeMembers(step: DecodeStep): readonly DecodeMember[] {
  return membersOfStep<DecodeMember>(step);
}

/**
 * Leaves out members that occur at several positions, because it cannot be determined to which position a value of such
 * a member belongs.
 */
function omitAmbiguousCores(cores: readonly Core[]): readonly Core[] {
  return cores.filter(
    ({ member, before, after }) =>
      cores.filter((other) => other.member === member).length === 1 && ![...before, ...after].includes(member),
  );
}

/** The items of a group, and the numbers of occurrences into which they can be divided: `minCount` to `maxCount`. */
interface DivisibleItems {
  readonly minCount: number;
  readonly maxCount: number;
  /** Divides the items into as few occurrences as possible, but at least `count`. */
  divide(count: number): readonly unknown[];
}

/**
 * Consecutive values of one repeated member, which are in adjacent items of a group. The member is called the core of
 * the run.
 */
interface Run {
  readonly core: Core;
  readonly start: number;
  readonly values: unknown[];
  length: number;
}

interface DivisibleRun extends Run, DivisibleItems {}

function findDivisibleItems(group: DecodeGroup, values: unknown): DivisibleItems | undefined {
  const items = Array.isArray(values) ? values.filter(isRecord) : [];
  const runs: DivisibleRun[] = [];
  let minCount = items.length;
  let maxCount = items.length;
  for (const run of listRuns(group, items)) {
    const itemsOfRun = findDivisibleRun(run);
    if (itemsOfRun === undefined) {
      return undefined;
    }
    minCount += itemsOfRun.minCount - run.length;
    maxCount += itemsOfRun.maxCount - run.length;
    runs.push({ ...run, ...itemsOfRun });
  }
  return { minCount, maxCount, divide: (count) => divideRuns(runs, items, count - minCount) };
}

/** Divides the runs of a group so that the group has `additionalCount` more items than the minimum. */
function divideRuns(
  runs: readonly DivisibleRun[],
  items: readonly ReadRecord[],
  additionalCount: number,
): readonly ReadRecord[] {
  const result: ReadRecord[] = [];
  let nextIndex = 0;
  let remainingCount = additionalCount;
  for (const { core, start, length, minCount, maxCount, divide } of runs) {
    while (nextIndex < start) {
      result.push(items[nextIndex++] ?? {});
    }
    // If the last item of the previous run is also the first item of this run, it is already in the result, so it is
    // removed from there first.
    const firstItem = (start < nextIndex ? result.pop() : items[start]) ?? {};
    const lastItem = length === 1 ? firstItem : (items[start + length - 1] ?? {});
    const additionalCountOfRun = Math.max(0, Math.min(remainingCount, maxCount - minCount));
    remainingCount -= additionalCountOfRun;
    const occurrences = divide(minCount + additionalCountOfRun);
    occurrences.forEach((occurrence, index) => {
      const item: ReadRecord = {};
      if (index === 0) {
        copyMembers(firstItem, core.before, item);
      }
      setMember(item, core.member, occurrence);
      if (index === occurrences.length - 1) {
        copyMembers(lastItem, core.after, item);
      }
      result.push(item);
    });
    nextIndex = start + length;
  }
  while (nextIndex < items.length) {
    result.push(items[nextIndex++] ?? {});
  }
  return result;
}

/** Computes how the values of a run can be divided among its items; undefined if that is impossible. */
function findDivisibleRun({ core: { member }, values }: Run): DivisibleItems | undefined {
  const divisibleValues = member.kind === "group" ? findDivisibleItems(member, values) : listUndividedValues(values);
  if (divisibleValues === undefined) {
    return undefined;
  }
  const min = Math.max(1, member.min);
  const minCount = Math.max(1, Math.ceil(divisibleValues.minCount / member.max));
  const maxCount = Math.floor(divisibleValues.maxCount / min);
  const divide = (count: number) => {
    const allValues = divisibleValues.divide(count * min);
    let offset = 0;
    return Array.from({ length: count }, (_, index) => {
      const size = Math.min(member.max, allValues.length - offset - min * (count - index - 1));
      offset += size;
      return allValues.slice(offset - size, offset);
    });
  };
  return minCount > maxCount ? undefined : { minCount, maxCount, divide };
}

function listUndividedValues(values: readonly unknown[]): DivisibleItems {
  return { minCount: values.length, maxCount: values.length, divide: () => values };
}

function copyMembers(source: ReadRecord, members: readonly DecodeMember[], target: ReadRecord): void {
  for (const member of members) {
    if (hasMember(source, member)) {
      setMember(target, member, source[member.key]);
    }
  }
}

function listRuns(group: DecodeGroup, items: readonly ReadRecord[]): readonly Run[] {
  const runs: Run[] = [];
  const openRuns = new Map<Core, Run>();
  items.forEach((item, index) => {
    for (const core of computeDivision(group).cores) {
      const values = item[core.member.key];
      if (!hasMember(item, core.member) || !Array.isArray(values)) {
        continue;
      }
      let run = openRuns.get(core);
      if (run === undefined || run.start + run.length < index || hasAny(item, core.before)) {
        run = { core, start: index, values: [], length: 0 };
        runs.push(run);
      }
      run.length += 1;
      for (const value of values) {
        run.values.push(value);
      }
      if (hasAny(item, core.after)) {
        openRuns.delete(core);
      } else {
        openRuns.set(core, run);
      }
    }
  });
  return runs;
}

function hasAny(item: ReadRecord, members: readonly DecodeMember[]): boolean {
  return members.some((member) => hasMember(item, member));
}

function isRecord(value: unknown): value is ReadRecord {
  return typeof value === "object" && value !== null;
}
