import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { type AddressInfo, createServer, connect as tcpConnect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, createSecureContext, connect as tlsConnect } from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ServiceClient } from "../../src/client/index.js";
import { ConfigError } from "../../src/errors.js";
import {
  type ListenOptions,
  listen,
  type RunningServer,
  type ServerTlsOptions,
} from "../../src/server/adapters/node/listen.js";
import type { ServerIncident } from "../../src/server/index.js";
import { cert, expiredCert, expiredPfx, key } from "../client/certificate.js";
import { find, served, service } from "./fixture.js";
import { startServer } from "./sockets.js";

const input = { Key: "a", Count: 1, username: "u" };

describe("over TLS", () => {
  const status = (server: RunningServer, options: object) =>
    new Promise<number>((resolve, reject) => {
      const path = "/api/things.asmx?wsdl";
      const sent = request({ host: "127.0.0.1", port: server.port, path, ca: cert, agent: false, ...options });
      sent.on("response", (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on("error", reject).end();
    });

  test("requestCert refuses clients without a certificate that ca has signed", async () => {
    const tls = { key, cert, ca: cert, requestCert: true };
    const server = await startServer([served().routes], { tls });
    await expect(status(server, {})).rejects.toThrow();
    expect(await status(server, { key, cert })).toBe(200);
  });

  test("minVersion refuses older versions", async () => {
    const server = await startServer([served().routes], { tls: { key, cert, minVersion: "TLSv1.3" } });
    await expect(status(server, { maxVersion: "TLSv1.2" })).rejects.toThrow();
    expect(await status(server, {})).toBe(200);
  });

  test("a client that reads its answer slowly receives all of it", async () => {
    const body = Buffer.alloc(12_000_000);
    const server = await startServer([{ name: "large", answer: () => ({ status: 200, headers: [], body }) }], {
      tls: { key, cert },
      limits: { requestTimeout: 250, handlerTimeout: 250 },
    });
    const socket = tlsConnect({ host: "127.0.0.1", port: server.port, ca: cert, servername: "localhost" });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {}).pause();
    socket.write("GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    // The client reads 6 MB per second however busy the machine is: it catches up after each pause of the process.
    const bytesPerMillisecond = 6_000;
    const begunAt = performance.now();
    let received = 0;
    const readNext = (): void => {
      const isAhead = received > bytesPerMillisecond * (performance.now() - begunAt);
      received += isAhead ? 0 : ((socket.read() as Buffer | null)?.length ?? 0);
      if (!socket.closed) {
        setTimeout(() => setImmediate(readNext), isAhead ? 5 : 0);
      }
    };
    readNext();
    await once(socket, "close");
    expect(received).toBeGreaterThan(body.length);
    // Four times the time for which the server waits for a client that reads nothing.
    expect(performance.now() - begunAt).toBeGreaterThan(1_900);
  });

  test("SNICallback chooses the certificate by the host's name", async () => {
    const names: string[] = [];
    const SNICallback = (
      name: string,
      done: (error: Error | null, context: ReturnType<typeof createSecureContext>) => void,
    ) => {
      names.push(name);
      done(null, createSecureContext({ key, cert }));
    };
    const server = await startServer([served().routes], { tls: { SNICallback } });
    expect(await status(server, { servername: "localhost" })).toBe(200);
    expect(names).toEqual(["localhost"]);
  });
});

describe("a TLS handshake that fails is reported with its cause and a way out:", () => {
  /** A client that continues as if it accepted every certificate. */
  const connected = (options: ConnectionOptions) => (port: number) => {
    const socket = tlsConnect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options });
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
  };
  const sent = (message: string) => (port: number) => {
    const socket = tcpConnect(port, "127.0.0.1", () => socket.write(message, "latin1"));
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
  };
  /** Passes the first message of a client to the server, and then an alert (RFC 8446 §6) instead of the second. */
  const alerted = (alert: number) => async (port: number) => {
    const proxy = createServer((client) => {
      const server = tcpConnect(port, "127.0.0.1");
      client.once("data", (hello) => server.write(hello));
      server.once("data", () => server.write(Buffer.of(21, 3, 3, 0, 2, 2, alert)));
      for (const socket of [client, server]) {
        socket.on("error", () => {}).on("close", () => client.destroy());
      }
    });
    onTestFinished(() => void proxy.close());
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    connected({ maxVersion: "TLSv1.2" })((proxy.address() as AddressInfo).port);
  };
  const certified = { requestCert: true, ca: [cert, expiredCert] };
  const unknownHost = new Error("no such host");
  const missingFile = Object.assign(new Error("no such file"), { code: "ENOENT" });
  const failing = (error: Error) => (_name: string, done: (error: Error) => void) => done(error);

  interface FailedHandshake {
    readonly name: string;
    readonly tls?: ServerTlsOptions;
    readonly client: (port: number) => unknown;
    readonly code: string;
    readonly advice: string;
    readonly error?: Error;
  }
  test.each<FailedHandshake>([
    {
      name: "no shared version",
      tls: { minVersion: "TLSv1.3" },
      client: connected({ maxVersion: "TLSv1.2" }),
      code: "ERR_SSL_UNSUPPORTED_PROTOCOL",
      advice: 'set "tls.minVersion" to an older version',
    },
    {
      name: "no shared cipher",
      tls: { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES256-GCM-SHA384" },
      client: connected({ ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256", maxVersion: "TLSv1.2" }),
      code: "ERR_SSL_NO_SHARED_CIPHER",
      advice: "Check ciphers, key and SNICallback",
    },
    {
      name: "a request without TLS",
      client: sent("GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
      code: "ERR_SSL_HTTP_REQUEST",
      advice: "begins with http: instead of https:",
    },
    {
      name: "another protocol",
      client: sent("SSH-2.0-x\r\n"),
      code: "ERR_SSL_WRONG_VERSION_NUMBER",
      advice: "data that is not TLS",
    },
    {
      name: "no certificate of the client",
      tls: certified,
      client: connected({}),
      code: "ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE",
      advice: 'the option "tls.requestCert" requires one',
    },
    {
      name: "an expired certificate of the client",
      tls: certified,
      client: connected({ key, cert: expiredCert }),
      code: "CERT_HAS_EXPIRED",
      advice: "The client's certificate has expired",
    },
    {
      name: "a certificate of the client that nobody listed has signed",
      tls: { requestCert: true, ca: expiredCert },
      client: connected({ key, cert }),
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      advice: 'not signed by an authority in the option "tls.ca"',
    },
    {
      name: "a certificate of the client without a list of authorities",
      tls: { requestCert: true },
      client: connected({ key, cert }),
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      advice: 'Set the option "tls.ca" to the authority that signs the certificates of the clients',
    },
    {
      name: "a server's certificate of an unknown issuer",
      client: alerted(48),
      code: "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA",
      advice: 'add the intermediate certificates to the option "tls.cert"',
    },
    {
      name: "a server's certificate that the client regards as expired",
      client: alerted(45),
      code: "ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED",
      advice: "check the client's clock",
    },
    {
      name: "a server's certificate that the client rejects for another reason",
      client: alerted(46),
      code: "ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN",
      advice: "rejects the server's certificate",
    },
    {
      name: "a host name that SNICallback does not know",
      tls: { SNICallback: failing(unknownHost) },
      client: connected({ servername: "other.example" }),
      code: "for other.example failed: The function SNICallback failed",
      advice: "no such host",
      error: unknownHost,
    },
    {
      name: "a host name whose certificate SNICallback cannot read",
      tls: { SNICallback: failing(missingFile) },
      client: connected({ servername: "other.example" }),
      code: "The connection or the function SNICallback failed",
      advice: "no such file",
      error: missingFile,
    },
    {
      name: "a client that rejects the server's certificate without an alert",
      client: connected({ rejectUnauthorized: true }),
      code: "closed its connection during or right after the TLS handshake",
      advice: "may not accept the server's certificate",
    },
  ])("$name", async ({ tls, client, code, advice, error }) => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const { port } = await startServer([served().routes], { tls: { key, cert, ...tls }, onError });
    await client(port);
    await vi.waitFor(() => expect(incidents.filter(({ kind }) => kind === "tls")).toHaveLength(1));
    const { message, rule, error: reported } = incidents.find(({ kind }) => kind === "tls") ?? {};
    expect(reported).toBe(error);
    expect(rule ?? message).not.toContain("other.example");
    expect(rule ?? message).not.toContain("no such");
    expect(message).toContain("127.0.0.1");
    expect(message).toContain(code);
    expect(message).toContain(advice);
  });

  test("and a request without TLS is answered, so that its client knows the cause", async () => {
    for (const http2 of [false, true]) {
      const server = await startServer([served().routes], { tls: { key, cert }, http2, onError: () => {} });
      const answer = await fetch(server.url.replace("https:", "http:"));
      expect([answer.status, await answer.text()]).toEqual([
        400,
        "This port requires TLS: use https:// instead of http://.",
      ]);
      const baseUrl = server.url.replace("https:", "http:");
      const client = new ServiceClient(service, { baseUrl, protocol: "soap11" });
      await expect(client.call(find, input)).rejects.toThrow("The server uses TLS at this port: use https://");
    }
  });

  test("but not that a client only connects, or disconnects after its requests", async () => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const server = await startServer([served().routes], { tls: { key, cert }, onError });
    const scanned = tcpConnect(server.port, "127.0.0.1", () => scanned.destroy());
    const client = new ServiceClient(service, { baseUrl: server.url, protocol: "soap11", tls: { ca: cert } });
    await client.call(find, input);
    client.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(incidents).toEqual([]);
  });
});

describe.each([
  { name: "HTTP/1.1", http2: false },
  { name: "HTTP/2", http2: true },
])("over $name, a handshake ends although SNICallback", ({ http2 }) => {
  type Callback = NonNullable<ServerTlsOptions["SNICallback"]>;

  /** Connects to a server with the function, and returns the incidents. */
  async function connectWith(SNICallback: Callback) {
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown) => void rejections.push(reason);
    process.on("unhandledRejection", onRejection);
    onTestFinished(() => void process.off("unhandledRejection", onRejection));
    const messages: string[] = [];
    const onError = ({ message }: ServerIncident) => void messages.push(message);
    const limits = { headersTimeout: 100 };
    const server = await startServer([], { tls: { key, cert, SNICallback }, http2, limits, onError });
    const socket = tlsConnect({ port: server.port, host: "127.0.0.1", servername: "localhost", ca: cert });
    onTestFinished(() => void socket.destroy());
    const result = await new Promise((resolve) => {
      socket.on("secureConnect", () => resolve("secure")).on("error", () => resolve("refused"));
    });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(rejections).toEqual([]);
    return { result, messages };
  }

  test.each<[string, Callback, string]>([
    [
      "never answers",
      () => {},
      'HANDSHAKE_TIMEOUT. The function SNICallback in the option "tls" did not call its second',
    ],
    ["is async and ends without an answer", async () => {}, "The function SNICallback in the option"],
    ["rejects", () => Promise.reject(new Error("no database")), "The function SNICallback failed: no database"],
    ["rejects without an error", () => Promise.reject(), "The function SNICallback failed: It threw undefined."],
    [
      "returns its result",
      async () => createSecureContext({ key, cert }),
      "The function SNICallback failed: It returned a promise of its result. It must pass the result to its second",
    ],
  ])("%s", async (_, callback, message) => {
    const { result, messages } = await connectWith(callback);
    expect(result).toBe("refused");
    expect(messages).toEqual([expect.stringContaining(message)]);
  });

  test("answers twice", async () => {
    const context = createSecureContext({ key, cert });
    const { result, messages } = await connectWith((_, done) => {
      done(null, context);
      done(null, context);
    });
    expect([result, ...messages]).toEqual(["secure"]);
  });
});

test("TLS handshakes that never end are limited, and do not block other clients", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const server = await startServer([served().routes], { tls: { key, cert }, limits: { connections: 3 }, onError });
  const silent = Array.from({ length: 20 }, () => tcpConnect(server.port, "127.0.0.1"));
  onTestFinished(() => silent.forEach((socket) => void socket.destroy()));
  for (const socket of silent) {
    socket.on("error", () => {}).resume();
  }
  await vi.waitFor(() => expect(silent.filter(({ closed }) => closed)).toHaveLength(17));
  expect(new Set(incidents.map(({ kind }) => kind))).toEqual(new Set(["limit.connections"]));
  expect(incidents[0]?.message).toMatch(
    /A connection from 127\.0\.0\.1 was closed for the new one, from 127\.0\.0\.1\.$/,
  );
  const client = new ServiceClient(service, { baseUrl: server.url, protocol: "soap11", tls: { ca: cert } });
  expect(await client.call(find, input)).toMatchObject({ Name: "a & b" });
});

test("TLS handshakes of one address do not push out those of another", async () => {
  const limits = { connections: 3 };
  const server = await startServer([served().routes], { tls: { key, cert }, limits, onError: () => {} });
  const silent = (localAddress: string) => {
    const socket = tcpConnect({ port: server.port, host: "127.0.0.1", localAddress });
    onTestFinished(() => void socket.destroy());
    return socket.on("error", () => {}).resume();
  };
  const other = silent("127.0.0.2");
  await new Promise((resolve) => other.once("connect", resolve));
  const flood = Array.from({ length: 20 }, () => silent("127.0.0.1"));
  await vi.waitFor(() => expect(flood.filter(({ closed }) => closed)).toHaveLength(18));
  expect(other.closed).toBe(false);
});

test("TLS handshakes over a Unix socket are limited, and secure connections stay open", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bothends-socket-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "service.sock");
  await startServer([served().routes], { path, tls: { key, cert }, limits: { connections: 3 }, onError: () => {} });
  const secure = tlsConnect({ path, ca: cert, checkServerIdentity: () => undefined });
  onTestFinished(() => void secure.destroy());
  await new Promise((resolve) => secure.once("secureConnect", resolve));
  const silent = Array.from({ length: 20 }, () => tcpConnect(path));
  onTestFinished(() => silent.forEach((socket) => void socket.destroy()));
  for (const socket of silent) {
    socket.on("error", () => {}).resume();
  }
  await vi.waitFor(() => expect(silent.filter(({ closed }) => closed)).toHaveLength(17));
  expect(secure.closed).toBe(false);
});

test("a PFX that cannot be read is refused with the name of the option, and an empty certificate is ignored", async () => {
  const junk = { pfx: "junk", passphrase: "p" };
  const tls = { SNICallback: () => {}, cert: "" };
  const refused = await listen([], { host: "127.0.0.1", tls: junk }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(String(refused)).toContain('The option "tls" cannot be used: not enough data. Check that ');
  const server = await startServer([], { tls });
  expect(server.url).toMatch(/^https:/);
});

test("a certificate is checked again each day, because a server may run longer than it is valid", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const intervals = vi.spyOn(globalThis, "setInterval");
  onTestFinished(() => {
    vi.useRealTimers();
    intervals.mockRestore();
  });
  const day = 86_400_000;
  const expiry = Date.parse(new X509Certificate(cert).validTo);
  vi.setSystemTime(expiry - 7.5 * day);
  const messages: string[] = [];
  const onError = ({ kind, message }: ServerIncident) => void messages.push(`${kind}: ${message}`);
  await startServer([], { tls: { key, cert }, onError });
  expect(messages).toEqual([]);
  const daily = intervals.mock.calls.find(([, milliseconds]) => milliseconds === day)?.[0] as () => void;
  vi.setSystemTime(expiry - 6.5 * day);
  daily();
  await expect.poll(() => messages.at(-1)).toMatch(/^config: .* is valid from .*: it expires within a week, and/);
  vi.setSystemTime(expiry + day);
  daily();
  await expect
    .poll(() => messages.at(-1))
    .toMatch(/^config: .* is valid from .*: it has expired, so clients refuse it/);
});

/** The messages of a server whose certificate comes from the option `tls`. */
async function messagesWith(tls: ServerTlsOptions, options: ListenOptions = {}) {
  const messages: string[] = [];
  const onError = ({ kind, message }: ServerIncident) => void messages.push(`${kind}: ${message}`);
  return { server: await startServer([], { tls, onError, ...options }), messages };
}

test("the certificate in the option pfx is checked like that of the option cert", async () => {
  const expired = { pfx: Buffer.from(expiredPfx, "base64"), passphrase: "secret" };
  const inList = { pfx: [{ buf: Buffer.from(expiredPfx, "base64"), passphrase: "secret" }] };
  for (const tls of [expired, inList]) {
    const { messages } = await messagesWith(tls);
    expect(messages).toEqual([
      expect.stringMatching(/^config: The certificate of the option "tls" is valid from .* 2020 GMT: it has expired/),
    ]);
  }
});

test.each([
  { name: "HTTP/1.1", http2: false },
  { name: "HTTP/2", http2: true },
])("over $name, a certificate that SNICallback chooses is checked when a client receives it", async ({ http2 }) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const contexts = { old: createSecureContext({ key, cert: expiredCert }), valid: createSecureContext({ key, cert }) };
  const SNICallback: ServerTlsOptions["SNICallback"] = (name, done) =>
    done(null, name.startsWith("old") ? contexts.old : contexts.valid);
  const { server, messages } = await messagesWith({ key, cert, SNICallback }, { http2 });
  const connected = async (servername: string) => {
    const socket = tlsConnect({ port: server.port, host: "127.0.0.1", servername, rejectUnauthorized: false });
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.once("secureConnect", resolve));
    socket.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  };
  for (const name of ["valid.example", "old.example", "old.example", "old2.example", "a b"]) {
    await connected(name);
  }
  const expired =
    /^config: The certificate that SNICallback chose for old\.example is valid from .* 2020 GMT: it has expired/;
  await expect.poll(() => messages).toEqual([expect.stringMatching(expired)]);
  // The next day, it is reported again.
  vi.setSystemTime(Date.now() + 86_400_000);
  await connected("old.example");
  await expect.poll(() => messages).toEqual([expect.stringMatching(expired), expect.stringMatching(expired)]);
});
