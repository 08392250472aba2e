import { checkAnswers } from "@bothends/runtime/client";
import { batch, batched } from "@bothends/runtime/client/batch";
import { SiteClient } from "@peer/client/site";
import { siteAnswers, wpPostsCreate, wpTagsDelete } from "@peer/client/site/operations";
import { at, idOf, png, same, Trials, type Way } from "./trial.js";

/** Makes the calls of an ordinary WordPress developer, and compares every answer with the types of WordPress's objects. */
export async function callCore({ over, siteUrl, plainPermalinks, passwords }: Way): Promise<void> {
  const trials = new Trials(`${over}, checked answers`);
  const authorization = { username: "admin", password: passwords.admin };
  const options = { siteUrl, plainPermalinks, validate: checkAnswers(siteAnswers) };
  const anyone = new SiteClient(options);
  const site = new SiteClient({ ...options, authorization });
  const { post, categories, tags } = await callTerms(trials, site.wp);
  await callPosts(trials, site.wp, post);
  await callFiles(trials, site.wp);
  await callComments(trials, site.wp, post);
  await callUsers(trials, site.wp);
  await callSettings(trials, site.wp);
  await callRegistries(trials, site.wp);
  await callAppearance(trials, site.wp);
  await trials.call("batch", async () => {
    const [created, missing] = await batch(site.batch, [
      batched(wpPostsCreate, { title: "Batch", categories: 1 }),
      batched(wpTagsDelete, { id: 999999, force: true }),
    ]);
    same(created.ok && created.body.title.raw, "Batch");
    same(missing.ok || missing.error?.code, "rest_term_invalid");
    await site.wp.posts.delete({ id: created.ok ? created.body.id : 0, force: true });
  });
  await trials.call("what everybody sees", async () => {
    const [first] = await anyone.wp.posts.list({ include: [post] });
    same([first?.id, first?.title.rendered], [post, "Hello"]);
    await site.wp.posts.delete({ id: post, force: true });
  });
  await trials.call("delete categories and tags", async () => {
    for (const id of categories) {
      same(at(await site.wp.categories.delete({ id, force: true }), "deleted"), true);
    }
    for (const id of tags) {
      same(at(await site.wp.tags.delete({ id, force: true }), "previous", "id"), id);
    }
  });
}

type Wp = SiteClient["wp"];

interface Created {
  readonly post: number;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
}

/** Creates a post in a category and with a tag. */
async function callTerms(trials: Trials, wp: Wp): Promise<Created> {
  const categories: number[] = [];
  const tags: number[] = [];
  let category = 0;
  let post = 0;
  await trials.call("create a category below another", async () => {
    const parent = await wp.categories.create({ name: "Places" });
    const child = await wp.categories.create({ name: "Towns", parent: parent.id });
    category = child.id;
    categories.push(child.id, parent.id);
    same([child.name, child.parent, child.taxonomy], ["Towns", parent.id, "category"]);
  });
  await trials.call("create a post with texts, one category and one tag", async () => {
    const tag = await wp.tags.create({ name: "Sea", slug: "sea" });
    tags.push(tag.id);
    const { id, title, status } = await wp.posts.create({
      title: "Hello",
      content: "<p>World</p>",
      excerpt: "Short",
      status: "publish",
      categories: category,
      tags: [tag.id],
    });
    post = id;
    same([title.rendered, status], ["Hello", "publish"]);
  });
  await trials.call("list posts by one status and one category", async () => {
    const posts = await wp.posts.list({ status: "publish", categories: category });
    same(
      posts.map(({ id, categories }) => [id, categories]),
      [[post, [category]]],
    );
  });
  await trials.call("count the posts of a category", async () => {
    same((await wp.categories.get({ id: category })).count, 1);
  });
  return { post, categories, tags };
}

async function callPosts(trials: Trials, wp: Wp, id: number): Promise<void> {
  await trials.call("read a post to edit it", async () => {
    const post = await wp.posts.get({ id, context: "edit" });
    same([post.title.raw, post.slug, post.type], ["Hello", "hello", "post"]);
  });
  await trials.call("revisions of a post", async () => {
    await wp.posts.update({ id, content: "<p>Another world</p>" });
    const [latest] = await wp.posts.revisions.list({ parent: id });
    same([latest?.parent, latest?.author], [id, 1]);
  });
  await trials.call("autosave of a draft", async () => {
    const draft = await wp.posts.create({ title: "Draft" });
    const saved = await wp.posts.autosaves.create({ id: draft.id, title: "Draft, changed" });
    // An autosave by the author of a draft changes the draft itself.
    same([saved.id, saved.parent, saved.title.rendered], [draft.id, 0, "Draft, changed"]);
    await wp.posts.delete({ id: draft.id, force: true });
  });
  await trials.call("move a page to the trash, and delete it", async () => {
    const page = await wp.pages.create({ title: "Page", status: "publish" });
    const child = await wp.pages.create({ title: "Child", parent: page.id, status: "publish", menu_order: 3 });
    same([child.parent, child.menu_order], [page.id, 3]);
    const gone = await wp.pages.delete({ id: child.id });
    same("status" in gone && gone.status === "trash", true);
    const deleted = await wp.pages.delete({ id: child.id, force: true });
    same("previous" in deleted && [deleted.deleted, deleted.previous.id], [true, child.id]);
    await wp.pages.delete({ id: page.id, force: true });
  });
  await trials.call("a post type of the site", async () => {
    const project = await wp.project.create({ title: "Bridge", status: "publish" });
    same([project.title.rendered, project.type], ["Bridge", "project"]);
    await wp.project.delete({ id: project.id, force: true });
  });
  await trials.call("search", async () => {
    const [found] = await wp.search.list({ search: "Hello" });
    same([found?.title, found?.type, found?.subtype], ["Hello", "post", "post"]);
    const [term] = await wp.search.list({ search: "Towns", type: "term" });
    same([term?.title, term?.type], ["Towns", "category"]);
  });
}

async function callFiles(trials: Trials, wp: Wp): Promise<void> {
  await trials.call("upload a picture that belongs to no post", async () => {
    const upload = { content: png, type: "image/png", name: "dot.png" };
    const { id, status, post, media_details, source_url } = await wp.media.create({ caption: "A dot" }, { upload });
    same([status, post, media_details.width, source_url.endsWith(".png")], ["inherit", null, 1, true]);
    await wp.media.delete({ id, force: true });
  });
  await trials.call("a block and its revisions", async () => {
    const block = await wp.blocks.create({ title: "Block", content: "<p>1</p>", status: "publish" });
    await wp.blocks.update({ id: block.id, content: "<p>2</p>" });
    same((await wp.blocks.revisions.list({ parent: block.id })).length > 0, true);
    await wp.blocks.delete({ id: block.id, force: true });
  });
}

async function callComments(trials: Trials, wp: Wp, post: number): Promise<void> {
  await trials.call("comment on a post, and move the comment to the trash", async () => {
    const comment = await wp.comments.create({ post, content: "Well said" });
    same([comment.post, comment.author_name], [post, "admin"]);
    const gone = await wp.comments.delete({ id: comment.id });
    same("status" in gone && gone.status, "trash");
    await wp.comments.delete({ id: comment.id, force: true });
  });
}

async function callUsers(trials: Trials, wp: Wp): Promise<void> {
  await trials.call("users", async () => {
    const me = await wp.users.me.get({ context: "edit" });
    same([me.name, me.slug, me.roles], ["admin", "admin", ["administrator"]]);
    const user = await wp.users.create({ username: "eva", email: "eva@example.com", password: "secret-1" });
    same((await wp.users.list({ search: "eva" })).map(idOf), [user.id]);
    const deleted = await wp.users.delete({ id: user.id, force: true, reassign: me.id });
    same(at(deleted, "previous", "id"), user.id);
  });
  await trials.call("application passwords", async () => {
    const passwords = wp.users.applicationPasswords;
    const created = await passwords.create({ user_id: "me", name: "phone" });
    same([typeof created.password, created.last_used], ["string", null]);
    same((await passwords.get({ user_id: "me", uuid: created.uuid })).password, undefined);
    same(at(await passwords.delete({ user_id: "me", uuid: created.uuid }), "deleted"), true);
  });
}

async function callSettings(trials: Trials, wp: Wp): Promise<void> {
  await trials.call("settings", async () => {
    const { title, site_logo, posts_per_page } = await wp.settings.get();
    same([title, site_logo, posts_per_page], ["Peer", null, 10]);
    same((await wp.settings.update({ description: "Test" })).description, "Test");
  });
}

async function callRegistries(trials: Trials, wp: Wp): Promise<void> {
  await trials.call("post types, by name", async () => {
    const types = await wp.types.list();
    same([types["post"]?.rest_base, types["attachment"]?.slug], ["posts", "attachment"]);
    same((await wp.types.get({ type: "page" })).hierarchical, true);
  });
  await trials.call("statuses, by name", async () => {
    same((await wp.statuses.list())["publish"]?.name, "Published");
  });
  await trials.call("taxonomies, by name", async () => {
    same((await wp.taxonomies.list())["category"]?.types, ["post"]);
    same(Object.keys(await wp.taxonomies.list({ type: "nothing" })), []);
  });
  await trials.call("plugins", async () => {
    const akismet = (await wp.plugins.list()).find(({ plugin }) => plugin === "akismet/akismet");
    same([akismet?.author, akismet?.status], ["Automattic", "inactive"]);
  });
  await trials.call("block types", async () => {
    const types = await wp.blockTypes.list();
    same(types.length > 50, true);
    const paragraph = await wp.blockTypes.get({ namespace: "core", name: "paragraph" });
    same([paragraph.title, paragraph.is_dynamic], ["Paragraph", false]);
    const { rendered } = await wp.blockRenderer.get({ name: "core/archives", context: "edit" });
    same(rendered.includes("<"), true);
  });
}

async function callAppearance(trials: Trials, wp: Wp): Promise<void> {
  await trials.call("a menu and its items", async () => {
    const menu = await wp.menus.create({ name: "Main" });
    const item = await wp.menuItems.create({
      title: "Home",
      url: "https://example.com/",
      menus: menu.id,
      status: "publish",
    });
    same([item.title.rendered, item.type, item.menus], ["Home", "custom", menu.id]);
    same(at(await wp.menuItems.delete({ id: item.id, force: true }), "deleted"), true);
    same(at(await wp.menus.delete({ id: menu.id, force: true }), "deleted"), true);
  });
  await trials.call("themes, sidebars and widgets", async () => {
    same(await wp.themes.list(), []);
    same(
      (await wp.sidebars.list()).map(({ id }) => id),
      ["wp_inactive_widgets"],
    );
    same(
      (await wp.widgets.list()).every(({ sidebar }) => sidebar === "wp_inactive_widgets"),
      true,
    );
    same((await wp.widgetTypes.get({ id: "text" })).name, "Text");
  });
}
