import type { ContentHandlers } from "@bothends/server/content";
import { bodyFields, textField } from "../../body-fields.js";
import { changeSetting, readSetting } from "../../site.js";
import type { StoredValue } from "../../tables.js";

const batches = "translation.batches";

export const sendToTranslation: ContentHandlers["translation"]["sendToTranslation"] = {
  validateTranslationOptions: {
    create: (_input, context) => {
      const { languages } = bodyFields(context);
      const valid =
        languages === undefined || (Array.isArray(languages) && languages.every((each) => isLanguage(each)));
      return { valid };
    },
  },
  defaultBatchName: {
    list: async () => `Site|${namesIn(await readSetting(batches, [])).length + 1}`,
  },
  validateBatchName: {
    // A valid name is also saved, so that two callers never get the same name.
    create: async (_input, context) => {
      const name = textField(bodyFields(context), "name")?.trim() ?? "";
      let valid = false;
      await changeSetting(batches, [], (value) => {
        const names = namesIn(value);
        valid = name !== "" && !names.includes(name);
        return valid ? [...names, name] : names;
      });
      return { valid };
    },
  },
};

function isLanguage(value: unknown): boolean {
  return value === "en" || value === "pt-pt";
}

function namesIn(value: StoredValue): StoredValue[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
