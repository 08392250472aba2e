import type { ContentHandlers } from "@bothends/server/content";
import { and, eq, ne } from "drizzle-orm";
import { database } from "../../store.js";
import { posts } from "../../tables.js";

/** The part of published projects that have an excerpt, as a score from 0 to 100. */
export const siteAnalysis: ContentHandlers["seo"]["siteAnalysis"] = {
  list: async () => {
    const published = and(eq(posts.type, "project"), eq(posts.status, "publish"));
    const all = await database.$count(posts, published);
    const described = await database.$count(posts, and(published, ne(posts.excerpt, "")));
    return { score: all === 0 ? 100 : Math.round((100 * described) / all), projects: all };
  },
};
