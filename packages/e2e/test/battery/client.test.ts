import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { ContentClient } from "@bothends/client/content";
import {
  BothendsError,
  DecodeError,
  HttpStatusError,
  ProtocolError,
  SoapFault,
  TimeoutError,
  TransportError,
  VehicleClient,
} from "@bothends/client/vehicle";
import { RestError } from "@bothends/runtime";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { envelope, reg, soap12 } from "./requests.js";

type Answering = (socket: Socket) => void;

let peer: Server;
let port = 0;
let answering: Answering = () => undefined;
const open = new Set<Socket>();
const heard: string[] = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);

beforeAll(async () => {
  process.on("unhandledRejection", onRejection);
  peer = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.once("data", (data) => {
      heard.push(data.toString("latin1"));
      answering(socket);
    });
  });
  await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
  const address = peer.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterEach(() => {
  for (const socket of open) {
    socket.destroy();
  }
  expect(rejections).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});
afterAll(async () => {
  process.off("unhandledRejection", onRejection);
  await new Promise((resolve) => peer.close(resolve));
});

/** Returns the bytes of a complete HTTP answer. */
function answer(status: number, contentType: string | undefined, body: string | Uint8Array, extra = ""): Answering {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const type = contentType === undefined ? "" : `Content-Type: ${contentType}\r\n`;
  const head = `HTTP/1.1 ${status} Any\r\n${type}${extra}Content-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`;
  return (socket) => {
    socket.write(head);
    socket.end(bytes);
  };
}

const written = (text: string) => (socket: Socket) => void socket.end(text);
const xml = "text/xml; charset=utf-8";
const soapXml = "application/soap+xml; charset=utf-8";
const response = (content: string, namespace = reg) =>
  `<CheckUSAResponse xmlns="${namespace}">${content}</CheckUSAResponse>`;
const italy = (content: string) =>
  envelope(
    `<CheckInsuranceStatusItalyWithVehicleTypeResponse xmlns="http://vehicle.example/bespoke/"><CheckInsuranceStatusItalyWithVehicleTypeResult>${content}</CheckInsuranceStatusItalyWithVehicleTypeResult></CheckInsuranceStatusItalyWithVehicleTypeResponse>`,
  );
const fault11 = "<s:Fault><faultcode>s:Server</faultcode><faultstring>no</faultstring></s:Fault>";
const fault12 =
  "<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value xmlns:m='urn:m'>m:Sub</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang='en'>no</s:Text></s:Reason></s:Fault>";
const user = "secret-user";

type Call = () => Promise<unknown>;
const vehicle = () =>
  new VehicleClient({ baseUrl: `http://u:secret-password@127.0.0.1:${port}`, username: user, timeout: 1_500 });
const lookUp: Call = () => vehicle().reg.checkUSA({ RegistrationNumber: "A", State: "NY" });
const insurance: Call = () =>
  vehicle().bespokeapi.checkInsuranceStatusItalyWithVehicleType({ regNumber: "A", vehicleType: "C" });
const content = () => new ContentClient({ siteUrl: `http://u:secret-password@127.0.0.1:${port}`, timeout: 1_500 });
const projects: Call = () => content().core.project.list();

interface Row {
  readonly name: string;
  readonly peer: Answering;
  readonly want: new (...parameters: never) => BothendsError;
  readonly call?: Call;
  readonly path?: RegExp;
}

const json = "application/json";
const rows: readonly Row[] = [
  { name: "connection reset", peer: (socket) => socket.resetAndDestroy(), want: TransportError },
  { name: "slow: nothing", peer: () => undefined, want: TimeoutError },
  {
    name: "slow: half a body",
    peer: (socket) => void socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${xml}\r\nContent-Length: 9\r\n\r\n<`),
    want: TimeoutError,
  },
  {
    name: "slow: only interim answers",
    peer: (socket) => void socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(1_000)),
    want: TimeoutError,
  },
  {
    name: "upgrade to another protocol",
    peer: (socket) => void socket.write("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    want: TransportError,
  },
  {
    name: "incomplete: shorter than Content-Length",
    peer: written(`HTTP/1.1 200 OK\r\nContent-Type: ${xml}\r\nContent-Length: 9\r\n\r\n<`),
    want: TransportError,
  },
  {
    name: "incomplete: invalid chunk",
    peer: written(`HTTP/1.1 200 OK\r\nContent-Type: ${xml}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`),
    want: TransportError,
  },
  { name: "another protocol than HTTP", peer: written("SSH-2.0-x\r\n"), want: TransportError },
  ...["http://127.0.0.1:1/", "//other.example/", "file:///etc/passwd"].map((to) => ({
    name: `redirect to: ${to}`,
    peer: answer(307, xml, "", `Location: ${to}\r\n`),
    want: ProtocolError,
  })),
  {
    name: "Content-Encoding: gzip of 20 MB",
    peer: answer(200, xml, gzipSync(Buffer.alloc(2e7)), "Content-Encoding: gzip\r\n"),
    want: ProtocolError,
  },
  {
    name: "Content-Encoding: unknown",
    peer: answer(200, xml, "x", "Content-Encoding: x-secret\r\n"),
    want: ProtocolError,
  },
  {
    name: "over a limit: Content-Length",
    peer: written(`HTTP/1.1 200 OK\r\nContent-Type: ${xml}\r\nContent-Length: 99999999\r\n\r\n`),
    want: ProtocolError,
  },
  { name: "status and type: 200 with HTML", peer: answer(200, "text/html", "<html>"), want: ProtocolError },
  { name: "status and type: 500 with HTML", peer: answer(500, "text/html", "x".repeat(2e5)), want: HttpStatusError },
  { name: "status and type: 404 with JSON", peer: answer(404, "application/json", "{}"), want: HttpStatusError },
  { name: "status and type: empty 200", peer: answer(200, xml, ""), want: ProtocolError },
  { name: "fault: SOAP 1.1 with status 200", peer: answer(200, xml, envelope(fault11)), want: SoapFault },
  {
    name: "fault: SOAP 1.2 to a client of 1.1",
    peer: answer(500, soapXml, envelope(fault12, { namespace: soap12 })),
    want: SoapFault,
  },
  {
    name: "fault: huge detail",
    peer: answer(500, xml, envelope(fault11.replace("</s:Fault>", `<detail>${"<a/>".repeat(5e4)}</detail></s:Fault>`))),
    want: SoapFault,
  },
  {
    name: "body: other operation",
    peer: answer(200, xml, envelope(response("").replaceAll("USA", "France"))),
    want: DecodeError,
    path: /^\/Envelope\/Body/,
  },
  {
    name: "body: wrong namespace",
    peer: answer(200, xml, envelope(response("", `${reg}/`))),
    want: DecodeError,
    path: /^\/Envelope\/Body/,
  },
  { name: "body: empty", peer: answer(200, xml, envelope("")), want: DecodeError, path: /^\/Envelope\/Body/ },
  {
    name: "value: invalid boolean",
    peer: answer(200, xml, italy("<Expiry>2026-01-01T00:00:00</Expiry><IsInsured>True</IsInsured>")),
    want: DecodeError,
    call: insurance,
    path: /IsInsured$/,
  },
  {
    name: "value: invalid date",
    peer: answer(200, xml, italy(`<Expiry>2026-02-30T00:00:00${"0".repeat(500)}</Expiry><IsInsured>true</IsInsured>`)),
    want: DecodeError,
    call: insurance,
    path: /Expiry$/,
  },
  {
    name: "document type",
    peer: answer(200, xml, `<!DOCTYPE a [<!ENTITY x "y">]>${envelope(response("&x;"))}`),
    want: DecodeError,
  },
  { name: "over a limit: depth", peer: answer(200, xml, envelope(response("<a>".repeat(1e5)))), want: ProtocolError },
  {
    name: "over a limit: length of a namespace",
    peer: answer(200, xml, envelope(response(`<p:a xmlns:p="${"u".repeat(1_025)}"/>`))),
    want: ProtocolError,
  },
  {
    name: "over a limit: siblings",
    peer: answer(200, xml, envelope(response("<a/>".repeat(1e6)))),
    want: ProtocolError,
  },
  { name: "status and type: empty 200 for JSON", peer: answer(200, json, ""), want: ProtocolError, call: projects },
  { name: "status and type: 204 for JSON", peer: answer(204, json, ""), want: ProtocolError, call: projects },
  { name: "JSON: incomplete", peer: answer(200, "application/json", "{"), want: DecodeError, call: projects },
  {
    name: "JSON: number too large",
    peer: answer(200, "application/json", "[1e400]"),
    want: DecodeError,
    call: projects,
  },
  {
    name: "JSON: __proto__",
    peer: answer(200, "application/json", '{"__proto__":{"polluted":1}}'),
    want: DecodeError,
    call: projects,
  },
  {
    name: "JSON: error of WordPress",
    peer: answer(403, "application/json", '{"code":"rest_forbidden","message":"no","data":{"status":403}}'),
    want: RestError,
    call: projects,
  },
  { name: "JSON: depth", peer: answer(200, "application/json", "[".repeat(1e5)), want: ProtocolError, call: projects },
];

test.each(rows)(
  "the answer $name causes a typed error without secrets",
  async ({ peer: acting, want, call = lookUp, path }) => {
    answering = acting;
    heard.length = 0;
    const error = await call().then(
      (value) => expect.unreachable(`resolved to ${String(value)}`),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(want);
    expect(error).toBeInstanceOf(BothendsError);
    expect(heard.length).toBe(1);
    if (path !== undefined) {
      expect(error).toMatchObject({ path: expect.stringMatching(path) });
    }
    const { message, operation, address, stack } = error as BothendsError;
    expect(operation).toBeTruthy();
    expect(JSON.stringify({ ...(error as object), message, address, stack })).not.toMatch(/secret-(?:user|password)/);
    if ("body" in (error as object)) {
      expect(String(Reflect.get(error as object, "body")).length).toBeLessThanOrEqual(65_536);
    }
    if (error instanceof DecodeError) {
      expect(error.value?.length ?? 0).toBeLessThanOrEqual(64);
    }
  },
);

test("a finished call leaves no socket and no timer", async () => {
  answering = () => undefined;
  const before = process.getActiveResourcesInfo().length;
  const reason = new Error("enough");
  const control = new AbortController();
  const call = vehicle().reg.checkUSA({ RegistrationNumber: "A", State: "NY" }, { signal: control.signal });
  setTimeout(() => control.abort(reason), 30);
  await expect(call).rejects.toMatchObject({ name: "AbortError", cause: reason });
  await expect.poll(() => open.size).toBe(0);
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
});

const pieces = fc.constantFrom(
  envelope(response("<CheckUSAResult><vehicleJson>x</vehicleJson></CheckUSAResult>")),
  envelope(fault11),
  envelope(fault12, { namespace: soap12 }),
  `<Vehicle xmlns="${reg}"><vehicleJson>x</vehicleJson></Vehicle>`,
  '[{"id":1}]',
  '{"code":"a","message":"b","data":{"status":400}}',
);

/** Bodies of answers in which up to four pieces were replaced. */
const damaged = fc
  .tuple(
    pieces,
    fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 4 }),
  )
  .map(([text, edits]) =>
    edits.reduce((now, [at, length, by]) => {
      const start = at % (now.length + 1);
      return now.slice(0, start) + by + now.slice(start + length);
    }, text),
  );

test("a call resolves or rejects with a typed error, for any answer", async () => {
  const types = fc.constantFrom(
    xml,
    soapXml,
    "application/json",
    "text/plain",
    undefined,
    "text/xml; charset=utf-16",
    ";;;",
  );
  const statuses = fc.constantFrom(200, 200, 200, 204, 304, 400, 404, 500);
  const protocols = fc.constantFrom("soap11", "soap12", "httpGet", "httpPost", "rest");
  await fc.assert(
    fc.asyncProperty(damaged, types, statuses, protocols, async (body, type, status, protocol) => {
      answering = answer(status, type, body);
      const call =
        protocol === "rest"
          ? projects()
          : vehicle().reg.checkUSA({ RegistrationNumber: "A", State: "NY" }, { protocol: protocol as "soap11" });
      await call.then(
        () => undefined,
        (error: unknown) => expect(error).toBeInstanceOf(BothendsError),
      );
    }),
    { numRuns: 400, seed: 20261120 },
  );
});

const oddities: readonly unknown[] = [
  undefined,
  null,
  Number.NaN,
  -1,
  7n,
  "",
  "\r\nX: y",
  "\u0000",
  "\ud800",
  "€",
  {},
  [],
  () => 1,
  Symbol("s"),
  Object.create({ inherited: 1 }),
];

/** Calls a function, and returns the error that it throws or rejects with. */
async function outcome(attempt: () => unknown): Promise<unknown> {
  try {
    return await attempt();
  } catch (error) {
    return error;
  }
}

describe("values of unexpected types", () => {
  const places: Readonly<Record<string, (value: never) => unknown>> = {
    input: (value) => vehicle().reg.checkUSA(value),
    member: (value) => vehicle().reg.checkUSA({ RegistrationNumber: value, State: "NY" }),
    number: (NatCode) => vehicle().reg.checkAustria({ NatCode }),
    "number by GET": (NatCode) => vehicle().reg.checkAustria({ NatCode }, { protocol: "httpGet" }),
    "member by POST": (value) =>
      vehicle().reg.checkUSA({ RegistrationNumber: value, State: "" }, { protocol: "httpPost" }),
    "call options": (value) => vehicle().reg.checkUSA({ RegistrationNumber: "", State: "" }, value),
    client: (value) => new VehicleClient(value),
    "REST client": (value) => new ContentClient(value),
    "REST input": (value) => content().core.project.list(value),
    "REST argument": (value) => content().core.project.create({ title: value }),
    "REST variable": (id) => content().core.project.get({ id }),
    "REST extra": (extra) => content().core.project.list({}, { extra }),
    "REST method": (method) => content().core.project.update({ id: 1 }, { method }),
    ...Object.fromEntries(
      ["protocol", "timeout", "retries", "limits", "headers", "hooks", "signal", "soapHeaders"].map((name) => [
        `call option ${name}`,
        (value: never) => vehicle().reg.checkUSA({ RegistrationNumber: "", State: "" }, { [name]: value }),
      ]),
    ),
    ...Object.fromEntries(
      [
        "baseUrl",
        "username",
        "protocol",
        "timeout",
        "connectTimeout",
        "limits",
        "headers",
        "hooks",
        "wireNames",
        "agent",
        "tls",
        "transport",
        "signal",
      ].map((name) => [
        `client option ${name}`,
        (value: never) =>
          new VehicleClient({ baseUrl: `http://127.0.0.1:${port}`, username: user, [name]: value }).reg.checkUSA({
            RegistrationNumber: "",
            State: "",
          } as never),
      ]),
    ),
    ...Object.fromEntries(
      ["siteUrl", "lang", "plainPermalinks", "wireNames", "headers", "limits"].map((name) => [
        `REST client option ${name}`,
        (value: never) => new ContentClient({ siteUrl: `http://127.0.0.1:${port}`, [name]: value }).core.project.list(),
      ]),
    ),
    "a header": (value) =>
      vehicle().reg.checkUSA({ RegistrationNumber: "", State: "" }, { headers: { "X-Any": value } }),
  };

  test.each(Object.keys(places))("as %s cause only typed errors", async (place) => {
    answering = answer(200, xml, envelope(response("")));
    if (place.startsWith("REST")) {
      answering = answer(200, "application/json", "[]");
    }
    heard.length = 0;
    const bare: string[] = [];
    for (const [index, value] of oddities.entries()) {
      const result = await outcome(() => places[place]?.(value as never));
      if (result instanceof Error && !(result instanceof BothendsError)) {
        bare.push(`${index}: ${result.stack?.split("\n").slice(0, 3).join(" ")}`);
      }
    }
    expect(bare).toEqual([]);
    const heads = heard.map((request) => request.split("\r\n\r\n", 1).join());
    expect(heads.filter((head) => /^X: y/m.test(head))).toEqual([]);
  });
});
