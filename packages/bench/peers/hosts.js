import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { serve as serveHono } from "@hono/node-server";
import { zValidator } from "@hono/zod-validator";
import fastify from "fastify";
import { Hono } from "hono";
import soap from "soap";
import strongSoap from "strong-soap";
import { Agent, request } from "undici";
import { z } from "zod";

/**
 * The servers and clients of other projects, by name. Each takes the address of a server, which only clients use, and the
 * payload of `src/payload.ts`. It returns the port of a server, or the function that makes one call.
 */
export const peerHosts = {
  "node-soap-server": (_origin, payload) => soapServer((server) => soap.listen(server, serviceOf(payload))),

  "strong-soap-server": (_origin, payload) =>
    soapServer((server) => strongSoap.soap.listen(server, serviceOf(payload))),

  "node-soap-client": async (origin, payload) => {
    const client = await soap.createClientAsync(payload.wsdl, { endpoint: `${origin}${payload.soapPath}` });
    return { call: () => client.CheckUSAAsync(payload.question) };
  },

  "strong-soap-client": async (origin, payload) => {
    const client = await strongClient(payload.wsdl);
    client.setEndpoint(`${origin}${payload.soapPath}`);
    return { call: () => promised((done) => client.Reg.RegSoap.CheckUSA(payload.question, done)) };
  },

  undici: (origin, { soapPath, soapHeaders, soapRequest }) => {
    const dispatcher = new Agent({ connections: 64 });
    return {
      call: async () => {
        const { body } = await request(`${origin}${soapPath}`, {
          dispatcher,
          method: "POST",
          headers: soapHeaders,
          body: soapRequest,
        });
        return body.text();
      },
    };
  },

  "fastify-listing": async (_origin, payload) => {
    const app = fastify();
    app.get(
      listingPath,
      { schema: { querystring: listingSchema, response: { 200: itemsSchema } } },
      () => payload.items,
    );
    await app.listen({ port: 0, host: "127.0.0.1" });
    return { port: app.server.address().port };
  },

  /** The same listing with the headers, lists and dates of a WordPress server, which the other servers here lack. */
  "fastify-wordpress-listing": async (_origin, payload) => {
    const app = fastify();
    app.get(
      listingPath,
      {
        schema: { querystring: wordpressSchema, response: { 200: itemsSchema } },
        preValidation: (request, _reply, done) => {
          splitLists(request.query);
          done();
        },
      },
      (_request, reply) => {
        reply.headers(wordpressHeaders);
        return payload.items;
      },
    );
    await app.listen({ port: 0, host: "127.0.0.1" });
    return { port: app.server.address().port };
  },

  "hono-listing": async (_origin, payload) => {
    const app = new Hono();
    app.get(listingPath, zValidator("query", listingShape), (context) => {
      context.req.valid("query");
      return context.json(payload.items);
    });
    const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    await once(server, "listening");
    return { port: server.address().port };
  },
};

/** The options of both SOAP servers. They resolve the WSDL's imports against `uri`. */
function serviceOf({ soapPath, vehicle, wsdl }) {
  const services = { Reg: { RegSoap: { CheckUSA: () => ({ CheckUSAResult: vehicle }) } } };
  return { path: soapPath, services, xml: readFileSync(wsdl, "utf8"), uri: wsdl };
}

async function soapServer(listen) {
  const server = createServer((_request, response) => response.writeHead(404).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  await listen(server);
  return { port: server.address().port };
}

function strongClient(wsdl) {
  return promised((done) => strongSoap.soap.createClient(wsdl, {}, done));
}

function promised(start) {
  return new Promise((resolve, reject) => start((error, result) => (error ? reject(error) : resolve(result))));
}

const listingPath = "/en/api/core/v2/blocks";
const integers = { type: "array", items: { type: "integer" } };
const texts = { type: "array", items: { type: "string" } };
const listingSchema = {
  type: "object",
  properties: {
    context: { type: "string", enum: ["view", "embed", "edit"], default: "view" },
    page: { type: "integer", minimum: 1, default: 1 },
    per_page: { type: "integer", minimum: 1, maximum: 100, default: 10 },
    search: { type: "string" },
    after: { type: "string" },
    before: { type: "string" },
    "exclude[]": integers,
    include: { type: "string", pattern: "^\\d+(,\\d+)*$" },
    offset: { type: "integer" },
    order: { type: "string", enum: ["asc", "desc"] },
    orderby: { type: "string" },
    "slug[]": texts,
    status: { type: "string" },
  },
};
const statuses = {
  type: "array",
  items: { type: "string", enum: ["publish", "future", "draft", "pending", "private"] },
};
const dateTime = { type: "string", format: "iso-date-time" };
const wordpressSchema = {
  type: "object",
  properties: {
    ...listingSchema.properties,
    after: dateTime,
    before: dateTime,
    include: integers,
    status: statuses,
  },
};
/** The headers of a listing, as WordPress and this project's servers send them. */
const wordpressHeaders = {
  "X-Robots-Tag": "noindex",
  Link: '<http://127.0.0.1/en/api/>; rel="https://api.w.org/"',
  "X-Content-Type-Options": "nosniff",
  "Access-Control-Expose-Headers": "X-WP-Total, X-WP-TotalPages, Link",
  "Access-Control-Allow-Headers": "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type",
  Allow: "GET",
  Vary: "Origin, Accept-Encoding",
};

/** Splits the arguments that WordPress reads as lists with commas. */
function splitLists(query) {
  for (const name of ["include", "status"]) {
    if (typeof query[name] === "string") {
      query[name] = query[name].split(",");
    }
  }
}

const number = z.coerce.number().int();
const listingShape = z.object({
  context: z.enum(["view", "embed", "edit"]).default("view"),
  page: number.min(1).default(1),
  per_page: number.min(1).max(100).default(10),
  search: z.string().optional(),
  after: z.string().optional(),
  before: z.string().optional(),
  "exclude[]": z.array(number).optional(),
  include: z
    .string()
    .regex(/^\d+(,\d+)*$/)
    .optional(),
  offset: number.optional(),
  order: z.enum(["asc", "desc"]).optional(),
  orderby: z.string().optional(),
  "slug[]": z.array(z.string()).optional(),
  status: z.string().optional(),
});
const itemsSchema = {
  type: "array",
  items: {
    type: "object",
    properties: {
      id: { type: "integer" },
      date: { type: "string" },
      slug: { type: "string" },
      status: { type: "string" },
      type: { type: "string" },
      title: { type: "object", properties: { raw: { type: "string" }, rendered: { type: "string" } } },
      content: { type: "object", properties: { raw: { type: "string" }, protected: { type: "boolean" } } },
      link: { type: "string" },
    },
  },
};
