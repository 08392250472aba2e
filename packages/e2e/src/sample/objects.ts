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

/** Creates a block with the fields of a call. All other members keep their previous values. */
export function createBlock(
  id: number,
  fields: CoreBlocksCreate,
  previous: BlockInAnyContext | undefined,
): BlockInAnyContext {
  return {
    ...createSharedMembers(id, { fields, previous, type: "wp_block" }),
    status: fields.status ?? previous?.status ?? "draft",
    title: { raw: findRaw(fields.title) ?? previous?.title.raw ?? "" },
    content: { raw: findRaw(fields.content) ?? previous?.content?.raw ?? "", protected: false },
  };
}

export function createProject(
  id: number,
  fields: CoreProjectCreate,
  previous: ProjectInAnyContext | undefined,
): ProjectInAnyContext {
  return {
    ...createSharedMembers(id, { fields, previous, type: "project" }),
    status: fields.status ?? previous?.status ?? "draft",
    title: createTextMember(fields.title, previous?.title),
    content: { ...createTextMember(fields.content, previous?.content), protected: false },
    excerpt: { ...createTextMember(fields.excerpt, previous?.excerpt), protected: false },
    author: fields.author ?? previous?.author ?? 1,
    featured_media: fields.featured_media ?? previous?.featured_media ?? 0,
    comment_status: fields.comment_status ?? previous?.comment_status ?? "closed",
    ping_status: fields.ping_status ?? previous?.ping_status ?? "closed",
    meta: { ...previous?.meta, ...fields.meta },
    project_category: fields.project_category ?? previous?.project_category ?? [],
    project_tag: fields.project_tag ?? previous?.project_tag ?? [],
  };
}

export function createMedia(
  id: number,
  fields: CoreMediaCreate,
  previous: MediaInAnyContext | undefined,
): MediaInAnyContext {
  return {
    ...createSharedMembers(id, { fields, previous, type: "attachment" }),
    status: fields.status ?? previous?.status ?? "inherit",
    title: createTextMember(fields.title, previous?.title),
    author: fields.author ?? previous?.author ?? 1,
    alt_text: fields.alt_text ?? previous?.alt_text ?? "",
    caption: createTextMember(fields.caption, previous?.caption),
    description: createTextMember(fields.description, previous?.description),
    post: fields.post ?? previous?.post ?? null,
    media_type: "image",
    mime_type: "image/png",
    media_details: { width: 640, height: 480 },
    source_url: `https://content.example/uploads/${id}.png`,
  };
}

interface SharedInput {
  readonly fields: Pick<CoreBlocksCreate, "date" | "date_gmt" | "slug" | "template">;
  readonly previous: Pick<BlockInAnyContext, "date" | "date_gmt" | "slug" | "template"> | undefined;
  readonly type: string;
}

/** Returns the members that blocks, projects and media have in common. */
function createSharedMembers(id: number, { fields, previous, type }: SharedInput) {
  return {
    id,
    type,
    date: fields.date ?? previous?.date ?? now,
    date_gmt: fields.date_gmt ?? previous?.date_gmt ?? now,
    modified: now,
    modified_gmt: now,
    slug: fields.slug ?? previous?.slug ?? `${type}-${id}`,
    link: `https://content.example/?p=${id}`,
    template: fields.template ?? previous?.template ?? "",
  };
}

function createTextMember(value: JsonObject | undefined, previous: { readonly rendered: string } | undefined) {
  const raw = findRaw(value) ?? previous?.rendered ?? "";
  return { raw, rendered: raw };
}

function findRaw(value: JsonObject | undefined): string | undefined {
  const raw = value?.["raw"];
  return typeof raw === "string" ? raw : undefined;
}
