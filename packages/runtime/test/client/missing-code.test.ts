import { expect, onTestFinished, test, vi } from "vitest";
import { RestClient, results } from "../../src/client/index.js";
import { batch } from "../../src/client/rest/batch.js";
import { paginate } from "../../src/client/rest/paginate.js";
import { BothendsError } from "../../src/errors.js";
import type { EndpointDescriptor, JsonValue, RestInterfaceDescriptor } from "../../src/index.js";
import { always, failureOf, localServer } from "./local-server.js";

// Clients load some of their code on first use. It may be missing, for example because a program was replaced while it
// ran, or because a page loads a part of an earlier version.

const things: RestInterfaceDescriptor = { descriptorFormat: 2, name: "things", base: "/api", segments: [] };
const endpoint = (name: string, init: Partial<EndpointDescriptor<object>> = {}): EndpointDescriptor<object> => ({
  ...{ kind: "endpoint", interface: things, name, route: "/things", path: ["/things"], methods: ["GET"], args: {} },
  ...init,
});
const list = endpoint("things.list");
const required = endpoint("things.required", { answerRequired: true });

/** Lets the import of a module of the client fail. */
function remove(module: string): void {
  vi.resetModules();
  vi.doMock(module, () => {
    throw new Error("offline");
  });
  onTestFinished(() => {
    vi.doUnmock(module);
  });
}

const json = "application/json";

test.each<[name: string, called: EndpointDescriptor<object>, answer: Parameters<typeof always>]>([
  ["a REST error", list, [404, json, '{"code":"rest_no","message":"No","data":{"status":404}}']],
  ["a page", list, [500, "text/html", "<html>"]],
  ["an error without a body", list, [503, undefined, ""]],
  ["invalid JSON", list, [200, json, "{"]],
  ["JSON that is not UTF-8", list, [200, json, Buffer.from([0x22, 0xff, 0x22]) as never]],
  ["a page in place of JSON", list, [200, "text/html", "<html>"]],
  ["an error in a successful answer", list, [200, json, '{"code":"a","message":"b","data":{"status":404}}']],
  ["a missing body", required, [200, json, ""]],
])("without the code for %s, the call rejects with the status and the operation", async (_, called, answer) => {
  const server = await localServer(always(...answer));
  remove("../../src/client/rest/answer.js");
  const client = new RestClient(things, { siteUrl: server.url });
  const error = await failureOf(client.call(called, {}));
  expect(error).toBeInstanceOf(BothendsError);
  const { name: operation } = called;
  expect(error).toMatchObject({ operation, method: "GET", address: `${server.url}/api/things`, status: answer[0] });
  expect((error as Error).message).toMatch(
    /The code for this message could not be loaded: .* docs\/testing\.md for Jest\..* \[GET .*, status \d+\]$/,
  );
  expect((error as Error).cause).toBeInstanceOf(Error);
  const { error: result } = await client.call(called, {}, { result: true });
  expect(result).toMatchObject({ operation, status: answer[0] });
});

test("without the code for an invalid answer, the call rejects with the status and the operation", async () => {
  const server = await localServer(always(200, json, "[]"));
  remove("../../src/client/rest/answer.js");
  const validate = () => ({ message: "The answer is wrong.", path: "/", reason: "wrong" });
  const error = await failureOf(new RestClient(things, { siteUrl: server.url, validate } as never).call(list, {}));
  expect(error).toBeInstanceOf(BothendsError);
  expect(error).toMatchObject({ operation: "things.list", status: 200 });
});

test("without the code for hooks and retries, the call rejects with the operation", async () => {
  remove("../../src/client/exchange/hooks-and-retries.js");
  const client = new RestClient(things, { siteUrl: "http://127.0.0.1:1", retries: 1 });
  const error = await failureOf(client.call(list, {}));
  expect(error).toBeInstanceOf(BothendsError);
  expect(error).toMatchObject({ operation: "things.list", address: "http://127.0.0.1:1/api/things" });
});

test("without the code for batches and pages, batch and paginate reject with a typed error", async () => {
  remove("../../src/client/rest/answer.js");
  const batching = batch(async () => ({ responses: [] }), []);
  expect(await failureOf(batching)).toBeInstanceOf(BothendsError);
  const read = async (answer: JsonValue) => {
    for await (const _ of paginate(async () => answer, {})) {
    }
  };
  expect(await failureOf(read({}))).toBeInstanceOf(BothendsError);
});

test("the next call tries again to load the code", async () => {
  const server = await localServer(always(404, json, '{"code":"rest_no","message":"No","data":{"status":404}}'));
  remove("../../src/client/rest/answer.js");
  const client = results(new RestClient(things, { siteUrl: server.url }));
  expect((await client.call(list, {})).error).toMatchObject({ status: 404, name: "BothendsError" });
  vi.doUnmock("../../src/client/rest/answer.js");
  vi.resetModules();
  expect((await client.call(list, {})).error).toMatchObject({ status: 404, name: "RestError" });
});
