import { ContentClient, RestError } from "@bothends/client/content";
import type { JsonValue } from "@bothends/runtime";
import type { Outcome } from "./outcome.js";
import { difference, tryCall } from "./trial.js";
import type { Passwords } from "./wordpress-site.js";

const where = { peer: "WordPress", over: "/pt-pt/api, neutral names" } as const;

/** Calls a site that has the interface where the content client expects it, its names mapped to the site's. */
export async function callPrefixedSite(siteUrl: string, { admin }: Passwords): Promise<readonly Outcome[]> {
  const signed = siteUrl.replace("//", `//admin:${admin}@`);
  const client = new ContentClient({ siteUrl: signed, lang: "pt-pt", wireNames: { segments: { core: "wp" } } });
  const { blocks } = client.core;
  const given = { title: { raw: "Ação <&>" }, content: { raw: "ż" }, status: "publish" } as const;
  const id = member(await blocks.create(given), "id");
  if (typeof id !== "number") throw new Error("The site gave no id.");
  const trial = (call: string, run: () => Promise<string | undefined>) => tryCall({ ...where, call }, run);
  return [
    await trial("index", async () => difference(member(await client.index(), "name"), "Peer")),
    await trial("read a block", async () =>
      difference(member(member(await blocks.get({ id, context: "edit" }), "title"), "raw"), given.title.raw),
    ),
    await trial("list blocks", async () => {
      const found = await blocks.list({ include: [id], per_page: 1 });
      return difference(Array.isArray(found) ? found.map((block) => member(block, "id")) : found, [id]);
    }),
    await trial("delete a block", async () =>
      difference(member(await blocks.delete({ id, force: true }), "deleted"), true),
    ),
    await trial("read what was deleted", () =>
      blocks.get({ id }).then(
        (found) => difference(found, "an error"),
        (error: unknown) => difference(error instanceof RestError ? error.code : error, "rest_post_invalid_id"),
      ),
    ),
  ];
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Reflect.get(value, name) : undefined;
}
