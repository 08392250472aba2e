import { expect, test } from "vitest";
import type { Routes, ServerIncident } from "../../src/server/index.js";
import { send as sendJson, site } from "./site.js";

async function send(routes: Routes, query: string) {
  const { signal } = new AbortController();
  const answer = await routes.answer({
    method: "GET",
    target: `/en/api/core/v2/items${query}`,
    headers: [["Host", "site.example"]],
    body: new Uint8Array(),
    signal,
  });
  const type = answer?.headers.filter(([name]) => name === "Content-Type").map(([, value]) => value);
  return { status: answer?.status, type, body: answer?.body };
}

const script = ["application/javascript; charset=UTF-8"];

test("_jsonp wraps an answer in a call, errors too", async () => {
  const routes = site({ jsonp: true }, () => ({ a: "\u2028" }));
  expect(await send(routes, "?_jsonp=a.b_1")).toEqual({
    status: 200,
    type: script,
    body: '/**/a.b_1({"a":"\\u2028"})',
  });
  const refused = await send(routes, "?page=x&_jsonp=cb");
  expect(refused).toMatchObject({ status: 400, type: script });
  expect(refused.body).toMatch(/^\/\*\*\/cb\(\{"code":"rest_invalid_param".*\}\)$/);
  expect((await send(routes, "?_envelope&_jsonp=cb")).body).toMatch(/^\/\*\*\/cb\(\{"body":.*\}\)$/);
});

test.each(["", "a(", "a-b", "a%28%29", "a%0A", "%D0%B0", "alert(1)//", "a%00"])(
  "the callback %s is refused, and nothing is run",
  async (callback) => {
    const called: unknown[] = [];
    const answer = await send(
      site({ jsonp: true }, (input) => called.push(input)),
      `?_jsonp=${callback}`,
    );
    expect(answer).toEqual({
      status: 400,
      type: script,
      body: JSON.stringify({ code: "rest_callback_invalid", message: "Invalid JSONP callback function." }),
    });
    expect(called).toEqual([]);
  },
);

test("refused scripts are reported with their reason", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  await send(site({ onError }), "?_jsonp=cb");
  await send(site({ onError, jsonp: true }), "?_jsonp=a-b");
  expect(incidents).toMatchObject([
    { kind: "request", message: 'The request asks for JSONP, which only the option "jsonp" allows.' },
    { kind: "request", message: "The name of the JSONP callback is not valid." },
  ]);
});

test("there are no scripts unless the option jsonp allows them", async () => {
  const allowOrigin = () => true;
  const disabled = { code: "rest_callback_disabled", message: "JSONP support is disabled on this site." };
  expect((await sendJson(site({ allowOrigin }), "GET /core/v2/items?_jsonp=cb")).json).toEqual(disabled);
  expect((await sendJson(site({ cors: "wordpress" }), "GET /core/v2/items?_jsonp=cb")).json).toEqual(disabled);
  expect((await sendJson(site(), "GET /core/v2/items?_jsonp=cb")).json).toEqual(disabled);
  expect((await sendJson(site({ jsonp: false }), "GET /core/v2/items?_jsonp=cb")).json).toEqual(disabled);
  expect(
    (
      await send(
        site({ allowOrigin: () => false, jsonp: true }, () => 1),
        "?_jsonp=cb",
      )
    ).body,
  ).toBe("/**/cb(1)");
});
