import { type ContentHandlers, RestError } from "@bothends/server/content";
import { eq } from "drizzle-orm";
import { database } from "../../store.js";
import { posts } from "../../tables.js";

/** Describes a published object of this site by its address, so that other sites can show it. */
export const embed: ContentHandlers["oembed"]["embed"] = {
  list: async ({ url, maxwidth }, { baseUrl }) => {
    const address = URL.canParse(String(url)) ? new URL(String(url)) : undefined;
    const id = Number(address?.searchParams.get("p") ?? Number.NaN);
    const isHere = address?.host === new URL(baseUrl).host;
    const [post] =
      isHere && Number.isSafeInteger(id) ? await database.select().from(posts).where(eq(posts.id, id)) : [];
    if (post === undefined || post.status !== "publish") {
      throw new RestError({ code: "oembed_invalid_url", message: "Not Found", status: 404 });
    }
    const width = Math.min(Math.max(Number(maxwidth ?? 600) || 600, 200), 600);
    return {
      version: "1.0",
      type: "rich",
      title: post.title,
      provider_url: new URL(baseUrl).origin,
      width,
      height: Math.round((width * 9) / 16),
      html: `<blockquote><a href="${escapeHtml(String(url))}">${escapeHtml(post.title)}</a></blockquote>`,
    };
  },
};

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
