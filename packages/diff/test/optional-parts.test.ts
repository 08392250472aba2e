import { expect, test } from "vitest";
import { diffContracts, type Level } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { worstOf } from "./proof/call-outcomes.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

// Routes that gain or lose an optional part are the same routes, and their code changes only where the diff says so.

const item = "/shop/v1/things/(?P<id>[\\d]+)";
const step = "(?:/(?P<step>[\\w-]+))?";

/** Versions of one route, in which each version has an optional part more than the one before. */
const routes: readonly { readonly title: string; readonly versions: readonly string[] }[] = [
  { title: "at the end", versions: [item, `${item}${step}`] },
  { title: "after a word", versions: [`${item}/parts`, `${item}/parts${step}`] },
  { title: "before a word", versions: [`${item}/parts`, `${item}${step}/parts`] },
  { title: "before a variable", versions: [item, item.replace("/(", "(?:/by/(?P<step>[a-z]+))?/(")] },
  { title: "without a variable", versions: [item, `${item}(?:/all)?`] },
  { title: "after another one", versions: [`${item}${step}`, `${item}${step}(?:/of/(?P<part>[a-z]+))?`] },
  { title: "before another one", versions: [`${item}${step}`, `${item}(?:/of/(?P<part>[a-z]+))?${step}`] },
];
/** The configuration keeps the name of the operation, as users do who write handlers. */
const sourcesOf = (route: string): Sources => ({
  ...indexOf({ [route]: {} }),
  "bothends.json": JSON.stringify({
    packages: Object.fromEntries(
      ["contract", "client", "server"].map((part) => [part, { path: part, name: `api-${part}` }]),
    ),
    interfaces: { api: { index: "index.json", names: { [`GET ${route}`]: "shop.things.get" } } },
  }),
});
const edits = routes.flatMap(({ title, versions }) => {
  const [shorter = "", longer = ""] = versions;
  return [
    { title: `an added part ${title}`, old: shorter, current: longer },
    { title: `a removed part ${title}`, old: longer, current: shorter },
  ];
});

test.each(edits)("the route with $title is one route with another pattern", ({ old, current }) => {
  const { changes } = diffContracts(sideOf(sourcesOf(old)), sideOf(sourcesOf(current)));
  const ids = changes.map(({ rule }) => rule).filter((rule) => !/^argument-(?:added|removed)-optional$/.test(rule));
  expect(ids).toEqual(["route-pattern-changed"]);
});

test("code of a route with another optional part fails exactly where the diff says so", () => {
  const files = new Map<string, string>();
  const programs = edits.flatMap(({ title, old, current }, index) => {
    for (const [state, route] of [
      ["old", old],
      ["new", current],
    ] as const) {
      for (const [path, text] of modulesIn(`${index}/${state}`, sourcesOf(route))) {
        files.set(path, text);
      }
    }
    const names = [...old.matchAll(/\(\?P<(\w+)>/g)].map(([, name = ""]) => name);
    const input = names.map((name) => `${name}: ${name === "id" ? 1 : '"a"'}`).join(", ");
    const texts: Readonly<Record<"callers" | "handlers", string>> = {
      callers: `import type { ApiClient } from "./STATE/client/src/api/index.js";
export const use = (client: ApiClient) => client.shop.things.get({ ${input} });`,
      handlers: `import type { ApiHandlers } from "./STATE/server/src/api/index.js";
export const get: ApiHandlers["shop"]["things"]["get"] = (input) => [${names.map((name) => `input.${name} ?? null`).join(", ")}];`,
    };
    return (["callers", "handlers"] as const).map((party) => {
      for (const state of ["old", "new"]) {
        files.set(`${index}/${party}-${state}.ts`, texts[party].replace("STATE", state));
      }
      return { title, old, current, party, path: (state: string) => `${index}/${party}-${state}.ts` };
    });
  });
  const errors = compileErrors(files);
  const claims = programs.map(({ title, old, current, party, path }) => {
    expect(errors.get(path("old"))).toBe(undefined);
    const { changes } = diffContracts(sideOf(sourcesOf(old)), sideOf(sourcesOf(current)));
    const want: Level = errors.has(path("new")) ? "breaks" : "none";
    return { title, party, claim: worstOf(changes, party), want };
  });
  expect(claims.filter(({ claim, want }) => claim !== want)).toEqual([]);
  expect(new Set(claims.map(({ want }) => want))).toEqual(new Set(["none", "breaks"]));
}, 300_000);
