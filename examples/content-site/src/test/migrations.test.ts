import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { type Database, openDatabase } from "../database.js";
import { feedback, indexables, posts, revisions, settings } from "../tables.js";
import { createEmptyDatabase } from "./empty-database.js";

/**
 * The folder with database dumps of earlier releases. A release that adds a migration also adds a dump of the state before it.
 */
const states = join(import.meta.dirname, "..", "..", "src", "test", "states");

for (const file of readdirSync(states)) {
  test(`a database in the state of ${file} keeps its records, and gets the tables of a new one`, async () => {
    const fresh = await inDatabase("", structureOf);
    const migrated = await inDatabase(readFileSync(join(states, file), "utf8"), async (database) => {
      await checkRecords(database);
      return structureOf(database);
    });
    assert.deepEqual(migrated, fresh);
  });
}

test("a database that is up to date is opened without a change", async () => {
  const empty = await createEmptyDatabase();
  const structures = [];
  for (let opening = 0; opening < 2; opening += 1) {
    const { database, close } = await openDatabase(empty);
    structures.push(await structureOf(database));
    await close();
  }
  await empty.drop();
  assert.deepEqual(structures[0], structures[1]);
});

async function checkRecords(database: Database): Promise<void> {
  const words = sql`${posts.searched} @@ to_tsquery('simple', '10 & hours')`;
  const [hours] = await database.select().from(posts).where(words);
  assert.deepEqual([hours?.slug, hours?.version, hours?.titleStart], ["opening-hours", 2, "Opening hours"]);
  assert.equal(await database.$count(posts), 6);
  const trashed = await database.query.posts.findFirst({ where: (each, { eq }) => eq(each.status, "trash") });
  assert.deepEqual([trashed?.slug, trashed?.statusBeforeTrash], ["address__trashed", "publish"]);
  const revisionRows = await database.select({ kind: revisions.kind, content: revisions.content }).from(revisions);
  assert.deepEqual(revisionRows, [
    { kind: "revision", content: "<p>9 to 5</p>" },
    { kind: "autosave", content: "<p>closed</p>" },
  ]);
  assert.deepEqual((await database.select().from(feedback))[0]?.fields, { email: "a@b.example" });
  assert.equal(await database.$count(indexables), 1);
  assert.equal((await database.select().from(settings))[0]?.value, "before-publish");
  const [next] = await database
    .insert(posts)
    .values({ type: "wp_block", language: "en", status: "draft", author: 1 })
    .returning({ id: posts.id });
  assert.equal(next?.id, 7, "ids go on");
}

async function inDatabase<Result>(statements: string, use: (database: Database) => Promise<Result>): Promise<Result> {
  const emptyFiles = await createEmptyDatabase(statements);
  try {
    const { database, close } = await openDatabase(emptyFiles);
    try {
      return await use(database);
    } finally {
      await close();
    }
  } finally {
    await emptyFiles.drop();
  }
}

/** Reads the columns, indexes and constraints of all tables, and the number of migrations. */
async function structureOf(database: Database): Promise<readonly unknown[]> {
  const queries = [
    sql`select table_name, column_name, data_type, is_nullable, column_default, generation_expression
      from information_schema.columns where table_schema = 'public' order by table_name, column_name`,
    sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname`,
    sql`select conname, pg_get_constraintdef(oid) as definition from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n' order by conname`,
    sql`select count(*) as migrations from drizzle.__drizzle_migrations`,
  ];
  const structure: unknown[] = [];
  for (const query of queries) {
    const { rows } = (await database.execute(query)) as { readonly rows: readonly unknown[] };
    assert.ok(rows.length > 0);
    structure.push(rows);
  }
  return structure;
}
