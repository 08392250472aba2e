import type { AnswerSchema } from "../../../read/rest/documents.js";
import {
  address,
  always,
  anything,
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
  number,
  oneOf,
  readOnly,
  record,
  sometimes,
  text,
} from "./answer-notation.js";

// The answers of a WordPress 6.1 site for objects that are not posts.

/** The members of every term of a taxonomy. */
export const termMembers: Members = {
  id: readOnly(inAll(integer)),
  count: readOnly(inView(integer)),
  description: inView(text),
  link: readOnly(inAll(address)),
  name: inAll(text),
  slug: inAll(text),
  taxonomy: readOnly(inAll(text)),
};

/** Members that a term has only if requests for terms of its taxonomy accept an argument of the same name. */
export const supportedTermMembers: Members = { parent: inView(integer), meta: inView(json) };

export const menuMembers: Members = {
  id: readOnly(inAll(integer)),
  description: inView(text),
  name: inAll(text),
  slug: inAll(text),
  meta: inView(json),
  locations: inView(list(text)),
  auto_add: inView(boolean),
};

/** The addresses of a user's picture, by the picture's size in pixels; absent if the site shows no avatars. */
const avatars = record({ 24: inAll(address), 48: inAll(address), 96: inAll(address) });

export const userMembers: Members = {
  id: readOnly(inAll(integer)),
  username: inEdit(text),
  name: inAll(text),
  first_name: inEdit(text),
  last_name: inEdit(text),
  email: inEdit(text),
  url: inAll(text),
  description: inAll(text),
  link: readOnly(inAll(address)),
  locale: inEdit(text),
  nickname: inEdit(text),
  slug: inAll(text),
  registered_date: readOnly(inEdit(dateTime)),
  roles: inEdit(list(text)),
  capabilities: readOnly(inEdit(mapOf(boolean))),
  extra_capabilities: readOnly(inEdit(mapOf(boolean))),
  avatar_urls: readOnly(sometimes(avatars)),
  meta: inView(json),
};

/** The members of an application password. Only the answer to its creation contains `password`. */
export const applicationPasswordMembers: Members = {
  uuid: readOnly(inAll(text)),
  app_id: inAll(text),
  name: inAll(text),
  password: readOnly(sometimes(text)),
  created: readOnly(inView(dateTime)),
  last_used: readOnly(inView(nullable(dateTime))),
  last_ip: readOnly(inView(nullable(text))),
};

export const commentMembers: Members = {
  id: readOnly(inAll(integer)),
  post: inView(integer),
  parent: inAll(integer),
  author: inAll(integer),
  author_name: inAll(text),
  author_url: inAll(text),
  author_email: inEdit(text),
  author_ip: inEdit(text),
  author_user_agent: inEdit(text),
  author_avatar_urls: readOnly(sometimes(avatars)),
  date: inAll(dateTime),
  date_gmt: inView(dateTime),
  content: inAll(record({ raw: inEdit(text), rendered: readOnly(inAll(text)) })),
  link: readOnly(inAll(address)),
  status: inView(text),
  type: readOnly(inAll(text)),
  meta: inView(json),
};

/** The labels of a post type or a taxonomy, by key. Any label can be null. */
const labels = mapOf(nullable(text));

export const typeMembers: Members = {
  name: readOnly(inAll(text)),
  slug: readOnly(inAll(text)),
  description: readOnly(inView(text)),
  hierarchical: readOnly(inView(boolean)),
  viewable: readOnly(inEdit(boolean)),
  has_archive: readOnly(inView({ ...anything, types: ["string", "boolean"] })),
  taxonomies: readOnly(inView(list(text))),
  rest_base: readOnly(inAll(text)),
  rest_namespace: readOnly(sometimes(text)),
  icon: readOnly(sometimes(nullable(text))),
  capabilities: readOnly(inEdit(mapOf(text))),
  labels: readOnly(inEdit(labels)),
  supports: readOnly(inEdit(json)),
  visibility: readOnly(inEdit(record({ show_in_nav_menus: always(boolean), show_ui: always(boolean) }))),
};

export const statusMembers: Members = {
  name: readOnly(inAll(text)),
  slug: readOnly(inAll(text)),
  public: readOnly(inView(boolean)),
  queryable: readOnly(inView(boolean)),
  date_floating: readOnly(inView(boolean)),
  private: readOnly(inEdit(boolean)),
  protected: readOnly(inEdit(boolean)),
  show_in_list: readOnly(inEdit(boolean)),
};

export const taxonomyMembers: Members = {
  name: readOnly(inAll(text)),
  slug: readOnly(inAll(text)),
  description: readOnly(inView(text)),
  hierarchical: readOnly(inView(boolean)),
  types: readOnly(inView(list(text))),
  rest_base: readOnly(inAll(text)),
  rest_namespace: readOnly(sometimes(text)),
  show_cloud: readOnly(inEdit(boolean)),
  capabilities: readOnly(inEdit(mapOf(text))),
  labels: readOnly(inEdit(labels)),
  visibility: readOnly(
    inEdit(
      record({
        public: always(boolean),
        publicly_queryable: always(boolean),
        show_admin_column: always(boolean),
        show_in_nav_menus: always(boolean),
        show_in_quick_edit: always(boolean),
        show_ui: always(boolean),
      }),
    ),
  ),
};

/**
 * The members of a search result. Its `type` is `post`, `post-format` or a taxonomy. Results for taxonomies have no
 * `subtype`.
 */
export const searchResultMembers: Members = {
  id: readOnly(inAll(integerOrText)),
  title: readOnly(inAll(text)),
  url: readOnly(inAll(address)),
  type: readOnly(inAll(text)),
  subtype: readOnly(sometimes(text)),
};

const header = record({ raw: always(text), rendered: always(text) });

export const themeMembers: Members = {
  stylesheet: readOnly(always(text)),
  template: readOnly(always(text)),
  status: always(oneOf("inactive", "active")),
  name: readOnly(always(header)),
  description: readOnly(always(header)),
  version: readOnly(always(text)),
  author: readOnly(always(header)),
  author_uri: readOnly(always(header)),
  theme_uri: readOnly(always(header)),
  textdomain: readOnly(always(text)),
  requires_php: readOnly(always(text)),
  requires_wp: readOnly(always(text)),
  screenshot: readOnly(always(text)),
  tags: readOnly(always(record({ raw: always(list(text)), rendered: always(text) }))),
  theme_supports: readOnly(sometimes(json)),
};

export const pluginMembers: Members = {
  plugin: readOnly(inAll(text)),
  status: inAll(oneOf("inactive", "active", "network-active")),
  name: readOnly(inAll(text)),
  plugin_uri: readOnly(inAll(text)),
  author: readOnly(inAll(text)),
  author_uri: readOnly(inAll(text)),
  description: readOnly(inAll(header)),
  version: readOnly(inAll(text)),
  network_only: readOnly(inAll(boolean)),
  requires_wp: readOnly(inAll(text)),
  requires_php: readOnly(inAll(text)),
  textdomain: readOnly(inAll(text)),
};

export const sidebarMembers: Members = {
  id: readOnly(inAll(text)),
  name: readOnly(inAll(text)),
  description: readOnly(inAll(text)),
  class: readOnly(inAll(text)),
  before_widget: readOnly(inAll(text)),
  after_widget: readOnly(inAll(text)),
  before_title: readOnly(inAll(text)),
  after_title: readOnly(inAll(text)),
  status: readOnly(inAll(oneOf("active", "inactive"))),
  widgets: inAll(list(text)),
};

export const widgetTypeMembers: Members = {
  id: readOnly(inAll(text)),
  name: readOnly(inAll(text)),
  description: readOnly(inAll(text)),
  is_multi: readOnly(inAll(boolean)),
  classname: readOnly(inAll(text)),
};

/** The settings of a widget. `raw` is absent if the widget's type does not publish its settings. */
const widgetInstance = record({ encoded: always(text), hash: always(text), raw: sometimes(json) });

export const widgetMembers: Members = {
  id: inAll(text),
  id_base: inAll(text),
  sidebar: inAll(text),
  rendered: readOnly(inAll(text)),
  rendered_form: readOnly(inEdit(nullable(text))),
  instance: inEdit(nullable(widgetInstance)),
};

export const widgetPreviewMembers: Members = { preview: always(text) };

export const widgetFormMembers: Members = {
  form: always(text),
  preview: always(text),
  instance: always(widgetInstance),
};

export const menuLocationMembers: Members = {
  name: readOnly(inAll(text)),
  description: readOnly(inAll(text)),
  menu: readOnly(inAll(integer)),
};

export const renderedBlockMembers: Members = { rendered: always(text) };

/** The members of a test on the Site Health screen. */
export const healthTestMembers: Members = {
  test: always(text),
  label: always(text),
  status: always(oneOf("good", "recommended", "critical")),
  badge: always(
    record({ label: always(text), color: always(oneOf("blue", "orange", "red", "green", "purple", "gray")) }),
  ),
  description: always(text),
  actions: always(text),
};

const folderSize = record({ size: always(text), debug: sometimes(text), raw: sometimes(number) });

export const directorySizeMembers: Members = {
  raw: always(number),
  wordpress_size: sometimes(folderSize),
  themes_size: sometimes(folderSize),
  plugins_size: sometimes(folderSize),
  uploads_size: sometimes(folderSize),
  database_size: sometimes(folderSize),
  total_size: sometimes(folderSize),
};

/** The members of a web page's details. A member is "" if the page does not contain the detail. */
export const urlDetailsMembers: Members = {
  title: always(text),
  icon: always(text),
  description: always(text),
  image: always(text),
};

export const oembedMembers: Members = {
  version: always(text),
  type: always(oneOf("rich", "photo", "video", "link")),
  title: sometimes(text),
  author_name: sometimes(text),
  author_url: sometimes(address),
  provider_name: sometimes(text),
  provider_url: sometimes(address),
  html: sometimes(text),
  url: sometimes(address),
  width: sometimes(nullable(integerOrText)),
  height: sometimes(nullable(integerOrText)),
  thumbnail_url: sometimes(address),
  thumbnail_width: sometimes(integerOrText),
  thumbnail_height: sometimes(integerOrText),
};

const namesOrNull = nullable(list(text));
const example = record({
  attributes: sometimes(json),
  innerBlocks: sometimes(list(json)),
  viewportWidth: sometimes(number),
});

export const blockTypeMembers: Members = {
  name: readOnly(inAll(text)),
  title: readOnly(inAll(text)),
  description: readOnly(inAll(text)),
  api_version: readOnly(inAll(integer)),
  category: readOnly(inAll(nullable(text))),
  icon: readOnly(inAll(nullable(text))),
  keywords: readOnly(inAll(list(text))),
  parent: readOnly(inAll(namesOrNull)),
  ancestor: readOnly(sometimes(namesOrNull)),
  textdomain: readOnly(inAll(nullable(text))),
  is_dynamic: readOnly(inAll(boolean)),
  attributes: readOnly(inAll(nullable(mapOf(json)))),
  provides_context: readOnly(inAll(mapOf(text))),
  uses_context: readOnly(inAll(list(text))),
  supports: readOnly(inAll(json)),
  styles: readOnly(
    inAll(
      list(
        record({
          name: always(text),
          label: sometimes(text),
          isDefault: sometimes(boolean),
          inline_style: sometimes(text),
          style_handle: sometimes(text),
        }),
      ),
    ),
  ),
  variations: readOnly(inAll(list(createBlockVariation()))),
  example: readOnly(inAll(nullable(example))),
  editor_script: readOnly(sometimes(nullable(text))),
  script: readOnly(sometimes(nullable(text))),
  view_script: readOnly(sometimes(nullable(text))),
  editor_style: readOnly(sometimes(nullable(text))),
  style: readOnly(sometimes(nullable(text))),
  editor_script_handles: readOnly(sometimes(list(text))),
  script_handles: readOnly(sometimes(list(text))),
  view_script_handles: readOnly(sometimes(list(text))),
  editor_style_handles: readOnly(sometimes(list(text))),
  style_handles: readOnly(sometimes(list(text))),
};

function createBlockVariation() {
  return record({
    name: always(text),
    title: always(text),
    description: sometimes(text),
    category: sometimes(nullable(text)),
    icon: sometimes(nullable(text)),
    isDefault: sometimes(boolean),
    isActive: sometimes(list(text)),
    attributes: sometimes(json),
    innerBlocks: sometimes(list(anything)),
    example: sometimes(nullable(example)),
    scope: sometimes(nullable(list(oneOf("block", "inserter", "transform")))),
    keywords: sometimes(list(text)),
  });
}

export const blockPatternMembers: Members = {
  name: readOnly(inAll(text)),
  title: readOnly(inAll(text)),
  content: readOnly(inAll(text)),
  description: readOnly(sometimes(text)),
  viewport_width: readOnly(sometimes(number)),
  block_types: readOnly(sometimes(list(text))),
  post_types: readOnly(sometimes(list(text))),
  categories: readOnly(sometimes(list(text))),
  keywords: readOnly(sometimes(list(text))),
  inserter: readOnly(sometimes(boolean)),
};

export const blockPatternCategoryMembers: Members = { name: readOnly(inAll(text)), label: readOnly(inAll(text)) };

/**
 * The answers to the requests of a batch. An answer is null if its request was not executed, because another request is
 * invalid.
 */
export const batchMembers: Members = {
  failed: sometimes(oneOf("validation")),
  responses: always(
    list(nullable(record({ body: always(anything), status: always(integer), headers: always(mapOf(anything)) }))),
  ),
};

/** The settings of WordPress that are never null. `site_logo` may be null. */
const coreSettings: ReadonlySet<string> = new Set(
  (
    "title description url email timezone date_format time_format start_of_week language use_smilies default_category " +
    "default_post_format posts_per_page show_on_front page_on_front page_for_posts default_ping_status " +
    "default_comment_status site_icon"
  ).split(" "),
);

/** Creates the schema of a setting. A setting of a plug-in is null if its stored value does not match its schema. */
export function createSettingSchema(name: string, schema: AnswerSchema): AnswerSchema {
  return coreSettings.has(name) ? schema : nullable(schema);
}
