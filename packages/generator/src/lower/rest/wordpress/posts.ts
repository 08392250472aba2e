import type { AnswerSchema } from "../../../read/rest/documents.js";
import {
  address,
  always,
  boolean,
  dateTime,
  inAll,
  inEdit,
  integer,
  integerOrText,
  inView,
  json,
  list,
  type Members,
  mapOf,
  nullable,
  numberOrText,
  oneOf,
  readOnly,
  record,
  sometimes,
  text,
} from "./answer-notation.js";

// The answers of a WordPress 6.1 site for post objects: posts, pages, media, blocks, templates and others.

/** The statuses of posts that requests can set. */
const settableStatuses = ["publish", "future", "draft", "pending", "private"] as const;

/** A string in two versions: as it is stored (`raw`, only in the context `edit`), and as HTML (`rendered`). */
const renderedText = record({ raw: inEdit(text), rendered: readOnly(inAll(text)) });

/** A string in two versions, as `renderedText`, but without `rendered` in the context `embed`. */
const shownText = record({ raw: inEdit(text), rendered: readOnly(inView(text)) });

const excerpt = record({
  raw: inEdit(text),
  rendered: readOnly(inAll(text)),
  protected: readOnly(inAll(boolean)),
});

const content = record({
  raw: inEdit(text),
  rendered: readOnly(inView(text)),
  block_version: readOnly(inEdit(integer)),
  protected: readOnly(inAll(boolean)),
});

const timeMembers: Members = {
  date: inAll(nullable(dateTime)),
  date_gmt: inView(nullable(dateTime)),
  modified: readOnly(inView(dateTime)),
  modified_gmt: readOnly(inView(dateTime)),
};

const identityMembers: Members = {
  id: readOnly(inAll(integer)),
  guid: readOnly(inView(shownText)),
  slug: inAll(text),
};

const publicationMembers: Members = {
  status: inView(oneOf(...settableStatuses, "trash")),
  type: readOnly(inAll(text)),
  link: readOnly(inAll(address)),
};

/** The members of every post. */
export const postMembers: Members = { ...timeMembers, ...identityMembers, ...publicationMembers };

/** The additional members of posts that have a page on the site. */
export const viewableMembers: Members = {
  permalink_template: readOnly(inEdit(text)),
  generated_slug: readOnly(inEdit(text)),
};

const openOrClosed = oneOf("open", "closed");

/**
 * Members that a post has only if its post type supports them, that is, if the type's endpoints accept an argument of
 * the same name.
 */
export const supportedMembers: Members = {
  password: inEdit(text),
  parent: inView(integer),
  title: inAll(renderedText),
  content: inView(content),
  author: inAll(integer),
  excerpt: inAll(excerpt),
  featured_media: inAll(integer),
  comment_status: inView(openOrClosed),
  ping_status: inView(openOrClosed),
  menu_order: inView(integer),
  format: inView(oneOf("standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio")),
  meta: inView(json),
  sticky: inView(boolean),
  template: inView(text),
  categories: inView(list(integer)),
  tags: inView(list(integer)),
  area: inAll(text),
};

/**
 * The members of reusable blocks. Their strings have only the stored version, which everyone who may use the blocks can
 * see.
 */
export const blockMembers: Members = {
  title: inAll(record({ raw: inView(text) })),
  content: inView(
    record({ raw: inView(text), block_version: readOnly(inEdit(integer)), protected: readOnly(inAll(boolean)) }),
  ),
};

export const attachmentMembers: Members = {
  ...timeMembers,
  ...identityMembers,
  ...publicationMembers,
  ...viewableMembers,
  status: inView(oneOf(...settableStatuses, "inherit", "trash")),
  title: inAll(renderedText),
  author: inAll(integer),
  alt_text: inAll(text),
  caption: inAll(renderedText),
  description: inView(shownText),
  media_type: readOnly(inAll(oneOf("image", "file"))),
  mime_type: readOnly(inAll(text)),
  media_details: readOnly(inAll(createMediaDetails())),
  post: inView(nullable(integer)),
  source_url: readOnly(inAll(address)),
  missing_image_sizes: readOnly(inEdit(list(text))),
};

/** Describes the details of a file, which depend on its media type. */
function createMediaDetails(): AnswerSchema {
  const size = record({
    file: always(text),
    width: always(integerOrText),
    height: always(integerOrText),
    filesize: sometimes(integer),
    mime_type: always(text),
    source_url: always(address),
  });
  return record({
    width: sometimes(integer),
    height: sometimes(integer),
    file: sometimes(text),
    filesize: sometimes(integer),
    sizes: sometimes(mapOf(size)),
    image_meta: sometimes(createPictureData()),
    length: sometimes(integer),
    length_formatted: sometimes(text),
    mime_type: sometimes(text),
  });
}

/**
 * Describes the Exif and IPTC data of a picture; empty for formats without such data. WordPress writes most of the
 * numbers as strings.
 */
function createPictureData(): AnswerSchema {
  return record({
    aperture: sometimes(numberOrText),
    credit: sometimes(text),
    camera: sometimes(text),
    caption: sometimes(text),
    created_timestamp: sometimes(numberOrText),
    copyright: sometimes(text),
    focal_length: sometimes(numberOrText),
    iso: sometimes(numberOrText),
    shutter_speed: sometimes(numberOrText),
    title: sometimes(text),
    orientation: sometimes(numberOrText),
    keywords: sometimes(list(text)),
  });
}

/** The members of every revision and autosave. A revision of a draft has no date. */
export const revisionMembers: Members = {
  author: inAll(integer),
  ...timeMembers,
  id: inAll(integer),
  parent: inAll(integer),
  slug: inAll(text),
  guid: readOnly(inView(shownText)),
};

/**
 * Members that a revision has only if its post has them. In a revision, `content` and `excerpt` have no member
 * `protected`.
 */
export const revisedMembers: Members = {
  title: inAll(renderedText),
  content: inView(shownText),
  excerpt: inAll(renderedText),
};

export const blockRevisionMembers: Members = {
  title: inAll(record({ raw: inView(text), rendered: readOnly(inAll(text)) })),
  content: inView(record({ raw: inView(text), rendered: readOnly(inView(text)) })),
};

/** The members of an autosave that a revision does not have. */
export const autosaveMembers: Members = { preview_link: readOnly(inEdit(address)) };

export const menuItemMembers: Members = {
  id: readOnly(inAll(integer)),
  title: inAll(renderedText),
  status: inAll(oneOf(...settableStatuses)),
  url: inAll(text),
  attr_title: inAll(text),
  description: inAll(text),
  type: inAll(oneOf("taxonomy", "post_type", "post_type_archive", "custom")),
  type_label: readOnly(inAll(text)),
  object: inAll(text),
  object_id: inAll(integer),
  parent: inAll(integer),
  menu_order: inAll(integer),
  target: inAll(oneOf("_blank", "")),
  classes: inAll(list(text)),
  xfn: inAll(list(text)),
  invalid: readOnly(inAll(boolean)),
  menus: sometimes(integer),
};

/**
 * The members of a template or template part. Their strings have only the stored version. `wp_id` is 0 if the template
 * exists only in the theme's files.
 */
export const templateMembers: Members = {
  id: readOnly(inAll(text)),
  slug: inAll(text),
  theme: inAll(text),
  type: inAll(text),
  source: readOnly(inAll(text)),
  origin: readOnly(inAll(nullable(text))),
  content: inAll(record({ raw: inView(text), block_version: sometimes(integer) })),
  title: inAll(record({ raw: inAll(text), rendered: readOnly(inAll(text)) })),
  description: inAll(text),
  status: inAll(oneOf(...settableStatuses, "trash")),
  wp_id: readOnly(inAll(integer)),
  has_theme_file: readOnly(inAll(boolean)),
  is_custom: readOnly(sometimes(boolean)),
  author: inAll(integer),
};

export const globalStylesMembers: Members = {
  id: readOnly(inAll(integerOrText)),
  title: inAll(record({ raw: inAll(text), rendered: readOnly(inAll(text)) })),
  settings: inView(json),
  styles: inView(json),
};

/** The settings and styles that a theme defines, without changes by the site's users. */
export const themeStylesMembers: Members = { settings: always(json), styles: always(json) };

/** The members of a style variation, a JSON file in the folder `styles` of a theme. Every member is optional. */
export const styleVariationMembers: Members = {
  version: sometimes(integer),
  title: sometimes(text),
  settings: sometimes(json),
  styles: sometimes(json),
};
