import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { settings } from "./pairs/rest.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { agrees } from "./proof/observed.js";
import { generatedFrom } from "./proof/packages.js";
import { findLanguagesOfHandlers, languageOfHandlers } from "./proof/special-calls.js";

// Compares every setting of `base.language` with every other one. Only servers use the setting.

const languages = [undefined, "lang", "zone"].flatMap((variable) =>
  [undefined, "language", "locale"].map((argument) => ({ variable, argument })),
);
const pairs = languages.flatMap((before) =>
  languages.filter((after) => after !== before).map((after) => [before, after] as const),
);

const sources = new Map(languages.map((language) => [language, sourcesOf(language)] as const));

function sourcesOf(language: (typeof languages)[number]): Sources {
  const isSet = language.variable !== undefined || language.argument !== undefined;
  const values = { lang: ["en", "pt"], zone: ["eu", "us"] };
  const base = { path: "/{lang}/{zone}/api", values, ...(isSet && { language }) };
  const args = { language: { type: "string" }, locale: { type: "string" } };
  return {
    ...indexOf({ "/shop/v1/things": { args } }),
    "bothends.json": settings(base),
  };
}

function getSources(language: (typeof languages)[number]): Sources {
  return sources.get(language) ?? {};
}

test.each(pairs)("from %j to %j, handlers may break, and clients tolerate the change", async (before, after) => {
  const [oldSide, newSide] = [sideOf(getSources(before)), sideOf(getSources(after))];
  const [change, ...others] = diffContracts(oldSide, newSide).changes;
  expect(others).toEqual([]);
  expect(change?.rule).toBe("base-language-changed");
  expect(change?.consequences).toMatchObject({ oldClients: "tolerated", newClients: "tolerated", callers: "none" });
  expect(agrees("tolerated", await languageOfHandlers(oldSide, newSide), false)).toBe(true);
  expect(agrees("tolerated", await languageOfHandlers(newSide, oldSide), false)).toBe(true);
  const oldLanguages = await findLanguagesOfHandlers(oldSide, oldSide);
  const newLanguages = await findLanguagesOfHandlers(oldSide, newSide);
  const isLost = oldLanguages.some((language, index) => language !== null && language !== newLanguages[index]);
  expect(change?.consequences.handlers).toBe(isLost ? "some" : "none");
  const [oldClient, newClient] = [before, after].map((language) =>
    [...generatedFrom(getSources(language))].filter(([path]) => path.startsWith("client/src/")),
  );
  expect(newClient).toEqual(oldClient);
});
