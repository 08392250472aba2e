import type { Autosave, BlockInAnyContext, MediaInAnyContext, ProjectInAnyContext } from "@bothends/server/content";
import type { Autosaved } from "./autosaves.js";
import type { Post, PostTerms } from "./post.js";

/** WordPress's context, which determines the fields of an object in an answer: for readers, for editors, or for links. */
export type Context = "view" | "embed" | "edit" | undefined;

/** The caller for whom an object is written: the context, the password, and the address at which the site was called. */
export interface Reader {
  readonly context: Context;
  /** The address of the REST index, with which links begin. */
  readonly baseUrl: string;
  /** The caller's password for protected content. */
  readonly password?: string | undefined;
}

export function createBlock(post: Post, reader: Reader): BlockInAnyContext {
  return {
    ...createSharedFields(post, reader),
    title: { raw: post.title },
    content: { raw: getContent(post, reader), block_version: 1, protected: post.password !== "" },
  };
}

export function createProject(post: Post, terms: PostTerms | undefined, reader: Reader): ProjectInAnyContext {
  return {
    ...createSharedFields(post, reader),
    title: createTextFields(post.title, reader),
    ...(reader.context !== "embed" && {
      content: { ...createTextFields(getContent(post, reader), reader), protected: post.password !== "" },
      comment_status: post.commentStatus,
      ping_status: post.pingStatus,
      meta: post.meta,
      project_category: terms?.project_category ?? [],
      project_tag: terms?.project_tag ?? [],
    }),
    excerpt: { ...createTextFields(post.excerpt, reader), protected: post.password !== "" },
    author: post.author,
    featured_media: post.featuredMedia,
  };
}

export function createMedia(post: Post, reader: Reader): MediaInAnyContext {
  const isImage = post.mimeType.startsWith("image/");
  return {
    ...createSharedFields(post, reader),
    title: createTextFields(post.title, reader),
    author: post.author,
    alt_text: post.altText,
    caption: createTextFields(post.caption, reader),
    ...(reader.context !== "embed" && {
      description: createTextFields(post.description, reader),
      comment_status: post.commentStatus,
      ping_status: post.pingStatus,
      meta: post.meta,
      post: post.parent,
    }),
    media_type: isImage ? "image" : "file",
    mime_type: post.mimeType,
    media_details: post.mediaDetails,
    source_url: `${getSite(reader)}/uploads/${post.file}`,
  };
}

export function createAutosave(revision: Autosaved, reader: Reader): Autosave {
  const date = formatDate(revision.date);
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
    guid: { rendered: `${getSite(reader)}/?p=${revision.id}` },
    title: { raw: revision.title },
    content: { raw: revision.content },
  };
}

/** Returns the fields that blocks, projects and media share. */
function createSharedFields(post: Post, reader: Reader) {
  const link = `${getSite(reader)}/?p=${post.id}`;
  const isEmbed = reader.context === "embed";
  return {
    id: post.id,
    date: formatDate(post.date),
    slug: post.slug,
    type: post.type,
    link,
    ...(!isEmbed && {
      date_gmt: formatDate(post.date),
      guid: { rendered: link, ...(reader.context === "edit" && { raw: link }) },
      modified: formatDate(post.modified),
      modified_gmt: formatDate(post.modified),
      status: post.status,
      template: post.template,
    }),
    ...(reader.context === "edit" && post.type !== "attachment" && { password: post.password }),
  };
}

/** Returns the members of a title, content or excerpt. Editors also see the stored text (`raw`). */
function createTextFields(rawText: string, { context }: Reader) {
  return context === "edit" ? { raw: rawText, rendered: rawText } : { rendered: rawText };
}

function getContent(post: Post, { context, password }: Reader): string {
  return post.password === "" || post.password === password || context === "edit" ? post.content : "";
}

/** Formats a date as WordPress does, without a zone. */
export function formatDate(date: Date): string {
  return date.toISOString().slice(0, 19);
}

/** Returns the address of the site: the address of the index without `/en/api`. */
function getSite({ baseUrl }: Reader): string {
  return baseUrl.replace(/\/[^/]*\/api\/?$/, "");
}
