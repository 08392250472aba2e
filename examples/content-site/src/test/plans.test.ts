import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type SQL, sql } from "drizzle-orm";
import { createEmptyDatabase } from "./empty-database.js";

const { url, folder, drop } = await createEmptyDatabase();
Object.assign(process.env, { DATABASE_URL: url, DATABASE_FOLDER: folder });
const { close, database } = await import("../store.js");
const { insertSamples, insertSeed } = await import("../samples.js");
const { createPageQuery: pageQuery } = await import("../posts/list-posts.js");

before(async () => {
  await insertSamples(database);
  await insertSeed(database, 20_000, () => {});
});
after(async () => {
  await close();
  await drop();
});

type Listing = Parameters<typeof pageQuery>[2];
const listings: readonly (readonly [Listing, index: string])[] = [
  [{}, "posts_in_order_of_date"],
  [{ page: 900 }, "posts_in_order_of_date"],
  [{ order: "asc" }, "posts_in_order_of_date"],
  [{ orderby: "modified" }, "posts_in_order_of_modified"],
  [{ orderby: "title", order: "asc" }, "posts_in_order_of_title"],
  [{ orderby: "title", order: "desc", page: 900 }, "posts_in_order_of_title"],
  [{ orderby: "slug" }, "posts_in_order_of_slug"],
  [{ orderby: "author" }, "posts_in_order_of_author"],
  [{ orderby: "id", order: "asc" }, "posts_in_order_of_id"],
  [{ orderby: "id", page: 900 }, "posts_in_order_of_id"],
  [{ after: "2020-02-01T00:00:00", before: "2020-02-02T00:00:00" }, "posts_in_order_of_date"],
  [{ status: ["any"] }, "posts_of_any_status"],
  [{ status: ["publish", "draft"] }, "posts_of_any_status"],
  [{ search: "office 777" }, "posts_with_words"],
  [{ slug: ["seed-16"] }, "posts_by_slug"],
  [{ include: [7, 9], orderby: "include" }, "posts_pkey"],
];

for (const [listing, index] of listings) {
  test(`the listing ${JSON.stringify(listing)} reads ${index}, and sorts only the rows that it finds`, async () => {
    const nodes = await planOf(pageQuery("wp_block", "en", listing).getSQL());
    assert.ok(
      nodes.some((node) => node["Index Name"] === index),
      JSON.stringify(nodes.map((node) => [node["Node Type"], node["Index Name"]])),
    );
    assert.ok(!nodes.some((node) => node["Node Type"] === "Seq Scan"), "no table is read completely");
    for (const node of nodes.filter((each) => each["Node Type"] === "Sort")) {
      assert.ok((node["Actual Rows"] ?? 0) <= 100, "few rows are sorted");
      assert.ok((node.Plans?.[0]?.["Actual Rows"] ?? 0) <= 100, "few rows are sorted");
    }
  });
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns all steps by which the database answers a query. */
async function planOf(query: SQL): Promise<readonly PlanNode[]> {
  const explained = (await database.execute(sql`explain (analyze, format json) ${query}`)) as {
    readonly rows: readonly [{ readonly "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] }];
  };
  return withChildren(explained.rows[0]["QUERY PLAN"][0].Plan);
}

function withChildren(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withChildren)];
}
