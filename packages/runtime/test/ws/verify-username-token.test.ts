import { createHash } from "node:crypto";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Hooks, ServiceClient } from "../../src/client/index.js";
import type { AnyElement } from "../../src/index.js";
import { ConfigError, SoapFault } from "../../src/index.js";
import { lineLogger } from "../../src/observe/index.js";
import { listen } from "../../src/server/adapters/node/listen.js";
import {
  memoryReplayCache,
  securityHeader,
  type UsernameTokenOptions,
  type UsernameTokenVerification,
  usernameToken,
  usernameTokenHeader,
  verifyUsernameToken,
} from "../../src/ws/index.js";
import { failureOf } from "../client/local-server.js";
import { find, served, service } from "../server/fixture.js";

const noon = new Date("2026-01-02T12:00:00Z");
const at = (seconds: number) => () => new Date(noon.getTime() + seconds * 1_000);
const passwords: Readonly<Record<string, string>> = { ada: "pässword" };
const password = (username: string) => passwords[username];
const digest: UsernameTokenOptions = { username: "ada", password: "pässword", type: "digest", clock: at(0) };
const inText: UsernameTokenOptions = { username: "ada", password: "pässword", clock: at(0) };

async function verified(
  options: Partial<UsernameTokenVerification>,
  ...tokens: readonly (UsernameTokenOptions | AnyElement)[]
): Promise<unknown> {
  const verify = verifyUsernameToken({ password, clock: at(1), ...options });
  const headers = tokens.map((token) => ("name" in token ? token : usernameTokenHeader(token, "soap11")));
  return verify({ extraSoapHeaders: await Promise.all(headers) });
}
async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  const error = await failureOf(call);
  return error instanceof SoapFault ? error.wireCode?.replace(/^\{.*\}/, "") : String(error);
}

/** Replaces the text of an element. */
function withText(element: AnyElement, name: string, text: string): AnyElement {
  const isReplaced = element.name.endsWith(`}${name}`);
  const content = (element.content ?? []).map((item) => (typeof item === "string" ? item : withText(item, name, text)));
  return { ...element, content: isReplaced ? [text] : content };
}

describe("a username token", () => {
  test.each([
    ["as text", inText],
    ["as digest", digest],
    ["with a timestamp", { ...digest, lifetime: 60 }],
  ])("%s is accepted", async (_, token) => {
    expect(await verified({}, token)).toEqual({ username: "ada" });
  });

  test.each([
    ["another password", { ...inText, password: "x" }],
    ["another password in a digest", { ...digest, password: "x" }],
    ["an unknown user", { ...inText, username: "bob" }],
    ["an unknown user with an empty password", { ...inText, username: "bob", password: "" }],
    ["an unknown user in a digest", { ...digest, username: "bob", password: "" }],
    ["no password", { username: "ada" }],
  ])("with %s is refused, with the same fault", async (_, token) => {
    expect(await codeOf(verified({}, token))).toBe("FailedAuthentication");
  });

  test.each([
    ["constructor", ""],
    ["constructor", String(Object)],
    ["__proto__", String({})],
  ])("for %s, a name that objects have, with the password '%s' is refused", async (username, sent) => {
    for (const type of ["text", "digest"] as const) {
      expect(await codeOf(verified({}, { ...inText, type, username, password: sent }))).toBe("FailedAuthentication");
    }
  });

  test("can be checked by a function, if the password was sent as text", async () => {
    const verify = (username: string, sent: string) => username === "ada" && sent === "hashed";
    const options = { password: undefined, verify };
    expect(await verified(options, { ...inText, password: "hashed" })).toEqual({ username: "ada" });
    expect(await codeOf(verified(options, inText))).toBe("FailedAuthentication");
    expect(await codeOf(verified(options, digest))).toBe("FailedAuthentication");
  });

  test.each([
    [undefined, "undefined"],
    [null, "null"],
    [1, "a number"],
    ["yes", "a string"],
    [{ id: 1 }, "an object"],
  ])("is refused if the function that checks it returns %o, and the operator learns why", async (returned, form) => {
    const options = { password: undefined, verify: async () => returned as never };
    const error = (await failureOf(verified(options, inText))) as SoapFault;
    expect(error.wireCode).toContain("FailedAuthentication");
    expect(error.cause).toMatchObject({
      message: `The function "verify" returned ${form}. It must return true if the password is right, and false otherwise.`,
    });
  });

  test("has a password with its spaces", async () => {
    const spaced = { password: () => " p " };
    expect(await verified(spaced, { ...inText, password: " p " })).toEqual({ username: "ada" });
    expect(await codeOf(verified(spaced, { ...inText, password: "p" }))).toBe("FailedAuthentication");
  });

  test("as digest, without the option password, is refused, and the operator learns why", async () => {
    const refused = verifyUsernameToken({ verify: () => true, clock: at(1) });
    const error = await failureOf(refused({ extraSoapHeaders: [await usernameTokenHeader(digest, "soap11")] }));
    expect(error).toMatchObject({ cause: { message: expect.stringContaining('only with the option "password"') } });
  });

  test.each([
    ["NaN", () => Number.NaN, "a number"],
    ["milliseconds", () => 1, "a number"],
    ["an invalid date", () => new Date(Number.NaN), "an invalid date"],
    ["a rejected promise", () => Promise.reject(new Error("no time")), "a promise (await it)"],
    ["nothing", () => undefined, "undefined"],
  ])("refuses a clock that returns %s with an error that names the option", async (_, clock, form) => {
    const message = `The function in the option "clock" returned ${form}. It must return a valid Date.`;
    await expect(verified({ clock: clock as never }, digest)).rejects.toThrow(message);
    await expect(verified({}, { ...inText, clock: clock as never })).rejects.toThrow(message);
  });

  test.each([{ maxAge: Number.NaN }, { clockSkew: Number.NaN }, { maxAge: -1 }])(
    "cannot be verified with the option %j, which would accept messages of any age",
    (options) => {
      expect(() => verifyUsernameToken({ password, ...options })).toThrow(ConfigError);
    },
  );

  test.each([{}, { password: undefined }, { maxAge: 5 }])("cannot be verified with the options %o", (options) => {
    const create = () => verifyUsernameToken(options);
    expect(create).toThrow(ConfigError);
    expect(create).toThrow(
      'verifyUsernameToken requires the option "password" or "verify": without it, no token is valid.',
    );
  });

  test("of a message that was sent before is refused", async () => {
    const token = await usernameTokenHeader(digest, "soap11");
    const replayCache = memoryReplayCache();
    expect(await verified({ replayCache }, token)).toEqual({ username: "ada" });
    expect(await codeOf(verified({ replayCache }, token))).toBe("FailedAuthentication");
    expect(await verified({ replayCache }, digest)).toEqual({ username: "ada" });
  });

  test.each([
    ["white space", (nonce: string) => `${nonce.slice(0, 4)} \n${nonce.slice(4)}`],
    ["no padding", (nonce: string) => nonce.replace(/=+$/, "")],
    ["other unused bits", (nonce: string) => nonce.replace(/A==$/, "B==")],
  ])("of a message that was sent before is refused if its nonce is written with %s", async (_, change) => {
    const nonce = () => new Uint8Array([1, 2, 3, 4]);
    const token = await usernameTokenHeader({ ...digest, nonce }, "soap11");
    const text = JSON.stringify(token);
    const changed: AnyElement = JSON.parse(
      text.replaceAll("AQIDBA==", JSON.stringify(change("AQIDBA==")).slice(1, -1)),
    );
    expect(JSON.stringify(changed)).not.toBe(text);
    const replayCache = memoryReplayCache();
    expect(await verified({ replayCache }, token)).toEqual({ username: "ada" });
    expect(await codeOf(verified({ replayCache }, changed))).toBe("FailedAuthentication");
  });

  test("of a message that was sent before is refused for another spelling of the name", async () => {
    const anyCase = (username: string) => passwords[username.toLowerCase()];
    const nonce = () => new Uint8Array([1, 2, 3, 4]);
    const replayCache = memoryReplayCache();
    const options = { replayCache, password: anyCase };
    expect(await verified(options, { ...digest, nonce })).toEqual({ username: "ada" });
    expect(await codeOf(verified(options, { ...digest, nonce, username: "Ada" }))).toBe("FailedAuthentication");
  });

  const asText = (created: readonly string[], nonces: readonly string[] = []): AnyElement => {
    const child = (name: string, content: string): AnyElement => ({ name, content: [content] });
    const wsse = securityHeader.replace("Security", "");
    const token = [
      child(`${wsse}Username`, "ada"),
      child(`${wsse}Password`, "pässword"),
      ...nonces.map((text) => child(`${wsse}Nonce`, text)),
      ...created.map((text) => child(`${wsse.replace("secext", "utility")}Created`, text)),
    ];
    return { name: securityHeader, content: [{ name: `${wsse}UsernameToken`, content: token }] };
  };

  test("as text with a nonce is refused if the message was sent before", async () => {
    for (const created of [[noon.toISOString()], []]) {
      const replayCache = memoryReplayCache();
      expect(await verified({ replayCache }, asText(created, ["AQIDBA=="]))).toEqual({ username: "ada" });
      for (const nonce of ["AQIDBA==", "AQIDBA", "AQID BB=="]) {
        expect(await codeOf(verified({ replayCache }, asText(created, [nonce])))).toBe("FailedAuthentication");
      }
      expect(await verified({ replayCache }, asText(created, ["AQIDBQ=="]))).toEqual({ username: "ada" });
    }
  });

  test("as text with a time but no nonce may be sent by two calls of the same instant", async () => {
    const replayCache = memoryReplayCache();
    for (const token of [asText([noon.toISOString()]), asText([noon.toISOString()])]) {
      expect(await verified({ replayCache }, token)).toEqual({ username: "ada" });
    }
  });

  test.each([
    ["created too long ago", ["2020-01-01T00:00:00Z"], [], "MessageExpired"],
    ["created in the future", ["2026-01-02T12:02:00Z"], [], "MessageExpired"],
    ["with a time that cannot be read", ["zzz"], [], "FailedAuthentication"],
    ["with two times", [noon.toISOString(), noon.toISOString()], [], "FailedAuthentication"],
    ["with a nonce that is not Base64", [], ["?"], "FailedAuthentication"],
    ["with two nonces", [], ["AQID", "AQID"], "FailedAuthentication"],
    ["with a long nonce", [], ["A".repeat(1_028)], "FailedAuthentication"],
  ])("as text, %s, is refused", async (_, created, nonces, code) => {
    expect(await codeOf(verified({}, asText(created, nonces)))).toBe(code);
    expect(await codeOf(verified({ verify: () => true }, asText(created, nonces)))).toBe(code);
  });

  test.each(["", " ", "===="])("with the nonce '%s', which has no bytes, is refused", async (text) => {
    const token = await usernameTokenHeader({ ...digest, nonce: () => new Uint8Array() }, "soap11");
    expect(await codeOf(verified({}, withText(token, "Nonce", text)))).toBe("FailedAuthentication");
    const asText = JSON.stringify(token).replace(/#PasswordDigest/, "#PasswordText");
    const withPassword = withText(withText(JSON.parse(asText), "Password", "pässword"), "Nonce", text);
    expect(await codeOf(verified({}, withPassword))).toBe("FailedAuthentication");
    expect(await verified({}, withText(withPassword, "Nonce", "AA=="))).toEqual({ username: "ada" });
  });

  test("that is not valid does not use up its nonce", async () => {
    const replayCache = memoryReplayCache();
    const nonce = () => new Uint8Array([1, 2, 3]);
    expect(await codeOf(verified({ replayCache }, { ...digest, nonce, password: "x" }))).toBe("FailedAuthentication");
    expect(await verified({ replayCache }, { ...digest, nonce })).toEqual({ username: "ada" });
  });

  test("is accepted only for some time", async () => {
    expect(await verified({ clock: at(299) }, digest)).toEqual({ username: "ada" });
    expect(await codeOf(verified({ clock: at(301) }, digest))).toBe("MessageExpired");
    expect(await codeOf(verified({ clock: at(-61) }, digest))).toBe("MessageExpired");
    expect(await codeOf(verified({ clock: at(61) }, { ...inText, lifetime: 60 }))).toBe("MessageExpired");
    expect(await verified({ clock: at(59) }, { ...inText, lifetime: 60 })).toEqual({ username: "ada" });
  });

  test.each(["Created", "Expires"])("with a timestamp whose %s cannot be read is refused", async (name) => {
    const header = await usernameTokenHeader({ ...inText, lifetime: 60 }, "soap11");
    expect(await verified({}, header)).toEqual({ username: "ada" });
    for (const text of ["never", "", "2099-01-01T00:00:00"]) {
      expect(await codeOf(verified({}, withText(header, name, text)))).toBe("InvalidSecurity");
    }
  });

  test("with a timestamp with two times of one name is refused, and the fault names the rule", async () => {
    const header = await usernameTokenHeader({ ...inText, lifetime: 60 }, "soap11");
    const content = (header.content ?? []).map((item) =>
      typeof item !== "string" && item.name.endsWith("}Timestamp")
        ? { ...item, content: (item.content ?? []).flatMap((time) => [time, time]) }
        : item,
    );
    const repeated = await failureOf(verified({}, { ...header, content }));
    expect(String(repeated)).toContain(
      "Created and Expires may each occur at most once, and must be valid times with a time zone.",
    );
  });

  test("is optional: an anonymous caller is undefined", async () => {
    expect(await verified({})).toBeUndefined();
  });

  const actor = "{http://schemas.xmlsoap.org/soap/envelope/}actor";
  const role = "{http://www.w3.org/2003/05/soap-envelope}role";
  const proxy = "http://proxy.example/";

  test.each([
    [actor, proxy, false],
    [actor, "http://schemas.xmlsoap.org/soap/actor/next", true],
    [actor, "", true],
    [role, proxy, false],
    [role, "http://www.w3.org/2003/05/soap-envelope/role/none", false],
    [role, "http://www.w3.org/2003/05/soap-envelope/role/next", true],
    [role, " http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver ", true],
    ["actor", proxy, true],
  ])("in a header with %s = %j is read only if it is for this server", async (name, value, isRead) => {
    const header = await usernameTokenHeader(inText, "soap11");
    const addressed = { ...header, attributes: [...(header.attributes ?? []), { name, value }] };
    expect(await verified({}, addressed)).toEqual(isRead ? { username: "ada" } : undefined);
    const forOther = withText(addressed, "Username", "root");
    if (!isRead) {
      expect(await verified({}, forOther, inText)).toEqual({ username: "ada" });
      expect(await verified({}, inText, forOther)).toEqual({ username: "ada" });
    }
  });

  test.each([1, 3, 7, 9, 10, 12, 100])("with %i digits after the seconds is accepted", async (digits) => {
    const header = await usernameTokenHeader({ ...inText, lifetime: 60 }, "soap11");
    const text = `2026-01-02T12:00:00.${"123".repeat(34).slice(0, digits)}Z`;
    expect(await verified({}, withText(header, "Created", text))).toEqual({ username: "ada" });
  });

  test.each([
    ["Created", "2026-01-02T12:00:00", "Created has no time zone, such as the Z of"],
    ["Created", "2026-01-02 12:00:00Z", "Created is not a valid time such as"],
    ["Created", "2026-13-02T12:00:00Z", "Created is not a valid time such as"],
    ["Created", " ", "Created is empty."],
    ["Nonce", "", "Nonce is empty."],
    ["Nonce", "%", "Nonce is not Base64."],
    ["Nonce", "A".repeat(1_028), "Nonce is longer than 1024 characters."],
  ])("whose %s is %j is refused for the operator with its cause, as text and as digest", async (name, text, cause) => {
    for (const type of ["text", "digest"] as const) {
      const header = await usernameTokenHeader({ ...digest, type: "digest" }, "soap11");
      const asType =
        type === "digest"
          ? header
          : (JSON.parse(JSON.stringify(header).replace(/#PasswordDigest/, "#PasswordText")) as AnyElement);
      const error = await failureOf(verified({}, withText(asType, name, text)));
      expect(error).toMatchObject({ cause: { message: expect.stringContaining(cause) } });
    }
  });

  test.each(["Created", "Nonce"])("with two elements %s is refused for the operator with its cause", async (name) => {
    const header = await usernameTokenHeader(digest, "soap11");
    const repeat = (element: AnyElement): AnyElement => ({
      ...element,
      content: (element.content ?? []).flatMap((item): (string | AnyElement)[] => {
        if (typeof item === "string") {
          return [item];
        }
        return item.name.endsWith(`}${name}`) ? [item, item] : [repeat(item)];
      }),
    });
    const error = await failureOf(verified({}, repeat(header)));
    expect(error).toMatchObject({ cause: { message: expect.stringContaining(`${name} occurs more than once.`) } });
  });

  test("of a user whose name has spaces at its ends is not that of another user", async () => {
    const header = await usernameTokenHeader(inText, "soap11");
    expect(await codeOf(verified({}, withText(header, "Username", " ada ")))).toBe("FailedAuthentication");
  });

  test("that occurs twice is refused", async () => {
    expect(await codeOf(verified({}, inText, digest))).toBe("InvalidSecurity");
  });
});

test("a server authenticates clients by their tokens, and its handlers get the user", async () => {
  const { routes, calls } = served(
    {},
    {
      understands: [securityHeader],
      authenticate: verifyUsernameToken({ password }),
      authorize: ({ principal }) => principal !== undefined,
    },
  );
  const running = await listen([routes], { host: "127.0.0.1" });
  onTestFinished(async () => void (await running.close()));
  const call = (hooks: readonly Hooks[], protocol: "soap11" | "soap12") =>
    new ServiceClient(service, { baseUrl: running.url, protocol, hooks }).call(find, {
      Key: "a",
      Count: 1,
      username: "u",
    });
  for (const protocol of ["soap11", "soap12"] as const) {
    const hooks = [usernameToken({ username: "ada", password: "pässword", type: "digest", lifetime: 60 })];
    expect(await call(hooks, protocol)).toMatchObject({ Name: "a & b" });
    expect(calls.at(-1)?.context.principal).toEqual({ username: "ada" });
    const wrong = await failureOf(call([usernameToken({ username: "ada", password: "x" })], protocol));
    expect(wrong).toMatchObject({ reason: "The security token could not be authenticated or authorized." });
    expect(await failureOf(call([], protocol))).toBeInstanceOf(SoapFault);
  }
  expect(calls).toHaveLength(2);
});

describe("a message that was recorded", () => {
  /** Starts two servers, and sends a message of a client to the first of them; `replay` sends it to both, ten times. */
  async function startPair(options: Partial<UsernameTokenVerification>) {
    const reasons: string[] = [];
    const onError = ({ message, error }: { readonly message: string; readonly error?: unknown }) =>
      void reasons.push(`${message} ${error instanceof Error ? `${error.message} ${error.cause}` : ""}`);
    const start = async () => {
      const authenticate = verifyUsernameToken({ password, ...options });
      const { routes, calls } = served({}, { understands: [securityHeader], authenticate, onError });
      const running = await listen([routes], { host: "127.0.0.1" });
      onTestFinished(async () => void (await running.close()));
      return { url: running.url, calls };
    };
    const servers = [await start(), await start()] as const;
    let recorded: { readonly body: string; readonly path: string } | undefined;
    const recording: Hooks = {
      before({ url, body }) {
        recorded = {
          body: typeof body === "string" ? body : new TextDecoder().decode(body),
          path: new URL(url).pathname,
        };
      },
    };
    const hooks = [usernameToken({ username: "ada", password: "pässword", type: "digest" }), recording];
    const client = new ServiceClient(service, { baseUrl: servers[0].url, protocol: "soap12", hooks });
    const send = () => client.call(find, { Key: "a", Count: 1, username: "u" }).catch(() => undefined);
    const replay = () =>
      Promise.all(
        [...servers, ...servers, ...servers, ...servers, ...servers].map(async ({ url }) => {
          const headers = { "Content-Type": "application/soap+xml; charset=utf-8" };
          return (await fetch(url + recorded?.path, { method: "POST", headers, body: recorded?.body ?? "" })).status;
        }),
      );
    return { servers, reasons, send, replay, count: () => servers.reduce((sum, { calls }) => sum + calls.length, 0) };
  }

  test("is refused by another server with the same replay cache, also at the same time", async () => {
    const { send, replay, count, reasons } = await startPair({ replayCache: memoryReplayCache() });
    await send();
    expect(count()).toBe(1);
    expect((await replay()).includes(200)).toBe(false);
    expect(count()).toBe(1);
    expect(reasons).toHaveLength(10);
    expect(reasons[0]).toContain("The message was received before");
  });

  test("is accepted once by a server with a cache of its own", async () => {
    const { send, replay, count } = await startPair({});
    await send();
    await replay();
    expect(count()).toBe(2);
  });

  test.each([
    [
      "is full",
      {
        add: () => {
          throw new Error("The replay cache is full");
        },
      },
      "The replay cache is full",
    ],
    ["cannot be reached", { add: () => Promise.reject(new Error("ECONNREFUSED")) }, "ECONNREFUSED"],
    ["returns nothing", { add: () => undefined as never }, "It must return true for a new key"],
    [
      "is a Set, whose add returns the Set for known keys too",
      new Set() as never,
      'The function "add" of the option "replayCache" returned an object of class Set. It must return true for a new key',
    ],
    ["returns an object", { add: async () => ({ isNew: false }) as never }, "returned an object. It must return true"],
    ["returns null for a known key, as Redis does", { add: () => null as never }, "The message was received before"],
  ])("is refused if the replay cache %s, and the operator learns why", async (_, replayCache, cause) => {
    const { send, replay, count, reasons } = await startPair({ replayCache });
    await send();
    await replay();
    expect(count()).toBe(0);
    expect(reasons[0]).toContain(cause);
  });

  test.each([
    ["ahead", 361],
    ["behind", -61],
  ])("is refused by a server whose clock is %s, and the operator learns by how much", async (_, seconds) => {
    const { send, count, reasons } = await startPair({ clock: () => new Date(Date.now() + seconds * 1_000) });
    await send();
    expect(count()).toBe(0);
    expect(reasons[0]).toMatch(/By this server's clock, the message was created (?:36|6)\d s (?:ago|in the future)/);
  });
});

describe("a digest that is computed wrongly", () => {
  const nonce = Uint8Array.of(1, 2, 3, 250, 251);
  const nonceText = "AQID+vs=";
  const created = "2026-01-02T12:00:00.000Z";
  const sha1 = (...parts: readonly (string | Uint8Array)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash("sha1")).digest();
  const right = sha1(nonce, created, "pässword");
  const overText = sha1(nonceText, created, "pässword");
  const hexReason = "The digest is hexadecimal: it must be the Base64 of the 20 bytes of SHA-1.";
  const nonceReason =
    "The digest is computed over the Base64 text of Nonce: it must be computed over the decoded bytes of Nonce.";

  async function refusalOf(sent: string, username = "ada") {
    const token = await usernameTokenHeader({ ...digest, username, nonce: () => nonce }, "soap11");
    return (await failureOf(verified({}, withText(token, "Password", sent)))) as SoapFault;
  }

  test.each([
    ["hexadecimal", right.toString("hex"), hexReason],
    ["hexadecimal, in upper case", right.toString("hex").toUpperCase(), hexReason],
    ["Base64 of hexadecimal text", btoa(right.toString("hex")), hexReason],
    ["over the text of the nonce", overText.toString("base64"), nonceReason],
    ["hexadecimal, and over the text of the nonce", overText.toString("hex"), `${hexReason} ${nonceReason}`],
  ])("is refused, and only the operator learns the mistake: %s", async (_, sent, reason) => {
    const error = await refusalOf(sent);
    expect(error.cause).toMatchObject({
      message: `The password is right, but not its digest (PasswordDigest). ${reason}`,
    });
    const other = await refusalOf(sha1("other").toString("base64"));
    expect([error.message, error.wireCode, error.detail]).toEqual([other.message, other.wireCode, other.detail]);
  });

  test("has no known mistake if the password is wrong or the user unknown", async () => {
    const message =
      "The user is unknown, the password is wrong, or the client computes its digest (PasswordDigest) wrongly.";
    expect((await refusalOf(sha1(nonce, created, "x").toString("hex"))).cause).toMatchObject({ message });
    expect((await refusalOf(sha1(nonce, created, "").toString("hex"), "bob")).cause).toMatchObject({ message });
  });

  test("takes as many hashes for an unknown user as for a known one", async () => {
    const hash = vi.spyOn(crypto.subtle, "digest");
    const counts: number[] = [];
    for (const username of ["ada", "bob"]) {
      for (const sent of [right.toString("hex"), overText.toString("base64"), "x", ""]) {
        hash.mockClear();
        await refusalOf(sent, username);
        counts.push(hash.mock.calls.length);
      }
    }
    hash.mockRestore();
    expect(new Set(counts).size).toBe(1);
  });
});

describe("the line of the log about a refused token", () => {
  async function refusedLine(token: UsernameTokenOptions, options: Partial<UsernameTokenVerification> = {}) {
    const lines: string[] = [];
    const log = lineLogger({ write: (line) => void lines.push(line) });
    const authenticate = verifyUsernameToken({ password, clock: at(1), ...options });
    const { routes } = served({}, { understands: [securityHeader], authenticate, onError: log.onError });
    const server = await listen([routes], { host: "127.0.0.1" });
    onTestFinished(async () => void (await server.close()));
    const hooks = [usernameToken(token)];
    const client = new ServiceClient(service, { baseUrl: server.url, protocol: "soap12", hooks });
    await failureOf(client.call(find, { Key: "a", Count: 1, username: "u" }));
    expect(lines).toHaveLength(1);
    return lines[0] ?? "";
  }

  test.each([
    ["text", "The user is unknown, or the password is wrong."],
    [
      "digest",
      "The user is unknown, the password is wrong, or the client computes its digest (PasswordDigest) wrongly.",
    ],
  ] as const)("has the user name and the reason, without a stack (%s)", async (type, reason) => {
    const line = await refusedLine({ ...inText, type, password: "s3cret" });
    expect(line).toContain(
      `The function in the option "authenticate" refused the call. ${reason} The user name in the request is "ada".`,
    );
    expect(line).not.toMatch(/s3cret|verify-username-token|cause=/);
    expect(line.length).toBeLessThan(400);
  });

  test("has the user name of a token that is too old", async () => {
    const line = await refusedLine(digest, { clock: at(900) });
    expect(line).toMatch(/was created 900 s ago.* The user name in the request is "ada"\./);
  });

  test("escapes control characters, and shortens a long name", async () => {
    const line = await refusedLine({ ...inText, username: `a\n\u202e${"x".repeat(5_000)}` });
    expect(line).toContain('The user name in the request is "a\\n\\u202exxx');
    expect(line).toMatch(/x{61}…"\. operation=/);
  });
});
