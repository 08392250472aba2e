import { formatThrown, getErrorMessage, getErrorName, getStack, readMember } from "../thrown-values.js";
import { isError } from "../value-problems.js";
import { shortenText } from "./call-lines.js";
import type { OnError, ServerIncident } from "./events.js";
import { omitReceivedValues } from "./received-errors.js";

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

  /** Whether the next incident of a problem will be passed on, now or with the number of the incidents left out. */
  willReport(problem: string): boolean {
    const known = this.#problems.get(problem);
    return known?.reportOmitted === undefined || performance.now() - known.reportedAt >= reportInterval;
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
/** The maximum number of rules of one operation whose incidents of one kind are reported within a minute. */
const maxRules = 100;
/** The maximum number of causes with the same rule that are reported within a minute. */
const maxCauses = 20;
/**
 * The maximum number of clients for whom a further cause of a rule is reported within a minute. Otherwise, one client
 * that invents causes, such as names of elements, would hide those of all others.
 */
const maxFurtherClients = 20;
/** The maximum number of incidents of a kind within a minute. Beyond it, only the first of each rule is reported. */
const maxOfKind = 2_000;

/** The incidents with one cause within the current minute. */
class CauseCount {
  passed = 0;
  omitted = 0;
  /** The first incident that was left out. */
  firstOmitted: ServerIncident | undefined;
}

/** The incidents of one rule: a message without values from requests, and a place in the code, in one operation. */
class RuleCount {
  /** The causes, by member and text of the exception. */
  readonly causes = new Map<string, CauseCount>();
  readonly others = new OtherCauses();
  /** The clients of the causes that were reported. */
  readonly #clients = new Set<string>();

  /** Whether a cause that was not reported yet may be. If so, records the client. */
  admitsCauseOf({ remoteAddress }: ServerIncident): boolean {
    const client = remoteAddress === undefined ? undefined : getNetworkText(remoteAddress);
    const isFurtherClient = client !== undefined && !this.#clients.has(client);
    const isAdmitted =
      this.causes.size < maxCauses || (isFurtherClient && this.causes.size < maxCauses + maxFurtherClients);
    if (isAdmitted && client !== undefined) {
      this.#clients.add(client);
    }
    return isAdmitted;
  }
}

/** The incidents of one kind in one operation. */
class OperationCount {
  readonly rules = new Map<string, RuleCount>();
  readonly others = new OtherCauses();
}

/** The incidents of one kind. */
class KindCount {
  /** A server has a finite number of operations, so clients cannot add any. */
  readonly operations = new Map<string, OperationCount>();
  passed = 0;
}

/** The maximum number of causes that are named in the report about causes beyond a maximum. */
const maxNamedCauses = 3;

/** The incidents whose cause is beyond a maximum. */
class OtherCauses {
  omitted = 0;
  readonly #names = new Set<string>();
  #first: ServerIncident | undefined;

  add(incident: ServerIncident): void {
    this.omitted += 1;
    this.#first ??= incident;
    if (this.#names.size < maxNamedCauses) {
      const { rule, message, path = "" } = incident;
      const details = [path, describeException(incident)].filter((text) => text !== "");
      const suffix = details.map((text) => shortenText(text, maxKeyText)).join(": ");
      this.#names.add(`"${shortenText(rule ?? message, maxKeyText)}"${suffix && ` (${suffix})`}`);
    }
  }

  report(pass: OnError): void {
    if (this.#first === undefined) {
      return;
    }
    const { omitted } = this;
    const { kind, operation, route, protocol, limit } = this.#first;
    const incidents = omitted === 1 ? "1 incident" : `${omitted} incidents`;
    const message = `${incidents} of the kind ${kind} with further causes occurred within a minute. The first causes of these: ${[...this.#names].join(", ")}. In a minute, at most ${maxRules} messages of each operation and ${maxCauses} causes of each message are reported, and one more cause for each of ${maxFurtherClients} further clients.`;
    pass({ kind, operation, route, protocol, message, limit, omitted });
  }
}

/**
 * Limits the incidents that one hook receives: 20 of each cause within a minute. At the end of the minute, the hook
 * receives the number of those that were left out.
 *
 * Clients cannot hide an incident with many others: the maximum numbers apply to each kind, operation and message
 * separately, and the values that a client chooses, such as a user name, are not part of a message's rule. The text of
 * an exception may contain such values, so the maximum number of causes applies to each place that throws exceptions.
 * At least the first incident of each rule is reported.
 */
class IncidentLimit {
  readonly #pass: OnError;
  /** The incidents of the current minute, by kind. */
  readonly #kinds = new Map<string, KindCount>();
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
    if (!this.#count(incident)) {
      this.#scheduleReport(now);
    }
  }

  /** Passes to the hook, for each cause, the number of the incidents that were left out. */
  reportOmitted(): void {
    omissions.delete(this);
    const operations = [...this.#kinds.values()].flatMap((kind) => [...kind.operations.values()]);
    for (const kind of this.#kinds.values()) {
      kind.operations.clear();
    }
    for (const { rules, others } of operations) {
      for (const rule of rules.values()) {
        for (const { omitted, firstOmitted } of rule.causes.values()) {
          if (firstOmitted !== undefined) {
            this.#pass(createSummary(firstOmitted, omitted, limitRule));
          }
        }
        rule.others.report(this.#pass);
      }
      others.report(this.#pass);
    }
  }

  /** Passes an incident to the hook and returns true, or counts it and returns false. */
  #count(incident: ServerIncident): boolean {
    const kind = getOrAdd(this.#kinds, incident.kind, createKind);
    const operation = getOrAdd(kind.operations, createOperationKey(incident), createOperation);
    const ruleKey = createRuleKey(incident);
    const isNewRule = !operation.rules.has(ruleKey);
    if (isNewRule && operation.rules.size >= maxRules) {
      operation.others.add(incident);
      return false;
    }
    const rule = getOrAdd(operation.rules, ruleKey, createRule);
    const causeKey = createCauseKey(incident);
    if (!rule.causes.has(causeKey) && !rule.admitsCauseOf(incident)) {
      rule.others.add(incident);
      return false;
    }
    const cause = getOrAdd(rule.causes, causeKey, createCause);
    if (cause.passed >= maxOfCause || (kind.passed >= maxOfKind && !isNewRule)) {
      cause.omitted += 1;
      cause.firstOmitted ??= incident;
      return false;
    }
    cause.passed += 1;
    kind.passed += 1;
    this.#pass(incident);
    return true;
  }

  #scheduleReport(now: number): void {
    if (!omissions.has(this)) {
      omissions.add(this);
      callLater(() => this.reportOmitted(), this.#minuteStart + reportInterval - now);
    }
  }
}

const createKind = () => new KindCount();
const createOperation = () => new OperationCount();
const createRule = () => new RuleCount();
const createCause = () => new CauseCount();

function getOrAdd<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}

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

function createSummary(firstOmitted: ServerIncident, omitted: number, advice = ""): ServerIncident {
  const {
    requestId: _id,
    method: _method,
    address: _address,
    remoteAddress: _remote,
    rule,
    message,
    ...incident
  } = firstOmitted;
  const times = omitted === 1 ? "1 more time" : `${omitted} more times`;
  return { ...incident, message: `${rule ?? message} This occurred ${times} within a minute.${advice}`, omitted };
}

/** Returns the same key for incidents in the same operation. Clients cannot choose any of these names. */
function createOperationKey({ operation, route, protocol }: ServerIncident): string {
  return [operation, route, protocol].join("\n");
}

/**
 * Returns the same key for incidents with the same message and, if they have exceptions, with exceptions of the same
 * class and code from the same place. Positions, sizes and times, which differ for each request, are not part of the
 * key, and neither is the message of an exception, which may contain values from the request.
 */
function createRuleKey(incident: ServerIncident): string {
  const places = listErrors(incident).map((error) => `\n${error.name} ${error.code} ${error.place}`);
  return omitNumbers(incident.rule ?? incident.message) + places.join("");
}

/** Returns the same key for incidents with the same member and the same text of the exception. */
function createCauseKey(incident: ServerIncident): string {
  const texts = listErrors(incident).map(({ message }) => `\n${omitNumbers(omitQuotations(message))}`);
  return omitNumbers(incident.path ?? "") + texts.join("");
}

/** Returns the class, the code and the message of an incident's exception and of its causes; empty if there is none. */
function describeException(incident: ServerIncident): string {
  return listErrors(incident)
    .map(({ name, code, message }) => `${[name, code].filter((text) => text !== "").join(" ")}: ${message}`)
    .join(", caused by ");
}

/** The maximum number of UTF-16 units of a text that belong to a key. */
const maxKeyText = 300;
/** The maximum number of nested causes of an exception that belong to a key. */
const maxNestedCauses = 3;

/** The properties of an exception from which keys are created. */
interface ErrorText {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  /** The place that threw the exception: a line of the stack; empty if unknown. */
  readonly place: string;
}

/**
 * Returns the properties of an incident's exception and of its causes. The message of a limit's exception is the
 * message of the incident, so it is left out.
 */
function listErrors({ error, limit }: ServerIncident): readonly ErrorText[] {
  if (error === undefined || error === null || limit !== undefined) {
    return [];
  }
  try {
    if (!isError(error)) {
      return [{ name: "Not an Error", code: "", message: formatThrown(error), place: "" }];
    }
    const errors: ErrorText[] = [];
    let nested: unknown = omitReceivedValues(error, { reasons: false });
    while (isError(nested) && errors.length < maxNestedCauses) {
      const [name, message, stack] = [getErrorName(nested), getErrorMessage(nested), readMember(nested, "stack")];
      const code = String(readMember(nested, "code") ?? "");
      const place = findPlace(typeof stack === "string" ? stack : getStack(nested), message);
      errors.push({ name, code, message, place });
      nested = readMember(nested, "cause");
    }
    return errors;
  } catch {
    // The exception can be a proxy that throws.
    return [];
  }
}

/**
 * Returns the first line of a stack that is in the user's code, or else the first line with a position. The lines
 * follow the message of the exception. If the message is not found, returns an empty text, because a message with
 * values of a client can contain lines that look like those of a stack.
 */
function findPlace(stack: string | undefined, message: string): string {
  const start = stack?.indexOf(message) ?? -1;
  if (stack === undefined || start === -1) {
    return "";
  }
  const frames = stack
    .slice(start + message.length)
    .split("\n")
    .filter((line) => /:\d+:\d+\)?$/.test(line));
  const frame = frames.find((line) => !/\bnode:|[\\/]node_modules[\\/]/.test(line)) ?? frames[0] ?? "";
  return frame.trim();
}

/**
 * Returns the part of an address that identifies a client: the first groups of an IPv6 address, because a client can
 * choose the last ones.
 */
function getNetworkText(address: string): string {
  return address.includes(":") ? address.split(":", 4).join(":") : address;
}

/** Replaces numbers, IP addresses and hexadecimal ids. */
function omitNumbers(text: string): string {
  return text.slice(0, maxKeyText).replace(/[\da-f.:]*\d[\da-f.:]*/gi, "#");
}

function omitQuotations(text: string): string {
  return text.slice(0, maxKeyText).replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "#");
}
