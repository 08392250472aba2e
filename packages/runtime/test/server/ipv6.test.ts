import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:http2";
import { Duplex } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { ServiceClient } from "../../src/client/index.js";
import { ConfigError } from "../../src/errors.js";
import { getNetwork, IpNetworks, readIpAddress } from "../../src/http/ip-addresses.js";
import { Connections } from "../../src/server/adapters/node/connections.js";
import { type ListenOptions, listen } from "../../src/server/adapters/node/listen.js";
import { type CallEvent, type Routes, rateLimitedRoutes, type ServerIncident } from "../../src/server/index.js";
import { mergeServerLimits } from "../../src/server-limits.js";
import { cert, key } from "../client/certificate.js";
import { envelopes, find, findBody, namespace, served, service } from "./fixture.js";

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
const input = { Key: "a", Count: 1, username: "u" };
const tls = { key, cert };
// The certificate of the tests is for 127.0.0.1 and localhost.
const trusting = { ca: cert, checkServerIdentity: () => undefined };

/** Starts a server on an address of IPv6, and returns its events. */
async function started(routes: readonly Routes[], options: ListenOptions = {}) {
  const events: CallEvent[] = [];
  const server = await listen(routes, { host: "::1", onCall: (event) => void events.push(event), ...options });
  onTestFinished(async () => void (await server.close()));
  return { ...server, events };
}

describe("a server on ::1", () => {
  test.each([
    { name: "HTTP", options: {}, scheme: "http" },
    { name: "HTTPS", options: { tls }, scheme: "https" },
    { name: "HTTPS beside HTTP/2", options: { tls, http2: true }, scheme: "https" },
  ])("is called over $name by its url, which its WSDL contains", async ({ options, scheme }) => {
    const { routes, calls } = served();
    const { url, port, events } = await started([routes], options);
    expect(url).toBe(`${scheme}://[::1]:${port}`);
    const client = new ServiceClient(service, { baseUrl: url, protocol: "soap11", tls: trusting });
    onTestFinished(() => client.close());
    expect(await client.call(find, input)).toMatchObject({ Name: "a & b" });
    expect(calls[0]?.context.address).toBe(`${url}/api/things.asmx`);
    await expect.poll(() => events).toMatchObject([{ status: 200, completed: true, remoteAddress: "::1" }]);
  });

  test.each([
    { name: "with TLS", options: { tls, http2: true } },
    { name: "without TLS", options: { http2: true } },
  ])("answers over HTTP/2 $name", async ({ options }) => {
    const { routes, calls } = served();
    const { url, events } = await started([routes], options);
    const session = connect(url, trusting);
    onTestFinished(() => session.destroy());
    // Node's client would send the address without brackets, which is not an authority (RFC 3986 §3.2.2).
    const pseudoHeaders = { ":method": "POST", ":path": "/api/things.asmx", ":authority": new URL(url).host };
    const stream = session.request({ ...pseudoHeaders, "content-type": "text/xml", soapaction: `${namespace}/Find` });
    stream.end(text);
    const [head] = await once(stream, "response");
    expect(head[":status"]).toBe(200);
    expect(calls[0]?.context.address).toBe(`${url}/api/things.asmx`);
    stream.resume();
    await expect.poll(() => events).toMatchObject([{ status: 200, remoteAddress: "::1" }]);
  });

  test("knows its own origin and refuses others", async () => {
    const { url } = await started([served().routes], { onError: () => {} });
    const status = async (Origin: string) => {
      const headers = { "Content-Type": "text/xml", SOAPAction: `${namespace}/Find`, Cookie: "a=b", Origin };
      return (await fetch(`${url}/api/things.asmx`, { method: "POST", headers, body: text })).status;
    };
    expect(await status(url)).toBe(200);
    expect(await status(url.replace("::1", "::2"))).toBe(403);
  });
});

describe("a server on all addresses", () => {
  /** Sends requests over IPv4, each with a header of a proxy, and returns their statuses. */
  async function statuses(port: number, clients: readonly string[]): Promise<readonly number[]> {
    const answers: number[] = [];
    for (const client of clients) {
      const headers = { Forwarded: `for="${client}";proto=https` };
      answers.push((await fetch(`http://127.0.0.1:${port}/`, { headers })).status);
    }
    return answers;
  }
  const answering: Routes = { name: "any", answer: () => ({ status: 200, headers: [], body: "" }) };

  test.each(["127.0.0.1", "127.0.0.0/8", "::ffff:127.0.0.1", "::ffff:127.0.0.0/104"])(
    "trusts an IPv4 proxy, listed as %s, and counts its clients by their IPv6 networks",
    async (proxy) => {
      const routes = rateLimitedRoutes(answering, { requests: 1, window: 60_000 });
      const { port, events } = await started([routes], {
        host: "::",
        trustedProxies: { addresses: [proxy], headers: "forwarded" },
        onError: () => {},
      });
      const clients = ["[2001:db8::1]:4711", "[2001:db8::2]", "[2001:db8:0:1::1]:1", "[::ffff:192.0.2.1]", "192.0.2.1"];
      expect(await statuses(port, clients)).toEqual([200, 429, 200, 200, 429]);
      await expect.poll(() => events.map(({ remoteAddress }) => remoteAddress)).toHaveLength(5);
      expect(events.map(({ remoteAddress }) => remoteAddress).slice(0, 2)).toEqual(["2001:db8::1", "2001:db8::2"]);
    },
  );
});

test.each([
  { network: "::ffff:10.0.0.0/104", inside: "10.255.255.255", outside: "11.0.0.0" },
  { network: "::ffff:0.0.0.0/96", inside: "203.0.113.1", outside: "2001:db8::1" },
  { network: "2001:db8::/32", inside: "2001:db8:ffff::1", outside: "2001:db9::1" },
  { network: "fd00::/7", inside: "fc00::1", outside: "::ffff:10.0.0.1" },
])("the network $network contains $inside, not $outside", ({ network, inside, outside }) => {
  const networks = new IpNetworks([network], "o");
  expect(networks.has(readIpAddress(inside) ?? [])).toBe(true);
  expect(networks.has(readIpAddress(outside) ?? [])).toBe(false);
});

test.each(["::ffff:10.0.0.0/95", "::ffff:10.0.0.0/129", "2001:db8::/129", "10.0.0.0/33"])(
  "the network %s is refused",
  (network) => {
    expect(() => new IpNetworks([network], "o")).toThrow(ConfigError);
  },
);

test("clients are counted by the first 64 bits of an IPv6 address", () => {
  expect(getNetwork("2001:db8::1")).toBe(getNetwork("2001:db8::ffff:1"));
  expect(getNetwork("2001:db8:0:1::1")).not.toBe(getNetwork("2001:db8::1"));
  expect(getNetwork("::ffff:10.0.0.1")).toBe(getNetwork("10.0.0.1"));
  expect(getNetwork("fe80::1%eth0")).toBe(getNetwork("fe80::2"));
});

/** A connection in memory, for an address that this machine does not have. */
class FakeSocket extends Duplex {
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super({ read() {}, write: (_chunk, _encoding, done) => done() });
    this.remoteAddress = remoteAddress;
    this.on("error", () => {});
  }
}

/** A server with room for `limit` connections; `open` opens one of an address. */
function connectionsUpTo(limit: number) {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const server = createServer(() => {});
  new Connections(mergeServerLimits({ connections: limit }), onError).watch(server, {});
  const open = (address: string) => {
    const socket = new FakeSocket(address);
    onTestFinished(() => void socket.destroy());
    server.emit("connection", socket);
    return socket;
  };
  return { open, incidents };
}

test("the addresses of one IPv6 network do not keep out another client", () => {
  const { open, incidents } = connectionsUpTo(4);
  const hoarded = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4"].map(open);
  const other = open("2001:db8:0:1::1");
  expect(hoarded.map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
  expect(other.destroyed).toBe(false);
  expect(incidents).toMatchObject([{ kind: "limit.connections" }]);
});

test("several addresses that hold all connections do not keep out another client", () => {
  const { open } = connectionsUpTo(9);
  const hoarded = [1, 2, 3, 1, 2, 3, 1, 1, 2].map((host) => open(`10.0.0.${host}`));
  const others = [4, 4, 5, 5, 4].map((host) => open(`10.0.0.${host}`));
  const isOpen = ({ writable }: FakeSocket) => writable;
  expect(hoarded.map(isOpen)).toEqual([false, false, true, true, true, true, true, true, true]);
  // With two connections, an address would have more than half as many as the busiest one.
  expect(others.map(isOpen)).toEqual([true, false, true, false, false]);
});

test("as many addresses as connections do not replace each other", () => {
  const { open } = connectionsUpTo(4);
  const first = [1, 2, 3, 4].map((host) => open(`10.0.0.${host}`));
  const [again, other] = [open("10.0.0.1"), open("10.0.0.5")];
  expect(first.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
  expect([again?.writable, other?.writable]).toEqual([false, false]);
});
