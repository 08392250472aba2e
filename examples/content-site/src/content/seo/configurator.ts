import type { ContentHandlers } from "@bothends/server/content";
import { readBodyFields } from "../../body-fields.js";
import { readSetting, saveSetting } from "../../site.js";

const setting = "seo.configurator";

export const configurator: ContentHandlers["seo"]["configurator"] = {
  list: () => readSetting(setting, {}),
  create: async (_input, context) => {
    const fields = readBodyFields(context);
    await saveSetting(setting, fields);
    return fields;
  },
};
