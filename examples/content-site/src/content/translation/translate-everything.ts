import type { ContentHandlers } from "@bothends/server/content";
import { saveSetting } from "../../site.js";

export const translateEverything: ContentHandlers["translation"]["translateEverything"] = {
  enable: { create: () => setEnabled(true) },
  disable: { create: () => setEnabled(false) },
};

async function setEnabled(enabled: boolean) {
  await saveSetting("translation.everything", enabled);
  return { enabled };
}
