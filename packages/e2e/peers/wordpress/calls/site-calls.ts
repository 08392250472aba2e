import { SiteClient } from "@peer/client/site";
import { at, fails, idOf, listOf, png, same, signedIn, Trials, type Way } from "./trial.js";

const title = { raw: `Żaba 日本 😀 <b>&</b> "'` };
const content = { raw: "<!-- wp:paragraph -->\n<p>Łódź & 100 %</p>\n<!-- /wp:paragraph -->" };

/** Calls a live site through the client of its own index. */
export async function callSite({ over, siteUrl, plainPermalinks, passwords }: Way): Promise<void> {
  const trials = new Trials(over);
  const anyone = new SiteClient({ siteUrl, plainPermalinks }).wp;
  const signed = new SiteClient({ siteUrl: signedIn(siteUrl, "admin", passwords.admin), plainPermalinks });
  const { wp } = signed;
  const subscriber = new SiteClient({ siteUrl: signedIn(siteUrl, "author", passwords.subscriber), plainPermalinks }).wp;
  const stranger = new SiteClient({ siteUrl: signedIn(siteUrl, "admin", "wrong"), plainPermalinks }).wp;

  await trials.call("index", async () => same(at(await signed.index(), "name"), "Peer"));
  await trials.call("index of a namespace", async () => same(at(await wp.index(), "namespace"), "wp/v2"));
  await trials.call("application password", async () =>
    same(at(await wp.users.me.get({ context: "edit" }), "username"), "admin"),
  );
  await trials.call("a wrong application password", async () => {
    await fails(stranger.users.me.get(), 401, "rest_not_logged_in");
  });
  await trials.call("create without signing in", async () => {
    await fails(anyone.blocks.create({ title, content }), 401, "rest_cannot_create");
  });
  await trials.call("create without the right", async () => {
    await fails(subscriber.blocks.create({ title, content }), 403, "rest_cannot_create");
  });

  await callBlocks(trials, wp);
  await pageThrough(trials, wp);
  await callMedia(trials, wp);
  await callProjects(trials, wp);
}

type Wp = SiteClient["wp"];

async function callBlocks(trials: Trials, wp: Wp): Promise<void> {
  let id = 0;
  await trials.call("create a block", async () => {
    let status = 0;
    const block = await wp.blocks.create(
      { title, content, status: "publish" },
      {
        onAnswer: (answer) => {
          status = answer.status;
        },
      },
    );
    id = idOf(block);
    same([status, at(block, "type"), at(block, "title", "raw")], [201, "wp_block", title.raw]);
  });
  await trials.call("read a block", async () => {
    const block = await wp.blocks.get({ id, context: "edit" });
    same([at(block, "content", "raw"), at(block, "status")], [content.raw, "publish"]);
  });
  for (const [method, status] of [
    ["POST", "draft"],
    ["PUT", "private"],
    // The site allows nobody to delete a draft of a block.
    ["PATCH", "publish"],
  ] as const) {
    await trials.call(`update a block with ${method}`, async () => {
      const block = await wp.blocks.update({ id, title: { raw: `${method} ż` }, status }, { method });
      same([idOf(block), at(block, "title", "raw"), at(block, "status")], [id, `${method} ż`, status]);
    });
  }
  await trials.call("an argument that is out of bounds", async () => {
    const error = await fails(wp.blocks.list({ per_page: 1000 }), 400, "rest_invalid_param");
    same(Object.keys(Object(error.data["params"])), ["per_page"]);
  });
  await trials.call("an object that does not exist", async () => {
    await fails(wp.blocks.get({ id: 999999 }), 404, "rest_post_invalid_id");
  });
  await trials.call("trash a block", async () => {
    same(at(await wp.blocks.delete({ id }), "status"), "trash");
  });
  await trials.call("trash it again", async () => {
    await fails(wp.blocks.delete({ id }), 410, "rest_already_trashed");
  });
  await trials.call("delete a block", async () => {
    const answer = await wp.blocks.delete({ id, force: true });
    same([at(answer, "deleted"), at(answer, "previous", "id")], [true, id]);
  });
  await trials.call("read what was deleted", async () => {
    await fails(wp.blocks.get({ id }), 404, "rest_post_invalid_id");
  });
}

async function pageThrough(trials: Trials, wp: Wp): Promise<void> {
  const made: number[] = [];
  await trials.call("create eleven blocks", async () => {
    for (let number = 1; number <= 11; number += 1) {
      const status = number === 11 ? "draft" : "publish";
      made.push(idOf(await wp.blocks.create({ title: { raw: `Page ${number}` }, content, status })));
    }
  });
  const include = made;
  await trials.call("list, with lists as arguments", async () => {
    const include = made.slice(0, 3).reverse();
    same(listOf(await wp.blocks.list({ include, orderby: "include" })).map(idOf), include);
    const exclude = made.slice(2);
    same(listOf(await wp.blocks.list({ search: "Page", exclude, order: "asc" })).map(idOf), made.slice(0, 2));
  });
  await trials.call("list by status", async () => {
    const drafts = await wp.blocks.list({ include, status: ["draft", "pending"] });
    same(listOf(drafts).map(idOf), made.slice(10));
  });
  await trials.call("search", async () => {
    same(listOf(await wp.blocks.list({ include, search: "Page 7" })).map(idOf), made.slice(6, 7));
  });
  await trials.call("page through", async () => {
    const found: number[] = [];
    let total = "";
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const list = await wp.blocks.list(
        { include, orderby: "id", order: "asc", per_page: 4, page, status: ["publish", "draft"] },
        {
          onAnswer: ({ headers }) => {
            total = headers.get("x-wp-total") ?? "";
            pages = Number(headers.get("x-wp-totalpages"));
          },
        },
      );
      found.push(...listOf(list).map(idOf));
    }
    same([total, found], ["11", made]);
  });
  await trials.call("a page past the last", async () => {
    await fails(wp.blocks.list({ include, page: 99 }), 400, "rest_post_invalid_page_number");
  });
  await trials.call("delete them", async () => {
    await wp.blocks.update({ id: made.at(-1) ?? 0, status: "publish" });
    for (const id of made) {
      same(at(await wp.blocks.delete({ id, force: true }), "deleted"), true);
    }
  });
}

async function callMedia(trials: Trials, wp: Wp): Promise<void> {
  let id = 0;
  await trials.call("upload a picture", async () => {
    const upload = { content: png, type: "image/png", name: "żaba.png" };
    const media = await wp.media.create({ title: { raw: "Żaba & co" }, alt_text: "zielona" }, { upload });
    id = idOf(media);
    same([at(media, "mime_type"), at(media, "alt_text")], ["image/png", "zielona"]);
    same([at(media, "title", "raw"), at(media, "media_details", "width")], ["Żaba & co", 1]);
    const answer = await fetch(String(at(media, "source_url")));
    same(Buffer.from(await answer.arrayBuffer()).equals(png), true);
  });
  await trials.call("upload a file that is not a picture", async () => {
    const upload = { content: Buffer.from("<?php"), type: "application/x-php", name: "a.php" };
    await fails(wp.media.create({}, { upload }), 500, "rest_upload_sideload_error");
  });
  await trials.call("upload nothing", async () => {
    await fails(wp.media.create({}), 400, "rest_upload_no_data");
  });
  await trials.call("update media", async () => {
    same(at(await wp.media.update({ id, caption: { raw: "日本" } }), "caption", "raw"), "日本");
  });
  await trials.call("media cannot be trashed", async () => {
    await fails(wp.media.delete({ id }), 501, "rest_trash_not_supported");
  });
  await trials.call("delete media", async () => {
    same(at(await wp.media.delete({ id, force: true }), "deleted"), true);
  });
}

async function callProjects(trials: Trials, wp: Wp): Promise<void> {
  let category = 0;
  let id = 0;
  await trials.call("create a category", async () => {
    category = idOf(await wp.projectCategory.create({ name: "Mosty & łąki" }));
  });
  await trials.call("create a project", async () => {
    const project = await wp.project.create({
      title: { raw: "Most" },
      excerpt: { raw: "Krótko" },
      project_category: [category],
      date: "2024-02-03T04:05:06",
      status: "publish",
    });
    id = idOf(project);
    same([at(project, "project_category"), at(project, "date")], [[category], "2024-02-03T04:05:06"]);
  });
  await trials.call("list the projects of a category", async () => {
    same(listOf(await wp.project.list({ project_category: [category] })).map(idOf), [id]);
  });
  await trials.call("list the projects of a category, with an object as the argument", async () => {
    const terms = { terms: [category], include_children: true };
    same(listOf(await wp.project.list({ project_category: terms })).map(idOf), [id]);
  });
  await trials.call("list the projects of a month", async () => {
    const list = await wp.project.list({ after: "2024-02-01T00:00:00", before: "2024-03-01T00:00:00" });
    same(listOf(list).map(idOf), [id]);
  });
  await trials.call("revisions of a project that has none", async () => {
    await fails(wp.project.get({ id: category + 100000 }), 404, "rest_post_invalid_id");
  });
  await trials.call("delete project and category", async () => {
    same(at(await wp.project.delete({ id, force: true }), "deleted"), true);
    same(at(await wp.projectCategory.delete({ id: category, force: true }), "deleted"), true);
  });
}
