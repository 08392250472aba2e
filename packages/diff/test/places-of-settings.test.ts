import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { type Change, diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Changes several settings at once. Each entry must have the position of the setting that is its cause, although other
// settings have the same values.

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

type Settings = Readonly<Record<string, string | undefined>>;

/** Writes settings as members of an object, each on a line of its own. */
function linesOf(settings: Settings): string {
  const lines = Object.entries(settings).flatMap(([key, value]) =>
    value === undefined ? [] : [`${JSON.stringify(key)}: ${JSON.stringify(value)}`],
  );
  return `{\n${lines.join(",\n")}\n}`;
}

function projectOf(files: Sources, settings: string): Sources {
  return {
    ...files,
    "bothends.json": `{ "packages": { "path": "generated", "name": "g" }, "interfaces": { "api": ${settings} } }`,
  };
}

function drawSettings(random: Random, keys: readonly string[], values: readonly string[]): Settings {
  return Object.fromEntries(keys.map((key) => [key, random.drawBoolean(70) ? random.pick(values) : undefined]));
}

/** The line of a position in sources of which only the settings have several lines of interest. */
function lineAt(sources: Sources, position: Change["oldPosition"]): string {
  return sources[position?.path ?? ""]?.split("\n")[(position?.line ?? 0) - 1]?.replace(/,$/, "") ?? "";
}

/** Checks that entries point to the settings with their keys. */
function checkPlaces(
  versions: readonly [Sources, Sources],
  settings: readonly [Settings, Settings],
  entries: readonly (readonly [key: string, change: Change])[],
): void {
  for (const [key, change] of entries) {
    for (const [side, position] of [change.oldPosition, change.newPosition].entries()) {
      const value = settings[side]?.[key];
      if (value !== undefined && settings[0][key] !== settings[1][key]) {
        const line = lineAt(versions[side] ?? {}, position);
        expect(line, change.message).toBe(`${JSON.stringify(key)}: ${JSON.stringify(value)}`);
      }
    }
  }
}

const types = ["decimal", "long", "integer", "unsignedLong"];

test.each(seeds)("changed types of values point to their type in typeMap (seed %i)", (seed) => {
  const random = new Random(seed * 3533);
  const answer = types.map((type) => `<element name="${type}" type="${type}"/>`).join("");
  const files = serviceOf({ operations: [{ name: "Ask", answer }] });
  const settings = [0, 1].map(() => drawSettings(random, types, ["string", "number"])) as [Settings, Settings];
  const versions = settings.map((each) => projectOf(files, `{ "wsdl": ["s.wsdl"], "typeMap": ${linesOf(each)} }`)) as [
    Sources,
    Sources,
  ];
  const { changes } = diffContracts(sideOf(versions[0]), sideOf(versions[1]));
  const entries = changes
    .filter(({ rule }) => rule === "type-in-code-changed")
    .map((change) => [change.subject.replace(/^.*\./, ""), change] as const);
  checkPlaces(versions, settings, entries);
  const changed = types.filter((type) => (settings[0][type] ?? "") !== (settings[1][type] ?? ""));
  expect(entries.length > 0 || changed.length < 2).toBe(true);
});

test.each(seeds)("changed names of operations point to their names (seed %i)", (seed) => {
  const random = new Random(seed * 3547);
  const names = ["Ask", "Tell", "Look"];
  const files = serviceOf({ operations: names.map((name) => ({ name })) });
  const draw = () =>
    Object.fromEntries(
      names.map((name) => [name, random.drawBoolean(70) ? `${random.pick(["do", "run"])}${name}` : undefined]),
    );
  const settings = [draw(), draw()] as const;
  const versions = settings.map((each) => projectOf(files, `{ "wsdl": ["s.wsdl"], "names": ${linesOf(each)} }`)) as [
    Sources,
    Sources,
  ];
  const { changes } = diffContracts(sideOf(versions[0]), sideOf(versions[1]));
  const entries = changes
    .filter(({ rule, operations }) => rule === "name-in-code-changed" && operations.length === 1)
    .map((change) => [change.operations[0] ?? "", change] as const);
  expect(entries.length).toBe(names.filter((name) => settings[0][name] !== settings[1][name]).length);
  checkPlaces(versions, settings, entries);
});

test.each(seeds)("changed names of endpoints point to their names (seed %i)", (seed) => {
  const random = new Random(seed * 3557);
  const routes = ["/shop/v1/items", "/shop/v1/orders", "/shop/v1/sales"];
  const files = indexOf(Object.fromEntries(routes.map((route) => [route, { args: {} }])));
  const draw = (): Settings => {
    const words = ["a", "b", "c", "d"];
    return Object.fromEntries(
      routes.map((route) => [
        `GET ${route}`,
        random.drawBoolean(70) ? `shop.${words.splice(random.drawIntegerBelow(words.length), 1)[0]}.list` : undefined,
      ]),
    );
  };
  const settings = [draw(), draw()] as const;
  const versions = settings.map((each) => projectOf(files, `{ "index": "index.json", "names": ${linesOf(each)} }`)) as [
    Sources,
    Sources,
  ];
  const { changes } = diffContracts(sideOf(versions[0]), sideOf(versions[1]));
  const entries = changes
    .filter(({ rule, subject }) => rule === "name-in-code-changed" && subject.startsWith("GET "))
    .map((change) => [change.subject, change] as const);
  expect(entries.length).toBe(
    routes.filter((route) => settings[0][`GET ${route}`] !== settings[1][`GET ${route}`]).length,
  );
  checkPlaces(versions, settings, entries);
});
