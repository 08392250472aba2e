import { RestError } from "@bothends/server/content";
import { and, eq } from "drizzle-orm";
import type { Database } from "../database.js";
import { posts, postTerms, type StoredValue, type terms } from "../tables.js";

/** A post without the columns used only for searching and sorting. */
export type Post = Omit<typeof posts.$inferSelect, "searched" | "titleStart">;
export type NewPost = typeof posts.$inferInsert;
export type PostType = Post["type"];

/** The categories and tags of a project, by id. */
export interface PostTerms {
  readonly project_category: readonly number[];
  readonly project_tag: readonly number[];
}

/** Finds a post by type and id. Throws WordPress's error if there is none. */
export async function findPost(database: Database, type: PostType, id: number): Promise<Post> {
  const [post] = await database
    .select()
    .from(posts)
    .where(and(eq(posts.id, id), eq(posts.type, type)));
  if (post === undefined) {
    throw new RestError({ code: "rest_post_invalid_id", message: "Invalid post ID.", status: 404 });
  }
  return post;
}

/** Reads the terms of posts. The keys are the ids of the posts. */
export async function readTerms(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, PostTerms>> {
  const termsByPost = new Map(ids.map((id) => [id, { project_category: [] as number[], project_tag: [] as number[] }]));
  if (ids.length === 0) {
    return termsByPost;
  }
  const rows = await database.query.postTerms.findMany({
    where: (table, { inArray }) => inArray(table.postId, [...ids]),
    orderBy: (table, { asc }) => asc(table.termId),
  });
  const taxonomies = await readTaxonomies(
    database,
    rows.map(({ termId }) => termId),
  );
  for (const { postId, termId } of rows) {
    const taxonomy = taxonomies.get(termId);
    if (taxonomy !== undefined) {
      termsByPost.get(postId)?.[taxonomy].push(termId);
    }
  }
  return termsByPost;
}

/** Replaces the terms of one taxonomy. As in WordPress, ids outside the taxonomy are ignored. */
export async function setTerms(
  database: Database,
  post: number,
  taxonomy: keyof PostTerms,
  termIds: readonly number[],
): Promise<void> {
  const taxonomies = await readTaxonomies(database, termIds);
  const newIds = [...taxonomies].filter(([, each]) => each === taxonomy).map(([id]) => id);
  const oldIds = (await readTerms(database, [post])).get(post)?.[taxonomy] ?? [];
  for (const id of oldIds.filter((each) => !newIds.includes(each))) {
    await database.delete(postTerms).where(and(eq(postTerms.postId, post), eq(postTerms.termId, id)));
  }
  const addedIds = newIds.filter((each) => !oldIds.includes(each));
  if (addedIds.length > 0) {
    await database.insert(postTerms).values(addedIds.map((termId) => ({ postId: post, termId })));
  }
}

async function readTaxonomies(
  database: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, keyof PostTerms>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await database.query.terms.findMany({ where: (table, { inArray }) => inArray(table.id, [...ids]) });
  return new Map(rows.map(({ id, taxonomy }: typeof terms.$inferSelect) => [id, taxonomy]));
}

/** Returns the text of a title, content or caption, which callers send as `{ "raw": … }` or `{ "rendered": … }`. */
export function getRawText(
  value: { readonly [name: string]: StoredValue | undefined } | undefined,
): string | undefined {
  const raw = value?.["raw"] ?? value?.["rendered"];
  return typeof raw === "string" ? raw : undefined;
}
