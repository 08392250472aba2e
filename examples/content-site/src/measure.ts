import { listen } from "@bothends/runtime/server/node";
import { sql } from "drizzle-orm";
import { countQuery, createPageQuery } from "./posts/list-posts.js";
import { routes } from "./routes.js";
import { close, database } from "./store.js";
import { posts } from "./tables.js";

/** `pnpm measure`: measures listings, and prints a table for the README. Run `pnpm seed` first. */
type Listing = Parameters<typeof createPageQuery>[2];
const listings: readonly (readonly [name: string, Listing])[] = [
  ["first page", {}],
  ["page 4,000", { page: 4_000 }],
  ["first page by title", { orderby: "title", order: "asc" }],
  ["page 4,000 by title", { orderby: "title", order: "asc", page: 4_000 }],
  ["a month", { after: "2021-02-01T00:00:00", before: "2021-03-01T00:00:00" }],
  ["any status", { status: ["any"] }],
  ["search that finds few blocks", { search: "visiting 777" }],
  ["search that finds half of the blocks", { search: "office" }],
  ["100 blocks on a page", { per_page: 100 }],
];

const server = await listen(routes, { port: 0, host: "127.0.0.1" });
const rounds = 25;

/** Runs the SQL statements of a listing, without the server and the mapper. */
async function query(listing: Listing): Promise<void> {
  await database.execute(createPageQuery("wp_block", "en", listing).getSQL());
  await database.execute(sql`select ${countQuery("wp_block", "en", listing)}`);
}

async function request(listing: Listing): Promise<void> {
  const fields = Object.entries(listing).map(([name, value]) => [name, String(value)]);
  const answer = await fetch(`${server.url}/en/api/core/v2/blocks?${new URLSearchParams(fields)}`);
  const blocks = (await answer.json()) as readonly unknown[];
  if (answer.status !== 200 || blocks.length === 0) {
    throw new Error(`${JSON.stringify(listing)} was answered with ${answer.status} and ${blocks.length} blocks.`);
  }
}

async function measureMilliseconds(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function computeMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

console.log(
  `${(await database.$count(posts)).toLocaleString("en")} objects; medians of ${rounds} rounds in milliseconds\n`,
);
console.log("| listing | statements | request | ratio |\n|---|---|---|---|");
for (const [name, listing] of listings) {
  const [queries, requests]: [number[], number[]] = [[], []];
  for (let round = -3; round < rounds; round += 1) {
    const times = [
      await measureMilliseconds(() => query(listing)),
      await measureMilliseconds(() => request(listing)),
    ] as const;
    if (round >= 0) {
      queries.push(times[0]);
      requests.push(times[1]);
    }
  }
  const [statements, requestTime] = [computeMedian(queries), computeMedian(requests)];
  console.log(
    `| ${name} | ${statements.toFixed(1)} | ${requestTime.toFixed(1)} | ${(requestTime / statements).toFixed(1)} |`,
  );
}

const memory: string[] = [];
for (let count = 0; count <= 3_000; count += 1) {
  if (count % 1_000 === 0) {
    memory.push(`${Math.round(process.memoryUsage().rss / 1e6)} MB after ${count.toLocaleString("en")}`);
  }
  await request({ page: 1 + (count % 4_000), per_page: 10 });
}
console.log(`\nMemory of the process, by requests: ${memory.join(", ")}`);
await server.close();
await close();
