import type { ContentHandlers, RestContext } from "@bothends/server/content";
import { readBodyFields, readTextField } from "../../body-fields.js";
import { readSetting, saveSetting } from "../../site.js";

const setting = "translation.custom_xml";

export const customXmlConfig: ContentHandlers["translation"]["customXmlConfig"] = {
  list: async () => ({ content: await readSetting(setting, "") }),
  create: async (_input, context) => {
    const content = getContent(context);
    await saveSetting(setting, content);
    return { saved: true, content };
  },
  validate: { create: (_input, context) => ({ valid: isBalanced(getContent(context)) }) },
};

function getContent(context: RestContext): string {
  return readTextField(readBodyFields(context), "content") ?? "";
}

/** Whether every start tag has its end tag. */
function isBalanced(xml: string): boolean {
  const openTags: string[] = [];
  for (const [, end, name, empty] of xml.matchAll(/<(\/?)([\w:.-]+)[^>]*?(\/?)>/g)) {
    if (end === "/" && openTags.pop() !== name) {
      return false;
    }
    if (end === "" && empty === "" && name !== undefined) {
      openTags.push(name);
    }
  }
  return openTags.length === 0;
}
