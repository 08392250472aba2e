import { type SQL, sql } from "drizzle-orm";
import {
  bigint,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";

/** A JSON object, as handlers receive and return them. */
export interface StoredObject {
  readonly [name: string]: StoredValue | undefined;
}
export type StoredValue = null | boolean | number | string | readonly StoredValue[] | StoredObject;

const id = () => bigint("id", { mode: "number" }).primaryKey().generatedByDefaultAsIdentity();
const time = (name: string) => timestamp(name, { withTimezone: true });
const searchText = customType<{ data: string }>({ dataType: () => "tsvector" });

export const users = pgTable("users", {
  id: id(),
  login: text("login").notNull().unique(),
  name: text("name").notNull(),
});

/** Passwords for programs. A user may have several, and can revoke each of them. */
export const applicationPasswords = pgTable(
  "application_passwords",
  {
    id: id(),
    userId: bigint("user_id", { mode: "number" })
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    salt: text("salt").notNull(),
    /** The scrypt hash of the password and the salt. */
    hash: text("hash").notNull(),
    lastUsed: time("last_used"),
  },
  (table) => [index("application_passwords_by_user").on(table.userId)],
);

/** Blocks, projects and media. WordPress also stores all of them in one table. */
export const posts = pgTable(
  "posts",
  {
    id: id(),
    type: text("type", { enum: ["wp_block", "project", "attachment"] }).notNull(),
    language: text("language", { enum: ["en", "pt-pt"] }).notNull(),
    status: text("status", {
      enum: ["publish", "future", "draft", "pending", "private", "trash", "auto-draft", "inherit"],
    }).notNull(),
    /** The status before the object was moved to the trash. */
    statusBeforeTrash: text("status_before_trash"),
    /** The last segment of the object's address: unique per type, empty for drafts without a slug. */
    slug: text("slug").notNull().default(""),
    date: time("date").notNull().defaultNow(),
    modified: time("modified").notNull().defaultNow(),
    /** The version of the object, which is its ETag. Every change increments it. */
    version: integer("version").notNull().default(1),
    title: text("title").notNull().default(""),
    content: text("content").notNull().default(""),
    excerpt: text("excerpt").notNull().default(""),
    password: text("password").notNull().default(""),
    template: text("template").notNull().default(""),
    author: bigint("author", { mode: "number" })
      .notNull()
      .references(() => users.id),
    commentStatus: text("comment_status", { enum: ["open", "closed"] })
      .notNull()
      .default("closed"),
    pingStatus: text("ping_status", { enum: ["open", "closed"] })
      .notNull()
      .default("closed"),
    meta: jsonb("meta").$type<StoredObject>().notNull().default({}),
    /** The id of a project's featured image; 0 for none. */
    featuredMedia: bigint("featured_media", { mode: "number" }).notNull().default(0),
    /** The id of the post to which a media item is attached. */
    parent: bigint("parent", { mode: "number" }),
    altText: text("alt_text").notNull().default(""),
    caption: text("caption").notNull().default(""),
    description: text("description").notNull().default(""),
    mimeType: text("mime_type").notNull().default(""),
    /** The file's path below the folder of uploads. */
    file: text("file").notNull().default(""),
    mediaDetails: jsonb("media_details").$type<StoredObject>().notNull().default({}),
    /** The beginning of the title, by which listings are ordered: an index entry can have at most 2,700 bytes. */
    titleStart: text("title_start").generatedAlwaysAs((): SQL => sql`left(${posts.title}, 200)`),
    searched: searchText("searched").generatedAlwaysAs(
      // Only the beginning of the content is searched, because PostgreSQL refuses more than 1 MB of words.
      (): SQL =>
        sql`to_tsvector('simple', left(${posts.title} || ' ' || ${posts.excerpt} || ' ' || ${posts.content}, 150000))`,
    ),
  },
  (table) => [
    foreignKey({ columns: [table.parent], foreignColumns: [table.id] }).onDelete("set null"),
    uniqueIndex("posts_by_slug").on(table.type, table.slug).where(sql`slug <> ''`),
    // One index for each order of listings. All columns ascend; PostgreSQL reads an index backwards for descending order.
    ...(["date", "modified", "titleStart", "slug", "author", "id"] as const).map((order) =>
      index(`posts_in_order_of_${order === "titleStart" ? "title" : order}`).on(
        table.type,
        table.language,
        table.status,
        ...(order === "id" ? [] : [table[order]]),
        table.id,
      ),
    ),
    // This index is for listings of several statuses.
    index("posts_of_any_status").on(table.type, table.language, table.date, table.id),
    index("posts_by_parent").on(table.parent, table.id),
    index("posts_by_file").on(table.file),
    index("posts_with_words").using("gin", table.searched),
  ],
);

/** Earlier states of posts (revisions), and unfinished texts of editors (autosaves). */
export const revisions = pgTable(
  "revisions",
  {
    id: id(),
    postId: bigint("post_id", { mode: "number" })
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["revision", "autosave"] }).notNull(),
    author: bigint("author", { mode: "number" }).notNull(),
    date: time("date").notNull().defaultNow(),
    title: text("title").notNull(),
    content: text("content").notNull(),
    excerpt: text("excerpt").notNull(),
  },
  (table) => [index("revisions_by_post").on(table.postId, table.kind, table.date)],
);

/** Categories and tags of projects. */
export const terms = pgTable(
  "terms",
  {
    id: id(),
    taxonomy: text("taxonomy", { enum: ["project_category", "project_tag"] }).notNull(),
    name: text("name").notNull(),
    slug: text("slug").notNull(),
  },
  (table) => [uniqueIndex("terms_by_slug").on(table.taxonomy, table.slug)],
);

export const postTerms = pgTable(
  "post_terms",
  {
    postId: bigint("post_id", { mode: "number" })
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" }),
    termId: bigint("term_id", { mode: "number" })
      .notNull()
      .references(() => terms.id, { onDelete: "cascade" }),
  },
  (table) => [primaryKey({ columns: [table.postId, table.termId] }), index("posts_by_term").on(table.termId)],
);

export const forms = pgTable("forms", {
  id: id(),
  title: text("title").notNull(),
  language: text("language").notNull(),
  fields: jsonb("fields").$type<StoredObject>().notNull().default({}),
  modified: time("modified").notNull().defaultNow(),
});

/** The messages that visitors sent with forms. */
export const feedback = pgTable(
  "feedback",
  {
    id: id(),
    formId: bigint("form_id", { mode: "number" })
      .notNull()
      .references(() => forms.id, { onDelete: "cascade" }),
    date: time("date").notNull().defaultNow(),
    fields: jsonb("fields").$type<StoredObject>().notNull(),
  },
  (table) => [index("feedback_by_form").on(table.formId, table.date)],
);

/** Texts of themes and plug-ins for translation. */
export const strings = pgTable(
  "strings",
  {
    id: id(),
    domain: text("domain").notNull(),
    title: text("title").notNull(),
    value: text("value").notNull(),
    kind: integer("kind").notNull().default(0),
    type: text("type").notNull().default("LINE"),
    source: integer("source").notNull().default(0),
    priority: text("priority").notNull().default(""),
    language: text("language").notNull(),
    status: integer("status").notNull().default(0),
  },
  (table) => [uniqueIndex("strings_by_title").on(table.domain, table.title)],
);

/** Data for search engines about an object. */
export const indexables = pgTable(
  "indexables",
  {
    objectType: text("object_type").notNull(),
    objectId: bigint("object_id", { mode: "number" }).notNull(),
    fields: jsonb("fields").$type<StoredObject>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.objectType, table.objectId] })],
);

/** Settings by name. */
export const settings = pgTable("settings", {
  name: text("name").primaryKey(),
  value: jsonb("value").$type<StoredValue>().notNull(),
});
