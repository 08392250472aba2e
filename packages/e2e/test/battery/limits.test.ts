import { ContentClient } from "@bothends/client/content";
import { ProtocolError, TimeoutError, VehicleClient } from "@bothends/client/vehicle";
import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { type ContentHandlers, contentRoutes } from "@bothends/server/content";
import { type VehicleHandlers, vehicleRoutes } from "@bothends/server/vehicle";
import { expect, onTestFinished, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { sendRaw } from "./raw.js";
import { envelope, form, get, reg, rest, soap, usa } from "./requests.js";

interface Started {
  readonly server: RunningServer;
  readonly incidents: string[];
}

/** Serves the sample data, with one limit set to 0 in the options of the routes and of `listen`. */
async function zeroed(name: string): Promise<Started> {
  const incidents: string[] = [];
  const options = {
    limits: { [name]: 0 },
    onError: ({
      kind,
      limit,
    }: {
      readonly kind: string;
      readonly limit?: { readonly value: number; readonly option: string } | undefined;
    }) => void incidents.push(`${kind} ${limit?.value} ${limit?.option}`),
  };
  const content: ContentHandlers = createContentSample();
  const vehicle: VehicleHandlers = { ...vehicleSample, reg: { ...vehicleSample.reg, checkUSA: async () => null } };
  const routes = [vehicleRoutes(vehicle, options), contentRoutes(content, { name: "Battery", ...options })];
  const server = await listen(routes, { port: 0, host: "127.0.0.1", ...options });
  onTestFinished(async () => void (await server.close()));
  return { server, incidents };
}

const commented = soap(envelope(`<!-- x -->${usa()}`));
const bare = soap('<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body/></Envelope>');
const attributed = soap(envelope(usa('<RegistrationNumber a="">x</RegistrationNumber>')));
const query = get("/api/reg.asmx/CheckUSA?RegistrationNumber=A&State=b&username=u");
const good = soap(envelope(usa()));
const begun = "POST /api/reg.asmx HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n<\r\n";

test.each([
  { name: "depth", sent: good },
  { name: "attributes", sent: attributed },
  { name: "namespaces", sent: bare },
  { name: "attributeChars", sent: soap(envelope(usa('<RegistrationNumber a="b">x</RegistrationNumber>'))) },
  { name: "namespaceChars", sent: good },
  { name: "children", sent: good },
  { name: "nodes", sent: good },
  { name: "textChars", sent: good },
  { name: "nameChars", sent: good },
  { name: "comments", sent: commented },
  { name: "bodyBytes", sent: good },
  { name: "jsonDepth", sent: rest('{"title":"a"}') },
  { name: "jsonKeys", sent: rest('{"title":"a"}') },
  { name: "jsonItems", sent: rest('{"title":"a","x":[1]}') },
  { name: "urlBytes", sent: query },
  { name: "queryPairs", sent: query },
  { name: "formPairs", sent: form("RegistrationNumber=A&State=b&username=u") },
  { name: "paramName", sent: query },
  { name: "paramValue", sent: query },
  { name: "segmentChars", sent: get("/en/api/core/v2/project/5") },
  { name: "headers", sent: query },
  { name: "inFlight", sent: query },
  { name: "inFlightBytes", sent: good },
  { name: "arrivingBodies", sent: begun },
  { name: "arrivingBytes", sent: begun },
  { name: "handlerTimeout", sent: query },
  { name: "connections", sent: query },
])("a server's limit $name may be 0, and the report names it", async ({ name, sent }) => {
  const { server, incidents } = await zeroed(name);
  const answer = await sendRaw(server.port, sent);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(incidents).toEqual([`limit.${name} 0 limits.${name}`]);
});

test.each([
  { name: "bodyRate", sent: good, status: 200 },
  { name: "requestsPerSocket", sent: query, status: 503 },
  { name: "headerBytes", sent: query, status: 431 },
  { name: "headersTimeout", sent: "GET /", status: 408 },
  { name: "requestTimeout", sent: "POST /api/reg.asmx HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n<", status: 408 },
])("a server's limit $name may be 0", async ({ name, sent, status }) => {
  const { server } = await zeroed(name);
  const answer = await sendRaw(server.port, sent);
  expect(answer.status).toBe(status);
});

test("a keepAliveTimeout of 0 ends each connection, and a drainTimeout of 0 closes at once", async () => {
  const idle = await zeroed("keepAliveTimeout");
  expect((await sendRaw(idle.server.port, query)).head).toMatch(/^connection: close$/im);
  const { server } = await zeroed("drainTimeout");
  const pending = sendRaw(server.port, "POST /api/reg.asmx HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n<");
  await new Promise((resolve) => setTimeout(resolve, 50));
  await server.close();
  expect((await pending).closed).toBe(true);
});

const answers: Readonly<Record<string, string>> = {
  soap: envelope(
    `<CheckUSAResponse xmlns="${reg}"><!-- x --><CheckUSAResult a="b"><vehicleJson>x</vehicleJson></CheckUSAResult></CheckUSAResponse>`,
  ),
  rest: '{"a":[1]}',
};

test.each([
  ...[
    "depth",
    "attributes",
    "namespaces",
    "attributeChars",
    "namespaceChars",
    "children",
    "nodes",
    "textChars",
    "nameChars",
    "comments",
    "bodyBytes",
  ].map((name) => ({ name, kind: "soap" })),
  ...["jsonDepth", "jsonKeys", "jsonItems", "bodyBytes"].map((name) => ({ name, kind: "rest" })),
])("a client's limit $name may be 0 for $kind, and the refusal names it", async ({ name, kind }) => {
  const body = new TextEncoder().encode(answers[kind]);
  const headers = new Map([["content-type", kind === "soap" ? "text/xml" : "application/json"]]);
  const transport = { send: async () => ({ status: 200, headers, body }) };
  const limits = { [name]: 0 };
  const vehicle = new VehicleClient({ baseUrl: "http://x.example", username: "u", transport });
  const content = new ContentClient({ siteUrl: "http://x.example", transport });
  const input = { RegistrationNumber: "A", State: "b" };
  const call = () =>
    kind === "soap" ? vehicle.reg.checkUSA(input, { limits }) : content.core.project.list({}, { limits });
  const error: unknown = await call().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProtocolError);
  expect(String(error)).toContain(`${name} = 0. To accept it, increase the option "limits.${name}"`);
});

test("a client's timeout may be 0", async () => {
  const transport = { send: () => new Promise<never>(() => undefined) };
  const { reg: service } = new VehicleClient({ baseUrl: "http://x.example", username: "u", transport, timeout: 0 });
  await expect(service.checkUSA({ RegistrationNumber: "A", State: "b" })).rejects.toBeInstanceOf(TimeoutError);
});
