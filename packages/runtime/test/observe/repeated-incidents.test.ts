import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ServerIncident } from "../../src/observe/events.js";
import { report } from "../../src/observe/incidents.js";
import { RepeatedProblem, RepeatedReports, reportOmittedIncidents } from "../../src/observe/repeated-incidents.js";
import { createRouter } from "../../src/server/index.js";
import { LimitError } from "../../src/server-limits.js";
import { posted, requestOf, served } from "../server/fixture.js";

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

/** Reports incidents to one hook, and returns a list of those that it receives. */
function reportAll(incidents: readonly ServerIncident[]): readonly ServerIncident[] {
  const received: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void received.push(incident);
  for (const incident of incidents) {
    report(onError, incident);
  }
  return received;
}

const repeat = (count: number, create: (index: number) => ServerIncident) =>
  Array.from({ length: count }, (_, index) => create(index));
const rule = "At most 20 incidents with the same cause are reported in a minute.";

test("malformed messages have twenty lines a minute, and one with the number of the others", async () => {
  const { send, incidents } = served();
  for (let index = 0; index < 1224; index += 1) {
    await send({ ...posted("soap11", `${" ".repeat(index + 2)}<<`), remoteAddress: `10.0.0.${index}` });
  }
  expect(incidents).toHaveLength(20);
  expect(incidents[19]).toMatchObject({
    message: expect.stringMatching(/^The message is not well-formed \(line 1, column 23\)/),
  });
  vi.advanceTimersByTime(60_000);
  expect(incidents.slice(20)).toEqual([
    {
      operation: "Find",
      kind: "request",
      protocol: "soap11",
      message: expect.stringMatching(`^The message is not .* This occurred 1204 more times within a minute. ${rule}$`),
      omitted: 1204,
    },
  ]);
  await send(posted("soap11", "<<"));
  expect(incidents).toHaveLength(22);
});

describe("incidents have the same cause", () => {
  test.each([
    ["at other positions", (index: number) => ({ kind: "request", message: `Wrong (line 1, column ${index}).` })],
    ["of other items", (index: number) => ({ kind: "request", message: "Wrong.", path: `/a/${index}` })],
    [
      "from other addresses",
      (index: number) => ({ kind: "request", message: `From fe80::${index.toString(16)}: no.` }),
    ],
    ["of one limit", () => ({ kind: "limit.rate", message: "Too many.", error: new LimitError("rate", 5) })],
    [
      "with other ids in an exception",
      (index: number) => ({
        kind: "handler",
        message: "The handler threw an exception.",
        error: new Error(`No user "u${String.fromCharCode(65 + (index % 3))}" with the id ${index}.`),
      }),
    ],
  ] satisfies [string, (index: number) => ServerIncident][])("%s", (_, create) => {
    expect(reportAll(repeat(25, create))).toHaveLength(20);
  });
});

describe("incidents have different causes", () => {
  const base: ServerIncident = { kind: "request", message: "Wrong." };
  const thrown: ServerIncident = { kind: "handler", message: "The handler threw an exception." };
  test.each<[string, ServerIncident, ServerIncident]>([
    ["in other operations", { ...base, operation: "Find" }, { ...base, operation: "Add" }],
    ["in other routes", { ...base, route: "/a" }, { ...base, route: "/b" }],
    ["in other protocols", { ...base, protocol: "soap11" }, { ...base, protocol: "soap12" }],
    ["with other members", { ...base, path: "/a" }, { ...base, path: "/b" }],
    ["with other exceptions", { ...thrown, error: new Error("a") }, { ...thrown, error: new Error("b") }],
    [
      "with other causes of an exception",
      { ...thrown, error: new Error("a", { cause: new Error("b") }) },
      { ...thrown, error: new Error("a", { cause: new Error("c") }) },
    ],
    [
      "with other options",
      { ...base, message: 'The function in the option "authorize" refused the call.' },
      { ...base, message: 'The function in the option "authenticate" refused the call.' },
    ],
  ])("%s", (_, first, second) => {
    const received = reportAll([...repeat(25, () => first), ...repeat(25, () => second)]);
    expect(received).toEqual([...repeat(20, () => first), ...repeat(20, () => second)]);
  });
});

test("requests with ever new causes have a bounded number of lines", () => {
  const name = (index: number) => String.fromCharCode(0x4e00 + index);
  const create = (index: number) => ({ kind: "request", message: `No operation is named ${name(index)}.` });
  const received = reportAll(repeat(5_000, create));
  expect(received).toHaveLength(100);
  vi.advanceTimersByTime(60_000);
  expect(received.slice(100)).toEqual([
    {
      kind: "request",
      message: `4900 incidents of the kind request with further causes occurred within a minute. The first causes of these: ${[100, 101, 102].map((index) => `"No operation is named ${name(index)}."`).join(", ")}. In a minute, at most 100 messages of each operation and 20 causes of each message are reported, and one more cause for each of 20 further clients.`,
      omitted: 4900,
    },
  ]);
});

/** Incidents with 5,000 different values that a client chose. */
const chosen = (create: (name: string) => Omit<ServerIncident, "kind">) =>
  repeat(5_000, (index) => ({ kind: "request", ...create(`n${String.fromCharCode(0x4e00 + index)}`) }));

describe("a flood does not hide another incident of the same kind", () => {
  const rule = "The user is unknown.";
  test.each<[string, readonly ServerIncident[]]>([
    ["with values that the client chose", chosen((name) => ({ message: `${rule} The name is ${name}.`, rule }))],
    ["in another operation", chosen((name) => ({ message: `The ${name} is wrong.`, operation: "Add" }))],
    [
      "of many rules in many operations",
      Array.from({ length: 30 }, (_, operation) =>
        chosen((name) => ({ message: `The ${name} is wrong.`, operation: `Add${operation}` })),
      ).flat(),
    ],
  ])("%s", (_, flood) => {
    const last = { kind: "request", message: "The element is required.", operation: "Find", path: "/Find/Name" };
    const received = reportAll([...flood, last]);
    expect(received.at(-1)).toBe(last);
    expect(received.length).toBeLessThan(3_100);
  });

  test("and has a report with its operation, its rule and its first values", () => {
    const received = reportAll(
      chosen((name) => ({
        message: `The ${name} is wrong.`,
        rule: "It is wrong.",
        path: `/${name}`,
        operation: "Add",
      })),
    );
    expect(received).toHaveLength(20);
    reportOmittedIncidents();
    const paths = [20, 21, 22].map((index) => `"It is wrong." (/n${String.fromCharCode(0x4e00 + index)})`);
    expect(received.slice(20)).toMatchObject([
      {
        operation: "Add",
        omitted: 4_980,
        message: expect.stringContaining(`causes of these: ${paths.join(", ")}. In`),
      },
    ]);
  });

  describe("of causes that one client invents, if another client", () => {
    const invented = (count: number, create: (index: number) => string): readonly ServerIncident[] =>
      repeat(count, (index) => {
        const path = `/Find/${letters(index)}`;
        return { kind: "request", message: "An element is not expected.", path, remoteAddress: create(index) };
      });
    const honest = { kind: "request", message: "An element is not expected.", path: "/Find/RegNo" };

    test.each([
      ["10.0.0.1", "10.0.0.2"],
      ["2001:db8:1:2:3:4:5:6", "2001:db8:1:3:3:4:5:6"],
    ])("%s is another client than %s", (address, other) => {
      const last = { ...honest, remoteAddress: other };
      const received = reportAll([...invented(500, () => address), last]);
      expect(received).toHaveLength(21);
      expect(received.at(-1)).toBe(last);
    });

    test.each<readonly [string, (index: number) => string, number]>([
      ["has the same address", () => "10.0.0.1", 20],
      ["has the same network", (index) => `2001:db8:1:2:3:4:5:${index.toString(16)}`, 20],
      ["has one of many addresses", (index) => `10.0.0.${index % 250}`, 40],
    ])("%s, the number of lines is bounded", (_, create, count) => {
      expect(reportAll(invented(500, create))).toHaveLength(count);
    });
  });

  test("of exceptions that name values", () => {
    const flood = chosen((name) => ({ message: "The handler threw an exception.", error: new Error(`No ${name}.`) }));
    const error = Object.assign(new Error("The connection is closed."), { code: "ECONNREFUSED" });
    const last = { kind: "request", message: "The handler threw an exception.", error };
    expect(reportAll([...flood, last]).at(-1)).toBe(last);
  });
});

/** Throws an exception from one place, as a handler does. */
function createAtOnePlace(text: string): Error {
  return new Error(text);
}

const letters = (index: number) => `q${String.fromCharCode(0x4e00 + index)}`;
const thrownBy = (error: unknown): ServerIncident => ({
  kind: "handler",
  message: "The handler threw an exception.",
  operation: "Find",
  error,
});

describe("exceptions with ever new values do not hide", () => {
  const flood = repeat(60, (index) => thrownBy(createAtOnePlace(`The plate ${letters(index)} is unknown`)));

  test.each<[string, unknown]>([
    ["an exception from another place", new Error("The password has expired")],
    ["an exception with the same text from another place", new Error(`The plate ${letters(59)} is unknown`)],
    ["an exception without a stack", Object.assign(new Error("The password has expired"), { stack: undefined })],
    ["a value that is no exception", "The password has expired"],
    ["an exception of another class", Object.assign(createAtOnePlace("Expired"), { name: "TypeError" })],
    ["an exception with a code", Object.assign(createAtOnePlace("Expired"), { code: "ECONNREFUSED" })],
  ])("%s", (_, error) => {
    const received = reportAll([...flood, thrownBy(error)]);
    expect(received).toHaveLength(21);
    expect(received.at(-1)?.error).toBe(error);
  });

  test("an exception whose cause comes from another place", () => {
    const wrap = (cause: unknown) => thrownBy(new Error("The call failed", { cause }));
    const received = reportAll([...flood.map(({ error }) => wrap(error)), wrap(new Error("The password has expired"))]);
    expect(received).toHaveLength(21);
  });
});

test("the user's code is the place of an exception from a package or from Node", () => {
  const create = (line: number, text: string) => {
    const stack = `Error: ${text}\n    at read (/app/node_modules/db/a.js:1:1)\n    at process.tick (node:internal/a:1:1)\n    at find (/app/handlers.js:${line}:3)`;
    return thrownBy(Object.assign(new Error(text), { stack }));
  };
  const flood = repeat(60, (index) => create(1, letters(index)));
  expect(reportAll([...flood, create(2, "expired")])).toHaveLength(21);
  expect(reportAll([...flood, create(1, "expired")])).toHaveLength(20);
});

test("a value that looks like a line of a stack is not the place of an exception", () => {
  const create = (index: number) =>
    thrownBy(createAtOnePlace(`No\n    at ${letters(index)} (/${letters(index)}.js:1:1)`));
  expect(reportAll(repeat(200, create))).toHaveLength(20);
});

test("a line of a text that was changed is not the place of an exception", () => {
  const create = (index: number) => {
    const error = createAtOnePlace(`No\n    at ${letters(index)} (/${letters(index)}.js:1:1)`);
    return thrownBy(Object.assign(error, { stack: error.stack, message: `No${letters(index)}` }));
  };
  expect(reportAll(repeat(200, create))).toHaveLength(20);
});

test("values that are no exceptions have causes by their texts", () => {
  const texts = [...repeat(25, () => thrownBy("a")), ...repeat(25, () => thrownBy({ code: "b", message: "c" }))];
  expect(reportAll(texts)).toHaveLength(40);
  expect(reportAll(repeat(60, (index) => thrownBy(letters(index))))).toHaveLength(20);
});

test("the number of the others names their exceptions, with their causes", () => {
  const create = (index: number) => {
    const cause = Object.assign(new TypeError(`No "${letters(index)}"`), { code: "E_PLATE" });
    return thrownBy(Object.assign(new Error(`The plate ${letters(index)} is unknown`, { cause }), { stack: "" }));
  };
  const received = reportAll(repeat(23, create));
  reportOmittedIncidents();
  const names = [20, 21, 22].map(
    (index) =>
      `"The handler threw an exception." (Error: The plate ${letters(index)} is unknown, caused by TypeError E_PLATE: No "${letters(index)}")`,
  );
  expect(received.slice(20)).toMatchObject([
    { omitted: 3, message: expect.stringContaining(`The first causes of these: ${names.join(", ")}. In`) },
  ]);
});

test("the number of the others shortens long exceptions", () => {
  const received = reportAll(repeat(21, (index) => thrownBy(createAtOnePlace(letters(index) + "x".repeat(9_000)))));
  reportOmittedIncidents();
  expect(received[20]?.message.length).toBeLessThan(1_000);
});

test("a path that a proxy may have changed is reported once a minute, so that one request cannot hide it", async () => {
  const incidents: ServerIncident[] = [];
  const router = createRouter([served().routes], { onError: (incident) => void incidents.push(incident) });
  const send = async (path: string) => router(requestOf({ target: `${path}/api/things.asmx` }));
  await send("/x");
  await send("/gateway");
  expect(incidents).toMatchObject([{ address: "/x/api/things.asmx", message: expect.stringMatching("routes have") }]);
  vi.advanceTimersByTime(60_000);
  expect(incidents[1]).toMatchObject({ omitted: 1 });
  vi.advanceTimersByTime(60_000);
  await send("/gateway");
  expect(incidents[2]).toMatchObject({ address: "/gateway/api/things.asmx" });
});

test("the number of the others has no value that one client chose", () => {
  const rule = "The user is unknown.";
  const received = reportAll(repeat(21, (index) => ({ kind: "request", message: `${rule} It is ${index}.`, rule })));
  reportOmittedIncidents();
  expect(received[20]).toEqual({
    kind: "request",
    message: `${rule} This occurred 1 more time within a minute. At most 20 incidents with the same cause are reported in a minute.`,
    omitted: 1,
  });
});

test("a flood of one kind does not hide an incident of another kind", () => {
  const flood = repeat(5_000, (index) => ({ kind: "request", message: "x".repeat(index % 200) }));
  const last = { kind: "handler", message: "The handler threw an exception.", error: new Error("no database") };
  expect(reportAll([...flood, last]).at(-1)).toBe(last);
});

test("the number of the others has the exception, and no member of a single request", () => {
  const error = new Error("no database");
  const incident = { kind: "handler", message: "The handler threw an exception.", operation: "Find", error };
  const request = { requestId: "1", method: "POST", address: "/", remoteAddress: "10.0.0.1" };
  const received = reportAll(repeat(21, () => ({ ...incident, ...request })));
  reportOmittedIncidents();
  expect(received[20]).toEqual({
    ...incident,
    message: `The handler threw an exception. This occurred 1 more time within a minute. ${rule}`,
    omitted: 1,
  });
});

test("after a minute, incidents are reported again", () => {
  const received: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void received.push(incident);
  const reportOne = () => report(onError, { kind: "request", message: "Wrong." });
  Array.from({ length: 30 }, reportOne);
  vi.advanceTimersByTime(60_000);
  Array.from({ length: 30 }, reportOne);
  expect(received.map(({ omitted = 0 }) => omitted)).toEqual([...Array(20).fill(0), 10, ...Array(20).fill(0)]);
  vi.advanceTimersByTime(60_000);
  expect(received.at(-1)?.omitted).toBe(10);
});

test("an exception that throws while it is read is reported", () => {
  const error = Object.defineProperty(new Error(), "message", {
    get() {
      throw new Error("no message");
    },
  });
  expect(reportAll([{ kind: "handler", message: "The handler threw an exception.", error }])).toHaveLength(1);
});

describe("a problem that is reported once a minute", () => {
  /** Reports the same problem several times, and returns the incidents that the hook has received so far. */
  function repeatedly() {
    const received: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void received.push(incident);
    const reports = new RepeatedReports();
    const occur = (count: number, problem = "full") => {
      for (let index = 0; index < count; index += 1) {
        const message = `The disk is ${problem}.`;
        report(onError, { kind: "hook", message }, undefined, { repeated: new RepeatedProblem(reports, problem) });
      }
    };
    return { occur, reports, messages: () => received.map(({ message, omitted }) => [message, omitted]) };
  }

  test("has at the end of the minute the number of the others", () => {
    const { occur, messages } = repeatedly();
    occur(1);
    vi.advanceTimersByTime(30_000);
    occur(7);
    expect(messages()).toEqual([["The disk is full.", undefined]]);
    vi.advanceTimersByTime(30_000);
    expect(messages().slice(1)).toEqual([["The disk is full. This occurred 7 more times within a minute.", 7]]);
  });

  test("is one incident a minute as long as it lasts, and is reported at once after a minute without it", () => {
    const { occur, messages } = repeatedly();
    occur(1);
    for (let minute = 0; minute < 3; minute += 1) {
      vi.advanceTimersByTime(30_000);
      occur(5);
      vi.advanceTimersByTime(30_000);
    }
    expect(messages().map(([, omitted]) => omitted)).toEqual([undefined, 5, 5, 5]);
    vi.advanceTimersByTime(60_000);
    occur(1);
    expect(messages()).toHaveLength(5);
    expect(messages()[4]).toEqual(["The disk is full.", undefined]);
  });

  test("has the number when a server is closed", () => {
    const { occur, messages } = repeatedly();
    occur(3);
    reportOmittedIncidents();
    expect(messages()[1]).toEqual(["The disk is full. This occurred 2 more times within a minute.", 2]);
    vi.advanceTimersByTime(60_000);
    expect(messages()).toHaveLength(2);
  });

  test("has the number when it ends, and its next occurrence is reported", () => {
    const { occur, messages, reports } = repeatedly();
    occur(3);
    reports.end("full");
    occur(1);
    expect(messages().map(([, omitted]) => omitted)).toEqual([undefined, 2, undefined]);
  });

  test("loses no number when there are many problems", () => {
    const { occur, messages } = repeatedly();
    for (let index = 0; index < 150; index += 1) {
      occur(2, String.fromCharCode(0x4e00 + index));
    }
    vi.advanceTimersByTime(60_000);
    const total = messages().reduce((sum, [, omitted]) => sum + (omitted === undefined ? 1 : Number(omitted)), 0);
    expect(total).toBe(300);
  });

  test("needs a timer only if it occurs again", () => {
    const { occur } = repeatedly();
    occur(1);
    expect(vi.getTimerCount()).toBe(0);
    occur(2);
    expect(vi.getTimerCount()).toBe(1);
  });
});
