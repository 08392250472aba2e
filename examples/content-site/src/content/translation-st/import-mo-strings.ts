import type { ContentHandlers } from "@bothends/server/content";
import { database } from "../../store.js";
import { strings } from "../../tables.js";

/**
 * Adds the name of each component as a string in the domain of the component, because the site has no translation files to read.
 */
export const importMoStrings: ContentHandlers["translationSt"]["importMoStrings"] = {
  create: async ({ plugins = [], themes = [], other = [] }) => {
    const names = [...plugins, ...themes, ...other].filter((name): name is string => typeof name === "string");
    if (names.length === 0) {
      return { imported: 0 };
    }
    const added = await database
      .insert(strings)
      .values(names.map((name) => ({ domain: name, title: "Name", value: name, language: "en", status: 1 })))
      .onConflictDoNothing()
      .returning({ id: strings.id });
    return { imported: added.length };
  },
};
