import type { ContentHandlers } from "@bothends/server/content";
import { asc, eq } from "drizzle-orm";
import { readSetting, saveSetting } from "../../site.js";
import { database } from "../../store.js";
import { countStrings, listStrings } from "../../strings.js";
import { strings as table } from "../../tables.js";

const setting = "strings.settings";
const defaults = { autoregisterType: 0, shouldRegisterBackendStrings: 0 };

export const strings: ContentHandlers["translationSt"]["strings"] = {
  list: async (input) => ({ strings: await listStrings(input), total: await countStrings(input) }),
  settings: {
    create: async ({ autoregisterType, shouldRegisterBackendStrings }) => {
      const value = {
        autoregisterType: autoregisterType ?? 0,
        shouldRegisterBackendStrings: shouldRegisterBackendStrings ?? 0,
      };
      await saveSetting(setting, value);
      return value;
    },
    list: () => readSetting(setting, defaults),
  },
  itemscount: { list: async (input) => ({ count: await countStrings(input) }) },
  filters: {
    list: async () => {
      const rows = await database.selectDistinct({ domain: table.domain }).from(table).orderBy(asc(table.domain));
      return { domains: rows.map(({ domain }) => domain), languages: ["en", "pt-pt"] };
    },
  },
  processstringsqueue: {
    // Status 1: waiting for translation; 10: translated.
    create: async () => {
      const translated = await database
        .update(table)
        .set({ status: 10 })
        .where(eq(table.status, 1))
        .returning({ id: table.id });
      return { processed: translated.length };
    },
  },
};
