import type { JsonObject } from "@bothends/runtime";
import type {
  BlockInAnyContext,
  CoreBlocksCreate,
  CoreMediaCreate,
  CoreProjectCreate,
  MediaInAnyContext,
  ProjectInAnyContext,
} from "@bothends/server/content";

const now = "2026-03-31T12:00:00";

/** Creates a block with the fields of a call. Other members keep their previous values. */
export function block(id: number, fields: CoreBlocksCreate, before: BlockInAnyContext | undefined): BlockInAnyContext {
  return {
    ...sharedMembers(id, { fields, before, type: "wp_block" }),
    status: fields.status ?? before?.status ?? "draft",
    title: { raw: rawOf(fields.title) ?? before?.title.raw ?? "" },
    content: { raw: rawOf(fields.content) ?? before?.content?.raw ?? "", protected: false },
  };
}

export function project(
  id: number,
  fields: CoreProjectCreate,
  before: ProjectInAnyContext | undefined,
): ProjectInAnyContext {
  return {
    ...sharedMembers(id, { fields, before, type: "project" }),
    status: fields.status ?? before?.status ?? "draft",
    title: textMember(fields.title, before?.title),
    content: { ...textMember(fields.content, before?.content), protected: false },
    excerpt: { ...textMember(fields.excerpt, before?.excerpt), protected: false },
    author: fields.author ?? before?.author ?? 1,
    featured_media: fields.featured_media ?? before?.featured_media ?? 0,
    comment_status: fields.comment_status ?? before?.comment_status ?? "closed",
    ping_status: fields.ping_status ?? before?.ping_status ?? "closed",
    meta: { ...before?.meta, ...fields.meta },
    project_category: fields.project_category ?? before?.project_category ?? [],
    project_tag: fields.project_tag ?? before?.project_tag ?? [],
  };
}

export function media(id: number, fields: CoreMediaCreate, before: MediaInAnyContext | undefined): MediaInAnyContext {
  return {
    ...sharedMembers(id, { fields, before, type: "attachment" }),
    status: fields.status ?? before?.status ?? "inherit",
    title: textMember(fields.title, before?.title),
    author: fields.author ?? before?.author ?? 1,
    alt_text: fields.alt_text ?? before?.alt_text ?? "",
    caption: textMember(fields.caption, before?.caption),
    description: textMember(fields.description, before?.description),
    post: fields.post ?? before?.post ?? null,
    media_type: "image",
    mime_type: "image/png",
    media_details: { width: 640, height: 480 },
    source_url: `https://content.example/uploads/${id}.png`,
  };
}

interface SharedInput {
  readonly fields: Pick<CoreBlocksCreate, "date" | "date_gmt" | "slug" | "template">;
  readonly before: Pick<BlockInAnyContext, "date" | "date_gmt" | "slug" | "template"> | undefined;
  readonly type: string;
}

/** The members that blocks, projects and media share. */
function sharedMembers(id: number, { fields, before, type }: SharedInput) {
  return {
    id,
    type,
    date: fields.date ?? before?.date ?? now,
    date_gmt: fields.date_gmt ?? before?.date_gmt ?? now,
    modified: now,
    modified_gmt: now,
    slug: fields.slug ?? before?.slug ?? `${type}-${id}`,
    link: `https://content.example/?p=${id}`,
    template: fields.template ?? before?.template ?? "",
  };
}

function textMember(value: JsonObject | undefined, before: { readonly rendered: string } | undefined) {
  const raw = rawOf(value) ?? before?.rendered ?? "";
  return { raw, rendered: raw };
}

function rawOf(value: JsonObject | undefined): string | undefined {
  const raw = value?.["raw"];
  return typeof raw === "string" ? raw : undefined;
}
