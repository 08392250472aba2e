import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRaw } from "./raw.js";
import { canary, envelope, soap, usa } from "./requests.js";
import { type Served, serveBattery } from "./served.js";
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
      expect(incidents).toEqual(incident === undefined ? [] : [incident]);
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
