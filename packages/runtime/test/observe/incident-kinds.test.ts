import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseLevel } from "../../src/observe/incident-lines.js";
import { serverLimits } from "../../src/server-limits.js";

const source = join(import.meta.dirname, "../../src");
const page = readFileSync(join(import.meta.dirname, "../../../../docs/operations.md"), "utf8");

/** The code of servers, without the pages, which have kinds of other things. */
const code = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => /^(?:server|observe|protocol|ws)\b.*\.ts$/.test(file))
  .map((file) => readFileSync(join(source, file), "utf8"))
  .join("\n");

/** The kinds and levels in the table of the documentation. */
const documentedLevels = new Map(
  [...page.matchAll(/^\| `([a-z]+)(?:\.…)?` \| (error|warning) \|/gm)].map(([, kind = "", level = ""]) => [
    kind,
    level,
  ]),
);

test("the documentation lists the kinds of incidents", () => {
  const kinds = [
    ...code.matchAll(/kind: (?:[^"`{}:,]*\? )?["`]([a-z]+)[^"`]*["`](?: : `[^`]*`)?,\s+(?:message|\.\.\.)/g),
  ];
  expect([...documentedLevels.keys()].sort()).toEqual([...new Set(kinds.map(([, kind]) => kind))].sort());
});

test("the documentation has the levels of incidents", () => {
  for (const [kind, level] of documentedLevels) {
    const limit = kind === "limit" ? { name: "", value: 0, option: "" } : undefined;
    expect(chooseLevel({ kind, message: "", limit }), kind).toBe(level);
  }
});

test("the documentation lists the kinds of limits that are not options of the server", () => {
  const names = [...code.matchAll(/(?:\bLimitError\("|limit = \{ name: ")([a-zA-Z]+)"/g)].map(([, name = ""]) => name);
  const otherNames = [...new Set(names)].filter((name) => !Object.hasOwn(serverLimits, name));
  const documentedNames = [...page.matchAll(/`limit\.([a-zA-Z]+)`/g)].map(([, name]) => name);
  expect(otherNames.length).toBeGreaterThan(0);
  expect(otherNames.filter((name) => !documentedNames.includes(name))).toEqual([]);
});
