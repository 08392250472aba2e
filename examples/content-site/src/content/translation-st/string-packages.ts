import type { ContentHandlers } from "@bothends/server/content";
import { asc, count } from "drizzle-orm";
import { database } from "../../store.js";
import { strings } from "../../tables.js";

/** Lists the domains of strings, each with the number of its strings. */
export const stringPackages: ContentHandlers["translationSt"]["stringPackages"] = {
  list: async ({ limit, offset }) => {
    const packages = await database
      .select({ title: strings.domain, strings: count() })
      .from(strings)
      .groupBy(strings.domain)
      .orderBy(asc(strings.domain))
      .limit(limit ?? 10)
      .offset(offset ?? 0);
    return { packages };
  },
};
