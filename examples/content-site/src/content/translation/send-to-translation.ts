import type { ContentHandlers } from "@bothends/server/content";
import { bodyFields, textField } from "../../body-fields.js";
import { readSetting, saveSetting } from "../../site.js";

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
  defaultBatchName: { list: async () => `Site|${(await namesOf()).length + 1}` },
  validateBatchName: {
    // A name is reserved when it is found valid, so that two callers never get the same.
    create: async (_input, context) => {
      const name = textField(bodyFields(context), "name")?.trim() ?? "";
      const names = await namesOf();
      const valid = name !== "" && !names.includes(name);
      if (valid) {
        await saveSetting(batches, [...names, name]);
      }
      return { valid };
    },
  },
};

function isLanguage(value: unknown): boolean {
  return value === "en" || value === "pt-pt";
}

async function namesOf(): Promise<readonly string[]> {
  const names = await readSetting(batches, []);
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : [];
}
