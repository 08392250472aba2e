import type { ContentHandlers } from "@bothends/server/content";
import { saveSetting } from "../../site.js";

export const connect: ContentHandlers["seoAccount"]["connect"] = {
  create: async () => {
    await saveSetting("seo.account", { connected: new Date().toISOString() });
    return { connected: true };
  },
};
