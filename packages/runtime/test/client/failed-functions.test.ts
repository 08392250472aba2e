import { describe, expect, test } from "vitest";
import { type ClientIncident, RestClient } from "../../src/client/index.js";
import { checkHeaders } from "../../src/client/settings.js";
import { ConfigError } from "../../src/errors.js";
import type { EndpointDescriptor, RestInterfaceDescriptor } from "../../src/index.js";
import { type CallObserver, lineLogger } from "../../src/observe/index.js";
import { always, failureOf, localServer } from "./local-server.js";

// Functions that a program passes to a client, and that fail: the log names the function and has its exception.

const site: RestInterfaceDescriptor = { descriptorFormat: 2, name: "site", base: "/api", segments: [] };
const create: EndpointDescriptor<object> = {
  ...{ kind: "endpoint", interface: site, name: "media.create", route: "/media", path: ["/media"] },
  ...{ methods: ["POST"], args: {} },
};
const upload = { content: new Uint8Array(100_000), type: "image/png", name: "a.png" };

describe("an exception of onUploadProgress is an incident of a hook, with the exception", () => {
  const thrown = new TypeError("bar is undefined");
  test.each<[string, () => unknown]>([
    [
      "that is thrown",
      () => {
        throw thrown;
      },
    ],
    ["of a promise", () => Promise.reject(thrown)],
  ])("%s", async (_, onUploadProgress) => {
    const server = await localServer(always(200, "application/json", "{}"));
    const incidents: ClientIncident[] = [];
    const lines: string[] = [];
    const logger = lineLogger({ write: (line) => lines.push(line) });
    const client = new RestClient(site, {
      siteUrl: server.url,
      onError: (incident) => {
        incidents.push(incident);
        logger.onError(incident);
      },
    });
    const error = await failureOf(client.call(create, {}, { upload, onUploadProgress: onUploadProgress as never }));
    expect(error).toMatchObject({ name: "AbortError", cause: thrown });
    const message = 'The function in the option "onUploadProgress" threw an exception, which aborted the call.';
    expect(incidents).toEqual([expect.objectContaining({ kind: "hook", message, error, operation: "media.create" })]);
    expect(lines[0]).toContain(`error hook: ${message}`);
    expect(lines[0]).toContain("TypeError: bar is undefined");
    expect(lines[0]).toContain("failed-functions.test.ts");
  });

  test("but not the signal of the caller", async () => {
    const server = await localServer(always(200, "application/json", "{}"));
    const incidents: ClientIncident[] = [];
    const client = new RestClient(site, { siteUrl: server.url, onError: (incident) => incidents.push(incident) });
    const controller = new AbortController();
    const onUploadProgress = () => controller.abort(thrown);
    await failureOf(client.call(create, {}, { upload, onUploadProgress, signal: controller.signal }));
    expect(incidents).toMatchObject([{ kind: "abort" }]);
  });
});

describe("headers of an observer that cannot be sent are left out and reported", () => {
  const accepted: Record<string, unknown> = {
    ...{ "x-a": "a", traceparent: "00-1", "X-Latin": "é", "x-empty": "", "x-tab": "a\tb", "x-none": undefined },
    ...{ authorization: "Bearer a", tec: "a", "x-te": "a" },
  };
  const refused: Record<string, unknown> = {
    ...{ "x-b": "a\r\nb: c", "x-c": "a\nb", "x-d": "a\0", "x-e": "ł", "x f": "a", "x\nf": "a", "": "a", "x-g": 5 },
    ...{ "content-length": "0", "Transfer-Encoding": "chunked", connection: "close", upgrade: "h2c", te: "a" },
    ...{ trailer: "a", "12": "a", "x-h": null },
  };

  async function send(observe: CallObserver) {
    const server = await localServer(always(200, "application/json", "{}"));
    const incidents: ClientIncident[] = [];
    const onError = (incident: ClientIncident) => void incidents.push(incident);
    await new RestClient(site, { siteUrl: server.url, observe, onError }).call(create, {});
    return { incidents, headers: server.received[0]?.headers ?? {} };
  }

  test.each(Object.entries(refused))("%j: %j", async (name, value) => {
    const headers = { "x-first": "1", [name]: value, "x-last": "2" } as Record<string, string>;
    const { incidents, headers: sent } = await send({ begin: () => ({ headers }) });
    expect(sent).toMatchObject({ "x-first": "1", "x-last": "2" });
    expect(incidents).toMatchObject([
      {
        kind: "hook",
        error: { message: expect.stringContaining(`An observer of calls set the header ${JSON.stringify(name)}`) },
      },
    ]);
    expect(() => checkHeaders({ [name]: value })).toThrow(ConfigError);
  });

  test("but not the others", async () => {
    const { incidents, headers } = await send({ begin: () => ({ headers: accepted as Record<string, string> }) });
    expect(incidents).toEqual([]);
    const values = Object.fromEntries(Object.entries(accepted).filter(([, value]) => value !== undefined));
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(Object.keys(values).map((name) => name.toLowerCase())));
    expect(() => checkHeaders(values)).not.toThrow();
  });

  test("and so are headers that throw when they are read", async () => {
    const { incidents } = await send({
      begin: () => ({
        get headers(): never {
          throw new Error("unreadable");
        },
      }),
    });
    expect(incidents).toMatchObject([{ kind: "hook", error: { message: "unreadable" } }]);
  });
});
