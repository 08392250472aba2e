import { type ContentClient, RestError } from "@bothends/client/content";
import { describeDifference, type Outcome, tryCall } from "./outcomes.js";

/** A site with the routes of the content interface, and a client authenticated as its administrator. */
export interface CalledSite {
  readonly peer: string;
  /** The form of the site's address, for the report. */
  readonly over: string;
  readonly client: Pick<ContentClient, "core" | "oembed" | "index">;
  /** Returns the address of an object's page. */
  readonly pageOf: (id: number) => string;
  /** The site's name in the index. */
  readonly name: string;
}

const content = { raw: "<p>Łódź <&></p>" };

/** Makes a call, and compares both values that `run` returns: the answer and the expected answer. */
type Trial = (call: string, run: () => Promise<readonly [answer: unknown, expected: unknown]>) => Promise<void>;

type Blocks = CalledSite["client"]["core"]["blocks"];

/**
 * Makes the calls of an ordinary WordPress client. Every site must answer them in the same way, whether it is a live
 * WordPress or not.
 */
export async function callContent(site: CalledSite): Promise<readonly Outcome[]> {
  const { peer, over, client, name } = site;
  const { blocks } = client.core;
  const outcomes: Outcome[] = [];
  const trial: Trial = async (call, run) => {
    outcomes.push(await tryCall({ peer, call, over }, async () => describeDifference(...(await run()))));
  };
  await trial("index", async () => [getValueAt(await client.index(), "name"), name]);
  const ids = await createBlocks(trial, blocks);
  await listBlocks(trial, blocks, ids);
  await saveBlockAutomatically(trial, blocks, ids[0] ?? 0);
  await deleteBlocks(trial, blocks, ids);
  await createMediaAndProject(trial, site);
  return outcomes;
}

/** Creates three blocks, reads and updates the first, and returns their ids. */
async function createBlocks(trial: Trial, blocks: Blocks): Promise<readonly number[]> {
  const ids: number[] = [];
  await trial("create blocks", async () => {
    const titles = ["Żaba", "Ardósia", "Marmelo"];
    for (const rawTitle of titles) {
      const block = await blocks.create({ title: { raw: rawTitle }, content, status: "publish" });
      ids.push(getId(block));
    }
    return [ids.length, titles.length];
  });
  const [id = 0] = ids;
  await trial("read a block", async () => {
    const block = await blocks.get({ id, context: "edit" });
    return [
      [getValueAt(block, "title", "raw"), getValueAt(block, "content", "raw"), getValueAt(block, "status")],
      ["Żaba", content.raw, "publish"],
    ];
  });
  await trial("update a block with PUT", async () => {
    const block = await blocks.update({ id, status: "draft" }, { method: "PUT" });
    return [getValueAt(block, "status"), "draft"];
  });
  return ids;
}

async function listBlocks(trial: Trial, blocks: Blocks, ids: readonly number[]): Promise<void> {
  const [id] = ids;
  await trial("list blocks of a status, with totals", async () => {
    let headers: ReadonlyMap<string, string> = new Map();
    const list = await blocks.list(
      { include: ids, status: ["draft"] },
      {
        onAnswer: (answer) => {
          headers = answer.headers;
        },
      },
    );
    const totals = [headers.get("x-wp-total"), headers.get("x-wp-totalpages")];
    return [
      [listOf(list).map(getId), ...totals],
      [[id], "1", "1"],
    ];
  });
  await trial("list blocks by title, page by page", async () => {
    const pages: unknown[] = [];
    for (const page of [1, 2]) {
      const options = { include: ids, status: ["any"], orderby: "title", order: "desc", per_page: 2, page } as const;
      pages.push(listOf(await blocks.list(options)).map(getId));
    }
    const [frog, slate, quince] = ids;
    return [pages, [[frog, quince], [slate]]];
  });
  await trial("list a page that does not exist", async () => [
    await getRefusal(blocks.list({ include: ids, page: 99 })),
    [400, "rest_post_invalid_page_number"],
  ]);
  await trial("search blocks", async () => {
    const list = await blocks.list({ search: "marmelo", include: ids });
    return [listOf(list).map(getId), ids.slice(2)];
  });
  await trial("list blocks except some", async () => {
    const list = await blocks.list({ exclude: ids.slice(2), per_page: 100 });
    const foundIds = new Set(listOf(list).map(getId));
    return [ids.map((id) => foundIds.has(id)), [false, true, false]];
  });
}

async function saveBlockAutomatically(trial: Trial, blocks: Blocks, id: number): Promise<void> {
  await trial("autosave the author's own draft", async () => {
    const saved = await blocks.autosaves.create({ id, content: { raw: "<p>draft</p>" } });
    const draftBlock = await blocks.get({ id, context: "edit" });
    const list = await blocks.autosaves.list({ id });
    return [
      [getValueAt(saved, "id"), getValueAt(saved, "parent"), getValueAt(draftBlock, "content", "raw"), listOf(list)],
      [id, 0, "<p>draft</p>", []],
    ];
  });
  await trial("autosave a published block", async () => {
    await blocks.update({ id, status: "publish" });
    const saved = await blocks.autosaves.create({ id, content: { raw: "<p>ż</p>" } });
    const block = await blocks.get({ id, context: "edit" });
    const list = await blocks.autosaves.list({ id, context: "edit" });
    return [
      [
        getValueAt(saved, "parent"),
        getValueAt(block, "content", "raw"),
        listOf(list).map((item) => getValueAt(item, "content", "raw")),
      ],
      [id, "<p>draft</p>", ["<p>ż</p>"]],
    ];
  });
}

async function deleteBlocks(trial: Trial, blocks: Blocks, ids: readonly number[]): Promise<void> {
  const [id = 0] = ids;
  await trial("trash a block, and read it in the trash", async () => {
    const trashed = await blocks.delete({ id });
    const read = await blocks.get({ id, context: "edit" });
    return [
      [getValueAt(trashed, "status"), getValueAt(read, "status")],
      ["trash", "trash"],
    ];
  });
  await trial("trash a block twice", async () => [
    await getRefusal(blocks.delete({ id })),
    [410, "rest_already_trashed"],
  ]);
  await trial("delete blocks", async () => {
    const deletions: unknown[] = [];
    for (const id of ids) {
      const answer = await blocks.delete({ id, force: true });
      deletions.push([getValueAt(answer, "deleted"), getValueAt(answer, "previous", "id")]);
    }
    return [deletions, ids.map((id) => [true, id])];
  });
  await trial("read a deleted block", async () => [
    await getRefusal(blocks.get({ id })),
    [404, "rest_post_invalid_id"],
  ]);
}

async function createMediaAndProject(trial: Trial, { client, pageOf }: CalledSite): Promise<void> {
  const { core, oembed } = client;
  const { media, project } = core;
  await trial("upload, describe and delete media", async () => {
    const upload = { content: png, type: "image/png", name: "sample.png" };
    const created = await media.create({ title: { raw: "Sample" } }, { upload });
    const updatedMedia = await media.update({ id: getId(created), alt_text: "One pixel" });
    const deletedMedia = await media.delete({ id: getId(created), force: true });
    return [
      [
        getValueAt(created, "title", "raw"),
        getValueAt(created, "mime_type"),
        getValueAt(updatedMedia, "alt_text"),
        getValueAt(deletedMedia, "deleted"),
      ],
      ["Sample", "image/png", "One pixel", true],
    ];
  });
  await trial("create, embed and delete a project", async () => {
    const created = await project.create({ title: { raw: "Most" }, status: "publish" });
    const embed = await oembed.embed.list({ url: pageOf(getId(created)) });
    const deletedProject = await project.delete({ id: getId(created), force: true });
    return [
      [getValueAt(embed, "title"), getValueAt(embed, "version"), getValueAt(deletedProject, "deleted")],
      ["Most", "1.0", true],
    ];
  });
}

/** Returns the status and the error code with which a site refuses a call. */
async function getRefusal(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => {
    if (error instanceof RestError) {
      return [error.status, error.code];
    }
    throw error;
  });
}

/** Reads a value inside a JSON value, by its path. */
function getValueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (innerValue, key) =>
      typeof innerValue === "object" && innerValue !== null ? Reflect.get(innerValue, key) : undefined,
    value,
  );
}

function getId(value: unknown): number {
  const id = getValueAt(value, "id");
  if (typeof id !== "number") {
    throw new Error(`There is no id in ${JSON.stringify(value)}.`);
  }
  return id;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw new Error(`This is not a list: ${JSON.stringify(value)}`);
  }
  return value;
}

/** A PNG file with one pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
