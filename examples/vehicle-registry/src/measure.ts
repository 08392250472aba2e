import { VehicleClient } from "@bothends/client/vehicle";
import { listen } from "@bothends/runtime/server/node";
import { sql } from "drizzle-orm";
import { createVehicleQuery, findVehicle, lookUp } from "./registry.js";
import { routes } from "./routes.js";
import { close, database } from "./store.js";
import { vehicles } from "./tables.js";

/** `pnpm measure`: measures lookups, and prints a table for the README. Run `pnpm seed` first. */
const server = await listen(routes, { port: 0, host: "127.0.0.1" });
const client = new VehicleClient({ baseUrl: server.url, username: "demo" });
const total = await database.$count(vehicles);
const seeded = total - (total % 1_000);
const states = ["NY", "CA", "TX", "FL"] as const;
const rounds = 200;

/**
 * The number of lookups so far. Each lookup is for a vehicle far from the last one, so that no two read the same page of the
 * database.
 */
let lookupCount = 0;
function createNextKey() {
  lookupCount += 1;
  const index = (lookupCount * 7_919) % seeded;
  return { country: "US", number: `SEED${String(index).padStart(7, "0")}`, region: states[index % 4] ?? "NY" };
}

async function request(protocol: "soap11" | "soap12" | "httpGet" | "httpPost"): Promise<void> {
  const { number, region } = createNextKey();
  const foundVehicle = await client.reg.checkUSA({ RegistrationNumber: number, State: region }, { protocol });
  if (foundVehicle?.vehicleData?.BodyStyle?.CurrentTextValue !== "Hatchback") {
    throw new Error(`The vehicle ${number} was not found. Run pnpm seed first.`);
  }
}

const runs: readonly (readonly [name: string, run: () => Promise<unknown>])[] = [
  [
    "the statement that finds a vehicle",
    () => database.execute(createVehicleQuery(database, createNextKey()).getSQL()),
  ],
  [
    "the transaction that finds a vehicle and charges for it",
    () => {
      const key = createNextKey();
      const lookup = { operation: "CheckUSA", username: "demo", number: key.number };
      return lookUp(lookup, (transaction) => findVehicle(transaction, key));
    },
  ],
  ...(["soap11", "soap12", "httpGet", "httpPost"] as const).map(
    (protocol) => [`a call over ${protocol}`, () => request(protocol)] as const,
  ),
];

function computeMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const times = runs.map((): number[] => []);
for (let round = -20; round < rounds; round += 1) {
  for (const [index, [, run]] of runs.entries()) {
    const start = performance.now();
    await run();
    if (round >= 0) {
      times[index]?.push(performance.now() - start);
    }
  }
}
console.log(`${total.toLocaleString("en")} vehicles; medians of ${rounds} rounds in milliseconds\n`);
console.log("| | milliseconds |\n|---|---|");
for (const [index, [name]] of runs.entries()) {
  console.log(`| ${name} | ${computeMedian(times[index] ?? []).toFixed(2)} |`);
}

const memory: string[] = [];
for (let count = 0; count <= 30_000; count += 1) {
  if (count % 10_000 === 0) {
    memory.push(`${Math.round(process.memoryUsage().rss / 1e6)} MB after ${count.toLocaleString("en")}`);
  }
  await request("soap12");
}
const size = (await database.execute(sql`select pg_size_pretty(pg_database_size(current_database())) as size`)) as {
  readonly rows: readonly { readonly size: string }[];
};
console.log(`\nMemory of the process, by calls: ${memory.join(", ")}. Size of the database: ${size.rows[0]?.size}`);
await server.close();
await close();
