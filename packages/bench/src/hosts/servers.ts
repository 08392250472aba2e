import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { content, coreBlocksList } from "@bothends/contract/content/operations";
import { checkUSA, reg } from "@bothends/contract/vehicle/operations";
import type { JsonValue } from "@bothends/runtime";
import { restAnswer } from "@bothends/runtime/rest";
import { restRoutes, soapRoutes } from "@bothends/runtime/server";
import { listen } from "@bothends/runtime/server/node";
import { items, soapAnswer, vehicle } from "../payload.js";
import type { Hosted } from "./protocol.js";

const host = "127.0.0.1";
const limits = { requestsPerSocket: 1_000_000_000 };

/** Servers on the loopback address, by name. */
export const serverHosts: Readonly<Record<string, (argument: string) => Promise<Hosted>>> = {
  "raw-read": () =>
    bare((request, response) => {
      const chunks: Uint8Array[] = [];
      request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      request.on("end", () => {
        response.writeHead(200, { "Content-Type": "text/xml; charset=utf-8", "Content-Length": soapAnswer.length });
        response.end(soapAnswer);
      });
    }),
  "raw-json": () =>
    bare((_request, response) => {
      const body = Buffer.from(JSON.stringify(items));
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
      response.end(body);
    }),
  "soap-routes": () => {
    const routes = soapRoutes(
      { service: reg, operations: { checkUSA }, handlers: { checkUSA: () => vehicle } },
      { limits },
    );
    return listen([routes], { host, limits });
  },
  "rest-routes": () => {
    const endpoints = { core: { blocks: { list: coreBlocksList } } };
    const handlers = { core: { blocks: { list: () => restAnswer({ body: items }) } } };
    return listen([restRoutes({ interface: content, endpoints, handlers, index: blocksIndex() }, { limits })], {
      host,
      limits,
    });
  },
};

/** The index with only the served route. */
function blocksIndex(): JsonValue {
  const file = join(import.meta.dirname, "..", "..", "..", "..", "schemas", "content", "index.json");
  const { routes, ...index } = JSON.parse(readFileSync(file, "utf8"));
  const route = "/core/v2/blocks";
  return { ...index, routes: { [route]: routes[route] } };
}

async function bare(listener: RequestListener): Promise<Hosted> {
  const server = createServer(listener);
  await once(server.listen(0, host), "listening");
  const address = server.address();
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0 };
}
