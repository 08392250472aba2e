import { describe, expect, test } from "vitest";
import { formatIncident } from "../../src/observe/incident-lines.js";

// What the line of an incident contains of an exception, so that an operator finds the cause.

class PoolError extends Error {}
class InvalidCredentialsError extends Error {
  override readonly name = "InvalidCredentialsError";
  readonly code = 49;
}

const withCode = (message: string, code: unknown) => Object.assign(new Error(message), { code });

/** An error with this number of causes below it. */
function chain(length: number, root: unknown): Error {
  return new Error(`wrapper ${length}`, { cause: length === 1 ? root : chain(length - 1, root) });
}

function causeOf(error: unknown, format: "text" | "json" = "json"): string {
  const line = formatIncident({ kind: "handler", message: "m", error }, { format });
  return format === "json" ? JSON.parse(line).cause : line;
}

test.each<[string, unknown, string]>([
  ["a code", withCode("request failed", "ETIMEDOUT"), "Error [ETIMEDOUT]: request failed\n    at "],
  ["a number as code", withCode("request failed", 49), "Error [49]: request failed\n"],
  ["only a code", new InvalidCredentialsError(), "InvalidCredentialsError [49]"],
  ["an empty message and a code", withCode("", "23505"), "Error [23505]"],
  ["a code in its message", withCode("connect ECONNREFUSED ::1", "ECONNREFUSED"), "Error: connect ECONNREFUSED ::1\n"],
  ["a class without a name", new PoolError("no connection"), "PoolError: no connection\n    at "],
  ["a class and a code", Object.assign(new PoolError("no"), { code: "E_POOL" }), "PoolError [E_POOL]: no\n"],
  ["no stack", Object.assign(withCode("a", "E1"), { stack: undefined }), "Error [E1]: a"],
  ["another stack", Object.assign(withCode("a", "E1"), { stack: "«a»\n    at b" }), "[E1] «a»\n    at b"],
  ["a code that is a text", withCode("a", "SELECT secret FROM t"), "Error: a\n"],
])("an exception with %s", (_, error, start) => {
  expect(causeOf(error).slice(0, start.length)).toBe(start);
});

describe("the cause", () => {
  test.each<[string, unknown, string]>([
    ["a text", "disk full", "Caused by: disk full"],
    ["a number", 7, "Caused by: 7"],
    ["an object", { code: "ENOSPC", message: "disk full", password: "x" }, "Caused by: ENOSPC: disk full"],
    ["an object of other members", { path: "/a", secret: "x" }, "Caused by: an object with the members path, secret"],
    ["an Error", withCode("disk full", "ENOSPC"), "Caused by: Error [ENOSPC]: disk full\n    at "],
  ])("%s is written, also below others", (_, cause, text) => {
    for (const depth of [1, 2, 5, 6, 7, 40]) {
      expect(causeOf(chain(depth, cause))).toContain(`\n${text}`);
    }
    expect(causeOf(new AggregateError([new Error("inner", { cause })], "all"))).toContain(`\n${text}`);
    expect(causeOf(new Error("outer", { cause: new AggregateError([cause]) }))).toContain(
      text.replace("Caused by: ", ""),
    );
    expect(causeOf(chain(1, cause))).not.toContain('"x"');
  });

  test("of a long chain is written last, with the number of those that are left out", () => {
    const text = causeOf(chain(9, new Error("root")));
    expect([...text.matchAll(/^Caused by: Error: (.*)$/gm)].map(([, message]) => message)).toEqual([
      ...["wrapper 8", "wrapper 7", "wrapper 6", "wrapper 5", "root"],
    ]);
    expect(text).toContain("… 4 causes are left out.\nCaused by: Error: root");
  });

  test("is written although a message before it is long", () => {
    for (const depth of [1, 4, 9]) {
      const outer = new Error("q".repeat(100_000), { cause: chain(depth, new Error("root")) });
      expect(causeOf(outer)).toContain("Caused by: Error: root\n");
      expect(causeOf(outer).length).toBeLessThan(20_000);
    }
  });

  test("may be the exception itself, or a chain without an end", () => {
    const cyclic = new Error("a");
    cyclic.cause = new Error("b", { cause: cyclic });
    expect(causeOf(cyclic).match(/Error: [ab]$/gm)).toEqual(["Error: a", "Error: b"]);
    class Endless extends Error {
      override get cause(): unknown {
        return new Endless("again");
      }
    }
    expect(causeOf(new Endless("first"))).toContain("causes are left out");
  });

  test("of an error in an AggregateError in another one is bounded", () => {
    const nested = (depth: number): Error =>
      depth === 0
        ? new Error("leaf")
        : new AggregateError(
            Array.from({ length: 9 }, () => nested(depth - 1)),
            "all",
          );
    expect(causeOf(nested(4)).length).toBeLessThan(20_000);
  });
});

test("a line of text contains the same", () => {
  expect(causeOf(new Error("boot", { cause: "disk full" }), "text")).toMatch(
    /cause="Error: boot\\n.*\\nCaused by: disk full"$/,
  );
});
