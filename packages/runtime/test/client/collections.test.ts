import { expect, test } from "vitest";
import {
  type CallEvent,
  type ClientIncident,
  pages,
  paginate,
  type RestCallOptions,
  RestClient,
} from "../../src/client/index.js";
import {
  ConfigError,
  DecodeError,
  type EndpointDescriptor,
  isRestError,
  type JsonValue,
  ProtocolError,
} from "../../src/index.js";
import { failureOf, type LocalServer, localServer } from "./local-server.js";

interface List {
  page?: number | undefined;
  per_page?: number | undefined;
}
const list: EndpointDescriptor<List> = {
  kind: "endpoint",
  interface: { descriptorFormat: 2, name: "site", base: "/wp-json" },
  name: "items.list",
  route: "/items",
  path: ["/items"],
  methods: ["GET", "POST"],
  args: { page: { type: "integer" }, per_page: { type: "integer" } },
};

/** A site with items 1 to `count`, which may become fewer. */
async function site(options: { readonly count: number; readonly headers?: boolean; readonly shrink?: number }) {
  let { count } = options;
  const server = await localServer(({ path }, response) => {
    const query = new URL(path, "http://x").searchParams;
    const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 10)];
    const last = Math.ceil(count / size);
    const gone = page > Math.max(last, 1);
    const headers = options.headers === false ? {} : { "X-WP-Total": count, "X-WP-TotalPages": last };
    response.writeHead(gone ? 400 : 200, { "Content-Type": "application/json", ...headers });
    const items = Array.from({ length: Math.max(0, Math.min(size, count - (page - 1) * size)) }, (_, index) => ({
      id: (page - 1) * size + index + 1,
    }));
    response.end(
      gone
        ? '{"code":"rest_post_invalid_page_number","message":"No such page","data":{"status":400}}'
        : JSON.stringify(items),
    );
    count = options.shrink ?? count;
  });
  const client = new RestClient(list.interface, { siteUrl: server.url });
  const items = (input: List = {}, more?: RestCallOptions): Promise<JsonValue> => client.call(list, input, more);
  return { server, items };
}

function queriesOf({ received }: LocalServer): readonly string[] {
  return received.map(({ path }) => path.replace("/wp-json/items", ""));
}

async function ids(items: AsyncIterable<JsonValue>): Promise<number[]> {
  const found: number[] = [];
  for await (const item of items) {
    found.push((item as { readonly id: number }).id);
  }
  return found;
}

test.each([
  { given: {}, count: 25, want: 25, queries: ["", "?page=2", "?page=3"] },
  { given: { per_page: 3 }, count: 6, want: 6, queries: ["?per_page=3", "?per_page=3&page=2"] },
  { given: {}, count: 0, want: 0, queries: [""] },
])("$count items by $given come page by page", async ({ given, count, want, queries }) => {
  const { server, items } = await site({ count });
  expect(await ids(paginate(items, given))).toEqual(Array.from({ length: want }, (_, index) => index + 1));
  expect(queriesOf(server)).toEqual(queries);
});

test("pages report their number, and begin at the requested one", async () => {
  const { items } = await site({ count: 25 });
  const found = [];
  for await (const { number, total, totalPages, items: pageItems } of pages(items, { page: 2 })) {
    found.push([number, total, totalPages, pageItems.length]);
  }
  expect(found).toEqual([
    [2, 25, 3, 10],
    [3, 25, 3, 5],
  ]);
});

test("only the pages that are used are requested", async () => {
  const { server, items } = await site({ count: 100 });
  for await (const item of paginate(items, {})) {
    if ((item as { readonly id: number }).id === 11) {
      break;
    }
  }
  expect(queriesOf(server)).toEqual(["", "?page=2"]);
});

test("a list without counts is one page, and one that shrinks ends", async () => {
  const uncounted = await site({ count: 25, headers: false });
  expect(await ids(paginate(uncounted.items, {}))).toHaveLength(10);
  const shrinking = await site({ count: 25, shrink: 5 });
  expect(await ids(paginate(shrinking.items, {}))).toHaveLength(10);
  expect(queriesOf(shrinking.server)).toEqual(["", "?page=2"]);
});

/** A list whose server announces `totalPages` with every page; `items` is what a page holds. */
function announced(totalPages: (page: number) => number, items: (page: number) => readonly JsonValue[]) {
  const queries: (number | undefined)[] = [];
  const list = async ({ page }: List, options?: RestCallOptions): Promise<JsonValue> => {
    queries.push(page);
    const headers = new Map([["x-wp-totalpages", String(totalPages(page ?? 1))]]);
    options?.onAnswer?.({ status: 200, headers });
    return items(page ?? 1);
  };
  return { list, queries };
}

test("whatever X-WP-TotalPages announces, at most maxPages pages are requested", async () => {
  const { list, queries } = announced(
    () => 999_999_999_999_999,
    (page) => [{ id: page }],
  );
  const found: number[] = [];
  const error = await failureOf(
    (async () => {
      for await (const item of paginate(list, {}, { maxPages: 3 })) {
        found.push((item as { readonly id: number }).id);
      }
    })(),
  );
  expect(found).toEqual([1, 2, 3]);
  expect(queries).toEqual([undefined, 2, 3]);
  expect(error).toBeInstanceOf(ProtocolError);
  expect((error as ProtocolError).message).toBe(
    'The server announces more pages than the 3 that the option "maxPages" allows. Increase the option, or request longer pages with the argument "per_page".',
  );
});

test("errors name the operation, method and address of the list", async () => {
  const { server, items } = await site({ count: 9 });
  const tooMany = (await failureOf(ids(paginate(items, { per_page: 1 }, { maxPages: 2 })))) as ProtocolError;
  const call = { operation: "items.list", method: "GET", address: `${server.url}/wp-json/items` };
  expect(tooMany).toMatchObject(call);
  expect(tooMany.message).toContain("items.list");
  expect(tooMany.message).toContain('the 2 that the option "maxPages" allows');
  const client = new RestClient(list.interface, { siteUrl: server.url });
  const noList = async (input: List, options?: RestCallOptions): Promise<JsonValue> => {
    await client.call(list, input, options);
    return { id: 1 };
  };
  const wrong = (await failureOf(ids(paginate(noList, {})))) as DecodeError;
  expect(wrong).toBeInstanceOf(DecodeError);
  expect(wrong).toMatchObject(call);
  expect(wrong.message).toContain("items.list");
});

test.each([
  ["protocol", [], { "X-WP-TotalPages": "9" }, { maxPages: 1 }, '"maxPages" allows'],
  ["protocol", [], { "X-WP-TotalPages": "-1" }, {}, "X-WP-TotalPages of the answer is not a number of pages."],
  ["decode", { id: 1 }, {}, {}, "The answer is not a list"],
] as const)(
  "a failure of the kind %s that paginate finds reaches onError",
  async (kind, body, headers, options, text) => {
    const server = await localServer((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
    });
    const incidents: ClientIncident[] = [];
    const events: CallEvent[] = [];
    const client = new RestClient(list.interface, {
      siteUrl: server.url,
      onError: (incident) => void incidents.push(incident),
      onCall: (event) => void events.push(event),
    });
    const items = (input: List, more?: RestCallOptions): Promise<JsonValue> => client.call(list, input, more);
    const error = await failureOf(ids(paginate(items, {}, options)));
    const call = { operation: "items.list", method: "GET", requestId: expect.any(String) };
    expect(error).toMatchObject(call);
    expect(incidents).toMatchObject([{ ...call, kind, error, message: expect.stringContaining(text) }]);
    expect(events).toMatchObject([{ ...call, status: 200 }]);
    expect(incidents[0]?.requestId).toBe(events[0]?.requestId);
  },
);

test("maxPages counts the pages that are asked for, and is 1,000 by default", async () => {
  const growing = announced(
    (page) => page + 1,
    (page) => [{ id: page }],
  );
  expect(await failureOf(ids(paginate(growing.list, { page: 501 })))).toBeInstanceOf(ProtocolError);
  expect([growing.queries.length, growing.queries.at(-1)]).toEqual([1_000, 1_500]);
  const fitting = announced(
    () => 4,
    (page) => [{ id: page }],
  );
  expect(await ids(paginate(fitting.list, { page: 2 }, { maxPages: 3 }))).toEqual([2, 3, 4]);
});

test("ten empty pages in a row are the end, whatever the server announces", async () => {
  const { list, queries } = announced(
    () => 999_999_999_999_999,
    (page) => (page <= 2 ? [{ id: page }] : []),
  );
  expect(await ids(paginate(list, {}))).toEqual([1, 2]);
  expect(queries).toHaveLength(12);
});

test("a short or empty page is not the last one: WordPress leaves out items that the caller may not read", async () => {
  const readable = new Map([
    [1, [{ id: 1 }]],
    [3, [{ id: 7 }, { id: 8 }]],
  ]);
  const { list } = announced(
    () => 3,
    (page) => readable.get(page) ?? [],
  );
  expect(await ids(paginate(list, { per_page: 3 }))).toEqual([1, 7, 8]);
});

test("a collection ends at its newest page count", async () => {
  const shrinking = announced(
    (page) => (page === 1 ? 9 : 2),
    (page) => [{ id: page }],
  );
  expect(await ids(paginate(shrinking.list, {}))).toEqual([1, 2]);
  const growing = announced(
    (page) => (page === 1 ? 2 : 3),
    (page) => [{ id: page }],
  );
  expect(await ids(paginate(growing.list, {}))).toEqual([1, 2, 3]);
});

test.each([0, -1, 1.5, Number.NaN, "3"])("the option maxPages must not be %s", async (maxPages) => {
  const { list, queries } = announced(
    () => 1,
    () => [],
  );
  const error = await failureOf(ids(paginate(list, {}, { maxPages: maxPages as number })));
  expect(error).toBeInstanceOf(ConfigError);
  expect(queries).toEqual([]);
});

test("an offset is refused: WordPress answers the same page again and again where it is given", async () => {
  const { list, queries } = announced(
    () => 3,
    () => [{ id: 1 }],
  );
  const withOffset = (input: List & { readonly offset?: number | undefined }) => list(input);
  expect(await failureOf(ids(paginate(withOffset, { offset: 20 })))).toBeInstanceOf(ConfigError);
  expect(queries).toEqual([]);
});

test("a missing first page, and an answer that is not a list, are errors", async () => {
  const { items } = await site({ count: 5 });
  const error = await failureOf(ids(paginate(items, { page: 9 })));
  expect(isRestError(error, "rest_forbidden")).toBe(false);
  expect(isRestError(error, "rest_forbidden", "rest_post_invalid_page_number")).toBe(true);
  expect(isRestError(error)).toBe(true);
  expect(isRestError(new Error("rest_forbidden"))).toBe(false);
  expect(await failureOf(ids(paginate(async (_: List): Promise<JsonValue> => ({}), {})))).toBeInstanceOf(DecodeError);
});

test("the caller's options go with every page", async () => {
  const { server, items } = await site({ count: 15 });
  const seen: number[] = [];
  await ids(paginate(items, {}, { fields: ["id"], onAnswer: ({ status }) => seen.push(status) }));
  expect(queriesOf(server)).toEqual(["?_fields=id", "?page=2&_fields=id"]);
  expect(seen).toEqual([200, 200]);
});

test.each([
  { options: { fields: ["id", "title.rendered"] }, path: "?_fields=id%2Ctitle.rendered" },
  { options: { embed: true }, path: "?_embed=1" },
  { options: { embed: ["author", "wp:term"] }, path: "?_embed=author%2Cwp%3Aterm" },
  { options: { embed: false }, path: "" },
  { options: { fields: ["id"], embed: ["author"] }, path: "?_fields=id%2C_links&_embed=author" },
  { options: { fields: ["id"], method: "POST" }, path: "?_fields=id" },
] as const)("$options go into the query", async ({ options, path }) => {
  const { server, items } = await site({ count: 1 });
  await items({}, options);
  expect(queriesOf(server)).toEqual([path]);
});

test.each([{ fields: [] }, { fields: ["a,b"] }, { embed: [""] }, { fields: "id" }])(
  "a list with the options %j is refused",
  async (options) => {
    const { items, server } = await site({ count: 1 });
    expect(await failureOf(items({}, options as RestCallOptions))).toBeInstanceOf(ConfigError);
    expect(server.received).toEqual([]);
  },
);

test.each(["-1", "NaN", "2, 2", "2.5", "1e9", "0x2", "99999999999999999999"])(
  "a number of pages that cannot be read, %s, is an error, because the other pages would be lost",
  async (pageCount) => {
    const server = await localServer((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json", "X-WP-TotalPages": pageCount });
      response.end("[1]");
    });
    const client = new RestClient(list.interface, { siteUrl: server.url });
    const items = paginate((input: List, more?: RestCallOptions) => client.call(list, input, more), {});
    const error = await failureOf(items.next());
    expect(error).toBeInstanceOf(ProtocolError);
    expect(String(error)).toContain("X-WP-TotalPages");
    expect(error).toMatchObject({ operation: "items.list" });
  },
);

test("a page without X-WP-TotalPages between others does not end the collection", async () => {
  let count = 0;
  const server = await localServer((_, response) => {
    count += 1;
    const headers = count === 2 ? {} : { "X-WP-TotalPages": "3" };
    response.writeHead(200, { "Content-Type": "application/json", ...headers });
    response.end(`[${count}]`);
  });
  const client = new RestClient(list.interface, { siteUrl: server.url });
  const read: unknown[] = [];
  for await (const item of paginate((input: List, more?: RestCallOptions) => client.call(list, input, more), {})) {
    read.push(item);
  }
  expect(read).toEqual([1, 2, 3]);
});
