import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect as http2Connect } from "node:http2";
import { createServer, type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { type ConnectionOptions, connect as tlsConnect } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { expressMiddleware } from "../../src/server/adapters/express.js";
import type { ListenOptions } from "../../src/server/adapters/node/listen.js";
import { webHandler } from "../../src/server/adapters/web-fetch.js";
import { type ClientCertificate, type Routes, rateLimitedRoutes } from "../../src/server/index.js";
import { cert, expiredCert, key } from "../client/certificate.js";
import { site } from "../rest/site.js";
import { message, served } from "./fixture.js";
import { startServer } from "./sockets.js";

// The certificate of a client, in everything that decides about its calls.

type Seen = [place: string, certificate: ClientCertificate | undefined][];

/** Routes of a SOAP service and an index that record the certificate in each of their functions. */
function recordingRoutes() {
  const seen: Seen = [];
  const record = (place: string, call: { readonly clientCertificate?: ClientCertificate | undefined }) => {
    seen.push([place, call.clientCertificate]);
  };
  const options = (protocol: string) => ({
    authenticate: (call: object) => {
      record(`${protocol} authenticate`, call);
      return { name: "ada" };
    },
    authorize: (call: object) => {
      record(`${protocol} authorize`, call);
      return true;
    },
  });
  const soap = served(
    {
      find: (_, context) => {
        record("soap handler", context);
        record("soap copy", { ...context });
        return null;
      },
    },
    options("soap"),
  );
  const rest = site(options("rest"), (_, context) => {
    record("rest handler", context);
    record("rest copy", { ...context });
    return [];
  });
  const by = (call: object) => {
    record("by", call);
    return "all";
  };
  const routes: Routes[] = [soap.routes, rateLimitedRoutes(rest, { requests: 1_000, window: 60_000, by })];
  return { seen, routes };
}

const { headers: soapLines = [], body: soapBody } = message(
  "soap11",
  '<Find xmlns="http://things.example/ns"><Key>k</Key><Count>1</Count><username>u</username></Find>',
);
const soapHeaders = Object.fromEntries(soapLines);

/** Calls the operation and the endpoint on a new connection each. Returns the two statuses. */
async function callBoth(port: number, options: RequestOptions): Promise<number[]> {
  const call = (path: string, method: string, headers = {}, body?: unknown) =>
    new Promise<number>((resolve, reject) => {
      const connection = { host: "127.0.0.1", port, ca: cert, agent: false, servername: "localhost" };
      const sent = request({ ...connection, path, method, ...options, headers: { ...headers, ...options.headers } });
      sent.on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode ?? 0)));
      sent.on("error", reject).end(body);
    });
  return [await call("/api/things.asmx", "POST", soapHeaders, soapBody), await call("/en/api/core/v2/items", "GET")];
}

const asking = { key, cert, ca: cert, requestCert: true };
const identified = { key, cert };
const { fingerprint256, serialNumber } = new X509Certificate(cert);
const certificate = expect.objectContaining({
  subject: { CN: "localhost" },
  issuer: { CN: "localhost" },
  subjectAltName: "DNS:localhost, IP Address:127.0.0.1",
  fingerprint256,
  serialNumber,
});
const places = ["soap authenticate", "soap authorize", "soap handler", "soap copy"].concat([
  "by",
  "rest authenticate",
  "rest authorize",
  "rest handler",
  "rest copy",
]);

/** Starts an HTTPS server with the routes in a framework. Returns its port. */
type Start = (routes: readonly Routes[]) => Promise<number>;

async function serveTls(listener: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(asking, listener);
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const adapters: Readonly<Record<string, Start>> = {
  listen: async (routes) => (await startServer(routes, { tls: asking })).port,
  expressMiddleware: (routes) => {
    const answer = expressMiddleware(routes);
    return serveTls((incoming, outgoing) => answer(incoming, outgoing, () => outgoing.writeHead(404).end()));
  },
  "webHandler in Hono on Node": (routes) => {
    const answer = webHandler(routes);
    return serveTls(async (incoming, outgoing) => {
      const chunks: Uint8Array[] = await incoming.toArray();
      const { method = "", headers } = incoming;
      const body = method === "GET" ? null : Buffer.concat(chunks);
      const address = `https://${headers.host}${incoming.url}`;
      const sent = new Request(address, { method, headers: headers as Record<string, string>, body });
      const response = await answer(sent, { incoming, outgoing });
      outgoing.writeHead(response.status).end(await response.text());
    });
  },
};

describe("the certificate of a client", () => {
  test.each(Object.entries(adapters))("is known to all functions of the routes in %s", async (_, start) => {
    const { routes, seen } = recordingRoutes();
    expect(await callBoth(await start(routes), identified)).toEqual([200, 200]);
    expect([...new Set(seen.map(([place]) => place))].sort()).toEqual([...places].sort());
    for (const [place, found] of seen) {
      expect([place, found]).toEqual([place, certificate]);
      expect(new X509Certificate(found?.raw ?? "").toString()).toBe(new X509Certificate(cert).toString());
    }
  });

  test("is known over HTTP/2, for each request of a connection", async () => {
    const { routes, seen } = recordingRoutes();
    const server = await startServer(routes, { tls: asking, http2: true });
    const session = http2Connect(server.url.replace("http:", "https:"), { ca: cert, ...identified });
    onTestFinished(() => session.destroy());
    for (let count = 0; count < 2; count++) {
      const stream = session.request({ ":path": "/en/api/core/v2/items" });
      await once(stream.resume(), "end");
    }
    const handled = seen.filter(([place]) => place === "rest handler");
    expect(handled).toEqual([
      ["rest handler", certificate],
      ["rest handler", certificate],
    ]);
    expect(handled[0]?.[1]).toBe(handled[1]?.[1]);
  });

  interface Unknown {
    readonly name: string;
    readonly server?: ListenOptions;
    readonly client?: RequestOptions;
  }
  test.each<Unknown>([
    { name: "the server does not ask for one", server: { tls: { key, cert } }, client: identified },
    { name: "the client has none", server: { tls: { ...asking, rejectUnauthorized: false } } },
    {
      name: "it has expired",
      server: { tls: { ...asking, rejectUnauthorized: false } },
      client: { key, cert: expiredCert },
    },
    {
      name: "no listed authority has issued it",
      server: { tls: { ...asking, ca: expiredCert, rejectUnauthorized: false } },
      client: identified,
    },
    {
      name: "a trusted proxy sent the request, so that it is the certificate of the proxy",
      server: { tls: asking, trustedProxies: ["127.0.0.1"] },
      client: { ...identified, headers: { "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https" } },
    },
    {
      name: "a trusted proxy sent the request without a header about the client",
      server: { tls: asking, trustedProxies: ["127.0.0.1"] },
      client: identified,
    },
    {
      name: "a trusted proxy sent the request with a header that is not selected",
      server: { tls: asking, trustedProxies: { addresses: ["127.0.0.1"], headers: "forwarded" } },
      client: { ...identified, headers: { "X-Forwarded-For": "192.0.2.1" } },
    },
    {
      name: "a trusted proxy sent the request without the address of the client",
      server: { tls: asking, trustedProxies: ["127.0.0.1"] },
      client: { ...identified, headers: { "X-Forwarded-For": "unknown" } },
    },
  ])("is undefined if $name", async ({ server: options = {}, client = {} }) => {
    const { routes, seen } = recordingRoutes();
    const { port } = await startServer(routes, { onError: () => {}, ...options });
    expect(await callBoth(port, client)).toEqual([200, 200]);
    expect(seen).toEqual(seen.map(([place]) => [place, undefined]));
    expect(seen.length).toBeGreaterThanOrEqual(places.length);
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)("remains the same if a session of %s is resumed", async (version) => {
    const { routes, seen } = recordingRoutes();
    const { port } = await startServer(routes, { tls: { ...asking, rejectUnauthorized: false } });
    const certificates = async (client: ConnectionOptions) => {
      seen.splice(0);
      const resumed: boolean[] = [];
      let session: Buffer | undefined;
      for (let count = 0; count < 2; count++) {
        const socket = tlsConnect({
          ...{ port, host: "127.0.0.1", ca: cert, servername: "localhost" },
          ...{ minVersion: version, maxVersion: version, ...client },
          ...(session === undefined ? {} : { session }),
        });
        socket.on("session", (received: Buffer) => {
          session = received;
        });
        socket.on("secureConnect", () => {
          resumed.push(socket.isSessionReused());
          socket.write("GET /en/api/core/v2/items HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        });
        await once(socket.resume(), "close");
      }
      expect(resumed).toEqual([false, true]);
      return seen.filter(([place]) => place === "rest handler").map(([, found]) => found?.fingerprint256);
    };
    expect(await certificates(identified)).toEqual([fingerprint256, fingerprint256]);
    expect(await certificates({})).toEqual([undefined, undefined]);
    expect(await certificates({ key, cert: expiredCert })).toEqual([undefined, undefined]);
  });
});

test.each([
  { name: "of an unknown authority", client: identified, ca: undefined, problem: "DEPTH_ZERO_SELF_SIGNED_CERT. " },
  {
    name: "that has expired",
    client: { key, cert: expiredCert },
    ca: [cert, expiredCert],
    problem: "CERT_HAS_EXPIRED. ",
  },
  { name: "that is accepted", client: identified, ca: cert, problem: undefined },
  { name: "that is missing", client: {}, ca: cert, problem: undefined },
])(
  "a certificate $name is reported once, although the server does not require one",
  async ({ client, ca, problem }) => {
    const messages: string[] = [];
    const tls = { ...asking, ca, rejectUnauthorized: false };
    const onError = ({ message: text }: { readonly message: string }) => void messages.push(text);
    const { seen, routes } = recordingRoutes();
    const { port } = await startServer(routes, { tls, onError });
    expect(await callBoth(port, client)).toEqual([200, 200]);
    const found = messages.filter((text) =>
      text.startsWith("The server does not accept the certificate of the client"),
    );
    expect(found).toEqual(problem === undefined ? [] : [expect.stringContaining(`at 127.0.0.1: ${problem}`)]);
    expect(found.join()).not.toContain("undefined");
    const isAccepted = client === identified && ca === cert;
    expect(seen.every(([, certificate]) => (certificate !== undefined) === isAccepted)).toBe(true);
  },
);
