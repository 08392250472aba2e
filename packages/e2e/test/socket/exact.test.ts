import { fetchTransport } from "@bothends/runtime/client/fetch";
import type { RestContext } from "@bothends/runtime/server";
import type { RunningServer } from "@bothends/runtime/server/node";
import { webHandler } from "@bothends/runtime/server/web";
import { type ContentHandlers, contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCalls } from "../../src/demo/call.js";
import { createContentSample } from "../../src/sample/content.js";
import { expectedContentCalls, listContentCalls } from "../../src/sample/content-calls.js";
import { createExactContent, createExactVehicle, isExpected, type ReceivedCall } from "../../src/sample/exact.js";
import { lookups } from "../../src/sample/lookups.js";
import { serveExactly } from "../../src/sample/serve.js";
import { listVehicleCalls } from "../../src/sample/vehicle-calls.js";

let server: RunningServer;
beforeAll(async () => {
  server = await serveExactly(0, expectedContentCalls);
});
afterAll(async () => {
  await server.close();
});

test("the calls of the demo have exactly the expected arguments", async () => {
  const rows = await runCalls([...listVehicleCalls(server.url), ...listContentCalls(server.url)]);
  expect(rows).toHaveLength(18 * 4 + 71);
  expect(rows.filter((row) => row.problem !== undefined)).toEqual([]);
});

describe("a vehicle operation with one wrong argument is not answered", () => {
  const handle = webHandler([vehicleRoutes(createExactVehicle())]);
  const seen = new Map(lookups.map((lookup) => [lookup.operation, lookup]));
  const cases = [...seen.values()].flatMap(({ service, operation, input }) =>
    Object.entries(input).map(([argument, value]) => ({ service, operation, input, argument, value })),
  );

  test("there is a case for each of the arguments of the 18 operations", () => {
    expect(seen.size).toBe(18);
    expect(cases).toHaveLength(42);
  });

  test.each(cases)("$operation: $argument", async ({ service, operation, input, argument, value }) => {
    const status = async (values: Readonly<Record<string, string | number>>) => {
      const query = new URLSearchParams(Object.entries(values).map(([name, each]) => [name, String(each)]));
      const url = `http://vehicle.example/api/${service}.asmx/${operation}?${query}`;
      return (await handle(new Request(url))).status;
    };
    const wrong = typeof value === "number" ? value + 1 : `${value}x`;
    expect(await status(input)).toBe(200);
    expect(await status({ ...input, [argument]: wrong })).toBeGreaterThanOrEqual(400);
  });
});

describe("a call of a REST endpoint with one wrong argument is not expected", () => {
  /** Runs the calls of the demo. Returns the inputs of all handlers, in order. */
  async function received(): Promise<readonly ReceivedCall[]> {
    const calls: ReceivedCall[] = [];
    const handlers: ContentHandlers = createExactContent(createContentSample(), expectedContentCalls);
    const handle = webHandler([contentRoutes(recording(handlers, calls))]);
    const rows = await runCalls(listContentCalls("http://content.example", fetchTransport(handle)));
    expect(rows.filter((row) => row.problem !== undefined)).toEqual([]);
    return calls;
  }

  test("arguments, defaults, language and method", async () => {
    const expected = expectedContentCalls;
    const calls = await received();
    expect(calls).toHaveLength(71);
    let changes = 0;
    for (const call of calls) {
      const accepts = (other: ReceivedCall) => expected.some((each) => isExpected(other, each));
      expect([call.operation, accepts(call)]).toEqual([call.operation, true]);
      const input = Object.entries(Object(call.input));
      for (const [name, value] of input) {
        const wrong = typeof value === "number" ? value + 1_000 : [value];
        changes++;
        expect([call.operation, name, accepts({ ...call, input: { ...Object(call.input), [name]: wrong } })]).toEqual([
          call.operation,
          name,
          false,
        ]);
      }
      const more = { ...Object(call.input), unexpected: 1 };
      expect([call.operation, accepts({ ...call, input: more })]).toEqual([call.operation, false]);
      for (const other of [{ language: "en" }, { method: "OPTIONS" }]) {
        expect([call.operation, accepts({ ...call, context: { ...Object(call.context), ...other } })]).toEqual([
          call.operation,
          false,
        ]);
      }
    }
    expect(changes).toBeGreaterThan(100);
  });
});

/** Wraps handlers so that their inputs are added to `calls`. */
function recording<Handlers extends object>(handlers: Handlers, calls: ReceivedCall[], path = ""): Handlers {
  return new Proxy(handlers, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const operation = `${path}${String(key)}`;
      if (typeof value === "object" && value !== null) {
        return recording(value, calls, `${operation}.`);
      }
      if (typeof value !== "function") {
        return value;
      }
      return (input: unknown, context: RestContext) => {
        const { route, method, language } = context;
        calls.push({ operation, input, context: { route, method, language } });
        return Reflect.apply(value, target, [input, context]);
      };
    },
  });
}
