import { describe, expect, test } from "vitest";
import {
  type ClientRequest,
  cookies,
  fetchTransport,
  RestClient,
  restNonce,
  ServiceClient,
} from "../../src/client/index.js";
import { ConfigError, type EndpointDescriptor, HttpStatusError, RestError } from "../../src/index.js";
import { always, failureOf, localServer } from "./local-server.js";
import { envelope, find, found, item, lookup } from "./lookup.js";

const input = { Key: "A", user: "u" };
const xml = "text/xml; charset=utf-8";
const good = envelope(found());

describe("authorization", () => {
  test("is Basic for a user and a password, which no error shows", async () => {
    const server = await localServer(always(401, "text/plain", "no"));
    const authorization = { username: "zoë", password: "p:w" };
    const client = new ServiceClient(lookup, { baseUrl: server.url.replace("//", "//other:x@"), authorization });
    const error = await failureOf(client.call(find, input));
    expect(error).toBeInstanceOf(HttpStatusError);
    expect(JSON.stringify(error)).not.toContain("p:w");
    expect(server.received[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from("zoë:p:w", "utf8").toString("base64")}`,
    );
  });

  test("is the call's option, which overrides the client's", async () => {
    const server = await localServer(always(200, xml, good));
    const client = new ServiceClient(lookup, { baseUrl: server.url, authorization: "Bearer client" });
    await client.call(find, input);
    await client.call(find, input, { authorization: "Bearer call" });
    await client.call(find, input, { authorization: "Bearer call", headers: { authorization: "Bearer header" } });
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer client",
      "Bearer call",
      "Bearer header",
    ]);
  });

  test.each([{ username: "a:b", password: "c" }, { username: "a" }, null, 7, "a\nb"])(
    "%j is refused before anything is sent",
    async (authorization) => {
      const call = async () =>
        new ServiceClient(lookup, { baseUrl: "http://127.0.0.1:1", authorization: authorization as string }).call(
          find,
          input,
        );
      expect(await failureOf(call())).toBeInstanceOf(ConfigError);
    },
  );
});

describe("cookies", () => {
  function serverSetting(lines: readonly string[]) {
    return localServer((_, response) => {
      response.writeHead(200, [...lines.flatMap((line) => ["Set-Cookie", line]), "Content-Type", xml]);
      response.end(good);
    });
  }

  test.each([
    { lines: ["a=1", "b=2; Path=/; HttpOnly"], want: "a=1; b=2" },
    { lines: ["a=1; Path=/api; Expires=Wed, 21 Oct 2099 07:28:00 GMT", 'b="x, y"; path=/'], want: 'a=1; b="x, y"' },
    { lines: ["a=1; Path=/", "a=2; Path=/api"], want: "a=2; a=1" },
    { lines: ["a=1; Path=/other", "b=2; Path=/ap", "c=3; Path=/api/lookup.asmx"], want: "c=3" },
    { lines: ["a=1; Secure", "b=2; Domain=elsewhere.example", "c=3; Domain=127.0.0.1"], want: "c=3" },
    { lines: ["a=1; Max-Age=0", "b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "c=3; Max-Age=60"], want: "c=3" },
    { lines: ["=1", "nothing", "a\u0001b=2"], want: undefined },
  ])("$lines are sent back as $want", async ({ lines, want }) => {
    expect(await sentAfter(lines.filter((line) => !line.includes("\u0001")))).toBe(want);
  });

  test.each([
    { lines: ['a="x, y"'], want: 'a="x, y"' },
    { lines: ['a="x, b=y"; Path=/', 'c="1,d=2"'], want: 'c="1,d=2"; a="x, b=y"' },
    { lines: ['a="x', 'b="y, c=z'], want: 'a="x; b="y; c=z' },
  ])("a comma in a quoted value does not split a cookie: $lines are sent back as $want", async ({ lines, want }) => {
    expect(await sentAfter(lines)).toBe(want);
  });

  /** The cookies that a client sends after an answer has set cookies with these lines. */
  async function sentAfter(lines: readonly string[]): Promise<string | undefined> {
    const server = await serverSetting(lines);
    const client = new ServiceClient(lookup, { baseUrl: server.url, hooks: cookies() });
    expect(await client.call(find, input)).toEqual(item);
    await client.call(find, input);
    const [first, second] = server.received.map(({ headers }) => headers.cookie);
    expect(first).toBeUndefined();
    return second;
  }

  test.each([
    { line: "a=1; Domain=app.shop.example", stored: true },
    { line: "a=1; Domain=.Shop.Example", stored: true },
    { line: "a=1; Domain=", stored: true },
    { line: "a=1; Domain=example", stored: false },
    { line: "a=1; Domain=other.example", stored: false },
    { line: "a=1; Domain=pp.shop.example", stored: false },
    { line: "a=1; Domain=my.app.shop.example", stored: false },
    { line: "a=1; Domain=p.example", url: "https://p.example/", stored: true },
    { line: "a=1; Domain=intranet", url: "https://intranet/", stored: true },
    { line: "a=1; Domain=0.0.1", url: "https://127.0.0.1/", stored: false },
    { line: "a=1; Secure", stored: true },
    { line: "a=1; Secure", url: "http://app.shop.example/", stored: false },
    { line: "__Secure-a=1; Secure", stored: true },
    { line: "__Secure-a=1", stored: false },
    { line: "__secure-a=1", stored: false },
    { line: "__Host-a=1; Secure; Path=/", stored: true },
    { line: "__Host-a=1; Path=/", stored: false },
    { line: "__Host-a=1; Secure", stored: false },
    { line: "__Host-a=1; Secure; Path=/api", stored: false },
    { line: "__HOST-a=1; Secure; Path=/; Domain=app.shop.example", stored: false },
  ])("the cookie $line is stored: $stored", ({ line, url = "https://app.shop.example/api", stored }) => {
    const hooks = cookies();
    const request = { operation: "find", method: "GET", url, headers: {}, body: undefined };
    hooks.after?.({ status: 200, headers: new Map([["set-cookie", line]]), body: new Uint8Array() }, request);
    const sent = { ...request, url: url.replace("http:", "https:") };
    expect(hooks.before?.(sent) !== undefined).toBe(stored);
  });

  /** A jar of cookies, and functions that receive an answer from an address and return the cookies for an address. */
  function createJar() {
    const { before, after } = cookies();
    const requestFor = (url: string) => ({ operation: "find", method: "GET", url, headers: {}, body: undefined });
    return {
      receive(url: string, line: string): void {
        const headers = new Map([["set-cookie", line]]);
        after?.({ status: 200, headers, body: new Uint8Array() }, requestFor(url));
      },
      send(url: string): string | undefined {
        const request = before?.(requestFor(url)) as ClientRequest | undefined;
        return request?.headers["Cookie"];
      },
    };
  }

  // RFC 6265bis §5.7, "leave secure cookies alone".
  test.each([
    { line: "id=evil; Path=/", want: "id=good" },
    { line: "id=; Max-Age=0; Path=/", want: "id=good" },
    { line: "id=evil; Path=/; Domain=shop.example", want: "id=good" },
    { line: "id=evil; Path=/api", want: "id=good" },
    { line: "ID=evil; Path=/", want: "id=good; ID=evil" },
  ])("that are Secure are neither replaced nor hidden over HTTP by $line", ({ line, want }) => {
    const jar = createJar();
    jar.receive("https://app.shop.example/", "id=good; Secure; Path=/");
    jar.receive("http://app.shop.example/", line);
    expect(jar.send("https://app.shop.example/api/x")).toBe(want);
  });

  test("that are Secure may be replaced over HTTPS, and do not prevent a cookie for a path that contains theirs", () => {
    const jar = createJar();
    jar.receive("https://app.shop.example/", "id=1; Secure; Path=/api");
    jar.receive("http://app.shop.example/", "id=2; Path=/");
    expect(jar.send("https://app.shop.example/api")).toBe("id=1; id=2");
    jar.receive("https://app.shop.example/", "id=3; Path=/api");
    expect(jar.send("http://app.shop.example/api")).toBe("id=3; id=2");
  });

  test("that are Secure are not removed by many others", () => {
    const jar = createJar();
    jar.receive("https://app.shop.example/", "id=good; Secure");
    for (let index = 0; index < 300; index += 1) {
      jar.receive("http://app.shop.example/", `c${index}=1`);
    }
    const sent = jar.send("https://app.shop.example/")?.split("; ");
    expect(sent).toContain("id=good");
    expect(sent).toContain("c299=1");
    expect(sent).toHaveLength(256);
  });

  test("are shared by the ports of a host, but not by hosts", () => {
    const jar = createJar();
    jar.receive("http://app.shop.example:8080/", "a=1");
    jar.receive("http://shop.example/", "b=2");
    expect(jar.send("http://app.shop.example:9090/")).toBe("a=1");
    expect(jar.send("https://app.shop.example/")).toBe("a=1");
  });

  test("with another Domain are other cookies", () => {
    const jar = createJar();
    jar.receive("http://app.shop.example/", "a=1");
    jar.receive("http://app.shop.example/", "a=2; Domain=shop.example");
    expect(jar.send("http://app.shop.example/")).toBe("a=1; a=2");
    jar.receive("http://app.shop.example/", "a=; Max-Age=0; Domain=.Shop.example");
    expect(jar.send("http://app.shop.example/")).toBe("a=1");
  });

  test("of more than 4,096 characters are not stored", () => {
    const jar = createJar();
    jar.receive("http://app.shop.example/", `a=${"x".repeat(4_096)}`);
    jar.receive("http://app.shop.example/", `b=${"x".repeat(4_095)}`);
    expect(jar.send("http://app.shop.example/")).toMatch(/^b=x{4095}$/);
  });

  test("are kept from faults too, may be replaced and deleted, and go beside others", async () => {
    const lines = ["id=1", "id=2", "id=; Max-Age=-1", ""];
    const server = await localServer((_, response) => {
      const line = lines.shift() ?? "";
      response.writeHead(500, { "Content-Type": "text/plain", ...(line === "" ? {} : { "Set-Cookie": line }) });
      response.end();
    });
    const hooks = [cookies(), {}];
    const client = new ServiceClient(lookup, { baseUrl: server.url, hooks, headers: { cookie: "own=1" } });
    for (let count = 0; count < 4; count += 1) {
      await failureOf(client.call(find, input));
    }
    expect(server.received.map(({ headers }) => headers.cookie)).toEqual([
      "own=1",
      "own=1; id=1",
      "own=1; id=2",
      "own=1",
    ]);
  });

  test("are kept by fetch as well", async () => {
    const server = await serverSetting(["a=1; Path=/", "b=2; Path=/"]);
    const transport = fetchTransport((request) => fetch(request));
    const client = new ServiceClient(lookup, { baseUrl: server.url, hooks: cookies(), transport });
    await client.call(find, input);
    await client.call(find, input);
    expect(server.received[1]?.headers.cookie).toBe("a=1; b=2");
  });

  test("of one host are not sent to another", async () => {
    const [first, second] = [await serverSetting(["a=1"]), await serverSetting([])];
    const hooks = cookies();
    for (const url of [first.url, second.url.replace("127.0.0.1", "localhost")]) {
      await new ServiceClient(lookup, { baseUrl: url, hooks }).call(find, input);
    }
    expect(second.received[0]?.headers).not.toHaveProperty("cookie");
  });
});

describe("a hook that sends again", () => {
  const list: EndpointDescriptor<object> = {
    kind: "endpoint",
    interface: { descriptorFormat: 2, name: "site", base: "/wp-json" },
    name: "items.list",
    route: "/items",
    path: ["/items"],
    methods: ["GET"],
    args: {},
  };
  const json = "application/json";
  const invalid = '{"code":"rest_cookie_invalid_nonce","message":"Cookie check failed","data":{"status":403}}';

  test("renews a nonce once, and keeps the nonces of answers", async () => {
    const server = await localServer(({ headers }, response) => {
      const fresh = headers["x-wp-nonce"] !== "old";
      response.writeHead(fresh ? 200 : 403, { "Content-Type": json, ...(fresh ? { "X-WP-Nonce": "newest" } : {}) });
      response.end(fresh ? "[]" : invalid);
    });
    let refreshed = 0;
    const refresh = async () => {
      refreshed += 1;
      return `fresh${refreshed}`;
    };
    const client = new RestClient(list.interface, { siteUrl: server.url, hooks: restNonce({ nonce: "old", refresh }) });
    expect(await client.call(list, {})).toEqual([]);
    expect(await client.call(list, {})).toEqual([]);
    expect(server.received.map(({ headers }) => headers["x-wp-nonce"])).toEqual(["old", "fresh1", "newest"]);
    expect(refreshed).toBe(1);
  });

  test("asks for a nonce where there is none, and gives up after the second refusal", async () => {
    const server = await localServer(always(403, json, invalid));
    const client = new RestClient(list.interface, { siteUrl: server.url, hooks: restNonce({ refresh: () => "n" }) });
    expect(await failureOf(client.call(list, {}))).toMatchObject({ code: "rest_cookie_invalid_nonce", status: 403 });
    expect(server.received.map(({ headers }) => headers["x-wp-nonce"])).toEqual(["n", "n"]);
  });

  test("is not asked about other refusals by the nonce", async () => {
    const server = await localServer(
      always(403, json, '{"code":"rest_forbidden","message":"No","data":{"status":403}}'),
    );
    const client = new RestClient(list.interface, { siteUrl: server.url, hooks: restNonce({ refresh: () => "n" }) });
    expect(await failureOf(client.call(list, {}))).toBeInstanceOf(RestError);
    expect(server.received).toHaveLength(1);
  });

  test("runs inside other hooks, and cannot smuggle headers", async () => {
    const server = await localServer(({ headers }, response) => {
      response.writeHead(headers["x-a"] === "2" ? 200 : 401, { "Content-Type": json }).end("[]");
    });
    const order: string[] = [];
    const hooks = (name: string, value: string | undefined) => ({
      again: (_: unknown, request: { readonly headers: Readonly<Record<string, string>> }) => {
        order.push(name);
        return value === undefined ? undefined : { ...sent, ...request, headers: { "X-A": value } };
      },
      after: ({ status }: { readonly status: number }) => {
        order.push(`${name} ${status}`);
      },
    });
    const sent = { operation: "x", method: "GET", url: `${server.url}/again`, body: undefined };
    const client = new RestClient(list.interface, { siteUrl: server.url, hooks: [hooks("a", "3"), hooks("b", "2")] });
    expect(await client.call(list, {}, { hooks: hooks("c", undefined) })).toEqual([]);
    expect(order).toEqual(["c", "b", "c 200", "b 200", "a 200"]);
    expect(await failureOf(client.call(list, {}, { hooks: hooks("d", "1\r\nX-B: 2") }))).toBeInstanceOf(ConfigError);
  });
});
