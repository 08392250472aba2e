import type { ContentHandlers } from "@bothends/server/content";
import { readBodyFields, readTextField } from "../../body-fields.js";
import { changeSetting, readSetting } from "../../site.js";
import type { StoredValue } from "../../tables.js";

const batches = "translation.batches";

export const sendToTranslation: ContentHandlers["translation"]["sendToTranslation"] = {
  validateTranslationOptions: {
    create: (_input, context) => {
      const { languages } = readBodyFields(context);
      const valid =
        languages === undefined || (Array.isArray(languages) && languages.every((each) => isLanguage(each)));
      return { valid };
    },
  },
  defaultBatchName: {
    list: async () => `Site|${listNames(await readSetting(batches, [])).length + 1}`,
  },
  validateBatchName: {
    // A valid name is also saved, so that two callers never get the same name.
    create: async (_input, context) => {
      const name = readTextField(readBodyFields(context), "name")?.trim() ?? "";
      let valid = false;
      await changeSetting(batches, [], (value) => {
        const names = listNames(value);
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

function listNames(value: StoredValue): StoredValue[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
