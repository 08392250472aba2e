import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ContentClient } from "@bothends/client/content";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { webHandler } from "@bothends/runtime/server/web";

process.env["DATABASE_FOLDER"] ??= "memory://";
const uploads = await mkdtemp(join(tmpdir(), "content-site-"));
process.env["UPLOAD_FOLDER"] = uploads;
const { close, database } = await import("../store.js");
const { routes } = await import("../routes.js");
const { insertSamples } = await import("../samples.js");
const { createApplicationPassword } = await import("../users.js");

before(() => insertSamples(database));
after(async () => {
  await close();
  await rm(uploads, { recursive: true });
});

const handler = webHandler(routes);
const transport = fetchTransport(handler);
const siteUrl = "http://site.example";
const { core } = new ContentClient({ siteUrl, transport });
/** A word in the titles of this run, which other runs on the same database do not use. */
const mark = `m${Date.now().toString(36)}`;

/** Sends a request without the generated client. */
function send(path: string, init: RequestInit = {}): Promise<Response> {
  return Promise.resolve(handler(new Request(`${siteUrl}/en/api${path}`, init)));
}

/** The members of answers that the tests read. */
interface Answered {
  readonly id: number;
  readonly code: string;
  readonly status: string;
  readonly deleted: boolean;
  readonly title: { readonly raw: string };
  readonly email: string;
  readonly media_details: { readonly width: number; readonly height: number };
  readonly source_url: string;
  readonly size_in_bytes: number;
}

async function bodyOf<Body = Answered>(path: string, init?: RequestInit) {
  const answer = await send(path, init);
  return { status: answer.status, body: (await answer.json()) as Body };
}

const json = (method: string, value: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method,
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(value),
});

const block = (title: string, status: "publish" | "draft" = "publish") =>
  core.blocks.create({ title: { raw: `${title} ${mark}` }, content: { raw: `<p>${title}</p>` }, status });

test("a block is created, read, changed, trashed and deleted", async () => {
  const created = await block("Hours");
  assert.equal(created.slug, `hours-${mark}`);
  const changed = await core.blocks.update({ id: created.id, title: { raw: "Changed" } });
  assert.equal(changed.title.raw, "Changed");
  assert.equal((await core.blocks.get({ id: created.id })).content?.raw, "<p>Hours</p>");
  const trashed = await bodyOf(`/core/v2/blocks/${created.id}`, { method: "DELETE" });
  assert.equal(trashed.body.status, "trash");
  assert.equal((await bodyOf(`/core/v2/blocks/${created.id}`, { method: "DELETE" })).status, 410);
  const deleted = await bodyOf(`/core/v2/blocks/${created.id}?force=true`, { method: "DELETE" });
  assert.equal(deleted.body.deleted, true);
  assert.equal((await bodyOf(`/core/v2/blocks/${created.id}`)).body.code, "rest_post_invalid_id");
});

test("a slug that is taken gets a number, also when two are created at once", async () => {
  const created = await Promise.all([1, 2, 3].map(() => block("Same")));
  const slugs = created.map(({ slug }) => slug).sort();
  assert.deepEqual(slugs, [`same-${mark}`, `same-${mark}-2`, `same-${mark}-3`]);
});

test("a draft has no slug and is not listed", async () => {
  const draft = await block("Unfinished", "draft");
  assert.equal(draft.slug, "");
  const { body } = await bodyOf(`/core/v2/blocks?search=unfinished ${mark}`);
  assert.deepEqual(body, []);
  const drafts = await bodyOf<Answered[]>(`/core/v2/blocks?search=unfinished ${mark}&status=draft`);
  assert.deepEqual(
    drafts.body.map(({ id }) => id),
    [draft.id],
  );
});

test("a listing has pages, in order, with WordPress's headers", async () => {
  for (const name of ["Alpha", "Beta", "Gamma"]) {
    await block(`Paged ${name}`);
  }
  const page = await send(`/core/v2/blocks?search=paged ${mark}&per_page=2&orderby=title&order=asc`);
  assert.equal(page.headers.get("x-wp-total"), "3");
  assert.equal(page.headers.get("x-wp-totalpages"), "2");
  const titles = ((await page.json()) as { title: { raw: string } }[]).map(({ title }) => title.raw);
  assert.deepEqual(titles, [`Paged Alpha ${mark}`, `Paged Beta ${mark}`]);
  const pastEnd = await bodyOf(`/core/v2/blocks?search=paged ${mark}&per_page=2&page=3`);
  assert.equal(pastEnd.body.code, "rest_post_invalid_page_number");
});

test("a listing can be ordered by the ids in include, and exclude leaves objects out", async () => {
  const [first, second] = [await block("Order one"), await block("Order two")];
  const included = await core.blocks.list({ include: [second.id, first.id], orderby: "include" });
  assert.deepEqual(
    included.map(({ id }) => id),
    [second.id, first.id],
  );
  const remaining = await core.blocks.list({ include: [second.id, first.id], exclude: [second.id] });
  assert.deepEqual(
    remaining.map(({ id }) => id),
    [first.id],
  );
});

test("each language has its own content", async () => {
  const portuguese = new ContentClient({ siteUrl, lang: "pt-pt", transport });
  const created = await portuguese.core.blocks.create({ title: { raw: `Horas ${mark}` }, status: "publish" });
  const search = `horas ${mark}`;
  assert.deepEqual(
    (await portuguese.core.blocks.list({ search })).map(({ id }) => id),
    [created.id],
  );
  assert.deepEqual(await core.blocks.list({ search }), []);
});

test("a title and a text that are too long for an index are stored and found", async () => {
  const random = Array.from({ length: 90_000 }, (_, index) => (index * 7_919_777_777).toString(36)).join(" ");
  const title = `Long ${mark} ${random.slice(0, 9_000)}`;
  const { id } = await core.blocks.create({ title: { raw: title }, content: { raw: random }, status: "publish" });
  assert.equal((await core.blocks.get({ id })).content?.raw, random);
  const blocks = await core.blocks.list({ search: `long ${mark}`, orderby: "title" });
  assert.deepEqual(
    blocks.map((each) => [each.id, each.title.raw]),
    [[id, title]],
  );
});

test("a post published with a future date is scheduled", async () => {
  const later = await core.blocks.create({
    title: { raw: `Later ${mark}` },
    status: "publish",
    date_gmt: "2999-01-01T00:00:00",
  });
  assert.equal(later.status, "future");
});

test("a change with an old ETag is refused", async () => {
  const created = await block("Versioned");
  const path = `/core/v2/blocks/${created.id}`;
  const etag = (await send(path)).headers.get("etag") ?? "";
  assert.equal((await send(path, json("PATCH", { title: { raw: "One" } }, { "If-Match": etag }))).status, 200);
  const second = await bodyOf(path, json("PATCH", { title: { raw: "Two" } }, { "If-Match": etag }));
  assert.equal(second.status, 412);
  assert.equal((await core.blocks.get({ id: created.id })).title.raw, "One");
});

test("an autosave does not change its block, and is replaced by the next", async () => {
  const { id } = await block("Autosaved");
  const first = await core.blocks.autosaves.create({ id, content: { raw: "one" } });
  const second = await core.blocks.autosaves.create({ id, content: { raw: "two" } });
  assert.equal(second.id, first.id);
  assert.equal((await core.blocks.get({ id })).content?.raw, "<p>Autosaved</p>");
  assert.equal((await core.blocks.autosaves.get({ parent: id, id: second.id })).content?.raw, "two");
  assert.equal((await core.blocks.autosaves.list({ id })).length, 1);
});

test("an autosave of the author's own draft changes the draft", async () => {
  const { id } = await block("Drafted", "draft");
  const saved = await core.blocks.autosaves.create({ id, content: { raw: "one" } });
  assert.deepEqual([saved.id, saved.parent], [id, 0]);
  assert.equal((await core.blocks.get({ id })).content?.raw, "one");
  assert.deepEqual(await core.blocks.autosaves.list({ id }), []);
});

test("content with a password is hidden without it", async () => {
  const secret = await core.blocks.create({
    title: { raw: `Secret ${mark}` },
    content: { raw: "hidden" },
    password: "open",
    status: "publish",
  });
  assert.equal((await core.blocks.get({ id: secret.id })).content?.raw, "");
  assert.equal((await core.blocks.get({ id: secret.id, password: "open" })).content?.raw, "hidden");
  const refused = await bodyOf(`/core/v2/blocks/${secret.id}?password=wrong`);
  assert.equal(refused.body.code, "rest_post_incorrect_password");
});

test("projects are found by their terms", async () => {
  const { body: terms } = await bodyOf<Answered[]>("/translation/v1/posts/terms");
  const [steel, river] = terms;
  const created = await core.project.create({
    title: { raw: `Dam ${mark}` },
    status: "publish",
    project_category: [steel?.id ?? 0],
  });
  assert.deepEqual(created.project_category, [steel?.id]);
  const projects = await core.project.list({ search: `dam ${mark}`, project_category: [steel?.id ?? 0] });
  assert.deepEqual(
    projects.map(({ id }) => id),
    [created.id],
  );
  assert.deepEqual(await core.project.list({ search: `dam ${mark}`, project_tag: [river?.id ?? 0] }), []);
  const changed = await core.project.update({ id: created.id, project_tag: [steel?.id ?? 0] });
  assert.deepEqual(changed.project_tag, [], "a category is not a tag");
});

const png = Buffer.from("89504e470d0a1a0a0000000d4948445200000010000000080806000000", "hex");

test("an uploaded picture is stored with its size, and deleted with its entry", async () => {
  const uploaded = await bodyOf("/core/v2/media", {
    method: "POST",
    headers: { "Content-Type": "image/png", "Content-Disposition": 'attachment; filename="river.png"' },
    body: png,
  });
  assert.equal(uploaded.status, 201);
  assert.deepEqual([uploaded.body.media_details.width, uploaded.body.media_details.height], [16, 8]);
  assert.equal(uploaded.body.title.raw, "river");
  const served = await handler(new Request(uploaded.body.source_url));
  assert.deepEqual(
    [served.headers.get("content-type"), (await served.arrayBuffer()).byteLength],
    ["image/png", png.length],
  );
  const size = await bodyOf(`/seo/v1/file_size?url=${encodeURIComponent(uploaded.body.source_url)}`);
  assert.equal(size.body.size_in_bytes, png.length);
  assert.equal((await bodyOf(`/core/v2/media/${uploaded.body.id}`, { method: "DELETE" })).status, 501);
  await send(`/core/v2/media/${uploaded.body.id}?force=true`, { method: "DELETE" });
  assert.equal((await send(`/seo/v1/file_size?url=${encodeURIComponent(uploaded.body.source_url)}`)).status, 404);
});

test("a form accepts feedback", async () => {
  const created = await bodyOf("/forms/v1/contact-forms", json("POST", { title: "Ask us", email: "required" }));
  assert.equal(created.status, 201);
  const path = `/forms/v1/contact-forms/${created.body.id}`;
  const changed = await bodyOf(path, json("PUT", { email: "optional" }));
  assert.deepEqual([String(changed.body.title), changed.body.email], ["Ask us", "optional"]);
  const sent = await bodyOf(`${path}/feedback`, {
    method: "POST",
    body: new URLSearchParams({ email: "a@b.example" }),
  });
  assert.equal(sent.body.status, "mail_sent");
  assert.equal((await bodyOf(path, { method: "DELETE" })).body.deleted, true);
  assert.equal((await bodyOf(path)).status, 404);
});

test("an application password names its user; a wrong one is refused", async () => {
  const password = await createApplicationPassword("admin", "Test");
  const withPassword = (secret: string) => ({
    Authorization: `Basic ${Buffer.from(`admin:${secret}`).toString("base64")}`,
  });
  const spaced = password.replace(/(.{4})/g, "$1 ");
  const accepted = await send("/core/v2/project", json("POST", { title: { raw: "Mine" } }, withPassword(spaced)));
  assert.equal(accepted.status, 201);
  const refused = await bodyOf("/core/v2/project", json("POST", { title: { raw: "Mine" } }, withPassword("wrong")));
  assert.deepEqual([refused.status, refused.body.code], [401, "incorrect_password"]);
});

/** All other routes, each with a member that its answer must have. */
const routesWithAnswers: readonly (readonly [path: string, init: RequestInit | undefined, member: string])[] = [
  ["/oembed/1.0/proxy?url=https://other.example/", undefined, "version"],
  ["/translation/v1/custom-xml-config", undefined, "content"],
  ["/translation/v1/custom-xml-config", json("POST", { content: "<a/>" }), "saved"],
  ["/translation/v1/custom-xml-config/validate", json("POST", { content: "<a><b></a>" }), "valid"],
  ["/translation/v1/updates", { method: "POST" }, "updated"],
  ["/translation/v1/item-sections/populated", undefined, "0"],
  ["/translation/v1/posts", undefined, "0"],
  ["/translation/v1/posts/count", undefined, "count"],
  ["/translation/v1/posts/hierarchical", undefined, "0"],
  ["/translation/v1/posts/taxonomies", undefined, "1"],
  ["/translation/v1/send-to-translation/validate-translation-options", json("POST", { languages: ["en"] }), "valid"],
  ["/translation/v1/send-to-translation/validate-batch-name", json("POST", { name: "Batch" }), "valid"],
  ["/translation/v1/set-review-translation-option", json("POST", { mode: "before-publish" }), "saved"],
  ["/translation/v1/translate-everything/enable", { method: "POST" }, "enabled"],
  ["/translation/v1/translate-everything/disable", { method: "POST" }, "enabled"],
  ["/translation/st/v1/strings/settings", json("POST", { autoregisterType: 1 }), "autoregisterType"],
  ["/translation/st/v1/strings/settings", undefined, "autoregisterType"],
  ["/translation/st/v1/strings/itemscount?domain=default", undefined, "count"],
  ["/translation/st/v1/strings?title=read&translationStatuses[]=1", undefined, "strings"],
  ["/translation/st/v1/strings/filters", undefined, "domains"],
  ["/translation/st/v1/string-packages", undefined, "packages"],
  ["/translation/st/v1/strings/processstringsqueue", { method: "POST" }, "processed"],
  ["/translation/st/v1/import_mo_strings", json("POST", { plugins: ["forms"] }), "imported"],
  ["/translation/st/v1/pre_generate_mo_files", { method: "POST" }, "generated"],
  ["/translation/st/v1/settings", json("POST", { group: "g", key: "k", data: { a: 1 } }), "saved"],
  ["/forms/v1/contact-forms/1/refill", undefined, "contact_form_id"],
  ["/seo/v1/configurator", json("POST", { step: 2 }), "step"],
  ["/seo/v1/configurator", undefined, "step"],
  ["/seo/v1/reindex_posts", undefined, "indexed"],
  ["/seo/v1/site_analysis", undefined, "score"],
  ["/seo/v1/indexables/project/4", json("PATCH", { title: "T" }), "title"],
  ["/seo/v1/indexables/project/4", undefined, "title"],
  ["/seo/v1/statistics", undefined, "0"],
  ["/seo/v1/account/connect", { method: "POST" }, "connected"],
];

for (const [path, init, member] of routesWithAnswers) {
  test(`${init?.method ?? "GET"} ${path} answers ${member}`, async () => {
    const { status, body } = await bodyOf(path, init);
    assert.equal(status, 200);
    assert.ok(member in body, JSON.stringify(body));
  });
}

test("an object of the site is embedded by its address", async () => {
  const [first] = await core.project.list({ slug: ["bridge"] });
  const { body } = await bodyOf(`/oembed/1.0/embed?url=${encodeURIComponent(first?.link ?? "")}`);
  assert.equal(String(body.title), "Bridge");
  assert.equal((await send("/oembed/1.0/embed?url=https://other.example/?p=4")).status, 404);
});
