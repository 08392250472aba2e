import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { type Database, openDatabase } from "../database.js";
import { accounts, lookups, vehicles } from "../tables.js";
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
  assert.equal(await database.$count(vehicles), 12);
  const [focus] = await database.select().from(vehicles).where(eq(vehicles.country, "US"));
  assert.deepEqual([focus?.number, focus?.make, focus?.engineSize], ["ABC1234", "FORD", 1596]);
  const [prepaid] = await database.select().from(accounts).where(eq(accounts.username, "prepaid"));
  assert.equal(prepaid?.credits, 2, "three credits and a lookup");
  assert.equal(await database.$count(lookups, eq(lookups.username, "prepaid")), 1);
  const lookup = { operation: "CheckUSA", username: "prepaid", number: "ABC1234" };
  const [next] = await database.insert(lookups).values(lookup).returning({ id: lookups.id });
  assert.equal(next?.id, 2, "ids go on");
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
