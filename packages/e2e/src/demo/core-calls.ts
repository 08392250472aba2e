import type { ContentClient } from "@bothends/client/content";
import type { Call } from "./call.js";
import { createShapedCall, updates } from "./shapes.js";

/** Lists the calls of block endpoints. Later calls use the results of earlier ones. */
export function listBlockCalls({ core: { blocks } }: ContentClient): Call[] {
  const block = { id: 0 };
  const autosave = { id: 0 };
  return [
    createShapedCall(
      "core.blocks.create",
      "POST",
      async () => {
        const content = { raw: "<p>10 to 4</p>" };
        const created = await blocks.create({ title: { raw: "New hours" }, content, status: "publish", date: null });
        block.id = created.id;
        return created;
      },
      () => ({ title: { raw: "New hours" }, slug: "new-hours", status: "publish", type: "wp_block" }),
    ),
    createShapedCall(
      "core.blocks.list",
      "GET",
      () => blocks.list({ search: "hours", per_page: 2, orderby: "title", order: "asc" }),
      () => [{ ...block, slug: "new-hours" }, { slug: "opening-hours" }],
    ),
    createShapedCall(
      "core.blocks.get",
      "GET",
      () => blocks.get(block),
      () => ({
        ...block,
        content: { raw: "<p>10 to 4</p>", protected: false },
      }),
    ),
    ...updates.map((method) =>
      createShapedCall(
        "core.blocks.update",
        method,
        () => blocks.update({ ...block, slug: method }, { method }),
        () => ({
          ...block,
          slug: method.toLowerCase(),
          title: { raw: "New hours" },
        }),
      ),
    ),
    createShapedCall(
      "core.blocks.autosaves.create",
      "POST",
      async () => {
        const saved = await blocks.autosaves.create({ ...block, content: { raw: "Closed" } });
        autosave.id = saved.id;
        return saved;
      },
      () => ({ parent: block.id, title: { raw: "New hours" }, content: { raw: "Closed" } }),
    ),
    createShapedCall(
      "core.blocks.autosaves.list",
      "GET",
      () => blocks.autosaves.list(block),
      () => [{ ...autosave, parent: block.id }],
    ),
    createShapedCall(
      "core.blocks.autosaves.get",
      "GET",
      () => blocks.autosaves.get({ ...autosave, parent: block.id }),
      () => ({ ...autosave, content: { raw: "Closed" } }),
    ),
    createShapedCall(
      "core.blocks.delete",
      "DELETE",
      () => blocks.delete(block),
      () => ({ ...block, status: "trash" }),
    ),
  ];
}

export function listProjectCalls({ core: { project } }: ContentClient): Call[] {
  const dam = { id: 0 };
  return [
    createShapedCall(
      "core.project.create",
      "POST",
      async () => {
        const created = await project.create({ title: { raw: "Dam" }, status: "private", project_category: [1] });
        dam.id = created.id;
        return created;
      },
      () => ({ title: { raw: "Dam", rendered: "Dam" }, status: "private", project_category: [1], project_tag: [] }),
    ),
    createShapedCall(
      "core.project.list",
      "GET",
      () => project.list({ project_category: [1], status: ["publish", "private"], orderby: "title", order: "desc" }),
      () => [
        { ...dam, status: "private" },
        { id: 4, slug: "bridge", title: { rendered: "Bridge" } },
      ],
    ),
    createShapedCall(
      "core.project.get",
      "GET",
      () => project.get({ ...dam, context: "edit" }),
      () => ({
        ...dam,
        title: { raw: "Dam" },
      }),
    ),
    ...updates.map((method) =>
      createShapedCall(
        "core.project.update",
        method,
        () => project.update({ ...dam, template: method }, { method }),
        () => ({
          ...dam,
          template: method,
          project_category: [1],
        }),
      ),
    ),
    createShapedCall(
      "core.project.delete",
      "DELETE",
      () => project.delete({ ...dam, force: true }),
      () => ({
        deleted: true,
        previous: { ...dam, template: "PATCH" },
      }),
    ),
  ];
}

/** The beginning of a PNG file with 16 by 8 pixels. */
const picture = Uint8Array.from(Buffer.from("89504e470d0a1a0a0000000d4948445200000010000000080806000000", "hex"));

export function listMediaCalls({ core: { media }, seo }: ContentClient): Call[] {
  const item = { id: 0 };
  let source = "";
  return [
    createShapedCall(
      "core.media.create",
      "POST",
      async () => {
        const upload = { content: picture, type: "image/png", name: "river.png" };
        const created = await media.create({ alt_text: "A river" }, { upload });
        item.id = created.id;
        source = created.source_url ?? "";
        return created;
      },
      () => ({
        title: { raw: "river" },
        alt_text: "A river",
        mime_type: "image/png",
        media_details: { width: 16, height: 8, filesize: picture.length },
      }),
    ),
    createShapedCall(
      "core.media.list",
      "GET",
      () => media.list(),
      () => [{ ...item, source_url: source }],
    ),
    createShapedCall(
      "core.media.get",
      "GET",
      () => media.get(item),
      () => ({ ...item, alt_text: "A river" }),
    ),
    ...updates.map((method) =>
      createShapedCall(
        "core.media.update",
        method,
        () => media.update({ ...item, alt_text: method }, { method }),
        () => ({
          ...item,
          alt_text: method,
        }),
      ),
    ),
    createShapedCall(
      "core.media.postProcess.create",
      "POST",
      () => media.postProcess.create({ ...item, action: "create-image-subsizes" }),
      () => item,
    ),
    createShapedCall(
      "seo.fileSize.list",
      "GET",
      () => seo.fileSize.list({ url: source }),
      () => ({
        url: source,
        size_in_bytes: picture.length,
      }),
    ),
    createShapedCall(
      "core.media.delete",
      "DELETE",
      () => media.delete({ ...item, force: true }),
      () => ({
        deleted: true,
        previous: item,
      }),
    ),
  ];
}
