import { ContentClient } from "@peer/client/content";
import { at, fails, idOf, listOf, png, same, signedIn, Trials, type Way } from "./trial.js";

const content = { raw: "<p>Łódź</p>" };

/** Calls a live site through a client with neutral names, which are mapped to the site's. */
export async function callContent({ over, siteUrl, plainPermalinks, passwords }: Way): Promise<void> {
  const trials = new Trials(over);
  const wireNames = { segments: { core: "wp" } };
  const signed = signedIn(siteUrl, "admin", passwords.admin);
  const { core, oembed } = new ContentClient({ siteUrl: signed, plainPermalinks, wireNames });
  let id = 0;
  await trials.call("create a block", async () => {
    const block = await core.blocks.create({ title: { raw: "Żaba" }, content, status: "publish" });
    id = idOf(block);
    same(at(block, "title", "raw"), "Żaba");
  });
  await trials.call("read a block", async () => {
    same(at(await core.blocks.get({ id, context: "edit" }), "content", "raw"), content.raw);
  });
  await trials.call("update a block", async () => {
    same(at(await core.blocks.update({ id, status: "draft" }, { method: "PUT" }), "status"), "draft");
  });
  await trials.call("list blocks", async () => {
    let total = "";
    const list = await core.blocks.list(
      { include: [id], status: ["draft"] },
      {
        onAnswer: ({ headers }) => {
          total = headers.get("x-wp-total") ?? "";
        },
      },
    );
    same([listOf(list).map(idOf), total], [[id], "1"]);
  });
  await trials.call("create an autosave", async () => {
    same(at(await core.blocks.autosaves.create({ id, content: { raw: "<p>ż</p>" } }), "content", "raw"), "<p>ż</p>");
  });
  await trials.call("trash and delete a block", async () => {
    await core.blocks.update({ id, status: "publish" });
    same(at(await core.blocks.delete({ id }), "status"), "trash");
    same(at(await core.blocks.delete({ id, force: true }), "deleted"), true);
    await fails(core.blocks.get({ id }), 404, "rest_post_invalid_id");
  });
  await trials.call("upload media", async () => {
    const upload = { content: png, type: "image/png", name: "sample.png" };
    const media = await core.media.create({ title: { raw: "Sample" } }, { upload });
    same(at(media, "title", "raw"), "Sample");
    same(at(await core.media.delete({ id: idOf(media), force: true }), "deleted"), true);
  });
  await trials.call("create, embed and delete a project", async () => {
    const project = await core.project.create({ title: { raw: "Most" }, status: "publish" });
    // Without pretty permalinks the site does not recognise its own link.
    const embed = await oembed.embed.get({ url: `${siteUrl}/?p=${idOf(project)}` });
    same([at(embed, "title"), at(embed, "version")], ["Most", "1.0"]);
    same(at(await core.project.delete({ id: idOf(project), force: true }), "deleted"), true);
  });
}
