import { describe, expect, test } from "vitest";
import { type RestServerOptions, type ServerIncident, wordpressAuthentication } from "../../src/server/index.js";
import { send, site } from "./site.js";

const other = "https://other.example";
const friend = "https://friend.example";
const allowOrigin = (origin: string) => origin === friend;
const cookie = { Cookie: "session=1" };

function corsOf(answer: Awaited<ReturnType<typeof send>>) {
  return {
    origin: answer.header("Access-Control-Allow-Origin"),
    credentials: answer.header("Access-Control-Allow-Credentials"),
  };
}

describe("pages of other origins may read", () => {
  const cases: readonly {
    readonly options: RestServerOptions;
    readonly origin: string;
    readonly want: object;
  }[] = [
    { options: {}, origin: other, want: { origin: "*" } },
    { options: {}, origin: "null", want: { origin: "*" } },
    { options: { allowOrigin }, origin: friend, want: { origin: friend, credentials: "true" } },
    { options: { allowOrigin }, origin: other, want: {} },
    { options: { allowOrigin: (async () => false) as never }, origin: other, want: {} },
    { options: { allowOrigin: () => undefined as never }, origin: other, want: {} },
    { options: { cors: "wordpress" }, origin: other, want: { origin: other, credentials: "true" } },
    { options: { cors: "wordpress" }, origin: "null", want: { origin: "null", credentials: "true" } },
    { options: { cors: "wordpress", allowOrigin }, origin: other, want: {} },
    { options: { cors: "wordpress" }, origin: "a b", want: {} },
  ];
  test.each(cases)("with $options, from $origin: $want", async ({ options, origin, want }) => {
    for (const request of ["GET /core/v2/items", "OPTIONS /core/v2/items", "GET /nope"]) {
      const answer = await send(site(options), request, { headers: { Origin: origin } });
      expect(corsOf(answer)).toEqual({ origin: undefined, credentials: undefined, ...want });
      const methods = "origin" in want ? "OPTIONS, GET, POST, PUT, PATCH, DELETE" : undefined;
      expect(answer.header("Access-Control-Allow-Methods")).toBe(methods);
      expect(answer.header("Vary")).toBe("Origin");
    }
  });
});

/** The status of a request that would change something. */
async function changed(options: RestServerOptions, headers: Record<string, string>, request = "POST /core/v2/items") {
  return (await send(site(options), request, { headers })).status;
}

describe("a change with a cookie", () => {
  test.each([
    { what: "from no origin", headers: {} },
    { what: "from another origin", headers: { Origin: other } },
    { what: "from a page without an origin", headers: { Origin: "null" } },
    { what: "from two origins", headers: { Origin: `http://site.example, ${other}` } },
    { what: "from another port", headers: { Origin: "http://site.example:8080" } },
    { what: "from a longer host", headers: { Origin: "http://site.example.evil" } },
    { what: "with a nonce that nothing checks", headers: { "X-WP-Nonce": "n" } },
    {
      what: "from another origin, with a user that the browser adds",
      headers: { Origin: other, Authorization: "Basic x" },
    },
    {
      what: "from another site, with a password that the browser adds",
      headers: { "Sec-Fetch-Site": "cross-site", Authorization: "Basic x" },
    },
  ])("$what is refused", async ({ headers }) => {
    const calls: unknown[] = [];
    const answer = await send(site({ authorize: (call) => calls.push(call) > 0 }), "POST /core/v2/items", {
      headers: { ...cookie, ...headers },
    });
    expect(answer.json).toEqual({
      code: "rest_cookie_invalid_nonce",
      message: "Cookie check failed",
      data: { status: 403 },
    });
    expect(answer.status).toBe(403);
    expect(answer.header("Allow")).toBeUndefined();
    expect(calls).toEqual([]);
  });

  test.each(["POST /core/v2/items", "PUT /core/v2/items/4", "PATCH /core/v2/items/4", "DELETE /core/v2/items/4"])(
    "%s is refused; a form of the site itself is not",
    async (request) => {
      expect(await changed({}, { ...cookie, Origin: other }, request)).toBe(403);
      expect(await changed({}, { ...cookie, Origin: "http://site.example" }, request)).toBe(200);
    },
  );

  test.each([
    { what: "the server's own origin", options: {}, headers: { Origin: "http://site.example" } },
    { what: "its own origin, behind a proxy with TLS", options: {}, headers: { Origin: "https://site.example" } },
    {
      what: "its configured origin",
      options: { url: "https://Shop.example/a" },
      headers: { Origin: "https://shop.example" },
    },
    { what: "an allowed origin", options: { allowOrigin }, headers: { Origin: friend } },
    { what: "a program with credentials of its own", options: {}, headers: { Authorization: "Bearer x" } },
    {
      what: "WordPress's way, which leaves nonces to authorize",
      options: { cors: "wordpress" },
      headers: { Origin: other },
    },
  ] as const)("from $what is answered", async ({ options, headers }) => {
    expect(await changed(options, { ...cookie, ...headers })).toBe(200);
  });

  test("over TLS is refused from the same host without TLS", async () => {
    const post = (origin: string) =>
      send(site(), "POST /core/v2/items", { secure: true, headers: { ...cookie, Origin: origin } });
    expect((await post("http://site.example")).status).toBe(403);
    expect((await post("https://site.example")).status).toBe(200);
  });

  test("is reported with its operation", async () => {
    const incidents: ServerIncident[] = [];
    await changed({ onError: (incident) => incidents.push(incident) }, { ...cookie, "X-WP-Nonce": "s3cret" });
    expect(incidents).toMatchObject([
      {
        kind: "request",
        protocol: "rest",
        operation: "core.items.create",
        route: "/core/v2/items",
        message:
          'The request would change data with a cookie, but has neither a nonce that the option "verifyNonce" accepts nor an origin that the option "allowOrigin" allows. The request has no Origin header.',
        rule: expect.stringMatching(/"allowOrigin" allows\.$/),
      },
    ]);
  });
});

test.each(["GET", "HEAD", "OPTIONS"])(
  "%s with a cookie needs no proof, and its answer is not cached",
  async (method) => {
    const answer = await send(site(), `${method} /core/v2/items`, { headers: { ...cookie, Origin: other } });
    expect(answer.status).toBe(200);
    expect(answer.header("Cache-Control")).toBe("no-cache, must-revalidate, max-age=0");
  },
);

test("a change without a cookie needs no proof", async () => {
  expect(await changed({}, { Origin: other })).toBe(200);
  expect(await changed({}, {})).toBe(200);
});

describe("a change with a password", () => {
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const password = { Authorization: "Basic dTpw" };

  test.each([
    { what: "a form", headers: { ...form, ...password } },
    { what: "a form with a file", headers: { "Content-Type": "Multipart/Form-Data; boundary=a", ...password } },
    { what: "a text", headers: { "Content-Type": "text/plain;charset=utf-8", ...password } },
    { what: "a body without a type", headers: password },
    { what: "a body with an empty type", headers: { "Content-Type": "", ...password } },
    { what: "a body with an invalid type", headers: { "Content-Type": "garbage", ...password } },
    { what: "an account of the system", headers: { ...form, Authorization: "Negotiate YII=" } },
    { what: "a sandboxed page", headers: { ...form, ...password, Origin: "null" } },
  ])("that a browser may have added to a page of another site is refused: $what", async ({ headers }) => {
    expect(await changed({}, { Origin: other, ...headers })).toBe(403);
    expect(await changed({ allowOrigin }, { Origin: other, ...headers })).toBe(403);
  });

  test("is refused although a nonce is not checked for it", async () => {
    const forged = { ...form, ...password, Origin: other, "X-WP-Nonce": "x" };
    expect(await changed({ verifyNonce: () => true }, forged)).toBe(403);
  });

  test.each([
    { what: "a program", options: {}, headers: { ...form, ...password } },
    { what: "the server's own origin", options: {}, headers: { ...form, ...password, Origin: "http://site.example" } },
    { what: "an allowed origin", options: { allowOrigin }, headers: { ...form, ...password, Origin: friend } },
    {
      what: "a script with JSON, which the browser asks for first",
      options: {},
      headers: { ...password, Origin: other, "Content-Type": "application/json" },
    },
    { what: "a script with a token", options: {}, headers: { ...form, Origin: other, Authorization: "Bearer t" } },
    {
      what: "any page, in WordPress's way",
      options: { cors: "wordpress" as const },
      headers: { ...form, ...password, Origin: other },
    },
  ])("from $what is answered", async ({ options, headers }) => {
    expect(await changed(options, headers)).toBe(200);
  });

  test("that deletes is answered, because browsers ask before they delete", async () => {
    expect(await changed({}, { ...password, Origin: other }, "DELETE /core/v2/items/4")).toBe(200);
  });

  test("that is refused is reported", async () => {
    const incidents: ServerIncident[] = [];
    await changed({ onError: (incident) => incidents.push(incident) }, { ...form, ...password, Origin: other });
    expect(incidents).toMatchObject([
      {
        kind: "request",
        operation: "core.items.create",
        message: expect.stringContaining("a password that a browser"),
      },
    ]);
  });
});

describe("verifyNonce", () => {
  const seen: (string | undefined)[] = [];
  const verifyNonce: RestServerOptions["verifyNonce"] = async (nonce, headers) => {
    seen.push(headers.get("cookie"));
    return nonce === "good";
  };
  test("allows a change with a cookie, by header or query", async () => {
    expect(await changed({ verifyNonce }, { ...cookie, "X-WP-Nonce": "good" })).toBe(200);
    expect(await changed({ verifyNonce }, cookie, "POST /core/v2/items?_wpnonce=good")).toBe(200);
    expect(seen).toEqual(["session=1", "session=1"]);
    expect(await changed({ verifyNonce }, cookie)).toBe(403);
  });

  test.each(["GET /core/v2/items", "POST /core/v2/items", "GET /core/v2/items?_wpnonce=bad"])(
    "refuses a bad nonce of %s, cookie or not, in WordPress's way too",
    async (request) => {
      for (const options of [{ verifyNonce }, { verifyNonce, cors: "wordpress" as const }]) {
        expect(await changed(options, { "X-WP-Nonce": "bad" }, request)).toBe(403);
        expect(await changed(options, { ...cookie, "X-WP-Nonce": "bad", Origin: "http://site.example" }, request)).toBe(
          403,
        );
      }
    },
  );

  test("is called once for a request with embedded answers", async () => {
    let checks = 0;
    const options: RestServerOptions = { verifyNonce: () => ++checks > 0 };
    const item = { _links: { self: [{ embeddable: true, href: "http://site.example/en/api/core/v2/items/4" }] } };
    const answer = await send(
      site(options, () => [item]),
      "GET /core/v2/items?_embed",
      { headers: { "X-WP-Nonce": "n" } },
    );
    expect(answer.json[0]["_embedded"]["self"][0]["operation"]).toBe("core.items.get");
    expect(checks).toBe(1);
  });
});

test.each([true, 1, 2, Promise.resolve(2)])(
  "verifyNonce may accept a nonce with %s, like wp_verify_nonce",
  async (result) => {
    const nonce = { ...cookie, "X-WP-Nonce": "n" };
    expect(await changed({ verifyNonce: () => result as never }, nonce)).toBe(200);
    const wordpress = wordpressAuthentication({ session: () => "ada", nonce: () => result as never });
    expect(await changed(wordpress, nonce)).toBe(200);
  },
);

test.each([
  ["false", false, 'The function in the option "verifyNonce" refused the nonce.', undefined],
  ["a string", "no", "the nonce was refused", 'The function in the option "verifyNonce" returned a string'],
  ["a promise of an object", Promise.resolve({ valid: false }), "the nonce was refused", "returned an object"],
  ["a promise of a string", Promise.resolve("[object Promise]"), "the nonce was refused", "a string"],
  ["nothing", undefined, "the nonce was refused", "returned undefined"],
  ["0", 0, "the nonce was refused", "returned a number"],
  ["3", 3, "the nonce was refused", "returned a number"],
])(
  "if verifyNonce returns %s, the nonce is refused, which is reported once by name",
  async (_, result, cause, detail) => {
    for (const options of [
      { verifyNonce: () => result as never },
      wordpressAuthentication({ session: () => "ada", nonce: () => result as never }),
    ]) {
      const incidents: ServerIncident[] = [];
      const onError = (incident: ServerIncident) => void incidents.push(incident);
      expect(await changed({ ...options, onError }, { ...cookie, "X-WP-Nonce": "n" })).toBe(403);
      expect(incidents).toMatchObject([
        { kind: detail === undefined ? "request" : "handler", operation: "core.items.create", route: "/core/v2/items" },
      ]);
      expect(incidents[0]?.message).toContain('"verifyNonce"');
      expect(incidents[0]?.message).toContain(cause);
      expect(String(incidents[0]?.error)).toContain(detail ?? "undefined");
    }
  },
);

describe("a page of another origin", () => {
  const ask = (options: RestServerOptions, names: string) =>
    send(site(options), "OPTIONS /core/v2/items", {
      headers: { Origin: friend, "Access-Control-Request-Headers": names },
    });

  test("may send the headers that clients and tracing tools add, and read Retry-After", async () => {
    const answer = await send(site(), "GET /core/v2/items", { headers: { Origin: friend } });
    expect(answer.header("Access-Control-Allow-Headers")).toBe(
      "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, X-Request-Id, traceparent, tracestate, baggage",
    );
    expect(answer.header("Access-Control-Expose-Headers")).toBe(
      "X-WP-Total, X-WP-TotalPages, Link, Retry-After, X-Request-Id",
    );
  });

  test("may send the same headers as in WordPress if cors is wordpress", async () => {
    const answer = await send(site({ cors: "wordpress" }), "GET /core/v2/items", { headers: { Origin: friend } });
    expect(answer.header("Access-Control-Allow-Headers")).toBe(
      "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type",
    );
    expect(answer.header("Access-Control-Expose-Headers")).toBe("X-WP-Total, X-WP-TotalPages, Link");
  });

  test("may send any header if allowOrigin allows the origin", async () => {
    const incidents: ServerIncident[] = [];
    const options = { allowOrigin, onError: (incident: ServerIncident) => void incidents.push(incident) };
    const answer = await ask(options, "content-type, x-tenant");
    expect(answer.header("Access-Control-Allow-Headers")).toMatch(/, content-type, x-tenant$/);
    expect((await ask(options, "x-tenant\u0000")).header("Access-Control-Allow-Headers")).not.toContain("x-tenant");
    expect(incidents).toEqual([]);
  });

  test("may not send other headers without allowOrigin, which is reported with their names", async () => {
    const incidents: ServerIncident[] = [];
    const options = { onError: (incident: ServerIncident) => void incidents.push(incident) };
    await ask(options, "authorization,content-type,x-request-id,traceparent");
    expect(incidents).toEqual([]);
    const answer = await ask(options, "content-type, x-tenant, x-key");
    expect(answer.header("Access-Control-Allow-Headers")).not.toContain("x-tenant");
    expect(incidents).toMatchObject([
      {
        kind: "request",
        route: "/core/v2/items",
        rule: expect.stringContaining('option "allowOrigin"'),
        message: expect.stringMatching(/ The refused headers: x-tenant, x-key\.$/),
      },
    ]);
  });
});

test.each([
  ["in another case", "https://FRIEND.EXAMPLE", "The origin is https://FRIEND.EXAMPLE."],
  ["null", "null", "The origin is null: the page is a local file or in a sandboxed frame."],
  ["with a password", "https://user:s3cret@a.example", "The origin is not valid."],
  ["that is too long", `https://${"a".repeat(400)}`, "The origin is not valid."],
])("a refused origin %s is named for the operator, without secrets", async (_, origin, name) => {
  const incidents: ServerIncident[] = [];
  const options = { allowOrigin, onError: (incident: ServerIncident) => void incidents.push(incident) };
  const from = { Origin: origin };
  await changed(options, from, "OPTIONS /core/v2/items");
  await changed(options, { ...from, ...cookie });
  await changed(options, { ...from, Authorization: "Basic eA==", "Content-Type": "text/plain" });
  expect(incidents).toHaveLength(3);
  for (const { message } of incidents) {
    expect(message).toContain(name);
    expect(message).toContain('"allowOrigin"');
  }
});

test("an incident names the host with which an origin was compared, and the way out for proxies", async () => {
  const messageFor = async (options: object) => {
    const incidents: ServerIncident[] = [];
    await changed(
      { ...options, onError: (incident: ServerIncident) => void incidents.push(incident) },
      { ...cookie, Host: "backend:8080", Origin: "https://www.example.com" },
    );
    return incidents.map(({ message }) => message).join("\n");
  };
  const message = await messageFor({});
  expect(message).toContain("The origin is https://www.example.com. The Host of the request is backend:8080. If ");
  expect(message).toContain("a proxy has replaced it");
  expect(message).toContain('"trustedProxies"');
  expect(await messageFor({ url: "https://site.example" })).not.toContain("backend");
});

test("an incident names verifyNonce if it threw", async () => {
  const thrown = new Error("no directory");
  const fail = (): never => {
    throw thrown;
  };
  for (const verifyNonce of [fail, () => Promise.reject(thrown)]) {
    const incidents: ServerIncident[] = [];
    const routes = site({ verifyNonce, onError: (incident) => void incidents.push(incident) });
    const answer = await send(routes, "POST /core/v2/items", { headers: { "X-WP-Nonce": "n" } });
    expect(answer.status).toBe(500);
    expect(incidents).toMatchObject([
      { kind: "handler", message: 'The function in the option "verifyNonce" threw an exception.', error: thrown },
    ]);
  }
});

describe("if allowOrigin fails", () => {
  const failures = {
    "throws an exception": () => {
      throw new Error("no table of origins");
    },
    "returns a promise": async () => {
      throw new Error("no table of origins");
    },
    "returns nothing": () => {},
    "returns a string": () => "https://page.example",
  };
  const requests = ["GET /core/v2/items", "OPTIONS /core/v2/items", "POST /core/v2/items"] as const;
  const cases = Object.entries(failures).flatMap(([what, allowOrigin]) =>
    requests.map((request) => ({ what, request, allowOrigin: allowOrigin as never })),
  );
  test.each(cases)("because it $what, $request is not for pages of the origin", async ({ allowOrigin, request }) => {
    const incidents: ServerIncident[] = [];
    const routes = site({ allowOrigin, onError: (incident) => void incidents.push(incident) });
    const answer = await send(routes, request, { headers: { ...cookie, Origin: other } });
    expect(answer.status).toBe(request.startsWith("POST") ? 403 : 200);
    expect(corsOf(answer)).toEqual({ origin: undefined, credentials: undefined });
    const [failure, ...others] = incidents;
    // The refusal has no other cause, such as a proxy that replaces the Host.
    expect(others).toEqual([]);
    expect(failure).toMatchObject({ kind: "handler", message: expect.stringContaining('"allowOrigin" failed') });
  });
});
