import { RestError } from "@bothends/server/content";
import { and, desc, eq } from "drizzle-orm";
import { database } from "../store.js";
import { revisions } from "../tables.js";
import { type Fields, lockPost, updatePost } from "./change-posts.js";
import { findPost, getRawText, type PostType } from "./post.js";

type Revision = typeof revisions.$inferSelect;

/** The answer to an autosave: the autosave, or the draft that was changed instead. */
export type Autosaved = Omit<Revision, "kind" | "excerpt">;

/** Lists the autosaves of a post, beginning with the newest. */
export function listAutosaves(postId: number): Promise<Revision[]> {
  return database
    .select()
    .from(revisions)
    .where(and(eq(revisions.postId, postId), eq(revisions.kind, "autosave")))
    .orderBy(desc(revisions.date));
}

export async function findAutosave(postId: number, id: number): Promise<Revision> {
  const [foundRow] = await database
    .select()
    .from(revisions)
    .where(and(eq(revisions.id, id), eq(revisions.postId, postId), eq(revisions.kind, "autosave")));
  if (foundRow === undefined) {
    throw new RestError({
      code: "rest_post_no_autosave",
      message: "There is no autosave revision for this post.",
      status: 404,
    });
  }
  return foundRow;
}

/**
 * Saves what an author is writing without changing the post. An author has one autosave per post, which is replaced. As in
 * WordPress, an author's own draft has no autosaves: the draft is changed.
 */
export async function saveAutosave(type: PostType, id: number, author: number, fields: Fields): Promise<Autosaved> {
  const post = await findPost(database, type, id);
  if (post.status === "draft" && post.author === author) {
    const { title, content, excerpt } = fields;
    // If the draft was published in the meantime, its version differs and it is not changed.
    const updatedDraft = await updatePost(type, id, { title, content, excerpt }, { version: post.version });
    return { ...updatedDraft, postId: updatedDraft.parent ?? 0, date: updatedDraft.modified };
  }
  const texts = {
    title: getRawText(fields.title) ?? post.title,
    content: getRawText(fields.content) ?? post.content,
    excerpt: getRawText(fields.excerpt) ?? post.excerpt,
  };
  return database.transaction(async (transaction) => {
    await lockPost(transaction, type, id, { version: undefined });
    const isOwnAutosave = and(eq(revisions.postId, id), eq(revisions.kind, "autosave"), eq(revisions.author, author));
    const [replaced] = await transaction
      .update(revisions)
      .set({ ...texts, date: new Date() })
      .where(isOwnAutosave)
      .returning();
    if (replaced !== undefined) {
      return replaced;
    }
    const [saved] = await transaction
      .insert(revisions)
      .values({ postId: id, kind: "autosave", author, ...texts })
      .returning();
    if (saved === undefined) {
      throw new Error("The database returned no new autosave.");
    }
    return saved;
  });
}
