import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ProtocolError, SoapFault, VehicleClient } from "@bothends/client/vehicle";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import type { CallEvent, ServerIncident } from "@bothends/runtime/server";
import { webHandler } from "@bothends/runtime/server/web";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { root } from "../house/sources.js";

type Runtime = typeof import("@bothends/runtime");
type Server = typeof import("@bothends/runtime/server");
type Fetch = typeof import("@bothends/runtime/client/fetch");

/** A copy of the built runtime. A program has two copies if two of its packages each contain one. */
interface Copy extends Runtime, Server {}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bothends-copies-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function copyRuntime(name: string, { minify = false } = {}): Promise<Copy> {
  const path = join(folder, name);
  for (const file of ["package.json", "dist"]) {
    cpSync(join(root, "packages/runtime", file), join(path, file), { recursive: true });
  }
  mkdirSync(join(path, "node_modules/@bothends"), { recursive: true });
  for (const dependency of ["xml", "datatypes"]) {
    symlinkSync(join(root, "packages", dependency), join(path, "node_modules/@bothends", dependency));
  }
  if (minify) {
    minifyFiles(join(path, "dist"));
  }
  const load = (file: string) => import(/* @vite-ignore */ pathToFileURL(join(path, "dist", file)).href);
  const runtime: Runtime = await load("index.js");
  const server: Server = await load("server/index.js");
  return { ...runtime, ...server };
}

/** Minifies every module below a folder, as the bundler of a package may do. */
function minifyFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".js")) {
      const file = join(folder, name);
      writeFileSync(file, transformSync(readFileSync(file, "utf8"), { format: "esm", minify: true }).code);
    }
  }
}

let ours: Copy;
let theirs: Copy;
beforeAll(async () => {
  ours = await copyRuntime("ours");
  // A package may contain its copy minified: then its classes have other names.
  theirs = await copyRuntime("theirs", { minify: true });
});

function errorsOf(copy: Copy) {
  return {
    BothendsError: new copy.BothendsError("m"),
    ConfigError: new copy.ConfigError("m"),
    EncodeError: new copy.EncodeError("m"),
    DecodeError: new copy.DecodeError("m"),
    TransportError: new copy.TransportError("m"),
    TimeoutError: new copy.TimeoutError("m", { milliseconds: 1 }),
    ProtocolError: new copy.ProtocolError("m", { status: 200 }),
    HttpStatusError: new copy.HttpStatusError("m", { status: 404 }),
    SoapFault: new copy.SoapFault({ reason: "m" }),
    RestError: new copy.RestError({ code: "c", message: "m", status: 400 }),
    DisconnectError: new copy.DisconnectError(),
  };
}

describe("two copies of the runtime in one program", () => {
  test("have different classes", () => {
    expect(ours.SoapFault).not.toBe(theirs.SoapFault);
    expect(theirs.SoapFault.name).not.toBe("SoapFault");
  });

  test("recognize each other's errors, and only those of the same class", () => {
    for (const [name, error] of Object.entries(errorsOf(theirs))) {
      const recognized = Object.keys(errorsOf(ours)).filter((each) => error instanceof Reflect.get(ours, each));
      const isOfTheCall = name !== "BothendsError" && name !== "DisconnectError";
      expect(recognized).toEqual(isOfTheCall ? ["BothendsError", name] : [name]);
    }
  });

  test("recognize an instance of a user's subclass as its base class, but not as another subclass", () => {
    class Gone extends theirs.SoapFault {}
    class Late extends ours.SoapFault {}
    const gone = new Gone({ reason: "gone" });
    expect([gone instanceof ours.SoapFault, gone instanceof Gone, gone instanceof Late]).toEqual([true, true, false]);
    expect(new theirs.SoapFault({ reason: "?" }) instanceof Gone).toBe(false);
  });

  test.each([undefined, null, "m", {}, Object.create(null), new Error("m")])("do not recognize %s", (value) => {
    expect(value instanceof ours.BothendsError).toBe(false);
  });

  test("recognize each other's answers", () => {
    expect(theirs.restAnswer({ status: 201 })).toBeInstanceOf(ours.RestAnswer);
    expect({ status: 201, headers: {}, body: null }).not.toBeInstanceOf(ours.RestAnswer);
  });

  test("match each other's error codes", () => {
    expect(ours.isRestError(errorsOf(theirs).RestError, "c")).toBe(true);
  });

  test("a server answers the fault that a handler throws from the other copy", async () => {
    const checkUSA = () => {
      throw new theirs.SoapFault({ code: "Client", reason: "Which state?" });
    };
    const routes = vehicleRoutes({ ...vehicleSample, reg: { ...vehicleSample.reg, checkUSA } });
    const transport = fetchTransport(webHandler([routes]));
    const client = new VehicleClient({ baseUrl: "http://in-memory.example", transport, username: "u" });
    const error: unknown = await client.reg.checkUSA({ RegistrationNumber: "A", State: "" }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SoapFault);
    expect(error).toMatchObject({ code: "Client", reason: "Which state?" });
  });

  test.each([
    {
      what: "error",
      get: () => {
        throw new theirs.RestError({ code: "gone", message: "Gone.", status: 410 });
      },
      want: { status: 410, body: { code: "gone", message: "Gone.", data: { status: 410 } } },
    },
    {
      what: "answer",
      get: () => theirs.restAnswer<never>({ status: 202 }),
      want: { status: 202, body: null },
    },
  ])("a server answers the REST $what of the other copy", async ({ get, want }) => {
    const sample = createContentSample();
    const { core } = sample;
    const handle = webHandler([contentRoutes({ ...sample, core: { ...core, blocks: { ...core.blocks, get } } })]);
    const answer = await handle(new Request("http://in-memory.example/en/api/core/v2/blocks/7"));
    expect({ status: answer.status, body: await answer.json() }).toEqual(want);
  });
});

describe("a transport of the published runtime in a client of another copy", () => {
  let published: Fetch;
  beforeAll(async () => {
    const file = join(root, ".packed/runtime/dist/client/fetch.js");
    published = await import(/* @vite-ignore */ pathToFileURL(file).href);
  });

  const call = async (answer: () => Response, more: object = {}) => {
    expect(published.fetchTransport).not.toBe(fetchTransport);
    let count = 0;
    const transport = published.fetchTransport(async () => {
      count += 1;
      return answer();
    });
    const options = { baseUrl: "http://in-memory.example", username: "u", retries: 2, ...more };
    const client = new VehicleClient({ ...options, safeOperations: ["CheckUSA"], transport });
    const input = { RegistrationNumber: "A", State: "" };
    const error: unknown = await client.reg.checkUSA(input).catch((thrown: unknown) => thrown);
    return { error, count };
  };

  test("an answer that is too large names the option, and is not requested again", async () => {
    const { error, count } = await call(() => new Response("x".repeat(5000)), { limits: { bodyBytes: 1000 } });
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ message: expect.stringContaining('increase the option "limits.bodyBytes"') });
    expect(count).toBe(1);
  });

  test("an answer in an unknown encoding is not requested again", async () => {
    const { error, count } = await call(() => new Response("x", { headers: { "content-encoding": "zstd" } }));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(count).toBe(1);
  });
});

describe("routes of one copy in the router of the other copy", () => {
  const call = async (handle: (request: Request) => Promise<Response>) => {
    const client = new VehicleClient({
      baseUrl: "http://in-memory.example",
      transport: fetchTransport(handle),
      username: "u",
    });
    return await client.reg.checkUSA({ RegistrationNumber: "A", State: "" }).catch((error: unknown) => error);
  };

  test("add to the event of a call everything that is known about it", async () => {
    const events: CallEvent[] = [];
    const routes = vehicleRoutes(vehicleSample, { authenticate: () => "ann" });
    const handle = theirs.createRouter([routes], { onCall: (event) => void events.push(event) });
    await call(webHandler([{ name: "theirs", answer: handle }]));
    expect(events).toMatchObject([{ operation: "CheckUSA", protocol: "soap11", principal: "ann", status: 200 }]);
    expect(events[0]?.durations.handler).toEqual(expect.any(Number));
  });

  test("report incidents to the router's hook, with the id of the request", async () => {
    const incidents: ServerIncident[] = [];
    const events: CallEvent[] = [];
    const checkUSA = () => {
      throw new Error("broken");
    };
    const routes = vehicleRoutes({ ...vehicleSample, reg: { ...vehicleSample.reg, checkUSA } });
    const handle = theirs.createRouter([routes], {
      onError: (incident) => void incidents.push(incident),
      onCall: (event) => void events.push(event),
    });
    await call(webHandler([{ name: "theirs", answer: handle }]));
    expect(incidents).toMatchObject([{ kind: "handler", operation: "CheckUSA", requestId: events[0]?.requestId }]);
    expect(events[0]?.error).toBe(incidents[0]);
  });
});
