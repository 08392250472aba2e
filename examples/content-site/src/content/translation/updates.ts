import type { ContentHandlers } from "@bothends/server/content";
import { saveSetting } from "../../site.js";

/** Records that the translations were checked for updates. */
export const updates: ContentHandlers["translation"]["updates"] = {
  create: async () => {
    const at = new Date().toISOString();
    await saveSetting("translation.updated", at);
    return { updated: at };
  },
};
