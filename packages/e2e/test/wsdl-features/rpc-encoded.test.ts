import { fetchTransport } from "@bothends/runtime/client/fetch";
import { streamOf } from "@bothends/runtime/client/stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { made } from "./made.js";
import { served } from "./served.js";

const service = made("rpc-encoded");
const { RpcEncodedClient, MissingFault, DecodeError } = await service.load("client");
const { rpcEncodedRoutes, MissingFault: ServedMissing } = await service.load("server");

const items = [
  { name: "pen", price: "1.50", colour: "red", tags: ["a", null] },
  { name: "ink", price: "20", tags: null },
];
const received: unknown[] = [];
const handlers = {
  find({ words }: { words: readonly (string | null)[] | null }, context: { soapHeaders: unknown }) {
    received.push(words, context.soapHeaders);
    if (words?.includes("none")) {
      throw new ServedMissing({ code: "Client", reason: "none", detail: { words } });
    }
    return words === null ? null : [...items, null];
  },
  turn: ({ rows }: { rows: readonly (readonly number[])[] }) => [...rows].reverse(),
  name: ({ thing }: { thing: { title: string } }) => ({ title: thing.title, thing }),
};

/** The reasons that operators receive for refused messages. */
const reasons: unknown[] = [];
const onError = (incident: { readonly message: string }) => void reasons.push(incident.message);

let server: Awaited<ReturnType<typeof served>>;
beforeAll(async () => {
  server = await served(rpcEncodedRoutes(handlers, { onError }));
});
afterAll(async () => {
  await server.close();
  service.remove();
});

const encodings = [
  {
    protocol: "soap11",
    style: 'soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"',
    words: 'soapenc:arrayType="xsd:string[2]"',
  },
  {
    protocol: "soap12",
    style: 'soap:encodingStyle="http://www.w3.org/2003/05/soap-encoding"',
    words: 'soapenc:itemType="xsd:string" soapenc:arraySize="2"',
  },
];

test.each(encodings)(
  "$protocol: arrays are sent and received with their item type",
  async ({ protocol, style, words }) => {
    const client = new RpcEncodedClient({ ...server.options, protocol });
    const soapHeaders = { Session: { token: "t" } };
    received.length = 0;
    expect(await client.find({ words: ["b", null], colour: "green" }, { soapHeaders })).toEqual([...items, null]);
    expect(received).toEqual([["b", null], soapHeaders]);
    expect(server.wire.request).toContain(style);
    expect(server.wire.request).toContain(words);
    expect(server.wire.request).toContain('<colour xsi:type="q1:Colour" xmlns:q1="urn:stock" xmlns="">green</colour>');
    expect(server.wire.answer).toContain(style);
    expect(server.wire.answer).toContain('<price xsi:type="xsd:decimal">1.50</price>');
    expect(await client.find({ words: null, colour: null })).toBe(null);
  },
);

async function collected(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

test.each(encodings)("$protocol: the items of an array can be read as a stream", async ({ protocol }) => {
  const client = new RpcEncodedClient({ ...server.options, protocol, hooks: [] });
  const input = { words: ["b"], colour: "green" };
  expect(await collected(streamOf((options) => client.find(input, options)))).toEqual([...items, null]);
  const none = streamOf((options) => client.find({ words: null, colour: null }, options));
  expect(await collected(none)).toEqual([]);
  const rows = streamOf((options) => client.turn({ rows: [[1, 2], [], [3]] }, options));
  expect(await collected(rows)).toEqual([[3], [], [1, 2]]);
});

/** Returns the items of an answer as a stream. `content` is written as another peer would write it. */
function streamedFrom(content: string, more = "", options: object = {}) {
  const answer = message(content, more).replaceAll("n:find", "n:findResponse");
  const transport = fetchTransport(async () => new Response(answer, { headers: { "Content-Type": "text/xml" } }));
  const client = new RpcEncodedClient({ baseUrl: "http://h", protocol: "soap11", transport, ...options });
  return collected(streamOf((options) => client.find({ words: null, colour: null }, options)));
}

test("the items of an array in a stream may have any name, and an error has the index of its item", async () => {
  const item = (price: string) => `<any><name>pen</name><price>${price}</price></any>`;
  const array = (content: string) => `<return enc:arrayType="xsd:ur-type[2]">${content}</return>`;
  expect(await streamedFrom(array(item("1") + item("2")))).toMatchObject([{ price: "1" }, { price: "2" }]);
  const error = await streamedFrom(array(item("1") + item("x"))).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DecodeError);
  expect(error).toMatchObject({ path: "/Envelope/Body/findResponse/return[2]/price" });
});

test.each([
  [
    "the array",
    '<return href="#a"/>',
    '<multiRef id="a" enc:arrayType="xsd:ur-type[1]"><i><name>pen</name><price>1</price></i></multiRef>',
    "return: The list is a reference to another element of the answer, so it cannot be read as a stream.",
  ],
  [
    "an item",
    '<return enc:arrayType="xsd:ur-type[1]"><i href="#a"/></return>',
    '<multiRef id="a"><name>pen</name></multiRef>',
    'return[1]: The item refers to the id "a" elsewhere in the answer, so it cannot be read as a stream.',
  ],
  [
    "a member of an item",
    '<return enc:arrayType="xsd:ur-type[1]"><i><name href="#a"/></i></return>',
    '<multiRef id="a">pen</multiRef>',
    'return[1]/name: The item refers to the id "a" elsewhere in the answer, so it cannot be read as a stream.',
  ],
])("a stream of an array reports that %s is elsewhere in the answer", async (_, content, more, message) => {
  const events: unknown[] = [];
  const incidents: unknown[] = [];
  const observers = {
    onCall: (event: { error?: { kind: string } }) => events.push(event.error?.kind),
    onError: ({ kind }: { kind: string }) => incidents.push(kind),
  };
  const error = await streamedFrom(content, more, observers).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DecodeError);
  expect(String(error)).toContain(`find: /Envelope/Body/findResponse/${message} [POST http://h/`);
  expect(String(error)).toMatch(/, status 200[,\]]/);
  expect([events, incidents]).toEqual([["decode"], ["decode"]]);
});

test.each(encodings)("$protocol: arrays of arrays, empty ones too", async ({ protocol }) => {
  const client = new RpcEncodedClient({ ...server.options, protocol });
  expect(await client.turn({ rows: [[1, 2], [], [3]] })).toEqual([[3], [], [1, 2]]);
  expect(await client.turn({ rows: [] })).toEqual([]);
});

test.each(encodings)("$protocol: a derived type is identified by xsi:type", async ({ protocol }) => {
  const client = new RpcEncodedClient({ ...server.options, protocol });
  const book = { $type: "Book", title: "T", pages: 7 };
  expect(await client.name({ thing: book })).toEqual({ title: "T", thing: book });
  expect(server.wire.request).toContain('xsi:type="q1:Book"');
  expect(await client.name({ thing: { title: "U" } })).toEqual({ title: "U", thing: { title: "U" } });
});

test.each(encodings)("$protocol: a declared fault is of its class, its detail encoded", async ({ protocol }) => {
  const client = new RpcEncodedClient({ ...server.options, protocol });
  const error = await client.find({ words: ["none"], colour: "red" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MissingFault);
  expect(error.detail).toEqual({ words: ["none"] });
  expect(server.wire.answer).toMatch(
    /<missing xsi:type="q1:Missing" soap:encodingStyle="[^"]*" xmlns:q1="urn:stock">|<missing soap:encodingStyle="[^"]*" xsi:type="q1:Missing"/,
  );
  expect(server.wire.answer).toContain("soapenc:Array");
});

/**
 * Returns a request as another peer may write it, from the XML of its parameters and of further elements in the body.
 */
function message(parameters: string, more = ""): string {
  return (
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
    ' xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/"><soap:Body>' +
    `<n:find xmlns:n="urn:stock:calls">${parameters}</n:find>${more}</soap:Body></soap:Envelope>`
  );
}

async function post(body: string): Promise<string> {
  const headers = { "Content-Type": "text/xml", SOAPAction: '"urn:stock#find"' };
  return (await fetch(`${server.url}/soap`, { method: "POST", headers, body })).text();
}

test("a peer may use any names for items and types", async () => {
  received.length = 0;
  const sent =
    '<words enc:arrayType="xsd:ur-type[2]"><enc:string>b</enc:string><x xsi:nil="1"/></words><colour>red</colour>';
  expect(await post(message(sent))).toContain("findResponse");
  expect(received[0]).toEqual(["b", null]);
});

test("a peer may use any name for the detail of a fault that has a type", async () => {
  const after = (answer: { readonly body: Uint8Array }) => ({
    ...answer,
    body: new TextEncoder().encode(new TextDecoder().decode(answer.body).replaceAll("missing", "fault")),
  });
  const client = new RpcEncodedClient({ ...server.options, hooks: { after } });
  const error = await client.find({ words: ["none"], colour: "red" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MissingFault);
  expect(error.detail).toEqual({ words: ["none"] });
});

const header =
  '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
  ' xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/">';

const referring = [
  {
    // Apache Axis 1 writes every complex value after the wrapper.
    peer: "Axis 1",
    body:
      '<n:find xmlns:n="urn:stock:calls" soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">' +
      '<words href="#id0"/><colour href="#id1"/></n:find>' +
      '<multiRef id="id0" enc:root="0" xsi:type="enc:Array" enc:arrayType="xsd:string[2]"><item href="#id2"/><item xsi:nil="1"/></multiRef>' +
      '<multiRef id="id1" enc:root="0" xsi:type="q:Colour" xmlns:q="urn:stock">red</multiRef>' +
      '<multiRef id="id2" enc:root="0" xsi:type="xsd:string">b</multiRef>',
    want: ["b", null],
  },
  {
    // .NET names the elements by their types, and leaves out root.
    peer: ".NET",
    body:
      '<q1:find xmlns:q1="urn:stock:calls"><words href="#id1"/><colour>red</colour></q1:find>' +
      '<enc:Array id="id1" enc:arrayType="xsd:string[2]"><Item>a</Item><Item>b</Item></enc:Array>',
    want: ["a", "b"],
  },
  {
    // PHP writes the id at the first occurrence of a value.
    peer: "PHP",
    body:
      '<n:find xmlns:n="urn:stock:calls"><words enc:arrayType="xsd:string[2]"><item id="ref1">a</item>' +
      '<item href="#ref1"/></words><colour>red</colour></n:find>',
    want: ["a", "a"],
  },
  {
    peer: "a stack that writes independent elements first",
    body:
      '<multiRef id="w" enc:root="0" enc:arrayType="xsd:string[1]"><i>b</i></multiRef>' +
      '<n:find xmlns:n="urn:stock:calls"><words href="#w"/><colour>red</colour></n:find>',
    want: ["b"],
  },
];

test.each(referring)("references as $peer writes them are followed", async ({ body, want }) => {
  received.length = 0;
  expect(await post(`${header}<soap:Body>${body}</soap:Body></soap:Envelope>`)).toContain("findResponse");
  expect(received[0]).toEqual(want);
});

test("references of SOAP 1.2 are followed, with and without #", async () => {
  const body =
    '<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope" xmlns:enc="http://www.w3.org/2003/05/soap-encoding">' +
    '<soap:Body><n:find xmlns:n="urn:stock:calls"><words enc:itemType="xsd:string" enc:arraySize="3">' +
    '<i enc:id="a">x</i><i enc:ref="a"/><i enc:ref="#a"/></words><colour>red</colour></n:find></soap:Body></soap:Envelope>';
  const headers = { "Content-Type": "application/soap+xml" };
  received.length = 0;
  expect(await (await fetch(`${server.url}/soap`, { method: "POST", headers, body })).text()).toContain("findResponse");
  expect(received[0]).toEqual(["x", "x", "x"]);
});

test.each([
  { what: "to nothing", words: '<words href="#w"/>', reason: 'No element of the body has the id "w".' },
  { what: "to two elements", words: '<words href="#w"/>', more: '<m id="w"/><m id="w"/>', reason: "Two elements" },
  {
    what: "out of the body",
    words: '<words href="http://other.example/w"/>',
    reason: "(href) must refer to an element of the body",
  },
  {
    what: "to itself",
    words: '<words href="#w"/>',
    more: '<m id="w" href="#v"/><m id="v" href="#w"/>',
    reason: 'The element with the id "w" refers to itself.',
  },
  {
    what: "to the array that contains it",
    words: '<words id="w" enc:arrayType="xsd:string[1]"><i href="#w"/></words>',
    reason: "Only text is allowed here, not the element <i>.",
  },
])("a reference $what is refused, and the operator receives the reason", async ({ words, more, reason }) => {
  received.length = 0;
  reasons.length = 0;
  const answer = await post(message(`${words}<colour>red</colour>`, more));
  expect(answer).toContain("<faultcode>soap:Client</faultcode>");
  expect(received).toEqual([]);
  expect(reasons).toEqual([expect.stringContaining(reason)]);
});

const fewItems = "<i>b</i><i>c</i>";

test.each([
  ["two billion items", `<words enc:arrayType="xsd:string[2000000000]">${fewItems}</words>`],
  [
    "more items than a number can express",
    `<words enc:arrayType="xsd:string[99999999999999999999]">${fewItems}</words>`,
  ],
  ["fewer items than there are", `<words enc:arrayType="xsd:string[1]">${fewItems}</words>`],
  ["a negative number of items", `<words enc:arrayType="xsd:string[-1]">${fewItems}</words>`],
  ["a number that is a name", `<words enc:arrayType="xsd:string[__proto__]">${fewItems}</words>`],
  ["two dimensions of two billion", `<words enc:arrayType="xsd:string[2000000000,2000000000]">${fewItems}</words>`],
  ["a hundred dimensions", `<words enc:arrayType="xsd:string${"[]".repeat(100)}[2]">${fewItems}</words>`],
  ["an offset of two billion", `<words enc:arrayType="xsd:string[2]" enc:offset="[1999999999]">${fewItems}</words>`],
  ["a negative offset", `<words enc:arrayType="xsd:string[2]" enc:offset="[-1]">${fewItems}</words>`],
  ["a position of two billion", `<words enc:arrayType="xsd:string[2]"><i enc:position="[2000000000]">b</i></words>`],
  ["a position in two dimensions", `<words enc:arrayType="xsd:string[2,2]"><i enc:position="[1,9]">b</i></words>`],
  ["a type of many characters", `<words enc:arrayType="xsd:${"s".repeat(60_000)}[2]">${fewItems}</words>`],
])("an array that announces %s costs no memory and no time", async (_, words) => {
  received.length = 0;
  reasons.length = 0;
  const before = process.memoryUsage();
  const startedAt = performance.now();
  const answer = await post(message(`${words}<colour>red</colour>`));
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  const after = process.memoryUsage();
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(50_000_000);
  if (answer.includes("findResponse")) {
    expect(received[0]).toEqual(["b", "c"]);
  } else {
    expect(answer).toContain("<faultcode>soap:Client</faultcode>");
    expect([received, reasons.length]).toEqual([[], 1]);
  }
});

const many = "abcdefghij".repeat(10);
const bounds = [
  { limit: "references", value: 3, words: `<i id="a">x</i>${'<i href="#a"/>'.repeat(4)}` },
  { limit: "referencedChars", value: 500, words: `<i id="a">${many}</i>${'<i href="#a"/>'.repeat(5)}` },
  { limit: "depth", value: 8, words: '<i href="#r0"/>', more: chain(8) },
];

/** Returns elements that each refer to the next one. */
function chain(length: number): string {
  const links = Array.from({ length }, (_, index) => `<m id="r${index}" href="#r${index + 1}"/>`);
  return `${links.join("")}<m id="r${length}">x</m>`;
}

test.each(bounds)("the limit $limit applies to references", async ({ limit, value, words, more }) => {
  reasons.length = 0;
  const parameters = `<words enc:arrayType="xsd:string[9]">${words}</words><colour>red</colour>`;
  const strict = await served(rpcEncodedRoutes(handlers, { onError, limits: { [limit]: value } }));
  const headers = { "Content-Type": "text/xml", SOAPAction: '"urn:stock#find"' };
  const body = message(parameters, more);
  const answer = await (await fetch(`${strict.url}/soap`, { method: "POST", headers, body })).text();
  await strict.close();
  expect(answer).toContain("<faultcode>soap:Client</faultcode>");
  expect(reasons).toEqual([expect.stringContaining(`increase the option "limits.${limit}"`)]);
  expect(await post(body)).toContain("findResponse");
});

test("a client follows the references of an answer, and names a reference that it cannot follow", async () => {
  const answering = (answer: string) =>
    new RpcEncodedClient({
      ...server.options,
      hooks: { after: (original: object) => ({ ...original, body: new TextEncoder().encode(answer) }) },
    });
  const call = (answer: string) => answering(answer).find({ words: [], colour: "red" });
  const answer = (parameters: string, more = "") => message(parameters, more).replaceAll("n:find", "n:findResponse");
  const item = '<multiRef id="i"><name>pen</name><price>1</price></multiRef>';
  const list = '<multiRef id="l" enc:arrayType="x[2]"><x href="#i"/><x href="#i"/></multiRef>';
  const pen = { name: "pen", price: "1", tags: null };
  expect(await call(answer('<return href="#l"/>', item + list))).toEqual([pen, pen]);
  const error = await call(answer('<return href="#id0"/>')).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DecodeError);
  expect(error.message).toContain('/Envelope/Body/findResponse/return: No element of the body has the id "id0".');
  const bounded = answering(answer('<return href="#l"/>', item + list));
  const refused = await bounded
    .find({ words: [], colour: "red" }, { limits: { references: 2 } })
    .catch((thrown: unknown) => thrown);
  expect(refused.message).toContain('references = 2. To accept them, increase the option "limits.references"');
});
