import type { ContentHandlers } from "@bothends/server/content";
import { saveSetting } from "../../site.js";
import type { StoredValue } from "../../tables.js";

export const settings: ContentHandlers["translationSt"]["settings"] = {
  create: async ({ group, key, data }) => {
    await saveSetting(`strings.${String(group)}.${String(key)}`, data as StoredValue);
    return { group: String(group), key: String(key), saved: true };
  },
};
