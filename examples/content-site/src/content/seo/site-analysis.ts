import type { ContentHandlers } from "@bothends/server/content";
import { and, eq, ne } from "drizzle-orm";
import { database } from "../../store.js";
import { posts } from "../../tables.js";

/** Returns the percentage of published projects that have an excerpt. */
export const siteAnalysis: ContentHandlers["seo"]["siteAnalysis"] = {
  list: async () => {
    const isPublishedProject = and(eq(posts.type, "project"), eq(posts.status, "publish"));
    const projects = await database.$count(posts, isPublishedProject);
    const projectsWithExcerpt = await database.$count(posts, and(isPublishedProject, ne(posts.excerpt, "")));
    return { score: projects === 0 ? 100 : Math.round((100 * projectsWithExcerpt) / projects), projects: projects };
  },
};
