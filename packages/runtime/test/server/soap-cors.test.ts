import { describe, expect, test } from "vitest";
import type { HeaderLine, ServerIncident, SoapServerOptions } from "../../src/server/index.js";
import { findBody, message, requestOf, served } from "./fixture.js";

const origin: HeaderLine = ["Origin", "https://page.example"];

async function answers(options: SoapServerOptions, lines: readonly HeaderLine[] = [origin]) {
  const { send } = served({}, options);
  const request = message("soap11", findBody);
  const call = await send({ ...request, headers: [...(request.headers ?? []), ...lines] });
  const preflightHeaders: readonly HeaderLine[] = [
    ["Access-Control-Request-Method", "POST"],
    ["Access-Control-Request-Headers", "content-type, soapaction, traceparent"],
  ];
  const target = "/api/things.asmx";
  const preflight = await send(
    requestOf({ method: "OPTIONS", target, headers: [["Host", "h"], ...lines, ...preflightHeaders] }),
  );
  const corsHeaders = (headers: readonly HeaderLine[]) =>
    Object.fromEntries(headers.filter(([name]) => /^(?:access-control|vary)/i.test(name)));
  return {
    call: corsHeaders(call.headers),
    preflight: corsHeaders(preflight.headers),
    statuses: [call.status, preflight.status],
  };
}

describe("pages of other origins", () => {
  test("cannot read answers of a SOAP service by default", async () => {
    expect(await answers({})).toEqual({ call: {}, preflight: {}, statuses: [200, 405] });
  });

  test("can with the option cors, without credentials", async () => {
    const readable = {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": "Retry-After, X-Request-Id",
      Vary: "Origin",
    };
    expect(await answers({ cors: true })).toEqual({
      call: readable,
      preflight: {
        ...readable,
        "Access-Control-Allow-Methods": "GET, POST",
        "Access-Control-Allow-Headers": "content-type, soapaction, traceparent",
        "Access-Control-Max-Age": "600",
      },
      statuses: [200, 204],
    });
  });

  test("can with credentials if allowOrigin allows the origin, and only then", async () => {
    const options = { allowOrigin: (page: string) => page === "https://page.example" };
    const { call, preflight } = await answers(options);
    const credentials = {
      "Access-Control-Allow-Origin": "https://page.example",
      "Access-Control-Allow-Credentials": "true",
    };
    expect(call).toMatchObject(credentials);
    expect(preflight).toMatchObject(credentials);
    for (const other of ["https://evil.example", "https://page.example, https://evil.example", "null"]) {
      const refused = await answers(options, [["Origin", other]]);
      expect([refused.call, refused.preflight]).toEqual([{ Vary: "Origin" }, { Vary: "Origin" }]);
    }
  });

  test("and other paths are not affected", async () => {
    const { routes } = served({}, { cors: true });
    const headers: readonly HeaderLine[] = [["Host", "h"], origin];
    expect(routes.answer(requestOf({ method: "OPTIONS", target: "/other", headers }))).toBeUndefined();
  });
});

test.each([
  [
    "throws",
    () => {
      throw new Error("no table of origins");
    },
  ],
  ["returns a promise", (async () => true) as never],
  ["returns nothing", (() => {}) as never],
])(
  "a page may not read an answer if allowOrigin %s, which is reported once for each request",
  async (_, allowOrigin) => {
    const messages: string[] = [];
    const onError = ({ kind, message: text }: ServerIncident) => void messages.push(`${kind}: ${text}`);
    const { call, preflight, statuses } = await answers({ allowOrigin, onError });
    expect([call, preflight, statuses]).toEqual([{ Vary: "Origin" }, { Vary: "Origin" }, [200, 204]]);
    const failure =
      'handler: The function in the option "allowOrigin" failed, so the origin of the request was refused.';
    expect(messages).toEqual([failure, failure]);
  },
);
