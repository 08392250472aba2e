import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConfigError } from "../../src/errors.js";
import { listen } from "../../src/server/adapters/node/listen.js";
import type { ServerIncident } from "../../src/server/index.js";
import { cert, expiredCert, key } from "../client/certificate.js";
import { served } from "./fixture.js";
import { startServer } from "./sockets.js";

/** Returns the end of the validity of the certificate that a new connection receives. */
async function validityAt(port: number): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { valid_to } = socket.getPeerCertificate();
  socket.destroy();
  return valid_to;
}

const validTo = (text: string) => new X509Certificate(text).validTo;
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const otherKey = privateKey.export({ type: "pkcs8", format: "pem" });

describe.each([false, true])("a server with http2: %s", (http2) => {
  test("gives new connections a renewed certificate, and keeps others", async () => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void (incident.kind === "config" && incidents.push(incident));
    const server = await startServer([served().routes], { tls: { key, cert: expiredCert }, http2, onError });
    expect(incidents).toMatchObject([{ kind: "config", message: expect.stringContaining("setCertificate") }]);
    const old = connect({ host: "127.0.0.1", port: server.port, rejectUnauthorized: false });
    await once(old, "secureConnect");
    onTestFinished(() => void old.destroy());
    expect(await validityAt(server.port)).toBe(validTo(expiredCert));
    await server.setCertificate({ key, cert });
    expect(await validityAt(server.port)).toBe(validTo(cert));
    expect([old.destroyed, incidents.length]).toEqual([false, 1]);
    await server.setCertificate({ cert: expiredCert });
    expect(incidents).toHaveLength(2);
  });

  test.each<[string, object]>([
    ["another key", { key: otherKey, cert: expiredCert }],
    ["a file name", { cert: "/etc/tls/cert.pem" }],
    ["no text", { cert: 5 }],
  ])("keeps its certificate if the new one has %s", async (_, certificate) => {
    const server = await startServer([served().routes], { tls: { key, cert }, http2, onError: () => {} });
    await expect(server.setCertificate(certificate)).rejects.toThrow(ConfigError);
    expect(await validityAt(server.port)).toBe(validTo(cert));
    await server.setCertificate({ cert: expiredCert });
    expect(await validityAt(server.port)).toBe(validTo(expiredCert));
  });
});

test("a server without TLS has no certificate to replace", async () => {
  const server = await startServer([served().routes], {});
  await expect(server.setCertificate({ key, cert })).rejects.toThrow('without the option "tls"');
});

test.each([
  [true, 0o777],
  [false, 0o755],
])("with writableAll: %s, the mode of a Unix socket is %o", async (writableAll, mode) => {
  const folder = mkdtempSync(join(tmpdir(), "socket-"));
  const umask = process.umask(0o022);
  const server = await listen([served().routes], { path: join(folder, "s"), writableAll });
  process.umask(umask);
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  expect(statSync(join(folder, "s")).mode & 0o222).toBe(mode & 0o222);
});

test.each<[object, string]>([
  [{ port: 0, writableAll: true }, 'The option "writableAll" is for Unix sockets only.'],
  [{ path: "/tmp/never", writableAll: 1 }, 'The option "writableAll" must be true or false'],
])("a writableAll that has no effect is refused (%#)", async (options, message) => {
  await expect(listen([], options)).rejects.toThrow(message);
});

test.each([
  [{}, 'requires the option "key" or "cert"'],
  [{ key: undefined }, 'requires the option "key" or "cert"'],
  [{ privkey: key, fullchain: cert }, 'setCertificate has no option "privkey"'],
  [null, "The options of setCertificate must be an object"],
])("setCertificate refuses %j, which would replace nothing", async (certificate, message) => {
  const server = await startServer([served().routes], { tls: { key, cert } });
  const error = await server.setCertificate(certificate as never).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain(message);
});
