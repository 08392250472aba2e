import { describe, expect, test } from "vitest";
import { type SoapServerOptions, standardConventions } from "../../src/server/index.js";
import { bodyOf, findBody, gist, message, posted, served } from "./fixture.js";

const other = "https://other.example";
const friend = "https://friend.example";
const cookie = ["Cookie", "session=1"] as const;
const host = ["Host", "things.example"] as const;
const form = ["Content-Type", "application/x-www-form-urlencoded"] as const;
const allowOrigin = (origin: string) => origin === friend;

type Headers = readonly (readonly [string, string])[];

/** One POST of `Find` in each protocol. */
function posts(headers: Headers) {
  const envelope = (version: "soap11" | "soap12") => {
    const request = message(version, findBody);
    return { ...request, headers: [host, ...(request.headers ?? []).slice(1), ...headers] };
  };
  const target = "/api/things.asmx/Find";
  const body = new TextEncoder().encode("Key=k&Count=1&username=u");
  return [envelope("soap11"), envelope("soap12"), { target, headers: [host, form, ...headers], body }];
}

async function statuses(headers: Headers, options: SoapServerOptions = {}, secure = false) {
  const { send } = served({}, options);
  return Promise.all(posts(headers).map(async (request) => (await send({ ...request, secure })).status));
}

const answered = [200, 200, 200];
const refused = [403, 403, 403];

describe("a POST with a cookie", () => {
  test.each([
    { from: "another origin", origin: other },
    { from: "a page without an origin", origin: "null" },
    { from: "two origins", origin: `http://things.example, ${other}` },
    { from: "another port", origin: "http://things.example:8080" },
    { from: "a longer host", origin: "http://things.example.evil" },
  ])("from $from is refused, and no handler is called", async ({ origin }) => {
    const { send, calls } = served({}, { authorize: () => true });
    for (const request of posts([cookie, ["Origin", origin]])) {
      const answer = await send(request);
      expect(answer.status).toBe(403);
      expect(answer.close).toBe(true);
    }
    expect(calls).toEqual([]);
  });

  test("from another origin is refused even with credentials, which browsers add too", async () => {
    expect(await statuses([cookie, ["Origin", other], ["Authorization", "Basic x"]])).toEqual(refused);
  });

  test.each([
    { from: "the server's own origin", origin: "http://things.example", options: {} },
    { from: "its own origin, behind a proxy with TLS", origin: "https://things.example", options: {} },
    { from: "its configured origin", origin: "https://api.example", options: { publicUrl: "https://Api.example/" } },
    { from: "an allowed origin", origin: friend, options: { allowOrigin } },
  ])("from $from is answered", async ({ origin, options }) => {
    expect(await statuses([cookie, ["Origin", origin]], options)).toEqual(answered);
  });

  test("from a program, which sends no origin, is answered", async () => {
    expect(await statuses([cookie])).toEqual(answered);
  });

  test("over TLS is refused from the same host without TLS", async () => {
    expect(await statuses([cookie, ["Origin", "http://things.example"]], {}, true)).toEqual(refused);
    expect(await statuses([cookie, ["Origin", "https://things.example"]], {}, true)).toEqual(answered);
  });

  test("is refused with a fault, or with a line of text", async () => {
    for (const conventions of [undefined, standardConventions]) {
      const { send, incidents } = served({}, {}, conventions);
      const gists: string[] = [];
      for (const request of posts([cookie, ["Origin", other]])) {
        gists.push(gist(await send(request)));
      }
      expect(gists).toEqual(["403 soap:Client +detail", "403 soap:Sender +detail", "403 The call is not allowed."]);
      expect(incidents).toMatchObject(
        ["soap11", "soap12", "httpPost"].map((protocol) => ({
          kind: "request",
          protocol,
          // The SOAPAction and the path name the operation; the SOAP 1.2 request has no action.
          operation: protocol === "soap12" ? undefined : "Find",
          path: undefined,
          message: expect.stringContaining(` The origin is ${other}. The Host of the request is things.example. `),
          rule: 'The request has a cookie or a password that a browser may have added, and comes from a page that the option "allowOrigin" does not allow.',
        })),
      );
    }
  });
});

test("a POST without a cookie is answered whatever its origin", async () => {
  expect(await statuses([["Origin", other]])).toEqual(answered);
});

describe("a POST with a password", () => {
  const password = ["Authorization", "Basic dTpw"] as const;

  test.each(["Basic dTpw", "basic dTpw", "Digest username=u", "Negotiate YII=", "NTLM TlRM"])(
    "that a browser may have added (%s) to a form of another site is refused",
    async (value) => {
      const headers: Headers = [
        ["Authorization", value],
        ["Origin", other],
      ];
      expect(await statuses(headers)).toEqual([200, 200, 403]);
      expect(
        await statuses([
          ["Authorization", value],
          ["Origin", "null"],
        ]),
      ).toEqual([200, 200, 403]);
    },
  );

  test("is answered if no browser sent it, or if it comes from a page that may call", async () => {
    expect(await statuses([password])).toEqual(answered);
    expect(await statuses([password, ["Origin", "http://things.example"]])).toEqual(answered);
    expect(await statuses([password, ["Origin", friend]], { allowOrigin })).toEqual(answered);
    expect(await statuses([password, ["Origin", other]], { allowOrigin })).toEqual([200, 200, 403]);
  });

  test("in the form of a token, which browsers do not add, is answered", async () => {
    expect(
      await statuses([
        ["Authorization", "Bearer t"],
        ["Origin", other],
      ]),
    ).toEqual(answered);
    expect(
      await statuses([
        ["Authorization", "Basically t"],
        ["Origin", other],
      ]),
    ).toEqual(answered);
  });
});

describe("an HTTP GET call", () => {
  const crossSite = ["Sec-Fetch-Site", "cross-site"] as const;
  const sameSite = ["Sec-Fetch-Site", "same-site"] as const;
  const password = ["Authorization", "Basic dTpw"] as const;
  const call = (headers: Headers) => ({
    method: "GET",
    target: "/api/things.asmx/Find?Key=k&Count=1&username=u",
    headers: [host, ...headers],
  });
  async function statusOf(headers: Headers, options: SoapServerOptions = {}) {
    return (await served({}, options).send(call(headers))).status;
  }

  test.each([
    { from: "a link or an image on another site", headers: [cookie, crossSite] },
    { from: "such a link, with a stored password", headers: [password, crossSite] },
    { from: "a script of another origin", headers: [cookie, crossSite, ["Origin", other]] },
    { from: "a script of another origin, in an older browser", headers: [cookie, ["Origin", other]] },
    // A browser adds a stored password to fetch(…, { credentials: "include" }) without asking the server first.
    { from: "a script of another origin, with a stored password", headers: [password, crossSite, ["Origin", other]] },
    { from: "a script of a host of the site", headers: [password, sameSite, ["Origin", other]] },
    {
      from: "such a script in an older browser",
      headers: [
        ["Authorization", "Digest a"],
        ["Origin", other],
      ],
    },
    {
      from: "a sandboxed frame",
      headers: [
        ["Authorization", "Negotiate a"],
        ["Origin", "null"],
      ],
    },
  ] as const)("with a cookie or password from $from is refused, and no handler is called", async ({ headers }) => {
    const { send, calls, incidents } = served({}, { allowOrigin });
    const answer = await send(call(headers));
    expect(gist(answer)).toBe("403 The call is not allowed.");
    expect(answer.close).not.toBe(true);
    expect(calls).toEqual([]);
    expect(incidents).toMatchObject([{ kind: "request", protocol: "httpGet", operation: "Find" }]);
  });

  test("without an origin is reported with the cause and the option", async () => {
    const { send, incidents } = served();
    await send(call([cookie, crossSite]));
    expect(incidents.map(({ message }) => message)).toEqual([
      'The request has a cookie or a password that a browser may have added, and comes from a page that the option "allowOrigin" does not allow. The browser sent no Origin header, so "allowOrigin" cannot allow the page, which belongs to another site: the page must call with fetch, which sends this header.',
    ]);
  });

  test.each([
    { from: "a page of the server", headers: [cookie, ["Sec-Fetch-Site", "same-origin"]] },
    { from: "the address bar", headers: [cookie, ["Sec-Fetch-Site", "none"]] },
    { from: "another host of the site", headers: [cookie, ["Sec-Fetch-Site", "same-site"]] },
    { from: "a program or an older browser", headers: [cookie] },
    { from: "an allowed origin", headers: [cookie, crossSite, ["Origin", friend]] },
    { from: "another site, without a cookie", headers: [crossSite] },
    { from: "another site, with a token", headers: [["Authorization", "Bearer t"], crossSite] },
    { from: "a page of the server, with a password", headers: [password, ["Origin", "http://things.example"]] },
    { from: "an allowed origin, with a password", headers: [password, crossSite, ["Origin", friend]] },
    { from: "a program with a password", headers: [password] },
    { from: "another origin, with a token", headers: [["Authorization", "Bearer t"], crossSite, ["Origin", other]] },
  ] as const)("from $from is answered", async ({ headers }) => {
    expect(await statusOf(headers, { allowOrigin })).toBe(200);
  });
});

test("a POST with a cookie from another site is refused even without an origin", async () => {
  expect(await statuses([cookie, ["Sec-Fetch-Site", "cross-site"]])).toEqual(refused);
});

test("documents and pages are read from any origin", async () => {
  const { send } = served();
  const answer = await send({
    method: "GET",
    target: "/api/things.asmx?wsdl",
    headers: [host, cookie, ["Origin", other], ["Sec-Fetch-Site", "cross-site"]],
  });
  expect(bodyOf(answer)).toContain("<definitions");
});

describe("media types that a form of another page can have are not SOAP", () => {
  const envelope = new TextDecoder().decode(message("soap11", findBody).body as Uint8Array);
  test.each([
    "text/plain",
    "text/plain; charset=utf-8",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=text/xml",
    "text/plain, text/xml",
    undefined,
  ])("%s", async (type) => {
    for (const conventions of [undefined, standardConventions]) {
      for (const action of [[], [["SOAPAction", ""]]] as [string, string][][]) {
        const { send, calls } = served({}, {}, conventions);
        const types: [string, string][] = type === undefined ? [] : [["Content-Type", type]];
        const answer = await send(posted("soap11", envelope, [...types, ...action]));
        expect(answer.status).toBe(415);
        expect(calls).toEqual([]);
      }
    }
  });
});
