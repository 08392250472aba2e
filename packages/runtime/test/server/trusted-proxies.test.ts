import { describe, expect, onTestFinished, test } from "vitest";
import { ConfigError } from "../../src/errors.js";
import { IpNetworks, readIpAddress } from "../../src/http/ip-addresses.js";
import { lambdaHandler } from "../../src/server/adapters/lambda.js";
import { type ListenOptions, listen } from "../../src/server/adapters/node/listen.js";
import { webHandler } from "../../src/server/adapters/web-fetch.js";
import {
  createRouter,
  type HeaderLine,
  type Routes,
  rateLimitedRoutes,
  type ServerIncident,
  type ServerRequest,
  type TrustedProxies,
} from "../../src/server/index.js";
import { requestOf, served } from "./fixture.js";

interface Seen {
  readonly address: string | undefined;
  readonly secure: boolean | undefined;
  readonly host: string | undefined;
}

/** Returns the parts of a request that routes receive. */
async function seen(
  trustedProxies: readonly string[] | TrustedProxies | undefined,
  headers: readonly HeaderLine[],
  request: Partial<ServerRequest> = {},
): Promise<Seen | number> {
  let received: Seen | undefined;
  const routes: Routes = {
    name: "probe",
    answer: ({ remoteAddress, secure, headers: lines }) => {
      const host = lines.find(([name]) => name.toLowerCase() === "host")?.[1];
      received = { address: remoteAddress, secure, host };
      return { status: 204, headers: [], body: undefined };
    },
  };
  const remoteAddress = "10.0.0.1";
  const sent = requestOf({ remoteAddress, ...request, headers: [["Host", "inside:8080"], ...headers] });
  const { status } = await createRouter([routes], { trustedProxies, onError: () => {} })(sent);
  return received ?? status;
}

const xForwarded: readonly HeaderLine[] = [
  ["X-Forwarded-For", "203.0.113.7"],
  ["X-Forwarded-Proto", "https"],
  ["X-Forwarded-Host", "api.example.org"],
];
const direct = { address: "10.0.0.1", secure: false, host: "inside:8080" };
/** Trusts all three headers. */
const all = (...addresses: readonly string[]): TrustedProxies => ({ addresses, headers: "x-forwarded" });
const outside = { address: "203.0.113.7", secure: true, host: "api.example.org" };

describe("headers of proxies", () => {
  test("are ignored by default, and from an address that is not listed", async () => {
    expect(await seen(undefined, xForwarded)).toEqual(direct);
    expect(await seen(["10.0.0.2", "192.168.0.0/16"], xForwarded)).toEqual(direct);
    expect(await seen([], xForwarded)).toEqual(direct);
  });

  test.each(["10.0.0.1", "10.0.0.0/8", "::ffff:10.0.0.1"])(
    "from %s give the client's address, scheme and host",
    async (trusted) => {
      expect(await seen(all(trusted), xForwarded)).toEqual(outside);
    },
  );

  test("give no host by default, because a proxy that does not set X-Forwarded-Host passes it on", async () => {
    expect(await seen(["10.0.0.1"], xForwarded)).toEqual({ ...outside, host: "inside:8080" });
    expect(await seen({ addresses: ["10.0.0.1"] }, xForwarded)).toEqual({ ...outside, host: "inside:8080" });
  });

  test("are read only if the proxies set them", async () => {
    const seenWith = (...headers: NonNullable<TrustedProxies["headers"]>[number][]) =>
      seen({ addresses: ["10.0.0.1"], headers } as TrustedProxies, xForwarded);
    expect(await seenWith("x-forwarded-for")).toEqual({ ...direct, address: "203.0.113.7" });
    expect(await seenWith("x-forwarded-proto")).toEqual({ ...direct, secure: true });
    expect(await seenWith("x-forwarded-host", "x-forwarded-for")).toEqual({ ...outside, secure: false });
  });

  test.each([[[]], ["X-Forwarded-For"], [["X-Forwarded-For"]], [["forwarded"]], [[undefined]], [null]])(
    "cannot be %j",
    (headers) => {
      const trustedProxies = { addresses: [], headers } as never;
      expect(() => createRouter([], { trustedProxies })).toThrow(ConfigError);
    },
  );

  test.each([
    [{ address: ["10.0.0.0/8"] }, 'The option "trustedProxies" has no member "address". Did you mean "addresses"?'],
    [
      { addresses: ["10.0.0.0/8"], header: "forwarded" },
      'The option "trustedProxies" has no member "header". Did you mean "headers"?',
    ],
    [{ headers: "forwarded" }, 'The option "trustedProxies" must be a list of addresses'],
    [{ addresses: "10.0.0.0/8" }, 'The option "trustedProxies" must be a list of addresses'],
    ["10.0.0.0/8", 'The option "trustedProxies" '],
    [[10], 'The option "trustedProxies" must be a list of addresses'],
  ])("in an option such as %j are refused", (trustedProxies, message) => {
    expect(() => createRouter([], { trustedProxies: trustedProxies as never })).toThrow(ConfigError);
    expect(() => createRouter([], { trustedProxies: trustedProxies as never })).toThrow(message);
  });

  test("of another kind than the proxies set are ignored", async () => {
    const forwarded: HeaderLine = ["Forwarded", "for=198.51.100.9;proto=http;host=evil.example"];
    expect(await seen(all("10.0.0.0/8"), [...xForwarded, forwarded])).toEqual(outside);
    expect(await seen({ addresses: ["10.0.0.0/8"], headers: "forwarded" }, xForwarded)).toEqual(direct);
  });

  test("are read from the end, so that a client cannot choose its address", async () => {
    const spoofed: HeaderLine = ["X-Forwarded-For", "127.0.0.1, 1.2.3.4, 203.0.113.7, 10.0.0.9"];
    expect(await seen(["10.0.0.0/8"], [spoofed])).toMatchObject({ address: "203.0.113.7" });
    const lines: readonly HeaderLine[] = [
      ["X-Forwarded-For", "127.0.0.1"],
      ["X-Forwarded-For", "203.0.113.7"],
    ];
    expect(await seen(["10.0.0.0/8"], lines)).toMatchObject({ address: "203.0.113.7" });
  });

  test("give the scheme and the host that the client requested", async () => {
    const lines: readonly HeaderLine[] = [
      ["X-Forwarded-For", "1.2.3.4, 203.0.113.7, 10.0.0.9"],
      ["X-Forwarded-Proto", "ftp, https, http"],
      ["X-Forwarded-Host", "evil.example, api.example.org, middle.example"],
    ];
    expect(await seen(all("10.0.0.0/8"), lines)).toEqual(outside);
  });

  test.each([
    ["203.0.113.7:51234", "203.0.113.7"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["unknown", "10.0.0.1"],
    ["_hidden", "10.0.0.1"],
    ["evil\"'<>", "10.0.0.1"],
    ["999.1.1.1", "10.0.0.1"],
    ["", "10.0.0.1"],
  ])("with the address %j give %s", async (value, address) => {
    expect(await seen(["10.0.0.0/8"], [["X-Forwarded-For", value]])).toMatchObject({ address });
  });

  test.each([
    ["for=203.0.113.7;proto=https;host=api.example.org", outside],
    ['For="203.0.113.7:4711"; Proto=HTTPS; Host="api.example.org"', outside],
    ['for=1.2.3.4, for="203.0.113.7";proto=https;host=api.example.org, for=10.0.0.9', outside],
    ['for="[2001:db8::1]:80"', { ...direct, address: "2001:db8::1" }],
    ['for="a,b;c", for=203.0.113.7', { ...direct, address: "203.0.113.7" }],
    ["for=unknown", direct],
    ['for="203.0.113.7', direct],
  ])("Forwarded: %s is read by its grammar", async (value, wanted) => {
    const trusted = { addresses: ["10.0.0.0/8"], headers: "forwarded" } as const;
    expect(await seen(trusted, [["Forwarded", value]])).toEqual(wanted);
  });

  test("do not give a host that is not one, or repair two Host lines", async () => {
    expect(await seen(all("10.0.0.1"), [["X-Forwarded-Host", "evil.example/path"]])).toEqual(direct);
    expect(await seen(all("10.0.0.1"), [["Host", "other"], ...xForwarded])).toBe(400);
  });

  test("over a Unix socket need the word unix", async () => {
    expect(await seen(all("unix"), xForwarded, { remoteAddress: undefined })).toEqual(outside);
    expect(await seen(["10.0.0.1"], xForwarded, { remoteAddress: undefined })).toMatchObject({ secure: false });
  });

  test("change the address in the WSDL and in the handler's context", async () => {
    const { routes } = served();
    const router = createRouter([routes], { trustedProxies: all("10.0.0.1") });
    const target = "/api/things.asmx?wsdl";
    const headers: readonly HeaderLine[] = [["Host", "inside"], ...xForwarded];
    const answer = await router(requestOf({ method: "GET", target, headers, remoteAddress: "10.0.0.1" }));
    expect(String(answer.body)).toContain('location="https://api.example.org/api/things.asmx"');
  });
});

describe("headers of a proxy that are ignored", () => {
  const nothing: Routes = { name: "none", answer: () => undefined };
  const headers = { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };

  /** The messages that a server reports for a request with these headers, which comes from 127.0.0.1. */
  async function reported(options: ListenOptions, ...lines: readonly HeaderLine[]): Promise<readonly string[]> {
    const messages: string[] = [];
    const onError = ({ message }: ServerIncident) => void messages.push(message);
    const server = await listen([nothing], { ...options, host: "127.0.0.1", onError });
    onTestFinished(async () => void (await server.close()));
    await fetch(server.url, { headers: lines.map(([name, value]) => [name, value] as [string, string]) });
    return messages;
  }

  test.each([
    ["X-Forwarded-For", "203.0.113.7"],
    ["X-Forwarded-Host", "api.example.org"],
    ["X-Forwarded-Proto", "https"],
    ["Forwarded", "for=203.0.113.7"],
  ] satisfies HeaderLine[])("are reported if it is %s of another sender", async (...line) => {
    const messages = await reported({ trustedProxies: ["10.0.0.1"] }, line);
    expect(messages).toEqual([
      expect.stringMatching(/came from 127\.0\.0\.1 .*trustedProxies" does not list this sender/),
    ]);
  });

  test("are reported if the sender is listed, but with other headers", async () => {
    const trustedProxies: TrustedProxies = { addresses: ["127.0.0.1"], headers: "forwarded" };
    const messages = await reported({ trustedProxies }, ["X-Forwarded-For", "203.0.113.7"]);
    expect(messages).toEqual([
      expect.stringMatching(/ignored: the member "headers" of .* does not select X-Forwarded-For\. This/),
    ]);
    expect(await reported({ trustedProxies }, ["Forwarded", "for=203.0.113.7"])).toEqual([]);
    const host: HeaderLine = ["X-Forwarded-Host", "api.example.org"];
    const withAddress: HeaderLine = ["X-Forwarded-For", "203.0.113.7"];
    expect(await reported({ trustedProxies: ["127.0.0.1"] }, withAddress, host)).toEqual([
      expect.stringMatching(/ignored: the member "headers" of .* does not select X-Forwarded-Host\. This/),
    ]);
    expect(await reported({ trustedProxies: all("127.0.0.1") }, withAddress, host)).toEqual([]);
  });

  test("are reported with the address of the proxy if it is listed, but a header is not valid", async () => {
    const lines: HeaderLine[] = [
      ["X-Forwarded-For", "203.0.113.7"],
      ["X-Forwarded-Host", "api.example.org/path"],
    ];
    const [message, ...others] = await reported({ trustedProxies: all("127.0.0.1") }, ...lines);
    expect(others).toEqual([]);
    expect(message).toMatch(/came from 127\.0\.0\.1 and are ignored: an address or a host in them is not valid\. This/);
  });

  test("are reported as not valid if the sender is listed, and its header breaks the grammar", async () => {
    const trustedProxies: TrustedProxies = { addresses: ["127.0.0.1"], headers: "forwarded" };
    const messages = await reported({ trustedProxies }, ["Forwarded", "for=a b"], ["X-Forwarded-For", "203.0.113.7"]);
    expect(messages).toEqual([expect.stringContaining("ignored: an address or a host in them is not valid. This")]);
  });

  test.each([
    ["X-Forwarded-For", "unknown"],
    ["X-Forwarded-For", "203.0.113.7, unknown, 127.0.0.1"],
    ["Forwarded", "for=_hidden;proto=https"],
  ] satisfies HeaderLine[])("are reported once if %s hides the client: %s", async (name, value) => {
    const headers = name === "Forwarded" ? "forwarded" : undefined;
    const messages: string[] = [];
    const onError = ({ message }: ServerIncident) => void messages.push(message);
    const trustedProxies: TrustedProxies = { addresses: ["127.0.0.1"], headers };
    const server = await listen([nothing], { trustedProxies, host: "127.0.0.1", onError });
    onTestFinished(async () => void (await server.close()));
    await fetch(server.url, { headers: { [name]: value } });
    await fetch(server.url, { headers: { [name]: value } });
    const reason = `This address is listed in the option "trustedProxies", but the ${name} of the request does not contain the address of the client: let the proxy send it.`;
    const hidden = `The address of a client is unknown, so that of its proxy, 127.0.0.1, is used instead. ${reason} This is reported once.`;
    expect(messages).toEqual([hidden]);
    await fetch(server.url, { headers: { [name]: name === "Forwarded" ? "for=a b" : "client.example" } });
    expect(messages).toEqual([hidden, expect.stringContaining("an address or a host in them is not valid.")]);
  });

  test("are not reported on a platform, which sets them on every request", async () => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    await webHandler([nothing], { onError })(new Request("http://h/", { headers }));
    const requestContext = { http: { method: "GET", sourceIp: "203.0.113.7" } };
    await lambdaHandler([nothing], { onError })({ version: "2.0", rawPath: "/", headers, requestContext });
    expect(incidents).toEqual([]);
  });
});

describe("a rate limit", () => {
  /** The message about a request from 10.0.0.1 that exceeds the rate. */
  async function exceeded(
    trustedProxies: TrustedProxies | readonly string[] | undefined,
    headers: readonly HeaderLine[],
    sender: Partial<ServerRequest> = { remoteAddress: "10.0.0.1" },
  ): Promise<string> {
    const messages: string[] = [];
    const onError = ({ message }: ServerIncident) => void messages.push(message);
    const routes: Routes = { name: "probe", answer: () => ({ status: 204, headers: [], body: undefined }) };
    const limited = rateLimitedRoutes(routes, { requests: 0, window: 60_000 });
    const router = createRouter([limited], { trustedProxies, onError });
    await router(requestOf({ ...sender, headers: [["Host", "h"], ...headers] }));
    expect(messages).toHaveLength(1);
    return messages[0] ?? "";
  }

  const listed = ["10.0.0.1", "unix"];
  const byForwarded: TrustedProxies = { addresses: listed, headers: "forwarded" };
  const address: HeaderLine = ["X-Forwarded-For", "203.0.113.7"];
  const advice = 'list it in the option "trustedProxies"';
  const isListed = 'This address is listed in the option "trustedProxies", but ';

  test.each<[string, TrustedProxies | readonly string[] | undefined, readonly HeaderLine[], string]>([
    ["no proxy is listed", undefined, [], `which is 10.0.0.1. If this is a proxy, ${advice}`],
    ["another proxy is listed", ["10.0.0.2"], [address], `which is 10.0.0.1. If this is a proxy, ${advice}`],
    ["the address comes from a listed proxy", listed, [address], `which is 203.0.113.7. If this is a proxy, ${advice}`],
    ["a listed proxy sends no header", listed, [], `${isListed}the request has no X-Forwarded-For: let the proxy set`],
    [
      "a listed proxy sends another header",
      listed,
      [["Forwarded", "for=203.0.113.7"]],
      `${isListed}the request has no X-Forwarded-For, only Forwarded, which its member "headers" does not select: let`,
    ],
    [
      "a listed proxy sends X-Forwarded-For in place of Forwarded",
      byForwarded,
      [address],
      `${isListed}the request has no Forwarded, only X-Forwarded-For, which its member "headers" does not select: let`,
    ],
    ...["unknown", "", "client.example", "10.0.0.1, _hidden", "203.0.113.7, unknown, 10.0.0.1"].map(
      (value): [string, readonly string[], readonly HeaderLine[], string] => [
        `a listed proxy sends ${JSON.stringify(value)}`,
        listed,
        [["X-Forwarded-For", value]],
        `${isListed}the X-Forwarded-For of the request does not contain the address of the client: let the proxy send it.`,
      ],
    ),
    [
      "Forwarded of a listed proxy cannot be read",
      byForwarded,
      [["Forwarded", "for=a b"]],
      `${isListed}the Forwarded of the request does not contain the address of the client`,
    ],
    [
      "clients have listed addresses",
      ["10.0.0.0/8"],
      [["X-Forwarded-For", "10.1.2.3"]],
      `which is 10.1.2.3. ${isListed}the X-Forwarded-For of the request contains no other address`,
    ],
    [
      "addresses are not selected",
      { addresses: listed, headers: ["x-forwarded-proto"] },
      [address],
      `${isListed}its member "headers" does not contain "x-forwarded-for".`,
    ],
  ])("names the cause of a common count if %s", async (_, trustedProxies, headers, cause) => {
    expect(await exceeded(trustedProxies, headers)).toContain(cause);
  });

  test("names the cause of a missing count if a listed Unix socket sends no header", async () => {
    const isUncounted = "the address of the client is unknown. ";
    expect(await exceeded(undefined, [], {})).toContain(`${isUncounted}Set the option "remoteAddress"`);
    expect(await exceeded(listed, [], {})).toContain(
      `${isUncounted}The Unix socket is listed in the option "trustedProxies", but the request has no X-Forwarded-For`,
    );
  });
});

test.each([
  ...["10.0.0", "10.0.0.0/33", "10.0.0.0/", "::/129", "example.org", "10.0.0.0/8/8x", "01.2.3.4"],
  ...["10.0.0.0/1e1", "10.0.0.0/0x8", "10.0.0.0/8 ", "10.0.0.0/-0"],
])("the network %j is refused", (text) => {
  expect(() => createRouter([], { trustedProxies: [text] })).toThrow(ConfigError);
});

test.each([
  ["::1", "::1", true],
  ["::1", "0:0:0:0:0:0:0:1", true],
  ["2001:db8::/32", "2001:db8:ffff::1", true],
  ["2001:db8::/32", "2001:db9::1", false],
  ["fe80::/10", "fe80::1%eth0", true],
  ["10.0.0.0/8", "::ffff:10.1.2.3", true],
  ["10.0.0.0/9", "10.128.0.0", false],
  ["0.0.0.0/0", "255.255.255.255", true],
  ["0.0.0.0/0", "::1", false],
])("%s contains %s: %s", (network, address, wanted) => {
  expect(new IpNetworks([network], "trustedProxies").has(readIpAddress(address) ?? [])).toBe(wanted);
});

test.each(["", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "g::1", "12345::", "::1.2.3", "1.2.3.4::"])(
  "%j is not an address",
  (text) => {
    expect(readIpAddress(text)).toBeUndefined();
  },
);
