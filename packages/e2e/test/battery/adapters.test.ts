import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { lineLogger } from "@bothends/runtime/observe";
import type { RouterOptions } from "@bothends/runtime/server";
import { contentRoutes } from "@bothends/server/content";
import { regRoutes } from "@bothends/server/vehicle";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { adapters } from "./adapters.js";
import { sendRaw } from "./raw.js";
import { canary, envelope, head, json, soap, usa, xml } from "./requests.js";
import { type Served, serveBattery } from "./served.js";
import { serverCases } from "./server-cases.js";

/** Requests that Node's server refuses before it calls the framework, or that the framework answers. */
const answeredByFramework = [/^HTTP syntax/, /^header lines: too long/, /^HTTP head: no version/, /^unknown path/];

/**
 * Requests that the adapter's platform answers or changes. All other requests must have the answers that `listen`
 * gives.
 */
const byPlatform: Readonly<Record<string, readonly RegExp[]>> = {
  Express: answeredByFramework,
  NestJS: answeredByFramework,
  Fastify: [...answeredByFramework, /TRACE/],
  // The address in a web `Request` is already resolved.
  Hono: [...answeredByFramework, /^HTTP head: (?:absolute|markup)/, /^path: /],
  "a web handler": [...answeredByFramework, /^HTTP head: (?:absolute|markup)/, /^path: /],
  // A Lambda function receives only complete requests: the gateway of this test waits for the end of a request.
  Lambda: [...answeredByFramework, /^HTTP head: (?:absolute|markup)/, /TRACE/, /^path: /],
};
/** Requests that never arrive completely. */
const incomplete = /^a long body with Content-Length|^HTTP head: coded/;

describe.each(Object.keys(byPlatform))("the requests of the battery, sent to %s", (adapter) => {
  let served: Served;
  beforeAll(async () => {
    served = await serveBattery({}, adapter);
  });
  afterAll(() => served.server.close());

  const rows = serverCases
    .flatMap(({ rows }) => rows)
    .filter(({ name }) => adapter !== "Lambda" || !incomplete.test(name));
  const isByPlatform = ({ name }: { readonly name: string }) =>
    byPlatform[adapter]?.some((names) => names.test(name)) === true;

  async function send(sent: Parameters<typeof sendRaw>[1]) {
    served.calls.length = 0;
    served.incidents.length = 0;
    const answer = await sendRaw(served.server.port, sent);
    expect(answer.text).not.toMatch(/\n +at |\/packages\/|node:|Error:/);
    return { answer, inputs: served.calls.map(([, input]) => input) };
  }

  test.each(rows.filter((row) => !isByPlatform(row)))(
    "the request $name is answered or refused as by listen",
    async ({ sent, status, input, says, incident }) => {
      const { answer, inputs } = await send(sent);
      expect(answer.status).toBe(status);
      expect(inputs).toEqual(input === undefined ? [] : [input]);
      expect(answer.body).toMatch(says ?? /(?:)/);
      if (input === undefined) {
        expect(answer.text).not.toContain(canary);
      }
      expect(served.incidents).toEqual([incident ?? []].flat());
    },
  );

  test.each(rows.filter(isByPlatform))("no text of the request $name reaches a handler", async ({ sent }) => {
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

/** Sends bytes, and closes the connection after a time, without reading the answer. */
/** Whether a line reports that the process could not run: the machine may be busy, or the body of 30 MB takes long. */
const isStall = (line: string): boolean => line.includes(" warning stalled: ");

/** How lines name a client that resets its connection. Frameworks for web requests report only that it has left. */
const left = "The client(?: disconnected|, or a proxy or firewall between, reset the connection)";

async function sendAndDisconnect(port: number, text: string, milliseconds: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  socket.write(text);
  await delay(milliseconds);
  socket.resetAndDestroy();
}

// AWS Lambda does not report to a function that the client has disconnected.
describe.each(Object.keys(adapters).filter((name) => name !== "Lambda"))(
  "when a client of %s disconnects",
  (adapter) => {
    async function started() {
      const lines: string[] = [];
      const log = lineLogger({ write: (line) => lines.push(line) });
      const checkUSA = async () => {
        await delay(300);
        return { vehicleJson: "x".repeat(30_000_000) };
      };
      const routes = [regRoutes({ checkUSA }, { missing: "fault" }), contentRoutes({}, { missing: "error" })];
      const server = await adapters[adapter]?.(routes, log);
      onTestFinished(() => server?.close());
      const warnings = () => lines.filter((line) => line.includes("warning request: "));
      const calls = () => lines.filter((line) => line.includes(" server POST "));
      return { port: server?.port ?? 0, warnings, calls };
    }
    const id = "X-Request-Id: r1";

    test.each([
      ["SOAP", "/api/reg.asmx", [xml, id, "Content-Length: 500"], "<s:Envel"],
      ["SOAP in chunks", "/api/reg.asmx", [xml, id, "Transfer-Encoding: chunked"], "5\r\n<s:En\r\n"],
      ["REST", "/en/api/core/v2/project", [json, id, "Content-Length: 50"], '{"ti'],
    ])("in the middle of a request over %s, the log names cause, request and path", async (_, path, lines, body) => {
      const { port, warnings, calls } = await started();
      await sendAndDisconnect(port, head(`POST ${path}`, lines) + body, 60);
      await expect
        .poll(calls)
        .toEqual([
          expect.stringMatching(
            / 400 incomplete .* disconnectedAfter=\d.* disconnectedBy=(?:client|reset) .* error=request requestId=r1/,
          ),
        ]);
      expect(warnings()).toEqual([expect.stringMatching(new RegExp(`${left} before its request was complete\\. \\d`))]);
      expect(warnings()[0]).toMatch(new RegExp(`requestId=r1 method=POST address=${path}`));
    });

    test("during a handler, the log names cause, operation and request", async () => {
      const { port, warnings, calls } = await started();
      const body = envelope(usa());
      await sendAndDisconnect(port, head("POST /api/reg.asmx", [xml, id, `Content-Length: ${body.length}`]) + body, 80);
      await expect
        .poll(calls)
        .toEqual([
          expect.stringMatching(
            / incomplete .* disconnectedAfter=\d.* disconnectedBy=(?:client|reset) operation=CheckUSA .* error=request requestId=r1/,
          ),
        ]);
      expect(warnings()).toEqual([
        expect.stringMatching(new RegExp(`${left} after .* operation=CheckUSA .* requestId=r1`)),
      ]);
    });
  },
);

const heads = ["", "Accept-Encoding: gzip", "Accept-Encoding: br, gzip", "Accept-Encoding: identity"];
const targets = [
  "/en/api/core/v2/project",
  "/en/api/core/v2/project?_embed",
  "/en/api/core/v2/none",
  "/en/api/_browse",
];

test.each(Object.keys(adapters))(
  "%s answers HEAD with the Vary of GET, and with its Content-Length or none",
  async (adapter) => {
    const list = () => [{ id: 1, title: { rendered: "ä".repeat(3_000) } }];
    const core = { project: { list } } as unknown as Parameters<typeof contentRoutes>[0]["core"];
    const incidents: string[] = [];
    const onError = ({ message }: { readonly message: string }) => void incidents.push(message);
    const bytes: number[] = [];
    const onCall = (event: { readonly answerBytes?: number | undefined }) => void bytes.push(event.answerBytes ?? 0);
    const routes = contentRoutes({ core } as Parameters<typeof contentRoutes>[0], { missing: "error" });
    const server = await adapters[adapter]?.([routes], { onError, onCall, compress: true } as RouterOptions);
    onTestFinished(() => server?.close());
    const sendWith = async (method: string, target: string, line: string) => {
      const text = head(`${method} ${target}`, ["Connection: close", ...(line === "" ? [] : [line])]);
      const { status, head: answerHead, body } = await sendRaw(server?.port ?? 0, text);
      const read = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(answerHead)?.[1];
      // WordPress names the origin only for GET.
      const vary = [...answerHead.matchAll(/^vary: (.*)$/gim)].flatMap(([, names = ""]) => names.split(", "));
      const otherNames = vary.filter((name) => name !== "Origin");
      return { status, length: read("content-length"), vary: otherNames, encoding: read("content-encoding"), body };
    };
    for (const target of targets) {
      for (const line of heads) {
        const get = await sendWith("GET", target, line);
        const forHead = await sendWith("HEAD", target, line);
        expect(forHead).toMatchObject({ status: get.status, vary: get.vary, encoding: get.encoding, body: "" });
        // The gateway of Lambda decides on the length.
        expect([get.length, undefined]).toContain(adapter === "Lambda" ? undefined : forHead.length);
        expect(bytes.at(-1) ?? 0).toBe(0);
      }
    }
    expect(incidents.join()).not.toContain("cannot be written");
  },
);

test.each(["Node", "Express", "Fastify"])(
  "when a client of %s disconnects in the middle of an answer, its call is incomplete",
  async (adapter) => {
    const lines: string[] = [];
    const checkUSA = () => ({ vehicleJson: "x".repeat(30_000_000) });
    const log = lineLogger({ write: (line) => lines.push(line) });
    const server = await adapters[adapter]?.([regRoutes({ checkUSA }, { missing: "fault" })], log);
    onTestFinished(() => server?.close());
    const body = envelope(usa());
    await sendAndDisconnect(
      server?.port ?? 0,
      head("POST /api/reg.asmx", [xml, `Content-Length: ${body.length}`]) + body,
      1_000,
    );
    await expect
      .poll(() => lines.filter((line) => !isStall(line)), { timeout: 20_000 })
      .toEqual([
        expect.stringMatching(
          / 200 incomplete .* disconnectedAfter=\d.* disconnectedBy=reset operation=CheckUSA .* remoteAddress=127\.0\.0\.1 .*answerBytes=30\d{6} /,
        ),
      ]);
  },
);
