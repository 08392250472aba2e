import { request } from "node:https";
import { createServer } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { ServiceClient } from "../../src/client/index.js";
import { ConfigError } from "../../src/errors.js";
import { chooseLevel } from "../../src/observe/incident-lines.js";
import { listen, type ServerTlsOptions } from "../../src/server/adapters/node/listen.js";
import type { ServerIncident } from "../../src/server/index.js";
import { cert as selfSigned, key as selfSignedKey } from "../client/certificate.js";
import { clientCert, intermediateCert, chainKey as key, rootCert, serverCert } from "../client/certificate-chain.js";
import { failureOf } from "../client/local-server.js";
import { find, lookup } from "../client/lookup.js";
import { served } from "./fixture.js";

async function start(tls: ServerTlsOptions) {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const server = await listen([served().routes], { host: "127.0.0.1", tls, onError });
  onTestFinished(async () => void (await server.close()));
  return { server, incidents };
}

/** Calls the server with a client of Node. Resolves to the status, or to the code of the error. */
async function callWith(port: number, options: object): Promise<unknown> {
  return await new Promise((resolve) => {
    request({ host: "127.0.0.1", port, path: "/x", agent: false, ...options }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", (error) => resolve("code" in error ? error.code : error.message))
      .end();
  });
}

const fullChain = serverCert + intermediateCert;
const missingIssuer = 'The option "tls.cert" does not have the certificate of "Test Intermediate"';

describe("at its start, listen reports a certificate without the one that issued it", () => {
  test.each<{ name: string; tls: ServerTlsOptions; isReported: boolean }>([
    { name: "the certificate only", tls: { key, cert: serverCert }, isReported: true },
    { name: "bytes", tls: { key, cert: Buffer.from(serverCert) }, isReported: true },
    { name: "the chain of another certificate", tls: { key, cert: serverCert + rootCert }, isReported: true },
    {
      name: "the certificate of another authority in ca",
      tls: { key, cert: serverCert, ca: rootCert },
      isReported: true,
    },
    { name: "the whole chain", tls: { key, cert: fullChain }, isReported: false },
    { name: "the chain with its root", tls: { key, cert: fullChain + rootCert }, isReported: false },
    { name: "a list of one chain", tls: { key, cert: [fullChain] }, isReported: false },
    {
      name: "the intermediate in ca",
      tls: { key, cert: serverCert, ca: [rootCert, intermediateCert] },
      isReported: false,
    },
    { name: "a self-signed certificate", tls: { key: selfSignedKey, cert: selfSigned }, isReported: false },
  ])("$name: $isReported", async ({ tls, isReported }) => {
    const { server, incidents } = await start(tls);
    expect(incidents.map(({ message }) => message.slice(0, missingIssuer.length))).toEqual(
      isReported ? [missingIssuer] : [],
    );
    expect(incidents.map(chooseLevel)).toEqual(isReported ? ["warning"] : []);
    // The report is right: a client that trusts only the root refuses exactly these servers.
    const isComplete = (await callWith(server.port, { ca: [rootCert, selfSigned], servername: "localhost" })) === 404;
    expect(isComplete).toBe(!isReported);
  });

  test("and when the certificate is replaced", async () => {
    const { server, incidents } = await start({ key, cert: fullChain });
    await server.setCertificate({ key, cert: fullChain });
    expect(incidents).toEqual([]);
    await server.setCertificate({ key, cert: serverCert });
    expect(incidents.map(({ message }) => message)).toEqual([expect.stringContaining(missingIssuer)]);
  });
});

const order = (position: number) => `The key belongs to certificate number ${position} in cert`;
const together = "Check that key and cert are in PEM format and belong together";

test.each<[name: string, tls: ServerTlsOptions, advice: string]>([
  ["the intermediate first", { key, cert: intermediateCert + serverCert }, order(2)],
  ["the root first", { key, cert: rootCert + intermediateCert + serverCert }, order(3)],
  ["bytes", { key: Buffer.from(key), cert: Buffer.from(intermediateCert + serverCert) }, order(2)],
  ["lists", { key: [{ pem: key }], cert: [intermediateCert + serverCert] } as ServerTlsOptions, order(2)],
  ["another key", { key: selfSignedKey, cert: fullChain }, together],
  ["another certificate", { key, cert: selfSigned }, together],
])("a chain that does not begin with the certificate of the key is explained: %s", async (_, tls, advice) => {
  const failure = await failureOf(listen([served().routes], { host: "127.0.0.1", tls }));
  expect(failure).toBeInstanceOf(ConfigError);
  expect((failure as Error).message).toContain(advice);
  const { server } = await start({ key, cert: fullChain });
  const replaced = await failureOf(server.setCertificate(tls));
  expect((replaced as Error).message).toContain(advice);
});

test("the client explains a certificate of the server that is only for clients", async () => {
  const server = createServer(
    { key, cert: clientCert + intermediateCert },
    (socket) => void socket.on("error", () => {}),
  );
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  const tls = { ca: rootCert, servername: "localhost" };
  const client = new ServiceClient(lookup, { baseUrl: `https://127.0.0.1:${port}`, tls });
  onTestFinished(() => client.close());
  const failure = await failureOf(client.call(find, { Key: "a", user: "u" }));
  expect((failure as Error).message).toContain("do not include servers (serverAuth)");
});

test("a server explains a certificate of a client that is only for servers", async () => {
  const { server, incidents } = await start({ key, cert: fullChain, ca: rootCert, requestCert: true });
  const connection = { ca: rootCert, servername: "localhost", key };
  expect(await callWith(server.port, { ...connection, cert: clientCert + intermediateCert })).toBe(404);
  await callWith(server.port, { ...connection, cert: fullChain });
  await expect
    .poll(() => incidents.map(({ message }) => message))
    .toEqual([expect.stringContaining("do not include clients (clientAuth)")]);
});
