// Lists posts, creates a draft and deletes it. Usage: node dist/main.js https://site.example editor "application password"
// Without an address, the program calls a generated server in the same process.
import { isRestError } from "@bothends/runtime";
import { paginate } from "@bothends/runtime/client";
import { SiteClient } from "#client/site";
import { createStandIn } from "./stand-in.js";

const [siteUrl, username = "editor", password = ""] = process.argv.slice(2);
const site =
  siteUrl === undefined
    ? new SiteClient({ siteUrl: "http://in-memory.example", transport: createStandIn() })
    : new SiteClient({ siteUrl, authorization: { username, password } });

for await (const post of paginate(site.wp.posts.list, { per_page: 2 })) {
  console.log(post.id, post.title.rendered);
}

const draft = await site.wp.posts.create({ title: { raw: "From TypeScript" }, status: "draft" });
await site.wp.posts.update({ id: draft.id, title: { raw: "From TypeScript, again" } }, { method: "PATCH" });
console.log("Wrote draft", draft.id);
await site.wp.posts.delete({ id: draft.id, force: true });

try {
  await site.wp.posts.get({ id: draft.id });
} catch (error) {
  if (!isRestError(error, "rest_post_invalid_id")) {
    throw error;
  }
  console.log("Deleted draft", draft.id);
}
