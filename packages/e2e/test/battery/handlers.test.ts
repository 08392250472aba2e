import { VehicleClient } from "@bothends/client/vehicle";
import { BothendsError } from "@bothends/runtime";
import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { type ContentHandlers, contentRoutes } from "@bothends/server/content";
import { type VehicleHandlers, vehicleRoutes } from "@bothends/server/vehicle";
import { XmlReader } from "@bothends/xml";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { sendRaw } from "./raw.js";
import { envelope, get, soap, soap12, soapXml, usa } from "./requests.js";

const secret = "CANARY /etc/passwd";
const cyclic: Record<string, unknown> = {};
cyclic["vehicleData"] = { vehicleData: cyclic };
cyclic["self"] = cyclic;

/** Lists inside lists, too deep for a function that calls itself. */
const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], null);

/** Handlers that fail or return wrong values, by what they do wrong. */
const mischief: Readonly<Record<string, () => unknown>> = {
  "throws an Error": () => {
    throw new Error(secret);
  },
  "throws a text": () => {
    throw secret;
  },
  "throws null": () => {
    throw null;
  },
  "throws undefined": () => {
    throw undefined;
  },
  "throws an object": () => {
    throw { toString: () => secret, status: 200, code: secret, message: secret };
  },
  "throws what throws when looked at": () => {
    throw new Proxy(new Error(secret), {
      get: () => {
        throw new Error(secret);
      },
    });
  },
  "rejects late": () => new Promise((_, reject) => setTimeout(() => reject(new Error(secret)), 20)),
  "never answers": () => new Promise(() => undefined),
  "rejects after its time": () => new Promise((_, reject) => setTimeout(() => reject(new Error(secret)), 250)),
  "answers a number": () => 7,
  "answers a function": () => () => secret,
  "answers a symbol": () => Symbol(secret),
  "answers a wrong member": () => ({ vehicleJson: { secret } }),
  "answers a cycle": () => cyclic,
  "answers NUL": () => ({ vehicleJson: `\u0000${secret}` }),
  "answers half a character": () => ({ vehicleJson: `\ud800${secret}` }),
  "answers what looks half": () => ({ vehicleJson: { text: "\\\\ud800" } }),
  "answers a huge value": () => ({ vehicleJson: deep }),
  "answers more than a string can contain": () => ({
    get vehicleJson() {
      return "&".repeat(2 ** 29);
    },
  }),
  "answers what throws when read": () => ({
    get vehicleJson() {
      throw new Error(secret);
    },
  }),
};

let doing = "";
let server: RunningServer;
const incidents: string[] = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);

beforeAll(async () => {
  process.on("unhandledRejection", onRejection);
  const misbehave = (): never => mischief[doing]?.() as never;
  const vehicle: VehicleHandlers = { ...vehicleSample, reg: { ...vehicleSample.reg, checkUSA: misbehave } };
  const sample = createContentSample();
  const content: ContentHandlers = {
    ...sample,
    core: { ...sample.core, media: { ...sample.core.media, list: misbehave } },
  };
  const options = {
    limits: { handlerTimeout: 120 },
    onError: ({ kind }: { readonly kind: string }) => {
      incidents.push(kind);
      throw new Error("A hook may throw.");
    },
  };
  const routes = [vehicleRoutes(vehicle, options), contentRoutes(content, { name: "Battery", ...options })];
  server = await listen(routes, { port: 0, host: "127.0.0.1" });
  // Loads the WSDL, which may take longer than a handler may.
  await sendRaw(server.port, get("/api/reg.asmx?wsdl"));
});
afterAll(async () => {
  await server.close();
  process.off("unhandledRejection", onRejection);
});

const late = new Set(["never answers", "rejects after its time"]);
/** The names of mistakes with values that JSON allows, but the XML schema does not. */
const fineInJson = new Set(["answers a number", "answers a wrong member", "answers NUL", "answers what looks half"]);

test.each(Object.keys(mischief))("if a handler %s, the answer contains no details", async (name) => {
  doing = name;
  incidents.length = 0;
  const ways = [
    soap(envelope(usa())),
    soap(envelope(usa(), { namespace: soap12 }), [soapXml]),
    get("/api/reg.asmx/CheckUSA?RegistrationNumber=A&State=b&username=u"),
    get("/en/api/core/v2/media"),
  ];
  const answers = await Promise.all(ways.map((way) => sendRaw(server.port, way)));
  const [first, second, page, rest] = answers;
  for (const answer of [first, second]) {
    expect(answer?.body).toMatch(/soap:(?:Server|Receiver)</);
    const reader = new XmlReader(answer?.body ?? "");
    while (reader.next() !== 0) {}
  }
  expect([first?.status, second?.status]).toEqual([500, 500]);
  const status = late.has(name) ? 503 : 500;
  expect(page?.status).toBe(status);
  if (fineInJson.has(name)) {
    expect(rest?.status).toBe(200);
    JSON.parse(rest?.body ?? "");
  } else {
    expect(rest?.status).toBe(status);
    expect(rest?.text).not.toContain("CANARY");
  }
  for (const answer of [first, second, page]) {
    expect(answer?.text).not.toContain("CANARY");
  }
  expect(incidents.length).toBeGreaterThanOrEqual(3);
});

test("the server answers the next request", async () => {
  expect((await sendRaw(server.port, get("/api/reg.asmx?wsdl"))).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(rejections).toEqual([]);
});

test("a client receives a fault as a typed error", async () => {
  doing = "throws an Error";
  const client = new VehicleClient({ baseUrl: server.url, username: "u" });
  const error = await client.reg.checkUSA({ RegistrationNumber: "A", State: "b" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BothendsError);
});
