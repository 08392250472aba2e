import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { generatedFrom } from "./proof/packages.js";

// The names of packages are in all imports of them. The files of the generated packages contain these names.

type Packages = Readonly<Record<string, unknown>>;

const separate = Object.fromEntries(
  ["contract", "client", "server"].map((path) => [path, { path, name: `api-${path}` }]),
);
const versions: readonly Packages[] = [
  separate,
  { ...separate, client: { path: "client", name: "shop-client" } },
  { ...separate, server: { path: "server", name: "shop-server" } },
  { contract: separate["contract"], client: separate["client"] },
  { contract: separate["contract"], server: separate["server"] },
  { path: "api", name: "api" },
  { path: "api", name: "shop" },
  { path: "api", name: "api", parts: ["types", "client"] },
];

const sources = versions.map(
  (packages): Sources => ({
    ...indexOf({ "/shop/v1/things": {} }),
    "bothends.json": JSON.stringify({ packages, interfaces: { api: { index: "index.json" } } }, null, 1),
  }),
);

/** The names with which code imports the client and the server. */
function importsOf(version: Sources, kind: "client" | "server"): string | undefined {
  for (const [path, text] of generatedFrom(version)) {
    const manifest = path.endsWith("package.json") ? JSON.parse(text) : undefined;
    for (const entry of Object.keys(manifest?.exports ?? {})) {
      const isCombined = Object.keys(manifest.exports).some(
        (each) => each.startsWith("./contract/") || each.startsWith("./types/"),
      );
      const name = isCombined ? `${manifest.name}${entry.slice(1)}` : manifest.name;
      if (isCombined ? entry === `./${kind}/api` : path === `${kind}/package.json`) {
        return name.replace(/\/api$/, "");
      }
    }
  }
  return undefined;
}

const pairs = sources.flatMap((before, from) =>
  sources.flatMap((after, to) => (from === to ? [] : [{ from, to, before, after }])),
);

test.each(pairs)("packages whose imports fail break code: from version $from to $to", ({ before, after }) => {
  const { changes } = diffContracts(sideOf(before), sideOf(after));
  const levelsOf = (party: "callers" | "handlers") =>
    changes.some(({ consequences }) => consequences[party] === "breaks");
  const isBroken = (kind: "client" | "server") => {
    const name = importsOf(before, kind);
    return name !== undefined && name !== importsOf(after, kind);
  };
  expect([levelsOf("callers"), levelsOf("handlers")]).toEqual([isBroken("client"), isBroken("server")]);
  for (const { newPosition, oldPosition } of changes) {
    expect([oldPosition?.path, newPosition?.path]).toEqual(["bothends.json", "bothends.json"]);
  }
});

test("sources without a configuration have no packages of their own", () => {
  const { changes } = diffContracts(sideOf(indexOf({ "/shop/v1/things": {} })), sideOf(sources[0] ?? {}));
  expect(changes).toEqual([]);
});
