import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { content, coreBlocksList } from "@bothends/contract/content/operations";
import { checkUSA, reg } from "@bothends/contract/vehicle/operations";
import { createDynamicContract } from "@bothends/dynamic";
import type { JsonValue } from "@bothends/runtime";
import { restAnswer } from "@bothends/runtime/rest";
import { restRoutes, soapRoutes } from "@bothends/runtime/server";
import { type ListenOptions, listen } from "@bothends/runtime/server/node";
import { readSyntheticContract } from "../generate-synthetic.js";
import { getProcessorMicroseconds } from "../measure.js";
import { createVehicle, items, soapAnswer, vehicle, writeAnswerMessage } from "../payload.js";
import type { WrapHandler } from "./observers.js";
import type { Hosted } from "./protocol.js";

const host = "127.0.0.1";
const limits = { requestsPerSocket: 1_000_000_000 };

/** The servers to measure, by name. They listen on the loopback address. */
export const serverHosts: Readonly<Record<string, (argument: string) => Promise<Hosted>>> = {
  "raw-read": () => serveConstant(soapAnswer),
  /** The argument is the size of the answer in bytes. */
  "raw-read-large": (bytes) => serveConstant(Buffer.from(writeAnswerMessage(createVehicle(Number(bytes))))),
  "raw-read-gzip": () => serveConstant(gzipSync(soapAnswer), { "Content-Encoding": "gzip" }),
  /** The argument is the microseconds of work to add to each request. */
  "raw-read-work": (microseconds) => serveConstant(soapAnswer, {}, () => keepBusy(Number(microseconds))),
  "raw-json": () =>
    serveWith((_request, response) => {
      const body = Buffer.from(JSON.stringify(items));
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
      response.end(body);
    }),
  "soap-routes": () => serveLookups([""], vehicle),
  /** The argument is the name of the observer. */
  "soap-routes-observed": async (name) => {
    // Loaded on first use, so that the module does not use memory in other hosts.
    const { observers } = await import("./observers.js");
    const createObserver = observers[name];
    if (createObserver === undefined) {
      throw new Error(`There is no observer "${name}".`);
    }
    const { wrapHandler, ...options } = createObserver();
    return serveLookups([""], vehicle, options, wrapHandler);
  },
  /** The argument is the size of the answer in bytes. */
  "soap-routes-large": (bytes) => serveLookups([""], createVehicle(Number(bytes))),
  /** The argument is the number of services on the port. */
  "soap-routes-many": (services) =>
    serveLookups(
      Array.from({ length: Number(services) }, (_, index) => (index === 0 ? "" : String(index))),
      vehicle,
    ),
  /** The argument is the number of operations in the WSDL. */
  "soap-routes-wide": (operations) => serveWideService(Number(operations)),
  "rest-routes": () => {
    const endpoints = [coreBlocksList];
    const handlers = { core: { blocks: { list: () => restAnswer({ body: items }) } } };
    return listen([restRoutes({ interface: content, endpoints, handlers, index: createBlocksIndex() }, { limits })], {
      host,
      limits,
    });
  },
};

/** Serves the lookup service on one port, once for each suffix of its address. */
function serveLookups(
  suffixes: readonly string[],
  answer: typeof vehicle,
  listenOptions: ListenOptions = {},
  wrapHandler: WrapHandler = (handler) => handler,
): Promise<Hosted> {
  const routes = suffixes.map((suffix) =>
    soapRoutes(
      { service: reg, operations: { checkUSA }, handlers: { checkUSA: wrapHandler(() => answer) } },
      { limits, path: `/api/reg${suffix}.asmx` },
    ),
  );
  return listen(routes, { host, limits, ...listenOptions });
}

/** Serves a WSDL with many operations that all return the same value. */
function serveWideService(count: number): Promise<Hosted> {
  const soap = createDynamicContract(readSyntheticContract(count)).interfaces.find(
    (candidate) => candidate.kind === "soap",
  );
  const wideService = soap?.services[0];
  if (wideService === undefined) {
    throw new Error("The synthetic WSDL has no service.");
  }
  const operations = Object.fromEntries(
    wideService.operations.map(({ operation, descriptor }) => [operation.name, descriptor] as const),
  );
  const answer = { Name: "Focus", Colour: "Blue", Size: "Small", Maker: "Ford", Note: "None", Count: 5 };
  const handlers = Object.fromEntries(Object.keys(operations).map((name) => [name, () => answer]));
  return listen([soapRoutes({ service: wideService.descriptor, operations, handlers }, { limits })], { host, limits });
}

/** Returns the index with only the route that is served. */
function createBlocksIndex(): JsonValue {
  const file = join(import.meta.dirname, "..", "..", "..", "..", "schemas", "content", "index.json");
  const { routes, ...index } = JSON.parse(readFileSync(file, "utf8"));
  const route = "/core/v2/blocks";
  return { ...index, routes: { [route]: routes[route] } };
}

/** Serves a constant: reads each request, calls `work`, and answers. */
function serveConstant(answer: Uint8Array, headers: Readonly<Record<string, string>> = {}, work?: () => void) {
  return serveWith((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      work?.();
      response.writeHead(200, {
        "Content-Type": "text/xml; charset=utf-8",
        "Content-Length": answer.length,
        ...headers,
      });
      response.end(answer);
    });
  });
}

/**
 * Keeps the processor busy for some microseconds. Counts iterations instead of reading the clock, after a calibration.
 */
function keepBusy(microseconds: number): number {
  let sum = 0;
  for (let index = 0; index < microseconds * stepsPerMicrosecond; index += 1) {
    sum = (sum + index * index) % 1_000_003;
  }
  return sum;
}

let stepsPerMicrosecond = 100;
for (const _ of [1, 2, 3]) {
  const timeBefore = getProcessorMicroseconds();
  keepBusy(100_000);
  stepsPerMicrosecond *= 100_000 / (getProcessorMicroseconds() - timeBefore);
}

async function serveWith(listener: RequestListener): Promise<Hosted> {
  const server = createServer(listener);
  // The default of 5 s can pass on a busy machine while requests wait to be read.
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, host), "listening");
  const address = server.address();
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0 };
}
