import type { ContentHandlers } from "@bothends/server/content";
import { and, eq, ne } from "drizzle-orm";
import { database } from "../../store.js";
import { posts } from "../../tables.js";

/** The percentage of published projects that have an excerpt. */
export const siteAnalysis: ContentHandlers["seo"]["siteAnalysis"] = {
  list: async () => {
    const published = and(eq(posts.type, "project"), eq(posts.status, "publish"));
    const all = await database.$count(posts, published);
    const described = await database.$count(posts, and(published, ne(posts.excerpt, "")));
    return { score: all === 0 ? 100 : Math.round((100 * described) / all), projects: all };
  },
};
