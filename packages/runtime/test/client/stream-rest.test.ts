import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { RestClient } from "../../src/client/rest/rest-client.js";
import { streamOf } from "../../src/client/streams/stream-of.js";
import type { EndpointDescriptor, RestInterfaceDescriptor } from "../../src/index.js";
import { DecodeError, RestError } from "../../src/index.js";
import type { CallEvent, ClientIncident } from "../../src/observe/index.js";
import { checkAnswers } from "../../src/rest/index.js";
import { collected, failureOf, localServer, pieceServer } from "./local-server.js";

const site: RestInterfaceDescriptor = { descriptorFormat: 2, name: "site", base: "/wp-json" } as never;
const posts = {
  name: "posts.list",
  route: "/v1/posts",
  path: ["/v1/posts"],
  methods: ["GET"],
  args: {},
} as unknown as EndpointDescriptor<object, readonly { id: number; title?: string }[]>;
const feed = { ...posts, name: "feed" } as unknown as EndpointDescriptor<
  object,
  { total: number; data: { items: readonly { id: number }[] } }
>;
const json = { type: "application/json" };

const items = [{ id: 1, title: 'a "\\[x]{, ' }, { id: 2 }, { id: 3, list: [[1], { a: "]" }] }];

test("the items of a JSON list are read, wherever the bytes are divided", async () => {
  const bytes = Buffer.from(JSON.stringify(items, null, 1));
  for (const size of [1, 3, 17, 1000]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const server = await pieceServer(pieces, json);
    const client = new RestClient(site, { siteUrl: server.url });
    expect(await collected(streamOf((options) => client.call(posts, {}, options)))).toEqual(items);
  }
});

test("the items of a list inside an object are read", async () => {
  const body = `{"items":[0],"data":{"x":{"items":[1]},"items": [ {"id":1} , {"id":2} ],"y":["items",[3]]},"total":2}`;
  for (const pieces of [[body], [...body]]) {
    const server = await pieceServer(pieces, json);
    const client = new RestClient(site, { siteUrl: server.url });
    const stream = streamOf((options) => client.call(feed, {}, options), { items: "data.items" });
    expect(await collected(stream)).toEqual([{ id: 1 }, { id: 2 }]);
  }
});

test.each([
  ["[1,]", [1], "/1"],
  ["[1 2]", [], "/0"],
  ["[1,,2]", [1], "/1"],
  ["[1,2", [1], "/"],
  ["[{]", [], "/"],
  ["[1]x", [1], "/"],
])("%s is an error at its place", async (body, before, path) => {
  const server = await pieceServer([body], json);
  const client = new RestClient(site, { siteUrl: server.url });
  const stream = streamOf((options) => client.call(posts, {}, options));
  for (const item of before) {
    expect((await stream.next()).value).toEqual(item);
  }
  const error = await failureOf(collected(stream));
  expect(error).toBeInstanceOf(DecodeError);
  expect(error).toMatchObject({ path });
});

test.each([
  ["before an item", "[", ""],
  ["after an item", '[{"id":1}', ""],
  ["after a comma", '[{"id":1},', ""],
  ["in an empty list", "[", "]"],
])("white space %s is refused at the limit bodyBytes", async (_, start, end) => {
  const blanks = Array.from({ length: 40 }, () => " \n\t\r".repeat(16_384));
  const server = await pieceServer([start, ...blanks, end], json);
  const client = new RestClient(site, { siteUrl: server.url, limits: { bodyBytes: 1_000_000 } });
  const error = await failureOf(collected(streamOf((options) => client.call(posts, {}, options))));
  expect(error).toMatchObject({ name: "ProtocolError", message: expect.stringContaining("limits.bodyBytes") });
});

test("white space between items is limited for each item, not for all items together", async () => {
  const blank = " ".repeat(900);
  const server = await pieceServer(
    [`[${Array.from({ length: 50 }, () => `${blank}{"id":1}`).join(`${blank},`)}]`],
    json,
  );
  const client = new RestClient(site, { siteUrl: server.url, limits: { bodyBytes: 1_000 } });
  expect(await collected(streamOf((options) => client.call(posts, {}, options)))).toHaveLength(50);
});

test("an answer without the list is an error", async () => {
  const server = await pieceServer(['{"data":{}}'], json);
  const client = new RestClient(site, { siteUrl: server.url });
  const stream = streamOf((options) => client.call(feed, {}, options), { items: "data.items" });
  expect(String(await failureOf(collected(stream)))).toMatch(/has no list at "data\.items"/);
});

test("an error of the site is an error of the stream", async () => {
  const body = JSON.stringify({ code: "rest_forbidden", message: "no", data: { status: 403 } });
  const server = await pieceServer([body], { ...json, status: 403 });
  const client = new RestClient(site, { siteUrl: server.url });
  const stream = streamOf((options) => client.call(posts, {}, options));
  expect(await failureOf(collected(stream))).toBeInstanceOf(RestError);
});

test("each item is checked by the schema of the answer", async () => {
  const validate = checkAnswers({
    descriptorFormat: 2,
    types: {},
    endpoints: {
      "posts.list": {
        type: "array",
        items: { type: "object", properties: { id: { type: "integer", required: true } } },
      },
    },
  } as never);
  const server = await pieceServer(['[{"id":1},{"id":"x"}]'], json);
  const client = new RestClient(site, { siteUrl: server.url, validate });
  const stream = streamOf((options) => client.call(posts, {}, options));
  expect((await stream.next()).value).toEqual({ id: 1 });
  expect(await failureOf(stream.next())).toMatchObject({ name: "DecodeError", path: "/1/id" });
});

test("the event of a stream has the status and the bytes that arrived, and no error if the loop ends early", async () => {
  const body = JSON.stringify(items);
  const server = await pieceServer([body], json);
  const events: CallEvent[] = [];
  const incidents: ClientIncident[] = [];
  const client = new RestClient(site, {
    siteUrl: server.url,
    onCall: (event) => void events.push(event),
    onError: (incident) => void incidents.push(incident),
  });
  await collected(streamOf((options) => client.call(posts, {}, options)));
  expect(events).toMatchObject([{ status: 200, answerBytes: body.length, completed: true }]);
  for await (const _ of streamOf((options) => client.call(posts, {}, options))) {
    break;
  }
  expect(events[1]).toMatchObject({ status: 200, answerBytes: expect.any(Number), completed: false, error: undefined });
  expect(incidents).toEqual([]);
});

test("a stream that is compressed and ends early names the cause", async () => {
  const body = gzipSync(JSON.stringify(Array.from({ length: 2_000 }, () => ({ id: Math.random() }))));
  const server = await pieceServer([body.subarray(0, 300), body.subarray(300, -9)], {
    ...json,
    headers: { "Content-Encoding": "gzip" },
  });
  const client = new RestClient(site, { siteUrl: server.url });
  expect(await failureOf(collected(streamOf((options) => client.call(posts, {}, options))))).toMatchObject({
    message: expect.stringContaining("It ends before the end of the compressed data"),
  });
});

test.each([0, 2])(
  "with retries: %i, the error of a stream that breaks after items says that it was not sent again",
  async (retries) => {
    const server = await localServer((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": 1_000 });
      response.write('[{"id":1},{"id":2},');
      setTimeout(() => response.socket?.resetAndDestroy(), 100);
    });
    const client = new RestClient(site, { siteUrl: server.url, retries });
    const error = await failureOf(collected(streamOf((options) => client.call(posts, {}, options))));
    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({
      message: expect.stringContaining(
        "The server, or a proxy or firewall between, closed the connection before the answer was complete. It was not sent again, because items of the answer had already been read. [GET",
      ),
    });
  },
);

test("the event of a stream that fails has the status that arrived before the failure", async () => {
  const server = await pieceServer(['[{"id":1},', "{"], json);
  const events: CallEvent[] = [];
  const client = new RestClient(site, { siteUrl: server.url, onCall: (event) => void events.push(event) });
  await failureOf(collected(streamOf((options) => client.call(posts, {}, options))));
  expect(events).toMatchObject([{ status: 200, answerBytes: 11, error: { kind: "decode" } }]);
});

/** Sends pieces of an answer, each after the given number of items of the piece before it has been delivered. */
async function deliveredBeforeNext(pieces: readonly string[], counts: readonly number[]): Promise<unknown[]> {
  const delivered: unknown[] = [];
  const server = await localServer(async (_, response) => {
    let expectedCount = 0;
    response.writeHead(200, { "Content-Type": "application/json" });
    for (const [index, piece] of pieces.entries()) {
      response.write(piece);
      expectedCount += counts[index] ?? 0;
      while (delivered.length < expectedCount && !response.destroyed) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    response.end();
  });
  const client = new RestClient(site, { siteUrl: server.url });
  for await (const item of streamOf((options) => client.call(posts, {}, options))) {
    delivered.push(item);
  }
  return delivered;
}

test.each<[readonly string[], readonly number[], readonly unknown[]]>([
  [
    ['[{"id":1}', ',{"id":2}', "]"],
    [1, 1, 0],
    [{ id: 1 }, { id: 2 }],
  ],
  [
    ['[{"a":{"b":[1]}}', '\n,\n{"a":"}"}\n', "]"],
    [1, 1, 0],
    [{ a: { b: [1] } }, { a: "}" }],
  ],
  [
    ["[[1,[2]]", ",[]", "]"],
    [1, 1, 0],
    [[1, [2]], []],
  ],
  [
    ['["a\\"b"', ',"\\\\"', "]"],
    [1, 1, 0],
    ['a"b', "\\"],
  ],
  [
    ['[ {"id":1} ,{"id', '":2}', "]"],
    [1, 1, 0],
    [{ id: 1 }, { id: 2 }],
  ],
  [
    ["[1", ",2", "]"],
    [0, 1, 1],
    [1, 2],
  ],
  [
    ["[null", " ", ",true", "]"],
    [0, 0, 1, 1],
    [null, true],
  ],
])("an item is delivered when its last byte has arrived: %j", async (pieces, counts, expected) => {
  expect(await deliveredBeforeNext(pieces, counts)).toEqual(expected);
});

test.each([
  ['[{"id":1} x]', "/1"],
  ['[{"id":1}{"id":2}]', "/1"],
  ['["a""b"]', "/1"],
  ['[{"id":1} 2,3]', "/1"],
  ['[{"id":1},,2]', "/1"],
  ['[{"id":1},]', "/1"],
  ["[,1]", "/0"],
  ["[1{}]", "/0"],
  ["[{}]]", "/"],
])("%s is an error at the first wrong item", async (body, path) => {
  for (const pieces of [[body], [...body]]) {
    const server = await pieceServer(pieces, json);
    const client = new RestClient(site, { siteUrl: server.url });
    const failure = await failureOf(collected(streamOf((options) => client.call(posts, {}, options))));
    expect(failure).toBeInstanceOf(DecodeError);
    expect((failure as DecodeError).path).toBe(path);
  }
});

test("white space after an item does not count as a part of it", async () => {
  const blank = " ".repeat(900);
  const item = `{"id":"${"x".repeat(900)}"}`;
  const server = await pieceServer([`[${item}${blank},${blank}${item}${blank}]`], json);
  const client = new RestClient(site, { siteUrl: server.url, limits: { bodyBytes: 1_000 } });
  expect(await collected(streamOf((options) => client.call(posts, {}, options)))).toHaveLength(2);
});
