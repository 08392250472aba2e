import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ServiceClient, type SoapClientOptions } from "../../src/client/index.js";
import { ntlmTransport } from "../../src/client/transports/ntlm.js";
import {
  computeMd4,
  computeResponse,
  computeResponseKey,
  readChallenge,
} from "../../src/client/transports/ntlm-messages.js";
import { HttpStatusError, TimeoutError } from "../../src/index.js";
import { failureOf } from "./local-server.js";
import { envelope, find, found, item, lookup } from "./lookup.js";

const input = { Key: "A", user: "u" };
const good = envelope(found());
const user = { username: "User", password: "Password", domain: "Domain" };
const utf16 = (text: string) => Buffer.from(text, "utf16le");
const hmac = (key: Buffer, ...parts: Buffer[]) => createHmac("md5", key).update(Buffer.concat(parts)).digest();

test.each([
  { text: "", want: "31d6cfe0d16ae931b73c59d7e0c089c0" },
  { text: "abc", want: "a448017aaf21d8525fc10ae87aa6729d" },
  { text: "abcdefghijklmnopqrstuvwxyz", want: "d79e1c308aa5bbcdeea8ed63df412da9" },
  {
    text: "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
    want: "e33b4ddc9c38f2199c3e7b164fcc0536",
  },
])("RFC 1320 §A.5: MD4 of '$text'", ({ text, want }) => {
  expect(Buffer.from(computeMd4(Buffer.from(text))).toString("hex")).toBe(want);
});

test("MS-NLMP §4.2.4: keys and response of the example", () => {
  const key = computeResponseKey(user);
  expect(key.toString("hex")).toBe("0c868a403bfd7a93a3001ef22ef02e3f");
  const pair = (id: number, text: string) => Buffer.concat([Buffer.from([id, 0, text.length * 2, 0]), utf16(text)]);
  const targetInfo = Buffer.concat([pair(2, "Domain"), pair(1, "Server"), Buffer.alloc(4)]);
  const made = computeResponse(
    key,
    { nonce: Buffer.from("0123456789abcdef", "hex") },
    { nonce: Buffer.alloc(8, 0xaa), time: Buffer.alloc(8), targetInfo },
  );
  expect(made.response.subarray(0, 16).toString("hex")).toBe("68cd0ab851e51c96aabc927bebef6a1c");
  expect(made.sessionKey.toString("hex")).toBe("8de40ccadbc14a82f15cb0ad0de95ca3");
});

interface Windows {
  /** Whether the challenge contains the time, which requires a message integrity code. */
  readonly timed?: boolean;
  readonly scheme?: string;
  /** The server's header in place of a challenge. */
  readonly challenge?: string;
}

/** A server that authenticates connections by NTLM. It knows only the MD4 hash of the password. */
async function windowsServer({ timed = false, scheme = "NTLM", challenge }: Windows = {}) {
  const known = new Set<Socket>();
  const challenged = new Map<Socket, { readonly first: Buffer; readonly second: Buffer }>();
  const log: string[] = [];
  const server = createServer((request, response) => {
    const { socket } = request;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const token = Buffer.from(request.headers.authorization?.split(" ")[1] ?? "", "base64");
      const kind = token.length > 12 ? token.readUInt32LE(8) : 0;
      log.push(`${kind} ${Buffer.concat(chunks).length > 0 ? "body" : "empty"}${known.has(socket) ? " known" : ""}`);
      const refuse = (value: string) => response.writeHead(401, { "WWW-Authenticate": value }).end("who?");
      const exchange = challenged.get(socket);
      if (kind === 1) {
        const second = challengeMessage(timed);
        challenged.set(socket, { first: token, second });
        return refuse(challenge ?? `${scheme} ${second.toString("base64")}`);
      }
      if (kind === 3 && exchange !== undefined && isRight(token, exchange)) {
        known.add(socket);
      }
      if (!known.has(socket)) {
        return refuse(scheme);
      }
      response.writeHead(200, { "Content-Type": "text/xml" }).end(good);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, log };
}

function challengeMessage(timed: boolean): Buffer {
  const time = Buffer.from("0700080000112233445566 77".replace(" ", ""), "hex");
  const info = Buffer.concat([Buffer.from("02000200", "hex"), utf16("D"), ...(timed ? [time] : []), Buffer.alloc(4)]);
  const head = Buffer.alloc(48);
  head.write("NTLMSSP\0", "latin1");
  head.writeUInt32LE(2, 8);
  head.writeUInt32LE(0xa2898205, 20);
  head.write("0123456789abcdef", 24, "hex");
  head.writeUInt16LE(info.length, 40);
  head.writeUInt16LE(info.length, 42);
  head.writeUInt32LE(48, 44);
  return Buffer.concat([head, info]);
}

function isRight(third: Buffer, { first, second }: { readonly first: Buffer; readonly second: Buffer }): boolean {
  const field = (at: number) => {
    const start = third.readUInt32LE(at + 4);
    return third.subarray(start, start + third.readUInt16LE(at));
  };
  const [nt, domain, name] = [field(20), field(28), field(36)];
  const hash = Buffer.from("a4f49c406510bdcab6824ee7c30fd852", "hex");
  const key = hmac(hash, utf16(name.toString("utf16le").toUpperCase()), domain);
  const proof = hmac(key, Buffer.from("0123456789abcdef", "hex"), nt.subarray(16));
  if (!proof.equals(nt.subarray(0, 16))) {
    return false;
  }
  const timed = nt.includes(Buffer.from("0600040002000000", "hex"));
  if (timed !== second.includes(Buffer.from("07000800", "hex"))) {
    return false;
  }
  if (!timed) {
    return true;
  }
  const blank = Buffer.from(third);
  blank.fill(0, 72, 88);
  return hmac(hmac(key, proof), first, second, blank).equals(third.subarray(72, 88));
}

function clientOf(url: string, password = user.password, options: SoapClientOptions = {}) {
  const transport = ntlmTransport({ ...user, password });
  onTestFinished(() => transport.close?.());
  return new ServiceClient(lookup, { baseUrl: url, transport, authorization: "Bearer not-for-windows", ...options });
}

test.each([{}, { timed: true }, { scheme: "Negotiate" }])(
  "three steps authenticate a connection, which serves the following calls: %j",
  async (options) => {
    const { url, log } = await windowsServer(options);
    const client = clientOf(url);
    expect(await client.call(find, input)).toEqual(item);
    expect(await client.call(find, input)).toEqual(item);
    expect(log).toEqual(["0 body", "1 empty", "3 body", "0 body known"]);
  },
);

test("an answer after the three steps is passed on while it arrives", async () => {
  const server = await windowsServer();
  const transport = ntlmTransport(user);
  onTestFinished(() => transport.close?.());
  const chunks: Uint8Array[] = [];
  await transport.send({
    method: "POST",
    url: server.url,
    headers: {},
    body: "x",
    bodyBytes: 1000,
    connectTimeout: 1000,
    signal: new AbortController().signal,
    onCancel: () => () => {},
    checkHead() {},
    collect: ({ status }) =>
      status === 200 ? { size: 0, add: (chunk) => void chunks.push(chunk), bytes: () => new Uint8Array() } : undefined,
  });
  expect(Buffer.concat(chunks).toString()).toBe(good);
});

test("concurrent calls have separate connections", async () => {
  const { url, log } = await windowsServer();
  const client = clientOf(url);
  const all = () => Promise.all([client.call(find, input), client.call(find, input), client.call(find, input)]);
  expect(await all()).toEqual([item, item, item]);
  expect(await all()).toEqual([item, item, item]);
  expect(log.filter((line) => line === "3 body")).toHaveLength(3);
  expect(log.filter((line) => line.endsWith("known"))).toHaveLength(3);
});

test.each([
  {
    name: "another password",
    options: {},
    password: "password",
    steps: 3,
    hint: "The server refused the user or the password: check the options of ntlmTransport",
  },
  {
    name: "no NTLM",
    options: { scheme: "Basic realm=x" },
    password: "Password",
    steps: 1,
    hint: "The server requires a user and a password",
  },
  {
    name: "no challenge",
    options: { challenge: "NTLM" },
    password: "Password",
    steps: 2,
    hint: "The server offers Windows authentication, but does not send a valid challenge",
  },
  {
    name: "a bad challenge",
    options: { challenge: `NTLM ${"A".repeat(64)}` },
    password: "Password",
    steps: 2,
    hint: "The server offers Windows authentication, but does not send a valid challenge",
  },
])("$name is 401, and the message and the log name the cause", async ({ options, password, steps, hint }) => {
  const { url, log } = await windowsServer(options);
  const incidents: string[] = [];
  const client = clientOf(url, password, { onError: ({ message }) => void incidents.push(message) });
  const error = await failureOf(client.call(find, input));
  expect(error).toBeInstanceOf(HttpStatusError);
  expect(error).toMatchObject({ status: 401, body: "who?", message: expect.stringContaining(hint) });
  expect(incidents).toEqual([expect.stringContaining(hint)]);
  expect(log).toHaveLength(steps);
});

test("a challenge that refers beyond its end is not read", () => {
  const challenge = challengeMessage(true);
  expect(readChallenge(challenge)).toBeDefined();
  expect(readChallenge(challenge.subarray(0, -1))).toBeUndefined();
  expect(readChallenge(challenge.subarray(0, 47))).toBeUndefined();
  challenge.writeUInt32LE(0xffffffff, 44);
  expect(readChallenge(challenge)).toBeUndefined();
});

test("the timeout applies to all steps", async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await failureOf(clientOf(url).call(find, input, { timeout: 50 }))).toBeInstanceOf(TimeoutError);
});
