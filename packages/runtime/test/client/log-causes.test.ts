import { generateKeyPairSync } from "node:crypto";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { ServiceClient, type SoapClientOptions } from "../../src/client/index.js";
import { fetchTransport } from "../../src/client/transports/fetch-transport.js";
import { lineLogger } from "../../src/observe/index.js";
import { cert, key } from "./certificate.js";
import { always, failureOf, localServer } from "./local-server.js";
import { find, lookup } from "./lookup.js";

/** Returns the line that the default log of a client contains about a failed call. */
async function readLine(baseUrl: string, options: SoapClientOptions = {}): Promise<string> {
  const lines: string[] = [];
  const log = lineLogger({ format: "text", write: (line) => void lines.push(line) });
  const client = new ServiceClient(lookup, { baseUrl, timeout: 2_000, connectTimeout: 100, ...options, ...log });
  onTestFinished(() => client.close());
  await failureOf(client.call(find, { Key: "A", user: "u" }));
  const failures = lines.filter((line) => line.includes(" error "));
  expect(failures).toHaveLength(1);
  return failures[0] ?? "";
}

/** Starts a server of TCP, or of TLS, that passes each connection to a function. Returns its host and port. */
async function listen(accept: (socket: Socket) => void, isSecure = false): Promise<string> {
  const sockets = new Set<Socket>();
  const addSocket = (socket: Socket) => {
    sockets.add(socket.on("error", () => {}));
    accept(socket);
  };
  const server = isSecure ? createTlsServer({ key, cert }, addSocket) : createServer(addSocket);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a host that accepts a connection, but does not answer the TLS handshake", async () => {
  const line = await readLine(`https://${await listen(() => {})}`);
  expect(line).toContain("No complete TLS handshake within 100 ms. The host accepted the connection, but did not");
});

test("a server that closes a TLS connection before the answer may require a client certificate", async () => {
  const host = await listen((socket) => void socket.once("data", () => socket.destroy()), true);
  const line = await readLine(`https://${host}`, { tls: { ca: cert }, connectTimeout: 2_000 });
  expect(line).toContain("If the server requires a client certificate, check the options");
});

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const encryptedKey = privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-128-cbc", passphrase: "q" });

test.each([
  {
    name: "a key of another certificate",
    tls: { cert, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() },
    want: 'The options "tls.cert" and "tls.key" do not belong together',
  },
  { name: "a damaged certificate", tls: { cert: cert.replace("MII", "///") }, want: "is damaged or not in PEM format" },
  { name: "an encrypted key", tls: { cert, key: encryptedKey.toString() }, want: 'set the option "tls.passphrase"' },
  {
    name: "a wrong passphrase",
    tls: { cert, key: encryptedKey.toString(), passphrase: "z" },
    want: 'set the option "tls.passphrase", or check its value',
  },
])("$name in the option tls", async ({ tls, want }) => {
  expect(await readLine("https://127.0.0.1:1", { tls })).toContain(want);
});

test.each(["/tmp/no-such-server.sock", import.meta.filename])("the socket %s without a server", async (socketPath) => {
  const line = await readLine("http://service.example", { socketPath });
  expect(line).toContain('No server listens at the path in the option "socketPath"');
  expect(line).not.toContain("baseUrl");
});

test("a port that fetch blocks", async () => {
  const line = await readLine("http://127.0.0.1:22", { transport: fetchTransport(fetch) });
  expect(line).toContain("bad port. The function fetch refuses this port");
});

test.each([
  { name: "Digest", answer: [401, undefined, "", { "WWW-Authenticate": "Digest realm=x" }], want: "Digest" },
  { name: "a redirect without a target", answer: [302, undefined, ""], want: "The redirect names no target" },
  { name: "a firewall", answer: [406, "text/html", "<title>mod_security</title>"], want: "or a firewall in front" },
  { name: "Cloudflare", answer: [525, "text/plain", "handshake failed"], want: "A gateway did not reach the server" },
  {
    name: "an error of PHP",
    answer: [200, "text/html", "<br />\n<b>Fatal error</b>: Out of memory"],
    want: "a program such as PHP may have written a warning",
  },
] satisfies { name: string; answer: Parameters<typeof always>; want: string }[])(
  "an answer of $name",
  async ({ answer, want }) => {
    const server = await localServer(always(...(answer as Parameters<typeof always>)));
    expect(await readLine(server.url)).toContain(want);
  },
);

test.each(["http", "https"])("a proxy for %s that accepts only Windows authentication", async (scheme) => {
  const answer =
    "HTTP/1.1 407 X\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n";
  const host = await listen((socket) => void socket.once("data", () => socket.write(answer)));
  const line = await readLine(`${scheme}://service.invalid`, { proxy: `http://${host}`, connectTimeout: 2_000 });
  expect(line).toContain("The proxy does not accept Basic");
});

test("a proxy that refuses a call to http:", async () => {
  const server = await localServer(always(403, "text/html", "<title>Access Denied</title>"));
  const line = await readLine("http://service.invalid", { proxy: server.url });
  expect(line).toContain("The proxy, or the server behind it, refused the call");
});
