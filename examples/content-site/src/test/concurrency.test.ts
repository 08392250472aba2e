import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ContentClient, RestError } from "@bothends/client/content";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { webHandler } from "@bothends/runtime/server/web";

process.env["DATABASE_FOLDER"] ??= "memory://";
const { close, database } = await import("../store.js");
const { routes } = await import("../routes.js");
const { insertSamples } = await import("../samples.js");

before(() => insertSamples(database));
after(close);

const siteUrl = "http://site.example";
const handler = webHandler(routes);
const { core, forms, seo, translation } = new ContentClient({ siteUrl, transport: fetchTransport(handler) });
const writers = Array.from({ length: 50 }, (_, index) => index);
/** A word in the titles of this run, which other runs on the same database do not use. */
const mark = `m${Date.now().toString(36)}`;

/** Sends JSON without the generated client, because the index does not list the fields of these bodies. */
async function send(method: string, path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = { "Content-Type": "application/json" };
  const request = new Request(`${siteUrl}/en/api${path}`, { method, headers, body: JSON.stringify(body) });
  return (await (await handler(request)).json()) as Readonly<Record<string, unknown>>;
}

const publishedBlock = () => core.blocks.create({ title: { raw: mark }, content: { raw: "-" }, status: "publish" });

test("a batch name is valid for one of fifty callers", async () => {
  const answers = await Promise.all(
    writers.map(() => send("POST", "/translation/v1/send-to-translation/validate-batch-name", { name: mark })),
  );
  assert.equal(answers.filter(({ valid }) => valid === true).length, 1);
  assert.match(String(await translation.sendToTranslation.defaultBatchName.list()), /^Site\|\d+$/);
});

test("fifty changes of different fields of a form all remain", async () => {
  const { id } = await send("POST", "/forms/v1/contact-forms", { title: mark });
  await Promise.all(
    writers.map((writer) => send("POST", `/forms/v1/contact-forms/${id}`, { [`field${writer}`]: writer })),
  );
  const form = (await forms.contactForms.get({ id: Number(id) })) as Readonly<Record<string, unknown>>;
  assert.deepEqual(
    writers.map((writer) => form[`field${writer}`]),
    writers,
  );
});

test("fifty concurrent first changes of a search engine entry are all kept", async () => {
  const { id } = await publishedBlock();
  const path = `/seo/v1/indexables/wp_block/${id}`;
  await Promise.all(writers.map((writer) => send("PATCH", path, { [`field${writer}`]: writer })));
  const answer = (await seo.indexables.get({ object_type: "wp_block", object_id: id })) as Record<string, unknown>;
  assert.deepEqual(
    writers.map((writer) => answer[`field${writer}`]),
    writers,
  );
});

test("fifty blocks of one title get fifty slugs", async () => {
  const created = await Promise.all(writers.map(publishedBlock));
  assert.equal(new Set(created.map(({ slug }) => slug)).size, writers.length);
});

test("fifty concurrent first autosaves of an author give one autosave", async () => {
  const { id } = await publishedBlock();
  const saved = await Promise.all(
    writers.map((writer) => core.blocks.autosaves.create({ id, content: { raw: String(writer) } })),
  );
  assert.equal(new Set(saved.map((autosave) => autosave.id)).size, 1);
  assert.equal((await core.blocks.autosaves.list({ id })).length, 1);
});

test("of fifty concurrent deletions, one deletes and the others are refused", async () => {
  const { id } = await publishedBlock();
  const answers = await Promise.allSettled(writers.map(() => core.blocks.delete({ id, force: true })));
  const refusals = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
  assert.equal(refusals.length, writers.length - 1);
  assert.ok(refusals.every((reason) => reason instanceof RestError && reason.code === "rest_post_invalid_id"));
});
