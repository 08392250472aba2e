import { afterAll, beforeAll, expect, test } from "vitest";
import { made } from "./made.js";
import { served } from "./served.js";

const service = made("rpc-encoded");
const { RpcEncodedServiceClient, Missing, DecodeError } = await service.load("client");
const { rpcEncodedServiceRoutes, Missing: ServedMissing } = await service.load("server");

const items = [
  { name: "pen", price: "1.50", colour: "red", tags: ["a", null] },
  { name: "ink", price: "20", tags: null },
];
const told: unknown[] = [];
const handlers = {
  find({ words }: { words: readonly (string | null)[] | null }, context: { soapHeaders: unknown }) {
    told.push(words, context.soapHeaders);
    if (words?.includes("none")) throw new ServedMissing({ code: "Client", reason: "none", detail: { words } });
    return words === null ? null : [...items, null];
  },
  turn: ({ rows }: { rows: readonly (readonly number[])[] }) => [...rows].reverse(),
  name: ({ thing }: { thing: { title: string } }) => ({ title: thing.title, thing }),
};

let server: Awaited<ReturnType<typeof served>>;
beforeAll(async () => {
  server = await served(rpcEncodedServiceRoutes(handlers));
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

test.each(encodings)("$protocol: arrays go both ways, and say what they hold", async ({ protocol, style, words }) => {
  const client = new RpcEncodedServiceClient({ ...server.options, protocol });
  const soapHeaders = { Session: { token: "t" } };
  told.length = 0;
  expect(await client.find({ words: ["b", null], colour: "green" }, { soapHeaders })).toEqual([...items, null]);
  expect(told).toEqual([["b", null], soapHeaders]);
  expect(server.wire.request).toContain(style);
  expect(server.wire.request).toContain(words);
  expect(server.wire.request).toContain('<colour xsi:type="q1:Colour" xmlns:q1="urn:stock" xmlns="">green</colour>');
  expect(server.wire.answer).toContain(style);
  expect(server.wire.answer).toContain('<price xsi:type="xsd:decimal">1.50</price>');
  expect(await client.find({ words: null, colour: null })).toBe(null);
});

test.each(encodings)("$protocol: arrays of arrays, empty ones too", async ({ protocol }) => {
  const client = new RpcEncodedServiceClient({ ...server.options, protocol });
  expect(await client.turn({ rows: [[1, 2], [], [3]] })).toEqual([[3], [], [1, 2]]);
  expect(await client.turn({ rows: [] })).toEqual([]);
});

test.each(encodings)("$protocol: a derived type says which it is", async ({ protocol }) => {
  const client = new RpcEncodedServiceClient({ ...server.options, protocol });
  const book = { $type: "Book", title: "T", pages: 7 };
  expect(await client.name({ thing: book })).toEqual({ title: "T", thing: book });
  expect(server.wire.request).toContain('xsi:type="q1:Book"');
  expect(await client.name({ thing: { title: "U" } })).toEqual({ title: "U", thing: { title: "U" } });
});

test.each(encodings)("$protocol: a declared fault is of its class, its detail encoded", async ({ protocol }) => {
  const client = new RpcEncodedServiceClient({ ...server.options, protocol });
  const error = await client.find({ words: ["none"], colour: "red" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Missing);
  expect(error.detail).toEqual({ words: ["none"] });
  expect(server.wire.answer).toMatch(
    /<missing xsi:type="q1:Missing" soap:encodingStyle="[^"]*" xmlns:q1="urn:stock">|<missing soap:encodingStyle="[^"]*" xsi:type="q1:Missing"/,
  );
  expect(server.wire.answer).toContain("soapenc:Array");
});

/** A message of a peer that makes the whole value of its own. */
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

test("a peer may call items and types as it likes", async () => {
  told.length = 0;
  const sent =
    '<words enc:arrayType="xsd:ur-type[2]"><enc:string>b</enc:string><x xsi:nil="1"/></words><colour>red</colour>';
  expect(await post(message(sent))).toContain("findResponse");
  expect(told[0]).toEqual(["b", null]);
});

test("a peer may call the detail of a fault as it likes, and says its type", async () => {
  const after = (answer: { readonly body: Uint8Array }) => ({
    ...answer,
    body: new TextEncoder().encode(new TextDecoder().decode(answer.body).replaceAll("missing", "fault")),
  });
  const client = new RpcEncodedServiceClient({ ...server.options, hooks: { after } });
  const error = await client.find({ words: ["none"], colour: "red" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Missing);
  expect(error.detail).toEqual({ words: ["none"] });
});

test("references are refused: nothing is followed", async () => {
  const elsewhere = '<multiRef id="w" enc:arrayType="xsd:string[1]"><i>b</i></multiRef>';
  told.length = 0;
  const answer = await post(message('<words href="#w"/><colour>red</colour>', elsewhere));
  expect(answer).toContain("<faultcode>soap:Client</faultcode>");
  expect(told).toEqual([]);
});

test("a client names the reference it does not follow", async () => {
  const body = message('<return href="#id0"/>').replaceAll("n:find", "n:findResponse");
  const client = new RpcEncodedServiceClient({
    ...server.options,
    hooks: { after: (answer: { readonly headers: unknown }) => ({ ...answer, body: new TextEncoder().encode(body) }) },
  });
  const error = await client.find({ words: [], colour: "red" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DecodeError);
  expect(error.message).toContain("/Envelope/Body/findResponse/return: The value is a reference (href)");
});
