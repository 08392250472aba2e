import { expect, onTestFinished, test } from "vitest";
import { ServiceClient } from "../../src/client/index.js";
import {
  HttpStatusError,
  type OperationDescriptor,
  type RecordDescriptor,
  type ServiceDescriptor,
} from "../../src/index.js";
import { listen } from "../../src/server/adapters/node/listen.js";
import { asmxConventions, type ServerConventions, soapRoutes, standardConventions } from "../../src/server/index.js";
import * as xs from "../../src/xs.js";

interface Order {
  code: string;
  count?: number | undefined;
}

const order: RecordDescriptor<Order> = {
  kind: "record",
  name: "{urn:o}Order",
  namespace: "urn:o",
  fields: { code: { type: xs.string }, count: { type: xs.int, min: 0 } },
};
const service: ServiceDescriptor = {
  descriptorFormat: 2,
  name: "Orders",
  namespace: "urn:o",
  ports: { httpPost: { name: "OrdersHttp", address: "http://orders.example/orders" } },
};
const place: OperationDescriptor<Order, Order> = {
  kind: "operation",
  service,
  name: "Place",
  input: { body: { element: "{urn:o}Order", type: () => order } },
  output: { body: { element: "{urn:o}Order", type: () => order } },
  http: {
    body: { element: "{urn:o}Order", type: () => order },
    answer: { kind: "xml", element: "{urn:o}Order", type: () => order },
  },
  bindings: { httpPost: { location: "/Place" } },
};

async function serving(conventions?: ServerConventions) {
  const handlers = { place: (input: Order) => ({ ...input, count: (input.count ?? 0) + 1 }) };
  const server = await listen([soapRoutes({ service, operations: { place }, handlers, wsdl: [], conventions })], {
    port: 0,
  });
  onTestFinished(async () => void (await server.close()));
  return server.url;
}

test("an operation may post its input as an XML document", async () => {
  const client = new ServiceClient(service, { baseUrl: await serving() });
  expect(await client.call(place, { code: "a<&é", count: 2 }, { protocol: "httpPost" })).toEqual({
    code: "a<&é",
    count: 3,
  });
});

const refused = [
  { given: "a form", type: "application/x-www-form-urlencoded", status: 415, body: "code=a" },
  { given: "what is not XML", type: "text/xml", status: 400, body: "<Order" },
  { given: "another root", type: "text/xml", status: 400, body: '<Other xmlns="urn:o"><code>a</code></Other>' },
  {
    given: "a number that is none",
    type: "text/xml",
    status: 400,
    body: '<Order xmlns="urn:o"><code>a</code><count>x</count></Order>',
  },
];

test.each(refused)("the server refuses $given", async ({ type, status, body }) => {
  for (const conventions of [standardConventions, asmxConventions]) {
    const url = `${await serving(conventions)}/orders/Place`;
    const answer = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
    expect(answer.status).toBe(conventions === asmxConventions ? 500 : status);
    expect(await answer.text()).not.toContain("<Order");
  }
});

test("an answer with an error status is an HTTP error", async () => {
  const client = new ServiceClient(service, { baseUrl: `${await serving()}/nowhere` });
  await expect(client.call(place, { code: "a" }, { protocol: "httpPost" })).rejects.toBeInstanceOf(HttpStatusError);
});
