import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRaw } from "./raw.js";
import { canary, envelope, soap, usa } from "./requests.js";
import { type Served, serveBattery } from "./served.js";
import { serverCases } from "./server-cases.js";

/** Requests that Node's server refuses before a framework sees them, or for which the framework has an answer. */
const answeredByFramework = [/^S08/, /^S10 length/, /^V3 no version/, /^nothing there/];

/** Requests that the adapter's platform answers or changes. The others must be answered as by `listen`. */
const byPlatform: Readonly<Record<string, readonly RegExp[]>> = {
  Express: answeredByFramework,
  NestJS: answeredByFramework,
  Fastify: [...answeredByFramework, /TRACE/],
  // A web `Request` has a resolved address.
  Hono: [...answeredByFramework, /^V3 (?:absolute|markup)/, /^P7/],
  "a web handler": [...answeredByFramework, /^V3 (?:absolute|markup)/, /^P7/],
  // A function receives a request that is complete. The gateway of this test waits for all of it.
  Lambda: [...answeredByFramework, /^V3 (?:absolute|markup)/, /TRACE/, /^P7/],
};
/** Requests of which the rest never arrives. */
const incomplete = /^S04|^V3 coded/;

describe.each(Object.keys(byPlatform))("the requests of the battery, sent to %s", (adapter) => {
  let served: Served;
  beforeAll(async () => {
    served = await serveBattery({}, adapter);
  });
  afterAll(() => served.server.close());

  const rows = serverCases.flatMap(({ rows }) => rows).filter(({ id }) => adapter !== "Lambda" || !incomplete.test(id));
  const isByPlatform = ({ id }: { readonly id: string }) => byPlatform[adapter]?.some((ids) => ids.test(id)) === true;

  async function send(sent: Parameters<typeof sendRaw>[1]) {
    served.calls.length = 0;
    served.incidents.length = 0;
    const answer = await sendRaw(served.server.port, sent);
    expect(answer.text).not.toMatch(/\n +at |\/packages\/|node:|Error:/);
    return { answer, inputs: served.calls.map(([, input]) => input) };
  }

  test.each(rows.filter((row) => !isByPlatform(row)))(
    "$id is answered or refused as by listen",
    async ({ sent, status, input, says, incident }) => {
      const { answer, inputs } = await send(sent);
      expect(answer.status).toBe(status);
      expect(inputs).toEqual(input === undefined ? [] : [input]);
      expect(answer.body).toMatch(says ?? /(?:)/);
      if (input === undefined) {
        expect(answer.text).not.toContain(canary);
      }
      expect(served.incidents).toEqual(incident === undefined ? [] : [incident]);
    },
  );

  test.each(rows.filter(isByPlatform))("$id reaches no handler with anything of its text", async ({ sent }) => {
    const { answer, inputs } = await send(sent);
    expect([200, 400, 404, 405, 431, 501, 505]).toContain(answer.status);
    expect(JSON.stringify(inputs)).not.toContain(canary);
  });

  test("no request changes a prototype, and the next good request is answered", async () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Reflect.get({}, "x")).toBeUndefined();
    expect((await send(soap(envelope(usa())))).answer.status).toBe(200);
  });
});
