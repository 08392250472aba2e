import { expect, test } from "vitest";
import { type RestClientOptions, ServiceClient, type Transport } from "../../src/client/index.js";
import { RestClient } from "../../src/client/rest/index.js";
import { fetchTransport } from "../../src/client/transports/fetch-transport.js";
import { ConfigError, type EndpointDescriptor, type RestInterfaceDescriptor } from "../../src/index.js";
import { envelope, find, found, itemXml, lookup } from "./lookup.js";

// Mistakes in transports of programs, which TypeScript does not find in JavaScript and behind `any`.

const body = new TextEncoder().encode(envelope(found(itemXml)));
const headers = new Map([["content-type", "text/xml"]]);

const cases: readonly (readonly [answer: unknown, problem: string])[] = [
  [undefined, "Its method send returned undefined."],
  [null, "Its method send returned null."],
  ["<a/>", "Its method send returned a value of type String."],
  [body, 'The member "status" is undefined.'],
  [new Response("a"), "Its method send returned a Response: use fetchTransport of"],
  [{ headers, body }, 'The member "status" is undefined.'],
  [{ status: "200", headers, body }, 'The member "status" is a value of type String.'],
  [{ statusCode: 200, headers, body }, 'The member "status" is undefined.'],
  [{ status: 200, body }, 'The member "headers" is undefined.'],
  [
    { status: 200, headers: { "content-type": "text/xml" }, body },
    'The member "headers" is a value of type Object. Use new Map',
  ],
  [{ status: 200, headers: [["content-type", "text/xml"]], body }, 'The member "headers" is a value of type Array.'],
  [{ status: 200, headers }, 'The member "body" is undefined.'],
  [
    { status: 200, headers, body: "<a/>" },
    'The member "body" is a value of type String. Use new TextEncoder().encode(body).',
  ],
  [{ status: 200, headers, body: body.buffer }, 'The member "body" is a value of type ArrayBuffer.'],
  [{ status: 200, headers, data: body }, 'The member "body" is undefined.'],
];

const shop: RestInterfaceDescriptor = { descriptorFormat: 2, name: "shop", base: "/" };
const list: EndpointDescriptor<object, unknown> = {
  kind: "endpoint",
  interface: shop,
  name: "shop.list",
  route: "/items",
  path: ["/items"],
  methods: ["GET"],
  args: {},
};

function createClient(transport: Transport) {
  return new ServiceClient(lookup, { baseUrl: "http://a.example", protocol: "soap11", transport });
}

class PooledTransport implements Transport {
  readonly #answer: unknown;
  constructor(answer: unknown) {
    this.#answer = answer;
  }
  send() {
    return this.#answer as never;
  }
}

test.each(cases)("an answer of another form names the transport and the mistake (%#)", async (answer, problem) => {
  const start = (owner: string) =>
    `The transport in the option "transport"${owner} must answer with { status, headers, body }: a number, a Map with names in lower case, and a Uint8Array.`;
  for (const [transport, owner] of [
    [{ send: async () => answer as never }, ""],
    [{ send: async () => answer as never, rejectsOnCancel: true } as const, ""],
    [new PooledTransport(answer), ", of the class PooledTransport,"],
  ] as const) {
    const error = await createClient(transport)
      .call(find, { Key: "a", user: "u" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(start(owner));
    expect(String(error)).toContain(problem);
    expect(error).toMatchObject({ operation: "Find", method: "POST" });
  }
  const options: RestClientOptions = { siteUrl: "http://h", transport: new PooledTransport(answer) };
  const client = new RestClient(shop, options);
  const call = client.call(list, {});
  await expect(call).rejects.toThrow(problem);
});

test.each([[{}], [{ request: () => {} }], [{ send: "http://a" }]])(
  "a transport of the form %o is refused",
  (transport) => {
    expect(() => createClient(transport as never)).toThrow(
      'The option "transport" must be an object with the method send, not a value of type Object. To send with a function such as fetch, use fetchTransport',
    );
  },
);

test("a transport keeps its other members", async () => {
  let closed = 0;
  class Own implements Transport {
    readonly rejectsOnCancel = true;
    #calls = 0;
    send() {
      this.#calls += 1;
      return Promise.resolve({ status: 200, headers, body });
    }
    close() {
      closed += this.#calls;
    }
  }
  const client = createClient(new Own());
  expect(await client.call(find, { Key: "a", user: "u" })).toMatchObject({ Size: 3 });
  client.close();
  expect(closed).toBe(1);
});

test("headers that keep their letter case, as those of happy-dom, are found by name", async () => {
  class CasedHeaders extends Headers {
    override *[Symbol.iterator](): HeadersIterator<[string, string]> {
      for (const [name, value] of super.entries()) {
        yield [name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()), value];
      }
    }
  }
  const transport = fetchTransport(async () => {
    const response = new Response(body);
    Object.defineProperty(response, "headers", { value: new CasedHeaders({ "content-type": "text/xml" }) });
    return response;
  });
  expect(await createClient(transport).call(find, { Key: "a", Count: 1, user: "u" })).toBeDefined();
});
