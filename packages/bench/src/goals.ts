import type { Group, Measured } from "./measure.js";

/** A goal for a subject: compared with another subject of the same group, or an absolute value. */
export interface Goal {
  readonly group: string;
  readonly subject: string;
  /** The subject to compare with; absent for a goal with an absolute value. */
  readonly referenceSubject?: string;
  readonly quantity: "cost" | "rate" | "p99" | "memory";
  /** The target value: a ratio, or an absolute value without a `referenceSubject`. */
  readonly goal: number;
  /**
   * Whether `goal` is instead the difference to the other subject, in the unit of the group. `bound` is a ratio even
   * then, because a slow machine increases differences.
   */
  readonly isDifference?: boolean;
  /**
   * The bound for `--check`: the current ratio, plus a tolerance for shared machines. It detects a regression even if
   * the goal has not been met yet. Absent if the ratio varies too much.
   */
  readonly bound?: number;
  /** Whether the goal is a minimum of the ratio; otherwise it is a maximum. */
  readonly isMinimum?: boolean;
}

type GoalTerms = Pick<Goal, "referenceSubject" | "goal" | "bound" | "isDifference"> & Partial<Pick<Goal, "quantity">>;

const atMost = (group: string, subject: string, terms: GoalTerms): Goal => ({
  group,
  subject,
  quantity: "cost",
  ...terms,
});
const atLeast = (group: string, subject: string, terms: GoalTerms): Goal => ({
  ...atMost(group, subject, terms),
  isMinimum: true,
});

/** The goals, with the names of groups and subjects in the tables. */
export const goals: readonly Goal[] = [
  atMost("encode", "Bothends", { referenceSubject: "JSON.stringify", goal: 1.1, bound: 1.6 }),
  atLeast("encode", "fast-xml-parser", { referenceSubject: "Bothends", goal: 5, bound: 2.5 }),
  atMost("decode", "Bothends, compact", { referenceSubject: "JSON.parse", goal: 2.8, bound: 4.2 }),
  atMost("decode", "Bothends, prefixed", { referenceSubject: "JSON.parse", goal: 3.1, bound: 4.8 }),
  atMost("decode", "Bothends, pretty", { referenceSubject: "JSON.parse", goal: 3.4, bound: 5.2 }),
  atLeast("decode", "saxes-driven", { referenceSubject: "Bothends, compact", goal: 3.3, bound: 2 }),
  atLeast("decode", "fast-xml-parser", { referenceSubject: "Bothends, compact", goal: 11, bound: 6 }),
  atMost("calls", "Bothends, SOAP 1.1", { referenceSubject: "body read, constant answer", goal: 2.2, bound: 3 }),
  atMost("calls", "Bothends, SOAP 1.2", { referenceSubject: "body read, constant answer", goal: 2.2, bound: 2.8 }),
  atMost("calls", "Bothends, HTTP GET", { referenceSubject: "Bothends, SOAP 1.1", goal: 1, bound: 1 }),
  atMost("calls", "Bothends, HTTP POST", { referenceSubject: "Bothends, SOAP 1.1", goal: 1, bound: 1.1 }),
  atMost("calls-rest", "Bothends", { referenceSubject: "JSON.stringify", goal: 1.2, bound: 1.75 }),
  atMost("calls-rest", "Bothends", { referenceSubject: "Fastify with schemas", goal: 1, bound: 1.5 }),
  atMost("calls-rest", "Bothends", {
    referenceSubject: "Fastify with WordPress's headers and checks",
    goal: 1,
    bound: 1.25,
  }),
  atMost("server", "Bothends", { referenceSubject: "body read, constant answer", goal: 2.2, bound: 3.6 }),
  atLeast("server", "Bothends", { referenceSubject: "node-soap", quantity: "rate", goal: 4, bound: 1.5 }),
  atMost("server", "Bothends", { referenceSubject: "body read, constant answer", quantity: "p99", goal: 2 }),
  atMost("server-protocols", "Bothends, SOAP 1.2", {
    referenceSubject: "body read, constant answer",
    goal: 2.2,
    bound: 3.6,
  }),
  atMost("server-protocols", "Bothends, HTTP GET", {
    referenceSubject: "body read, constant answer",
    goal: 2.2,
    bound: 3.6,
  }),
  atMost("server-protocols", "Bothends, HTTP POST", {
    referenceSubject: "body read, constant answer",
    goal: 2.2,
    bound: 3.6,
  }),
  atMost("server-many", "ten services", { referenceSubject: "one service", goal: 1.05, bound: 1.3 }),
  atMost("server-many", "1,000 operations", { referenceSubject: "one service", goal: 1.05, bound: 1.3 }),
  atMost("observe", "not observed, again", { referenceSubject: "not observed", goal: 1.05, bound: 1.3 }),
  atMost("observe", "lineLogger, JSON", { referenceSubject: "not observed", goal: 1.05, bound: 1.4 }),
  atMost("observe", "OpenTelemetry, every call a span", { referenceSubject: "not observed", goal: 1.15, bound: 1.7 }),
  // OpenTelemetry's SDK makes a call take 1.2 to 1.3 times as long. This goal is for the time that this project adds.
  atMost("observe", "OpenTelemetry, every call a span", {
    referenceSubject: "OpenTelemetry by hand, every call a span",
    goal: 1.1,
    bound: 1.3,
  }),
  atMost("rest", "Bothends", { referenceSubject: "Fastify with schemas", goal: 1, bound: 2.6 }),
  atLeast("client-32", "Bothends on node:http", {
    referenceSubject: "node:http, keep-alive, no XML",
    quantity: "rate",
    goal: 0.65,
    bound: 0.3,
  }),
  atMost("client-32", "Bothends on node:http", {
    referenceSubject: "node:http, keep-alive, no XML",
    goal: 1.5,
    bound: 2.4,
  }),
  atLeast("client-32", "Bothends on fetch", {
    referenceSubject: "fetch, no XML",
    quantity: "rate",
    goal: 0.9,
    bound: 0.35,
  }),
  // A signal makes a call of Node's fetch longer, and a client needs one to end calls that exceed their timeout.
  atLeast("client-32", "Bothends on fetch", {
    referenceSubject: "fetch with a signal, no XML",
    quantity: "rate",
    goal: 0.9,
    bound: 0.4,
  }),
  atLeast("client-32", "node-soap", { referenceSubject: "Bothends on node:http", goal: 5, bound: 2.5 }),
  atLeast("client-32", "strong-soap", { referenceSubject: "Bothends on node:http", goal: 5, bound: 2.2 }),
  atMost("generate-own", "Bothends, everything anew (check)", { referenceSubject: "bare node", goal: 5, bound: 10 }),
  atMost("generate-own", "Bothends, nothing changed (generate)", {
    referenceSubject: "bare node",
    goal: 2,
    bound: 3.5,
  }),
  atMost("generate-vboxweb.wsdl", "Bothends, cold", { referenceSubject: "wsdl-tsclient", goal: 0.35, bound: 0.7 }),
  atMost("generate-vboxweb.wsdl", "Bothends, nothing changed", { referenceSubject: "bare node", goal: 4, bound: 5 }),
  // The goal is 60 MB, and 45 MB for each MB of the source.
  atMost("generate-vboxweb.wsdl", "Bothends, cold", { quantity: "memory", goal: 163, bound: 230 }),
  atMost("generate-growth", "2,400 operations, 2.92 MB", { quantity: "memory", goal: 350, bound: 380 }),
  // Differences, because the time that Node needs without imports depends on the environment: with the variable
  // NODE_EXTRA_CA_CERTS, it doubles.
  atMost("start", "SOAP client classes", { referenceSubject: "bare node", isDifference: true, goal: 20, bound: 1.7 }),
  atMost("start", "REST client classes", { referenceSubject: "bare node", isDifference: true, goal: 20, bound: 1.7 }),
  atMost("start", "SOAP server", { referenceSubject: "bare node", isDifference: true, goal: 22, bound: 2.1 }),
  atMost("bundle", "one operation, SOAP 1.1", { goal: 18, bound: 18 }),
  atMost("bundle", "one operation, HTTP GET", { goal: 13, bound: 13.5 }),
  atMost("bundle", "one endpoint, REST", { goal: 9, bound: 9.1 }),
  atMost("bundle", "SOAP client classes", { goal: 24, bound: 24 }),
];

/**
 * The maximum number of turns in a round of a check. A check needs few turns, because its bounds include a tolerance.
 */
const maxCheckedTurns = 3;

/**
 * Returns a group with only its baseline, the subjects with a bound, and the subjects with which these are compared,
 * for a check.
 */
export function selectBounded({ subjects, ...group }: Group): Group {
  const boundGoals = goals.filter((goal) => goal.group === group.id && goal.bound !== undefined);
  const names = new Set(boundGoals.flatMap(({ subject, referenceSubject }) => [subject, referenceSubject]));
  return {
    ...group,
    ...(group.turns !== undefined && { turns: Math.min(group.turns, maxCheckedTurns) }),
    subjects: names.size === 0 ? [] : subjects.filter(({ name }, index) => index === 0 || names.has(name)),
  };
}

const comparedCosts = { goal: ["median"], bound: ["median", "min"] } as const;

/**
 * Describes each missed goal or bound in a sentence, without those whose subjects were not measured. Goals are compared
 * with the median costs. A bound is missed only if the ratio of the lowest costs exceeds it, too: a regression
 * increases both ratios, but other load on the machine can affect only one subject, and rarely both of its ratios.
 */
export function describeMissedGoals(measuredGroups: readonly Measured[], level: "goal" | "bound"): readonly string[] {
  return goals.flatMap((goal) => {
    const isDifference = level === "goal" && goal.isDifference === true;
    const values = comparedCosts[level].flatMap(
      (cost) => computeValue({ ...goal, isDifference }, measuredGroups, cost) ?? [],
    );
    const limit = goal[level];
    const [value] = values;
    if (value === undefined || limit === undefined || values.some((each) => isMet(each, limit, goal))) {
      return [];
    }
    const relation = isDifference ? "more than" : "times";
    const versus = goal.referenceSubject === undefined ? "" : ` ${relation} that of ${goal.referenceSubject}`;
    const expectation = `${goal.isMinimum === true ? "at least" : "at most"} ${limit}`;
    return [
      `${goal.group}: the ${goal.quantity} of ${goal.subject} is ${value.toFixed(2)}${versus}; ${expectation} is the ${level}.`,
    ];
  });
}

function isMet(ratio: number, limit: number, { isMinimum }: Goal): boolean {
  return isMinimum === true ? ratio >= limit : ratio <= limit;
}

/** Returns the measured value of a goal: a ratio or a difference; undefined if one of its subjects was not measured. */
export function computeValue(
  { group, subject, referenceSubject, quantity, isDifference }: Goal,
  measuredGroups: readonly Measured[],
  costOfRounds: "median" | "min" = "median",
): number | undefined {
  const rows = measuredGroups.find(({ group: { id } }) => id === group)?.rows ?? [];
  const findValue = (name: string) => {
    const row = rows.find((candidate) => candidate.name === name);
    return quantity === "cost" ? row?.cost[costOfRounds] : row?.[quantity];
  };
  const value = findValue(subject);
  const baseline = referenceSubject === undefined ? 1 : findValue(referenceSubject);
  if (value === undefined || baseline === undefined) {
    return undefined;
  }
  return isDifference === true ? value - baseline : value / baseline;
}
