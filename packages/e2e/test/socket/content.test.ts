import { ContentClient, RestError } from "@bothends/client/content";
import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { contentRoutes } from "@bothends/server/content";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCalls } from "../../src/demo/call.js";
import { listIndexCalls, listOptionsCalls } from "../../src/demo/document-calls.js";
import { createContentSample } from "../../src/sample/content.js";
import { listContentCalls } from "../../src/sample/content-calls.js";
import { serveSample } from "../../src/sample/serve.js";

let server: RunningServer;
beforeAll(async () => {
  server = await serveSample(0);
});
afterAll(async () => {
  await server.close();
});

test("every method of every route answers", async () => {
  const rows = await runCalls(listContentCalls(server.url));
  expect(rows).toHaveLength(71);
  expect(rows.filter((row) => row.problem !== undefined)).toEqual([]);
});

test("the index, the namespace indexes and OPTIONS of every route answer", async () => {
  const rows = await runCalls([...listIndexCalls(server.url, "Sample site"), ...(await listOptionsCalls(server.url))]);
  expect(rows).toHaveLength(8 + 54);
  expect(rows.filter((row) => row.problem !== undefined)).toEqual([]);
});

test("an error of a handler arrives with its code, status and message", async () => {
  const { core } = new ContentClient({ siteUrl: server.url });
  const error: unknown = await core.blocks.get({ id: 999 }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RestError);
  expect(error).toMatchObject({ code: "rest_post_invalid_id", status: 404, reason: "Invalid post ID." });
});

test("arguments that the index does not list are sent on request, and dropped by a server that does not know them", async () => {
  const { core } = new ContentClient({ siteUrl: server.url });
  const created = await core.blocks.create({ slug: "a" }, { extra: { unknown_one: 1 } });
  expect(created).not.toHaveProperty("unknown_one");
});

test("the prefix is the language, unless translation_language overrides it", async () => {
  const content = new ContentClient({ siteUrl: server.url, lang: "pt-pt" });
  expect(JSON.stringify(await content.translation.posts.list())).toContain('"pt-pt"');
  expect(JSON.stringify(await content.translation.posts.list({ translation_language: "en" }))).toContain('"en"');
});

const requests: readonly (readonly [method: string, path: string, status: number, code: string | undefined])[] = [
  ["GET", "/en/api/core/v2/nothing", 404, "rest_no_route"],
  ["GET", "/de/api/core/v2/blocks", 404, "rest_no_route"],
  ["DELETE", "/en/api/core/v2/blocks", 404, "rest_no_route"],
  ["GET", "/en/api/core/v2/blocks/abc", 404, "rest_no_route"],
  ["GET", "/en/api/core/v2/blocks?page=abc", 400, "rest_invalid_param"],
  ["GET", "/en/api/core/v2/blocks?order=up", 400, "rest_invalid_param"],
  ["GET", "/en/api/core/v2/blocks?translation_language=de", 400, "rest_invalid_param"],
  ["GET", "/en/api/oembed/1.0/embed", 400, "rest_missing_callback_param"],
  ["POST", "/en/api/core/v2/blocks?_method=DELETE", 201, undefined],
  ["HEAD", "/en/api/core/v2/blocks", 200, undefined],
];

test.each(requests)("%s %s is answered with %d %s", async (method, path, status, code) => {
  const answer = await fetch(server.url + path, { method });
  expect(answer.status).toBe(status);
  if (code !== undefined) {
    expect(await answer.json()).toMatchObject({ code, data: { status } });
  }
});

test("both ends accept other names for namespaces, and the index has them", async () => {
  const segments = {
    translation: "words",
    "translation/st/v1": "strings/v7",
    seo: "search",
    "seo/v1/account": "linking/v2",
  };
  const renamed = await listen([contentRoutes(createContentSample(), { wireNames: { segments } })], { port: 0 });
  try {
    const paths: string[] = [];
    const before = ({ url }: { readonly url: string }): void => {
      paths.push(new URL(url).pathname);
    };
    const client = new ContentClient({ siteUrl: renamed.url, wireNames: { segments }, hooks: { before } });
    await client.translation.updates.create();
    await client.translationSt.strings.list();
    await client.seo.statistics.list();
    expect(await client.seoAccount.connect.create()).toEqual({ connected: true });
    expect(paths).toEqual([
      "/en/api/words/v1/updates",
      "/en/api/strings/v7/strings",
      "/en/api/search/v1/statistics",
      "/en/api/linking/v2/connect",
    ]);
    expect(await client.index()).toMatchObject({
      namespaces: ["oembed/1.0", "words/v1", "forms/v1", "search/v1", "linking/v2", "strings/v7", "core/v2"],
    });
  } finally {
    await renamed.close();
  }
});
