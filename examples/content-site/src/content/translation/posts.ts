import type { ContentHandlers } from "@bothends/server/content";
import { and, asc, count, eq, ne } from "drizzle-orm";
import { getLanguage } from "../../posts/list-posts.js";
import { database } from "../../store.js";
import { posts as table, terms } from "../../tables.js";

/** Lists the translatable posts in the request's language. */
export const posts: ContentHandlers["translation"]["posts"] = {
  list: async (_input, context) => {
    const rows = await database
      .select({ id: table.id, title: table.title, type: table.type, language: table.language, status: table.status })
      .from(table)
      .where(isTranslatable(getLanguage(context)))
      .orderBy(asc(table.id))
      .limit(100);
    return rows;
  },
  count: {
    list: async (_input, context) => ({ count: await database.$count(table, isTranslatable(getLanguage(context))) }),
  },
  hierarchical: {
    list: async (_input, context) => {
      const rows = await database
        .select({ id: table.id, parent: table.parent, title: table.title })
        .from(table)
        .where(isTranslatable(getLanguage(context)))
        .orderBy(asc(table.id))
        .limit(100);
      const roots = rows.filter(({ parent }) => parent === null);
      return roots.map(({ id, title }) => ({ id, title, children: rows.filter(({ parent }) => parent === id) }));
    },
  },
  taxonomies: {
    list: async () => {
      const rows = await database
        .select({ taxonomy: terms.taxonomy, terms: count() })
        .from(terms)
        .groupBy(terms.taxonomy);
      return ["project_category", "project_tag"].map((name) => ({
        name,
        terms: rows.find(({ taxonomy }) => taxonomy === name)?.terms ?? 0,
      }));
    },
  },
  terms: { list: () => database.select().from(terms).orderBy(asc(terms.id)) },
};

function isTranslatable(language: "en" | "pt-pt") {
  return and(eq(table.language, language), ne(table.status, "trash"), ne(table.type, "attachment"));
}
