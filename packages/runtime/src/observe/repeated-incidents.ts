import type { OnError, ServerIncident } from "./events.js";

// Limits how often the same incident is reported, so that neither a client nor a lasting failure can fill the disk that
// receives the log.

/** Milliseconds between two reports of the same problem. */
export const reportInterval = 60_000;
/** The maximum number of problems that are remembered. */
const maxProblems = 100;

/** A problem that was reported. */
interface ReportedProblem {
  /** The instant of the last report, by `performance.now()`. */
  reportedAt: number;
  /** The number of incidents that were left out since the last report. */
  omitted: number;
  /** Reports the number of the incidents that were left out; undefined if there are none. */
  reportOmitted: ((omitted: number) => void) | undefined;
}

/**
 * Limits how often a persistent problem, such as a full disk, is reported: once a minute. At the end of the minute, the
 * number of incidents that were left out is reported. This report begins another minute.
 */
export class RepeatedReports {
  readonly #problems = new Map<string, ReportedProblem>();

  /** Passes an incident to `pass`, or counts it if its problem was reported less than a minute ago. */
  add(problem: string, incident: ServerIncident, pass: OnError): void {
    const now = performance.now();
    const known = this.#problems.get(problem);
    if (known !== undefined && now - known.reportedAt < reportInterval) {
      known.omitted += 1;
      if (known.reportOmitted === undefined) {
        known.reportOmitted = (omitted) => pass(createSummary(incident, omitted));
        omissions.add(this);
        callLater(() => this.#endMinute(known), known.reportedAt + reportInterval - now);
      }
      return;
    }
    if (known === undefined && this.#problems.size >= maxProblems) {
      this.reportOmitted();
      this.#problems.clear();
    }
    this.end(problem);
    this.#problems.set(problem, { reportedAt: now, omitted: 0, reportOmitted: undefined });
    pass(incident);
  }

  /** Reports the numbers of the incidents that were left out so far, without waiting for the end of the minute. */
  reportOmitted(): void {
    for (const known of this.#problems.values()) {
      this.#endMinute(known);
    }
  }

  /** Forgets a problem that has ended, so that its next occurrence is reported. */
  end(problem: string): void {
    const known = this.#problems.get(problem);
    if (known !== undefined) {
      this.#endMinute(known);
      this.#problems.delete(problem);
    }
  }

  #endMinute(known: ReportedProblem): void {
    const { omitted, reportOmitted } = known;
    if (reportOmitted !== undefined) {
      known.reportedAt = performance.now();
      known.omitted = 0;
      known.reportOmitted = undefined;
      reportOmitted(omitted);
    }
    if ([...this.#problems.values()].every((problem) => problem.reportOmitted === undefined)) {
      omissions.delete(this);
    }
  }
}

/** A problem that is reported once a minute. */
export class RepeatedProblem {
  readonly reports: RepeatedReports;
  /** The name of the problem, which is different for each problem of `reports`. */
  readonly problem: string;

  constructor(reports: RepeatedReports, problem: string) {
    this.reports = reports;
    this.problem = problem;
  }
}

/** Calls a function later. If the platform allows it, the timer does not keep the process alive. */
function callLater(call: () => void, milliseconds: number): void {
  const timer: unknown = setTimeout(call, milliseconds);
  (timer as { readonly unref?: () => unknown }).unref?.();
}

/** The maximum number of incidents with the same cause that are reported within a minute. */
const maxOfCause = 20;
/** The maximum number of causes of the same kind that are reported within a minute. */
const maxCauses = 100;

/** The incidents with one cause within the current minute. */
interface CauseCount {
  count: number;
  /** The first incident that was left out. */
  firstOmitted: ServerIncident | undefined;
}

/**
 * Limits the incidents that one hook receives: 20 of each cause within a minute. At the end of the minute, the hook
 * receives the number of those that were left out.
 */
class IncidentLimit {
  readonly #pass: OnError;
  /** The causes of the current minute, by kind. */
  readonly #kinds = new Map<string, Map<string, CauseCount>>();
  #minuteStart = Number.NEGATIVE_INFINITY;

  /** `pass` calls the hook. */
  constructor(pass: OnError) {
    this.#pass = pass;
  }

  /** Passes an incident to the hook, or counts it. */
  add(incident: ServerIncident): void {
    const now = performance.now();
    if (now - this.#minuteStart >= reportInterval) {
      this.reportOmitted();
      this.#kinds.clear();
      this.#minuteStart = now;
    }
    const cause = this.#findCause(incident);
    cause.count += 1;
    if (cause.count <= maxOfCause) {
      this.#pass(incident);
    } else if (cause.firstOmitted === undefined) {
      cause.firstOmitted = incident;
      this.#scheduleReport(now);
    }
  }

  /** Passes to the hook, for each cause, the number of the incidents that were left out. */
  reportOmitted(): void {
    omissions.delete(this);
    for (const causes of this.#kinds.values()) {
      for (const [key, { count, firstOmitted }] of causes) {
        if (firstOmitted !== undefined) {
          const omitted = count - maxOfCause;
          this.#pass(
            key === otherCauses
              ? createOtherSummary(firstOmitted, omitted)
              : createSummary(firstOmitted, omitted, limitRule),
          );
        }
      }
      causes.clear();
    }
  }

  #findCause(incident: ServerIncident): CauseCount {
    let causes = this.#kinds.get(incident.kind);
    if (causes === undefined) {
      causes = new Map();
      this.#kinds.set(incident.kind, causes);
    }
    const ownKey = createCauseKey(incident);
    const key = causes.has(ownKey) || causes.size < maxCauses ? ownKey : otherCauses;
    let cause = causes.get(key);
    if (cause === undefined) {
      cause = { count: key === otherCauses ? maxOfCause : 0, firstOmitted: undefined };
      causes.set(key, cause);
    }
    return cause;
  }

  #scheduleReport(now: number): void {
    if (!omissions.has(this)) {
      omissions.add(this);
      callLater(() => this.reportOmitted(), this.#minuteStart + reportInterval - now);
    }
  }
}

/** The key of all causes beyond the maximum. */
const otherCauses = "";

/** The objects that have counted incidents without having reported their number. */
const omissions: Set<{ reportOmitted(): void }> = /* @__PURE__ */ new Set();

/** Shared by all servers, because several of them can have the same hook. */
const limitsByHook: WeakMap<OnError, IncidentLimit> = /* @__PURE__ */ new WeakMap();

/** Passes an incident to a hook with `pass`, unless the hook has received many incidents with the same cause. */
export function passLimited(hook: OnError, incident: ServerIncident, pass: OnError): void {
  let limit = limitsByHook.get(hook);
  if (limit === undefined) {
    limit = new IncidentLimit(pass);
    limitsByHook.set(hook, limit);
  }
  limit.add(incident);
}

/** Reports the incidents that were left out so far, without waiting for the end of the minute. For a server's end. */
export function reportOmittedIncidents(): void {
  for (const counted of omissions) {
    counted.reportOmitted();
  }
}

const limitRule = ` At most ${maxOfCause} incidents with the same cause are reported in a minute.`;

function createSummary(firstOmitted: ServerIncident, omitted: number, rule = ""): ServerIncident {
  const { requestId: _id, method: _method, address: _address, remoteAddress: _remote, ...incident } = firstOmitted;
  const times = omitted === 1 ? "1 more time" : `${omitted} more times`;
  return { ...incident, message: `${incident.message} This occurred ${times} within a minute.${rule}`, omitted };
}

function createOtherSummary({ kind, limit }: ServerIncident, omitted: number): ServerIncident {
  const incidents = omitted === 1 ? "1 incident" : `${omitted} incidents`;
  const message = `${incidents} of the kind ${kind} with further causes occurred within a minute. At most ${maxCauses} causes of a kind are reported in a minute.`;
  return { kind, message, limit, omitted };
}

/**
 * Returns the same key for incidents with the same cause. Therefore it contains neither the client nor positions,
 * sizes and times, which differ for each request.
 */
function createCauseKey({
  kind,
  operation,
  route,
  protocol,
  path = "",
  message,
  error,
  limit,
}: ServerIncident): string {
  // The message of a limit's error is the message of the incident.
  const errorKey = limit === undefined ? createErrorKey(error) : "";
  return [kind, operation, route, protocol, omitNumbers(path), omitNumbers(message), errorKey].join("\n");
}

/** The maximum number of UTF-16 units of a text that belong to a key. */
const maxKeyText = 300;
/** The maximum number of nested causes of an exception that belong to a key. */
const maxNestedCauses = 3;

function createErrorKey(error: unknown): string {
  try {
    let key = "";
    let nested = error;
    for (let depth = 0; nested instanceof Error && depth < maxNestedCauses; depth += 1) {
      const code = "code" in nested ? String(nested.code) : "";
      key += `\n${nested.name} ${code} ${omitNumbers(omitQuotations(String(nested.message)))}`;
      nested = nested.cause;
    }
    return key;
  } catch {
    // Reading a member of the exception can throw, for example in a getter.
    return "";
  }
}

/** Replaces numbers, IP addresses and hexadecimal ids. */
function omitNumbers(text: string): string {
  return text.slice(0, maxKeyText).replace(/[\da-f.:]*\d[\da-f.:]*/gi, "#");
}

function omitQuotations(text: string): string {
  return text.slice(0, maxKeyText).replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "#");
}
