import { expect, test } from "vitest";
import type { JsonProperty, JsonType, RestInterface } from "../../../src/model/rest.js";
import { lowered } from "../lower-index.js";

type Args = Readonly<Record<string, object>>;

/** An index of WordPress with one endpoint per `METHODS route`. */
function siteWith(endpoints: Readonly<Record<string, Args>>): RestInterface {
  const routes: Record<string, { namespace: string; endpoints: unknown[] }> = {};
  for (const [endpoint, args] of Object.entries(endpoints)) {
    const [methods = "", route = ""] = endpoint.split(" ");
    routes[route] ??= { namespace: "wp/v2", endpoints: [] };
    routes[route].endpoints.push({ methods: methods.split(","), args });
  }
  const { interface: rest } = lowered({ namespaces: ["wp/v2"], routes });
  if (rest === undefined) {
    throw new Error("The index cannot be read.");
  }
  return rest;
}

/** The answer of the first endpoint: `Post`, `Post[]`, `Record<Post>`, `Post | deleted`. */
function answerOf(rest: RestInterface): string {
  return textOf(rest.endpoints[0]?.answer, rest);
}

function textOf(type: JsonType | undefined, rest: RestInterface): string {
  if (type === undefined) {
    return "JsonValue";
  }
  switch (type.kind) {
    case "named":
      return rest.answers.find(({ id }) => id === type.id)?.words ?? "";
    case "array":
      return `${textOf(type.items, rest)}[]`;
    case "union":
      return type.members.map((member) => textOf(member, rest)).join(" | ");
    case "object":
      return type.additional === undefined
        ? type.properties.map(({ name }) => name).join(" and ")
        : `Record<${textOf(type.additional, rest)}>`;
    default:
      return type.kind;
  }
}

const text = { type: "string" };
const postArgs: Args = { date_gmt: text, slug: text, status: { type: "string", enum: ["publish", "sold"] } };
const termArgs: Args = { name: text, slug: text };

const answers: readonly { readonly given: Readonly<Record<string, Args>>; readonly want: string }[] = [
  { given: { "GET /wp/v2/types": {} }, want: "Record<type>" },
  { given: { "GET /wp/v2/taxonomies": {} }, want: "Record<taxonomy>" },
  { given: { "GET /wp/v2/types/(?P<type>[\\w-]+)": {} }, want: "type" },
  { given: { "GET /wp/v2/themes": {} }, want: "theme[]" },
  { given: { "GET /wp/v2/users/me": {} }, want: "user" },
  { given: { "DELETE /wp/v2/users/(?P<id>\\d+)": {} }, want: "deleted and previous" },
  { given: { "DELETE /wp/v2/comments/(?P<id>\\d+)": {} }, want: "comment | deleted and previous" },
  { given: { "DELETE /wp/v2/users/(?P<user_id>\\d+)/application-passwords": {} }, want: "deleted and count" },
  { given: { "GET /wp/v2/block-types/(?P<namespace>\\w+)": {} }, want: "block-type[]" },
  { given: { "GET /wp/v2/block-types/(?P<namespace>\\w+)/(?P<name>\\w+)": {} }, want: "block-type" },
  { given: { "GET /wp/v2/posts": {}, "POST /wp/v2/posts": postArgs }, want: "post[]" },
  { given: { "GET /wp/v2/cars": {}, "POST /wp/v2/cars": postArgs }, want: "cars[]" },
  {
    given: { "DELETE /wp/v2/cars/(?P<id>\\d+)": {}, "POST /wp/v2/cars": postArgs },
    want: "cars | deleted and previous",
  },
  {
    given: { "GET /wp/v2/cars/(?P<parent>\\d+)/revisions": {}, "POST /wp/v2/cars": postArgs },
    want: "cars-revision[]",
  },
  { given: { "POST /wp/v2/cars/(?P<id>\\d+)/autosaves": {}, "POST /wp/v2/cars": postArgs }, want: "cars-autosave" },
  { given: { "GET /wp/v2/colours": { hide_empty: {} }, "POST /wp/v2/colours": termArgs }, want: "colours[]" },
  { given: { "POST /wp/v2/media/(?P<id>\\d+)/edit": {}, "POST /wp/v2/media": {} }, want: "attachment" },
  { given: { "GET /wp/v2/posts": {}, "POST /wp/v2/posts": { status: text, lang: text } }, want: "post[]" },
  {
    given: { "GET /wp/v2/posts": {}, "PUT /wp/v2/posts": { ids: text }, "POST /wp/v2/posts": postArgs },
    want: "post[]",
  },
  { given: { "GET /wp/v2/navigation": {} }, want: "wp_navigation[]" },
  { given: { "GET /wp/v2/tags": { lang: text }, "POST /wp/v2/tags": { name: text } }, want: "tag[]" },
  { given: { "GET /wp/v2/cars": {}, "POST /wp/v2/cars": { name: text } }, want: "JsonValue" },
  { given: { "GET /shop/v1/posts": {}, "POST /shop/v1/posts": postArgs }, want: "JsonValue" },
  {
    given: { "GET /shop/v1/cars": {}, "POST /shop/v1/cars": postArgs, "GET /shop/v1/cars/(?P<id>\\d+)/autosaves": {} },
    want: "cars[]",
  },
  {
    given: { "GET /shop/v1/cars/(?P<id>\\d+)/autosaves": {}, "POST /shop/v1/cars": postArgs },
    want: "cars-autosave[]",
  },
];

test.each(answers)("without schemas, the answer of the first of $given is $want", ({ given, want }) => {
  expect(answerOf(siteWith(given))).toBe(want);
});

function membersOf(rest: RestInterface): readonly JsonProperty[] {
  const type = rest.answers[0]?.type;
  return type?.kind === "object" ? type.properties : [];
}

test("a post type in a plug-in's namespace keeps its schema, which declares no contexts", () => {
  const endpoints = [{ methods: ["POST"], args: postArgs }];
  const schema = { title: "car", type: "object", properties: { wheels: { type: "integer" } } };
  const { interface: rest } = lowered({
    namespaces: ["shop/v1"],
    routes: {
      "/shop/v1/cars": { namespace: "shop/v1", endpoints, schema },
      "/shop/v1/cars/(?P<id>\\d+)/autosaves": { namespace: "shop/v1", endpoints: [{ methods: ["GET"], args: {} }] },
    },
  });
  expect(rest?.endpoints[0]).toMatchObject({ answer: { kind: "named" }, context: undefined });
  expect(rest?.answers.map(({ words, type }) => [words, type])).toMatchObject([
    ["car", { properties: [{ name: "wheels" }] }],
  ]);
});

test("a member that a plug-in adds to an object of WordPress keeps the contexts of the site", () => {
  const properties = {
    status: { type: "string", context: ["view", "edit"] },
    shop: { type: "string", context: ["view", "edit"] },
  };
  const endpoints = [{ methods: ["GET"], args: { context: { enum: ["view", "edit"], default: "view" } } }];
  const schema = { title: "plugin", type: "object", properties };
  const { interface: rest } = lowered({
    namespaces: ["wp/v2"],
    routes: { "/wp/v2/plugins": { namespace: "wp/v2", endpoints, schema } },
  });
  const contexts = rest && membersOf(rest).map(({ name, annotations }) => [name, annotations?.contexts]);
  expect(contexts).toEqual([
    ["status", ["view", "edit", "embed"]],
    ["shop", ["view", "edit"]],
    ["_links", undefined],
  ]);
});

test("a post has the members that arguments can set, with the types of the arguments", () => {
  const args: Args = {
    ...postArgs,
    title: { type: "object" },
    wheels: { type: "array", items: { type: "integer" } },
    price: { type: "number", description: "In euros." },
  };
  const members = membersOf(siteWith({ "POST /wp/v2/cars": args }));
  const found = (name: string) => members.find((member) => member.name === name);
  expect(found("title")).toMatchObject({ required: true, type: { kind: "object" } });
  expect(found("content")).toBeUndefined();
  expect(found("wheels")).toMatchObject({ type: { kind: "array" }, annotations: { contexts: ["view", "edit"] } });
  expect(found("price")).toEqual({
    name: "price",
    required: false,
    type: { kind: "number" },
    documentation: "In euros.",
    annotations: { span: expect.objectContaining({ start: 304, end: 347 }) },
  });
});

test("a post keeps its members beside arguments and endpoints of plug-ins", () => {
  const names = (endpoints: Readonly<Record<string, Args>>) =>
    membersOf(siteWith({ "GET /wp/v2/posts": { lang: text }, ...endpoints })).map(({ name }) => name);
  const changed = names({ "POST /wp/v2/posts": { ids: text }, "POST,PUT /wp/v2/posts": { ...postArgs, lang: text } });
  expect(changed).toEqual(expect.arrayContaining(["id", "link", "status", "lang"]));
  expect(changed).not.toContain("title");
  expect(names({ "POST /wp/v2/posts": { ids: text } })).toEqual(expect.arrayContaining(["id", "title", "categories"]));
});

test("the statuses of a post are those that can be written, and the trash", () => {
  const status = membersOf(siteWith({ "POST /wp/v2/cars": postArgs })).find(({ name }) => name === "status");
  expect(status?.type).toEqual({
    kind: "enumeration",
    values: ["publish", "future", "draft", "pending", "private", "trash", "sold"],
  });
});

test("all settings are present, and those of plug-ins may be null", () => {
  const rest = siteWith({ "POST,PUT,PATCH /wp/v2/settings": { title: text, shop_currency: text } });
  expect(membersOf(rest).map(({ name, required, type }) => [name, required, textOf(type, rest)])).toEqual([
    ["title", true, "string"],
    ["shop_currency", true, "string | null"],
  ]);
});

test("an enumerated member of meta is null until it is set", () => {
  const status = { type: "string", enum: ["resolved", "reopen"] };
  const meta = { type: "object", properties: { note_status: status } };
  const schema = { title: "comment", type: "object", properties: { meta } };
  const endpoints = [{ methods: ["GET"], args: {} }];
  const routes = { "/wp/v2/comments/(?P<id>[\\d]+)": { namespace: "wp/v2", endpoints, schema } };
  const { interface: rest } = lowered({ namespaces: ["wp/v2"], routes });
  expect(JSON.stringify(rest?.answers[0]?.type)).toContain('"values":["resolved","reopen",null]');
});

const namesOfObjectMembers = ["toString", "constructor", "hasOwnProperty", "valueOf"];

test.each(["posts", "pages", "media", "menu-items", "tags", "products"])(
  "a plug-in may add a member to %s that has the name of a member of every object",
  (base) => {
    const args = Object.fromEntries(namesOfObjectMembers.map((name) => [name, text]));
    const rest = siteWith({
      [`GET /wp/v2/${base}/(?P<id>\\d+)`]: {},
      [`POST /wp/v2/${base}`]: { ...(base === "tags" ? termArgs : postArgs), ...args },
    });
    const answer = rest.answers.find(
      ({ id }) => rest.endpoints[0]?.answer?.kind === "named" && id === rest.endpoints[0].answer.id,
    );
    const names = answer?.type.kind === "object" ? answer.type.properties.map(({ name }) => name) : [];
    expect(names).toEqual(expect.arrayContaining(namesOfObjectMembers));
  },
);
