import { type CoreMediaCreate, type CoreProjectCreate, RestError } from "@bothends/server/content";
import { and, eq, like, ne, sql } from "drizzle-orm";
import type { Database } from "../database.js";
import { database } from "../store.js";
import { posts, revisions, users } from "../tables.js";
import { findPost, getRawText, type NewPost, type Post, type PostType, setTerms } from "./post.js";

/** The writable fields of blocks, projects and media. */
export type Fields = Partial<CoreProjectCreate> & Partial<Omit<CoreMediaCreate, keyof CoreProjectCreate>>;

/** The columns of a new post that the handler sets, not the caller. */
export type NewPostColumns = Pick<NewPost, "type" | "language" | "author"> & Partial<NewPost>;

/** Creates a post. Without a status, it is a draft. */
export function createPost(fixedColumns: NewPostColumns, fields: Fields): Promise<Post> {
  return withUniqueSlug(async (transaction) => {
    const columns = toColumns(fields);
    const { title = "", content = "", excerpt = "" } = columns;
    if (fixedColumns.type === "project" && title + content + excerpt === "") {
      throw new RestError({ code: "empty_content", message: "Content, title, and excerpt are empty.", status: 400 });
    }
    await checkAuthor(transaction, columns.author);
    const status = chooseStatus(columns.status ?? fixedColumns.status ?? "draft", columns.date);
    const slug = await chooseSlug(transaction, { ...fixedColumns, ...columns, status }, undefined);
    const [post] = await transaction
      .insert(posts)
      .values({ ...fixedColumns, ...columns, status, slug })
      .returning();
    if (post === undefined) {
      throw new Error("The database returned no new post.");
    }
    await setTermsOf(transaction, post.id, fields);
    return post;
  });
}

/** A condition for a change: the post must still have the version that the caller last read. */
export interface ExpectedVersion {
  readonly version: number | undefined;
}

/** Changes the given fields, and saves the old state as a revision. */
export function updatePost(type: PostType, id: number, fields: Fields, expected: ExpectedVersion): Promise<Post> {
  return withUniqueSlug(async (transaction) => {
    const current = await lockPost(transaction, type, id, expected);
    const columns = toColumns(fields);
    await checkAuthor(transaction, columns.author);
    const newColumns = { ...restoreColumns(current, columns.status ?? current.status), ...columns };
    const status = chooseStatus(columns.status ?? current.status, columns.date ?? current.date);
    const slug = await chooseSlug(transaction, { ...newColumns, status }, current);
    if (type !== "attachment") {
      const { title, content, excerpt, author } = current;
      await transaction.insert(revisions).values({ postId: id, kind: "revision", title, content, excerpt, author });
    }
    const [post] = await transaction
      .update(posts)
      .set({ ...columns, status, slug, ...createIncrements() })
      .where(eq(posts.id, id))
      .returning();
    await setTermsOf(transaction, id, fields);
    return post ?? current;
  });
}

/** Moves a post to the trash. As in WordPress, a post already in the trash is refused. */
export function trashPost(type: PostType, id: number, expected: ExpectedVersion): Promise<Post> {
  return database.transaction(async (transaction) => {
    const current = await lockPost(transaction, type, id, expected);
    if (current.status === "trash") {
      throw new RestError({ code: "rest_already_trashed", message: "The post has already been deleted.", status: 410 });
    }
    const slug = current.slug === "" ? "" : `${current.slug}__trashed`;
    const newSlug = slug === "" ? "" : await findFreeSlug(transaction, { type, slug, id });
    const [post] = await transaction
      .update(posts)
      .set({ status: "trash", statusBeforeTrash: current.status, slug: newSlug, ...createIncrements() })
      .where(eq(posts.id, id))
      .returning();
    return post ?? current;
  });
}

/** Deletes a post with its revisions, and returns its last state. */
export function removePost(type: PostType, id: number, expected: ExpectedVersion): Promise<Post> {
  return database.transaction(async (transaction) => {
    const postBefore = await lockPost(transaction, type, id, expected);
    await transaction.delete(posts).where(eq(posts.id, id));
    return postBefore;
  });
}

/** Reads a post and locks it, so that no other change intervenes. */
export async function lockPost(
  transaction: Database,
  type: PostType,
  id: number,
  { version }: ExpectedVersion,
): Promise<Post> {
  await transaction.execute(sql`select 1 from ${posts} where ${posts.id} = ${id} for update`);
  const post = await findPost(transaction, type, id);
  if (version !== undefined && version !== post.version) {
    throw new RestError({
      code: "rest_precondition_failed",
      message: `The post was changed in the meantime: its version is ${post.version}.`,
      status: 412,
    });
  }
  return post;
}

async function checkAuthor(transaction: Database, author: number | undefined): Promise<void> {
  if (author !== undefined && (await transaction.$count(users, eq(users.id, author))) === 0) {
    throw new RestError({ code: "rest_invalid_author", message: "Invalid author ID.", status: 400 });
  }
}

function createIncrements() {
  return { modified: new Date(), version: sql`${posts.version} + 1` };
}

/** Converts fields to columns. An absent field has no column. */
function toColumns(fields: Fields): Partial<NewPost> {
  const date = fields.date_gmt ?? fields.date;
  const columns: { [Name in keyof NewPost]?: NewPost[Name] | undefined } = {
    slug: fields.slug === undefined ? undefined : toSlug(fields.slug),
    status: fields.status,
    title: getRawText(fields.title),
    content: getRawText(fields.content),
    excerpt: getRawText(fields.excerpt),
    caption: getRawText(fields.caption),
    description: getRawText(fields.description),
    password: fields.password,
    template: fields.template,
    author: fields.author,
    commentStatus: fields.comment_status,
    pingStatus: fields.ping_status,
    meta: fields.meta,
    featuredMedia: fields.featured_media,
    altText: fields.alt_text,
    parent: fields.post,
    // As in WordPress, null sets the date to now.
    date: date === null ? new Date() : date === undefined ? undefined : parseDate(date),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<NewPost>;
}

/** Reads a date. The site uses GMT, so a date without a zone is in GMT. */
function parseDate(text: string): Date {
  return new Date(/[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
}

/** As in WordPress, a post published with a future date is scheduled. */
function chooseStatus(status: Post["status"], date: Date | undefined): Post["status"] {
  const isLater = date !== undefined && date.getTime() > Date.now();
  if (status === "publish" && isLater) {
    return "future";
  }
  return status === "future" && !isLater ? "publish" : status;
}

async function setTermsOf(transaction: Database, id: number, fields: Fields): Promise<void> {
  for (const taxonomy of ["project_category", "project_tag"] as const) {
    const ids = fields[taxonomy];
    if (ids !== undefined) {
      await setTerms(transaction, id, taxonomy, ids);
    }
  }
}

type SlugColumns = Pick<NewPost, "type" | "slug" | "title" | "status">;

/** A post restored from the trash gets its previous slug. */
function restoreColumns(postBefore: Post, status: Post["status"]): Post {
  const leaves = postBefore.status === "trash" && status !== "trash";
  return leaves ? { ...postBefore, slug: postBefore.slug.replace(/__trashed(?:-\d+)?$/, "") } : postBefore;
}

/** Returns the slug of a post: the requested one, or one derived from its title if it is not a draft. */
async function chooseSlug(transaction: Database, post: SlugColumns, postBefore: Post | undefined): Promise<string> {
  const isDraft = post.status === "draft" || post.status === "pending" || post.status === "auto-draft";
  const slug = post.slug || (isDraft ? "" : toSlug(post.title ?? "") || post.type);
  return slug === "" || slug === postBefore?.slug
    ? slug
    : findFreeSlug(transaction, { type: post.type, slug, id: postBefore?.id });
}

interface WantedSlug {
  readonly type: PostType;
  readonly slug: string;
  /** The post that may already have the slug. */
  readonly id: number | undefined;
}

/** Returns the slug if no other post of the type has it, otherwise the first free one of `slug-2`, `slug-3`, … */
async function findFreeSlug(transaction: Database, { type, slug, id }: WantedSlug): Promise<string> {
  // Transactions that want the same slug wait for the end of this one, in all processes.
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${type} ${slug}`}, 0))`);
  const hasPrefix = like(posts.slug, `${slug.replaceAll(/[%_\\]/g, "\\$&")}%`);
  const slugRows = await transaction
    .select({ slug: posts.slug })
    .from(posts)
    .where(and(eq(posts.type, type), hasPrefix, id === undefined ? undefined : ne(posts.id, id)));
  const takenSlugs = new Set(slugRows.map((other) => other.slug));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (!takenSlugs.has(candidate)) {
      return candidate;
    }
  }
}

/** Converts a text to a slug: letters and digits in lower case, joined by hyphens. */
export function toSlug(text: string): string {
  const ascii = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return ascii
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 200);
}

const uniqueViolation = "23505";

/**
 * Repeats a change if a concurrent one saved the same slug. The locks do not prevent this: a second post with the slug "a" and a
 * first post with the slug "a-2" both get `a-2`.
 */
async function withUniqueSlug(change: (transaction: Database) => Promise<Post>): Promise<Post> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(change);
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      const isTaken = cause instanceof Error && "code" in cause && cause.code === uniqueViolation;
      if (!isTaken || attempt === 5) {
        throw error;
      }
    }
  }
}
