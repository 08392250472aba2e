import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { adapters } from "./adapters.js";
import { sendRaw } from "./raw.js";
import { canary, envelope, form, get, rest, soap, usa } from "./requests.js";
import { type Dispatched, type Served, serveBattery, watched } from "./served.js";
import { serverCases } from "./server-cases.js";

let served: Served;
beforeAll(async () => {
  served = await serveBattery();
});
afterAll(() => served.server.close());

describe.each(serverCases)("$kind", ({ rows }) => {
  test.each(rows)(
    "the request $name is answered or refused as expected",
    async ({ sent, status, input, says, incident }) => {
      const { server, calls, incidents } = served;
      calls.length = 0;
      incidents.length = 0;
      const answer = await sendRaw(server.port, sent);
      expect(answer.status).toBe(status);
      expect(calls.map(([, received]) => received)).toEqual(input === undefined ? [] : [input]);
      if (says !== undefined) {
        expect(answer.body).toMatch(says);
      }
      if (input === undefined) {
        expect(answer.text).not.toContain(canary);
      }
      expect(answer.text).not.toMatch(/\n +at |\/packages\/|node:|Error:/);
      expect(incidents).toEqual([incident ?? []].flat());
      if (status === 413 || incident === "limit.bodyBytes") {
        expect(answer.head).toMatch(/^connection: close$/im);
      }
    },
  );
});

test("no request changes a prototype, and the next good request is answered", async () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Reflect.get({}, "x")).toBeUndefined();
  expect((await sendRaw(served.server.port, soap(envelope(usa())))).status).toBe(200);
});

const stranger = "<Stranger>x</Stranger>";
const lookup = "<RegistrationNumber>A</RegistrationNumber><State>NY</State><username>u</username>";

test.each([
  ["an element", soap(envelope(usa(stranger + lookup))), 200],
  [
    "an attribute",
    soap(envelope(`<CheckUSA xmlns="http://vehicle.example/reg" stranger="x">${lookup}</CheckUSA>`)),
    200,
  ],
  ["a field of a form", form("RegistrationNumber=A&State=NY&username=u&stranger=x"), 200],
  ["an argument of a query", get("/en/api/core/v2/blocks?stranger=x"), 200],
  ["a member of JSON", rest('{"title":"a","stranger":"x"}'), 201],
] as const)("%s that the schema does not declare never reaches a handler", async (_, sent, status) => {
  const { server, calls } = served;
  calls.length = 0;
  const answer = await sendRaw(server.port, sent);
  expect([answer.status, calls.length]).toEqual([status, 1]);
  expect(JSON.stringify(calls)).not.toMatch(/stranger/i);
});

const twoBodies = `${usa(lookup)}</s:Body><s:Body>${usa(lookup.replace("A", "B"))}`;

test.each([
  ["CDATA in a value", soap(envelope(usa(lookup.replace("A<", "<![CDATA[A]]><")))), "A"],
  ["two bodies", soap(envelope(twoBodies)), "A"],
  ["two operations", soap(envelope(usa(lookup) + usa(lookup.replace("A", "B")))), "A"],
  ["two values of an element", soap(envelope(usa(lookup + lookup.replace("A", "B")))), "A"],
  ["two values of a field", form("RegistrationNumber=A&RegistrationNumber=B&State=NY&username=u"), "A,B"],
  ["two values of a member", rest('{"title":"B","title":"A"}'), { raw: "A" }],
])("authorize, use and the handler receive the same value of a message with %s", async (_, sent, value) => {
  const received: unknown[] = [];
  const options = {
    // For the header Allow, authorize is called again without arguments.
    authorize({ input }: { readonly input: unknown }) {
      received.push(...Object.values(Object(input)).slice(0, 1));
      return true;
    },
    use: (call: { readonly input: unknown }, next: () => Promise<unknown>) => {
      received.push(Object.values(Object(call.input))[0]);
      return next();
    },
  };
  const calls: Dispatched[] = [];
  const routes = [
    vehicleRoutes(watched(vehicleSample, calls), options),
    contentRoutes(watched(createContentSample(), calls), options),
  ];
  const server = await adapters["Node"]?.(routes);
  onTestFinished(() => server?.close());
  await sendRaw(server?.port ?? 0, sent);
  const handled = calls.map(([, input]) => Object.values(input as object)[0]);
  expect([...received, ...handled]).toEqual([value, value, value]);
});
