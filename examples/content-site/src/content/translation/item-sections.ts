import type { ContentHandlers } from "@bothends/server/content";
import { asc, eq } from "drizzle-orm";
import { getLanguage } from "../../posts/list-posts.js";
import { database } from "../../store.js";
import { posts } from "../../tables.js";

/** Lists the types of objects in the request's language. */
export const itemSections: ContentHandlers["translation"]["itemSections"] = {
  populated: {
    list: async (_input, context) => {
      const rows = await database
        .selectDistinct({ type: posts.type })
        .from(posts)
        .where(eq(posts.language, getLanguage(context)))
        .orderBy(asc(posts.type));
      return rows.map(({ type }) => type);
    },
  },
};
