import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { webHandler } from "@bothends/runtime/server/web";
import { createEmptyDatabase } from "./empty-database.js";

// Uses a separate database, because the ids and slugs of the recorded site must be free.
const { url, folder, drop } = await createEmptyDatabase();
Object.assign(process.env, { DATABASE_URL: url, DATABASE_FOLDER: folder });
const { close, database } = await import("../store.js");
const { routes } = await import("../routes.js");
const { insertSamples } = await import("../samples.js");
const { posts, terms, users } = await import("../tables.js");
const { createApplicationPassword } = await import("../users.js");

after(async () => {
  await close();
  await drop();
});

/** A recorded request to WordPress 6.1, and its answer. */
interface Case {
  readonly n: number;
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly user?: string;
  readonly req_headers?: Readonly<Record<string, string>>;
  readonly req_body?: string;
  readonly status: number;
  readonly json?: unknown;
}

/** The cases whose answers differ from WordPress's on purpose, with the reason. */
const deviations: Readonly<Record<string, string>> = {
  "create with id": "the index lists no argument `id`, so that it is ignored",
  "template bogus": "the site has no themes, so that any template is accepted",
  "meta bad type": "the site declares no types of meta fields",
  "GET trashed anon": "requests without a password act for the first user, as the interface has no authentication",
  "autosave get": "WordPress answers the latest autosave of the post, whatever the id; the site answers that of the id",
  "autosave get unknown": "there is no autosave with this id, but WordPress answers the latest autosave of the post",
  "autosave of unknown parent": "the error has the code for any unknown post",
  revisions: "the interface has no route for revisions",
};

const file = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "..",
  "..",
  "shared",
  "ground-truth",
  "wordpress",
  "cases.json",
);
const groups = ["write-project", "write-block"];

test("answers to changes equal those that were recorded from WordPress", {
  skip: existsSync(file) ? false : "the recorded answers are not in this folder",
}, async (t) => {
  await insertSamples(database);
  const ids = await insertDataSet();
  const editor = `Basic ${Buffer.from(`editor:${await createApplicationPassword("editor", "Test")}`).toString("base64")}`;
  const handler = webHandler(routes);
  const allCases: readonly Case[] = JSON.parse(readFileSync(file, "utf8"));
  // Only blocks have routes for autosaves.
  const cases = allCases.filter(({ group, path }) => groups.includes(group) && !/project\/\d+\/autosaves/.test(path));
  let exact = 0;
  for (const recorded of cases) {
    await t.test(`${recorded.n} ${recorded.name}`, async () => {
      const answer = await handler(
        requestOf(recorded, { ids, authorization: recorded.user === "editor" ? editor : undefined }),
      );
      const body: unknown = await answer.json().catch(() => undefined);
      remember(recorded.json, body, ids);
      const [shape, wanted] = [shapeOf(answer.status, body), shapeOf(recorded.status, recorded.json)];
      if (recorded.name in deviations) {
        assert.notDeepEqual(shape, wanted, "The answer equals the recorded one: remove the deviation.");
        return;
      }
      assert.deepEqual(shape, wanted);
      exact += 1;
    });
  }
  console.log(`${exact} of ${cases.length} recorded answers are equal, ${cases.length - exact} differ on purpose`);
});

/** Inserts the users, terms, projects and blocks of the recorded site. Returns the new ids of posts by their recorded ids. */
async function insertDataSet(): Promise<Map<number, number>> {
  await database
    .insert(users)
    .values(
      ["editor", "author", "contributor", "subscriber"].map((login, index) => ({ id: index + 2, login, name: login })),
    )
    .onConflictDoNothing();
  await database
    .insert(terms)
    .values([
      ...["Print", "Video", "Web apps"].map((name, index) => termOf(index + 3, "project_category", name)),
      ...["red", "green", "blue"].map((name, index) => termOf(index + 6, "project_tag", name)),
    ])
    .onConflictDoNothing();
  const ids = new Map<number, number>();
  for (let recorded = 4; recorded <= 31; recorded += 1) {
    const number = recorded < 29 ? recorded - 3 : recorded - 28;
    const [created] = await database
      .insert(posts)
      .values({
        type: recorded < 29 ? "project" : "wp_block",
        language: "en",
        status: "publish",
        slug: recorded < 29 ? `project-${number}` : `block-${number}`,
        title: recorded < 29 ? `Project ${number}` : `Block ${number}`,
        author: 1,
      })
      .returning({ id: posts.id });
    ids.set(recorded, created?.id ?? 0);
  }
  return ids;
}

function termOf(id: number, taxonomy: "project_category" | "project_tag", name: string) {
  return { id, taxonomy, name, slug: name.toLowerCase().replace(" ", "-") };
}

interface Replay {
  readonly ids: ReadonlyMap<number, number>;
  readonly authorization: string | undefined;
}

function requestOf({ method, path, req_headers, req_body: body }: Case, { ids, authorization }: Replay): Request {
  const here = path
    .replace("/wp-json/wp/v2/", "/en/api/core/v2/")
    .replaceAll(/\/(\d+)(?=[/?]|$)/g, (_text, id) => `/${ids.get(Number(id)) ?? id}`);
  const headers = { ...req_headers, ...(authorization !== undefined && { Authorization: authorization }) };
  return new Request(`http://site.example${here}`, { method, headers, ...(body !== undefined && { body }) });
}

interface AnsweredPost {
  readonly id?: number;
  readonly code?: string;
  readonly status?: string;
  readonly slug?: string;
  readonly title?: { readonly raw?: string };
  readonly previous?: AnsweredPost;
}

/** Returns the parts of an answer that must be equal: the status, and the error's code or the object's status, slug and title. */
function shapeOf(status: number, body: unknown) {
  if (Array.isArray(body)) {
    return { status, items: body.length };
  }
  const answered = (body ?? {}) as AnsweredPost;
  if (status >= 400) {
    return { status, code: answered.code };
  }
  const { status: state, slug, title } = answered.previous ?? answered;
  return { status, state, slug: slug?.replace(/\d+-autosave-v1/, "autosave"), title: title?.raw };
}

function remember(recorded: unknown, body: unknown, ids: Map<number, number>): void {
  const [there, here] = [(recorded as AnsweredPost | undefined)?.id, (body as AnsweredPost | undefined)?.id];
  if (there !== undefined && here !== undefined && !ids.has(there)) {
    ids.set(there, here);
  }
}
