import type { ContentHandlers } from "@bothends/server/content";
import { count } from "drizzle-orm";
import { database } from "../../store.js";
import { posts } from "../../tables.js";

/** Counts the objects by type and status. */
export const statistics: ContentHandlers["seo"]["statistics"] = {
  list: () =>
    database
      .select({ type: posts.type, status: posts.status, count: count() })
      .from(posts)
      .groupBy(posts.type, posts.status),
};
