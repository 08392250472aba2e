import { cookies, pages, paginate, restNonce } from "@bothends/runtime/client";
import { SiteClient } from "@peer/client/site";
import { at, fails, idOf, listOf, same, Trials, type Way } from "./trial.js";

const content = { raw: "<p>ż</p>" };

/** Calls a live site with the client's features for sites: credentials, sessions, selected fields and pages of a collection. */
export async function callSession(way: Way): Promise<void> {
  const { over, siteUrl, plainPermalinks, passwords } = way;
  const trials = new Trials(over);
  const authorization = { username: "admin", password: passwords.admin };
  const anyone = new SiteClient({ siteUrl, plainPermalinks }).wp;
  const { wp } = new SiteClient({ siteUrl, plainPermalinks, authorization });

  await trials.call("credentials of the client", async () => {
    same(at(await wp.users.me.get({ context: "edit" }), "username"), "admin");
  });
  await trials.call("credentials of a call", async () => {
    const author = { username: "author", password: passwords.subscriber };
    same(at(await wp.users.me.get({ context: "edit" }, { authorization: author }), "username"), "author");
    same(at(await anyone.users.me.get({ context: "edit" }, { authorization }), "username"), "admin");
    await fails(anyone.users.me.get(), 401, "rest_not_logged_in");
  });
  await callPages(trials, wp);
  await callSelections(trials, wp);
  await callWithCookies(trials, way);
}

type Wp = SiteClient["wp"];

async function callPages(trials: Trials, wp: Wp): Promise<void> {
  const made: number[] = [];
  await trials.call("create seven blocks", async () => {
    for (let number = 1; number <= 7; number += 1) {
      made.push(idOf(await wp.blocks.create({ title: { raw: `Item ${number}` }, content, status: "publish" })));
    }
  });
  const input = { include: made, orderby: "id", order: "asc", per_page: 3 } as const;
  await trials.call("paginate", async () => {
    const found: unknown[] = [];
    for await (const block of paginate(wp.blocks.list, input, { fields: ["id", "title.raw"] })) {
      found.push(block);
    }
    // Only users who may edit the title see its raw form.
    same(found.map(idOf), made);
    same([...new Set(found.flatMap((block) => Object.keys(Object(block))))].sort(), ["id", "title"]);
  });
  await trials.call("pages, from the second on", async () => {
    const found: unknown[] = [];
    for await (const { number, items, total, totalPages } of pages(wp.blocks.list, { ...input, page: 2 })) {
      found.push([number, items.map(idOf), total, totalPages]);
    }
    same(found, [
      [2, made.slice(3, 6), 7, 3],
      [3, made.slice(6), 7, 3],
    ]);
  });
  await trials.call("pages of a collection that shrinks", async () => {
    const found: number[] = [];
    for await (const { items } of pages(wp.blocks.list, input)) {
      found.push(...items.map(idOf));
      for (const id of made.splice(3)) {
        await wp.blocks.delete({ id, force: true });
      }
    }
    same(found, made);
  });
  await trials.call("delete the others", async () => {
    for (const id of made) {
      same(at(await wp.blocks.delete({ id, force: true }), "deleted"), true);
    }
  });
}

async function callSelections(trials: Trials, wp: Wp): Promise<void> {
  let id = 0;
  await trials.call("create, with some fields of the answer", async () => {
    const created = await wp.project.create(
      { title: { raw: "Most" }, status: "publish" },
      { fields: ["id", "title.raw"] },
    );
    same(created, { id: idOf(created), title: { raw: "Most" } });
    id = idOf(created);
  });
  await trials.call("embed all", async () => {
    same(at(await wp.project.get({ id }, { embed: true }), "_embedded", "author", 0, "name"), "admin");
  });
  await trials.call("embed one relation of a list, with some fields", async () => {
    const options = { embed: ["author"], fields: ["id", "_links.author", "_embedded"] };
    const list = listOf(await wp.project.list({ include: [id] }, options));
    same(list.map(idOf), [id]);
    same([at(list, 0, "_embedded", "author", 0, "slug"), at(list, 0, "title")], ["admin", undefined]);
  });
  await trials.call("embed nothing", async () => {
    same(at(await wp.project.get({ id }), "_embedded"), undefined);
  });
  await trials.call("delete the project", async () => {
    same(at(await wp.project.delete({ id, force: true }), "deleted"), true);
  });
}

async function callWithCookies(trials: Trials, { siteUrl, plainPermalinks }: Way): Promise<void> {
  const Cookie = await logIn(siteUrl);
  let refreshed = 0;
  const refresh = async () => {
    refreshed += 1;
    const answer = await fetch(`${siteUrl}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: { Cookie } });
    return answer.text();
  };
  const headers = { Cookie };
  await trials.call("a session without a nonce has no user", async () => {
    const { wp } = new SiteClient({ siteUrl, plainPermalinks, headers });
    await fails(wp.users.me.get(), 401, "rest_not_logged_in");
  });
  await trials.call("a session with a nonce", async () => {
    const { wp } = new SiteClient({ siteUrl, plainPermalinks, headers, hooks: [cookies(), restNonce({ refresh })] });
    const block = await wp.blocks.create({ title: { raw: "Session" }, content, status: "publish" });
    same(at(await wp.blocks.delete({ id: idOf(block), force: true }), "deleted"), true);
    same(refreshed, 1);
  });
  await trials.call("a nonce that has expired", async () => {
    const hooks = restNonce({ nonce: "0123456789", refresh });
    const { wp } = new SiteClient({ siteUrl, plainPermalinks, headers, hooks });
    same(at(await wp.users.me.get({ context: "edit" }), "username"), "admin");
    same(refreshed, 2);
  });
  await trials.call("a nonce that is wrong in every request", async () => {
    const hooks = restNonce({ refresh: () => "0123456789" });
    const { wp } = new SiteClient({ siteUrl, plainPermalinks, headers, hooks });
    await fails(wp.users.me.get(), 403, "rest_cookie_invalid_nonce");
  });
}

/** The cookies of a person who has logged in. */
async function logIn(siteUrl: string): Promise<string> {
  const body = new URLSearchParams({ log: "admin", pwd: "admin-pass" });
  const answer = await fetch(`${siteUrl}/wp-login.php`, { method: "POST", body, redirect: "manual" });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.replace(/;.*/, ""))
    .join("; ");
}
