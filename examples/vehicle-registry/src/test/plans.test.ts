import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq, type SQL, sql } from "drizzle-orm";
import { createEmptyDatabase } from "./empty-database.js";

const { url, folder, drop } = await createEmptyDatabase();
Object.assign(process.env, { DATABASE_URL: url, DATABASE_FOLDER: folder });
const { close, database } = await import("../store.js");
const { createVehicleQuery: vehicleQuery } = await import("../registry.js");
const { insertSamples, insertSeed } = await import("../samples.js");
const { accounts, insuredVehicles, lookups } = await import("../tables.js");

before(async () => {
  await insertSamples(database);
  await insertSeed(database, 20_000, () => {});
});
after(async () => {
  await close();
  await drop();
});

const vehicleKey = { country: "US", number: "SEED0000777", region: "CA" };
const queries: readonly (readonly [name: string, () => SQL, index: string])[] = [
  ["a vehicle", () => vehicleQuery(database, vehicleKey).getSQL(), "vehicles_by_number"],
  ["an account", () => database.select().from(accounts).where(eq(accounts.username, "demo")).getSQL(), "accounts_pkey"],
  [
    "an insured vehicle",
    () => database.select().from(insuredVehicles).where(eq(insuredVehicles.number, "AB123CD")).getSQL(),
    "insured_vehicles_number_vehicle_type_pk",
  ],
  [
    "the lookups of an account",
    () => database.select().from(lookups).where(eq(lookups.username, "demo")).orderBy(lookups.at).getSQL(),
    "lookups_by_account",
  ],
];

for (const [name, query, index] of queries) {
  test(`${name} is found by ${index}`, async () => {
    const explained = await database.transaction(async (transaction) => {
      // PostgreSQL would read small tables without their indexes.
      await transaction.execute(sql`set local enable_seqscan = off`);
      return (await transaction.execute(sql`explain ${query()}`)) as {
        readonly rows: readonly { readonly "QUERY PLAN": string }[];
      };
    });
    const plan = explained.rows.map((row) => row["QUERY PLAN"]).join("\n");
    assert.ok(plan.includes(index) && !plan.includes("Seq Scan"), plan);
  });
}

test("PostgreSQL chooses the index to find a vehicle among many", async () => {
  const explained = (await database.execute(sql`explain ${vehicleQuery(database, vehicleKey).getSQL()}`)) as {
    readonly rows: readonly { readonly "QUERY PLAN": string }[];
  };
  assert.match(explained.rows[0]?.["QUERY PLAN"] ?? "", /^Index Scan using vehicles_by_number/);
});
