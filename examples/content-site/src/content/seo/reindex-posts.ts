import type { ContentHandlers } from "@bothends/server/content";
import { eq } from "drizzle-orm";
import { database } from "../../store.js";
import { indexables, posts } from "../../tables.js";

/** Creates a search engine entry for each published object without one. */
export const reindexPosts: ContentHandlers["seo"]["reindexPosts"] = {
  list: async () => {
    const publishedPosts = database
      .select({ objectType: posts.type, objectId: posts.id, fields: posts.meta })
      .from(posts)
      .where(eq(posts.status, "publish"));
    const added = await database
      .insert(indexables)
      .select(publishedPosts)
      .onConflictDoNothing()
      .returning({ id: indexables.objectId });
    return { status: "ok", indexed: added.length };
  },
};
