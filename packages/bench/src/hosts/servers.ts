import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { content, coreBlocksList } from "@bothends/contract/content/operations";
import { checkUSA, reg } from "@bothends/contract/vehicle/operations";
import { dynamicContract } from "@bothends/dynamic";
import type { JsonValue } from "@bothends/runtime";
import { restAnswer } from "@bothends/runtime/rest";
import { restRoutes, soapRoutes } from "@bothends/runtime/server";
import { type ListenOptions, listen } from "@bothends/runtime/server/node";
import { syntheticContract } from "../generate-synthetic.js";
import { processorMicroseconds } from "../measure.js";
import { answerMessage, items, soapAnswer, vehicle, vehicleOf } from "../payload.js";
import type { Hosted } from "./protocol.js";

const host = "127.0.0.1";
const limits = { requestsPerSocket: 1_000_000_000 };

/** Servers on the loopback address, by name. The meaning of the numeric argument is noted at each. */
export const serverHosts: Readonly<Record<string, (argument: string) => Promise<Hosted>>> = {
  "raw-read": () => constant(soapAnswer),
  /** Argument: the size of the answer in bytes. */
  "raw-read-large": (bytes) => constant(Buffer.from(answerMessage(vehicleOf(Number(bytes))))),
  "raw-read-gzip": () => constant(gzipSync(soapAnswer), { "Content-Encoding": "gzip" }),
  /** Argument: microseconds of work added to each request. */
  "raw-read-work": (microseconds) => constant(soapAnswer, {}, () => burn(Number(microseconds))),
  "raw-json": () =>
    bare((_request, response) => {
      const body = Buffer.from(JSON.stringify(items));
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
      response.end(body);
    }),
  "soap-routes": () => lookups([""], vehicle),
  /** Argument: the observer's name. */
  "soap-routes-observed": async (observer) => {
    // Loaded on demand, so that it does not use memory in other hosts.
    const { observers } = await import("./observers.js");
    return lookups([""], vehicle, observers[observer]?.());
  },
  "soap-routes-span": async () => {
    const { withSpan } = await import("./observers.js");
    return lookups([""], vehicle, {}, withSpan);
  },
  /** Argument: the size of the answer in bytes. */
  "soap-routes-large": (bytes) => lookups([""], vehicleOf(Number(bytes))),
  /** Argument: the number of services on the port. */
  "soap-routes-many": (services) =>
    lookups(
      Array.from({ length: Number(services) }, (_, index) => (index === 0 ? "" : String(index))),
      vehicle,
    ),
  /** Argument: the number of operations in the WSDL. */
  "soap-routes-wide": (operations) => wideService(Number(operations)),
  "rest-routes": () => {
    const endpoints = [coreBlocksList];
    const handlers = { core: { blocks: { list: () => restAnswer({ body: items }) } } };
    return listen([restRoutes({ interface: content, endpoints, handlers, index: blocksIndex() }, { limits })], {
      host,
      limits,
    });
  },
};

/** Serves the lookup at several addresses with different suffixes, on one port. */
function lookups(
  suffixes: readonly string[],
  answer: typeof vehicle,
  observed: ListenOptions = {},
  around: <Answer>(handler: () => Answer) => () => Answer = (handler) => handler,
): Promise<Hosted> {
  const routes = suffixes.map((suffix) =>
    soapRoutes(
      { service: reg, operations: { checkUSA }, handlers: { checkUSA: around(() => answer) } },
      { limits, path: `/api/reg${suffix}.asmx` },
    ),
  );
  return listen(routes, { host, limits, ...observed });
}

/** Serves a WSDL with many operations that all return the same value. */
function wideService(count: number): Promise<Hosted> {
  const soap = dynamicContract(syntheticContract(count)).interfaces.find((each) => each.kind === "soap");
  const served = soap?.services[0];
  if (served === undefined) {
    throw new Error("The synthetic WSDL has no service.");
  }
  const operations = Object.fromEntries(
    served.operations.map(({ operation, descriptor }) => [operation.name, descriptor] as const),
  );
  const answer = { Name: "Focus", Colour: "Blue", Size: "Small", Maker: "Ford", Note: "None", Count: 5 };
  const handlers = Object.fromEntries(Object.keys(operations).map((name) => [name, () => answer]));
  return listen([soapRoutes({ service: served.descriptor, operations, handlers }, { limits })], { host, limits });
}

/** The index with only the served route. */
function blocksIndex(): JsonValue {
  const file = join(import.meta.dirname, "..", "..", "..", "..", "schemas", "content", "index.json");
  const { routes, ...index } = JSON.parse(readFileSync(file, "utf8"));
  const route = "/core/v2/blocks";
  return { ...index, routes: { [route]: routes[route] } };
}

/** Reads each request and answers a constant. */
function constant(answer: Uint8Array, headers: Readonly<Record<string, string>> = {}, extra?: () => void) {
  return bare((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      extra?.();
      response.writeHead(200, {
        "Content-Type": "text/xml; charset=utf-8",
        "Content-Length": answer.length,
        ...headers,
      });
      response.end(answer);
    });
  });
}

/** Keeps the processor busy. Runs a calibrated number of iterations, which avoids reading the clock. */
function burn(microseconds: number): number {
  let sum = 0;
  for (let index = 0; index < microseconds * stepsPerMicrosecond; index += 1) {
    sum = (sum + index * index) % 1_000_003;
  }
  return sum;
}

let stepsPerMicrosecond = 100;
for (const _ of [1, 2, 3]) {
  const before = processorMicroseconds();
  burn(100_000);
  stepsPerMicrosecond *= 100_000 / (processorMicroseconds() - before);
}

async function bare(listener: RequestListener): Promise<Hosted> {
  const server = createServer(listener);
  // On a busy machine, the default of 5 s can pass while requests wait to be read.
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, host), "listening");
  const address = server.address();
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0 };
}
