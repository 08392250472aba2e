import type { Autosave, BlockInAnyContext, MediaInAnyContext, ProjectInAnyContext } from "@bothends/server/content";
import type { Autosaved } from "./autosaves.js";
import type { Post, PostTerms } from "./post.js";

/** Determines the fields of an answer: for readers, editors, or links. */
export type Context = "view" | "embed" | "edit" | undefined;

/** The prefix of an object's addresses, and the access of its reader. */
export interface Reader {
  readonly context: Context;
  /** The address of the index. */
  readonly baseUrl: string;
  /** A password for protected content. */
  readonly password?: string | undefined;
}

export function blockOf(post: Post, reader: Reader): BlockInAnyContext {
  return {
    ...sharedOf(post, reader),
    title: { raw: post.title },
    content: { raw: contentOf(post, reader), block_version: 1, protected: post.password !== "" },
  };
}

export function projectOf(post: Post, terms: PostTerms | undefined, reader: Reader): ProjectInAnyContext {
  return {
    ...sharedOf(post, reader),
    title: textOf(post.title, reader),
    ...(reader.context !== "embed" && {
      content: { ...textOf(contentOf(post, reader), reader), protected: post.password !== "" },
      comment_status: post.commentStatus,
      ping_status: post.pingStatus,
      meta: post.meta,
      project_category: terms?.project_category ?? [],
      project_tag: terms?.project_tag ?? [],
    }),
    excerpt: { ...textOf(post.excerpt, reader), protected: post.password !== "" },
    author: post.author,
    featured_media: post.featuredMedia,
  };
}

export function mediaOf(post: Post, reader: Reader): MediaInAnyContext {
  const isImage = post.mimeType.startsWith("image/");
  return {
    ...sharedOf(post, reader),
    title: textOf(post.title, reader),
    author: post.author,
    alt_text: post.altText,
    caption: textOf(post.caption, reader),
    ...(reader.context !== "embed" && {
      description: textOf(post.description, reader),
      comment_status: post.commentStatus,
      ping_status: post.pingStatus,
      meta: post.meta,
      post: post.parent,
    }),
    media_type: isImage ? "image" : "file",
    mime_type: post.mimeType,
    media_details: post.mediaDetails,
    source_url: `${siteOf(reader)}/uploads/${post.file}`,
  };
}

export function autosaveOf(revision: Autosaved, reader: Reader): Autosave {
  const date = dateText(revision.date);
  const name = `${revision.postId}-autosave-v1`;
  return {
    id: revision.id,
    parent: revision.postId,
    author: revision.author,
    date,
    date_gmt: date,
    modified: date,
    modified_gmt: date,
    slug: name,
    guid: { rendered: `${siteOf(reader)}/?p=${revision.id}` },
    title: { raw: revision.title },
    content: { raw: revision.content },
  };
}

/** The fields of all objects. */
function sharedOf(post: Post, reader: Reader) {
  const link = `${siteOf(reader)}/?p=${post.id}`;
  const isEmbed = reader.context === "embed";
  return {
    id: post.id,
    date: dateText(post.date),
    slug: post.slug,
    type: post.type,
    link,
    ...(!isEmbed && {
      date_gmt: dateText(post.date),
      guid: { rendered: link, ...(reader.context === "edit" && { raw: link }) },
      modified: dateText(post.modified),
      modified_gmt: dateText(post.modified),
      status: post.status,
      template: post.template,
    }),
    ...(reader.context === "edit" && post.type !== "attachment" && { password: post.password }),
  };
}

/** Editors also see the stored text. */
function textOf(raw: string, { context }: Reader) {
  return context === "edit" ? { raw, rendered: raw } : { rendered: raw };
}

function contentOf(post: Post, { context, password }: Reader): string {
  return post.password === "" || post.password === password || context === "edit" ? post.content : "";
}

/** A date in WordPress's format, without a zone. */
export function dateText(date: Date): string {
  return date.toISOString().slice(0, 19);
}

/** The address of the site: the index without `/en/api`. */
function siteOf({ baseUrl }: Reader): string {
  return baseUrl.replace(/\/[^/]*\/api\/?$/, "");
}
