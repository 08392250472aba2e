import type { ContentHandlers } from "@bothends/server/content";
import { countDistinct, eq } from "drizzle-orm";
import { database } from "../../store.js";
import { strings } from "../../tables.js";

/** Reports the number of domains for which a translation file could be created. */
export const preGenerateMoFiles: ContentHandlers["translationSt"]["preGenerateMoFiles"] = {
  create: async () => {
    const [row] = await database
      .select({ domains: countDistinct(strings.domain) })
      .from(strings)
      .where(eq(strings.status, 10));
    return { generated: row?.domains ?? 0 };
  },
};
