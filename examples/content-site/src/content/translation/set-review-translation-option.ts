import type { ContentHandlers } from "@bothends/server/content";
import { readBodyFields } from "../../body-fields.js";
import { saveSetting } from "../../site.js";

export const setReviewTranslationOption: ContentHandlers["translation"]["setReviewTranslationOption"] = {
  create: async (_input, context) => {
    const { mode = null } = readBodyFields(context);
    await saveSetting("translation.review", mode);
    return { saved: true, mode };
  },
};
