import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "@bothends/dynamic/random";
import type { Endpoint, JsonType } from "@bothends/generator";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Side } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { compileErrors } from "./proof/compile.js";
import { root, type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

interface Collection {
  readonly name: string;
  /** The values of the argument `status` of GET and POST. */
  readonly values: readonly [listed: readonly string[], created: readonly string[]];
}

function sourcesOf(collections: readonly Collection[]): Sources {
  const status = (values: readonly string[]) => ({ status: { type: "string", enum: values } });
  return indexOf(
    Object.fromEntries(
      collections.map(({ name, values: [listed, created] }) => [
        `/shop/v1/${name}`,
        [
          { methods: ["GET"], args: status(listed) },
          { methods: ["POST"], args: status(created) },
        ],
      ]),
    ),
  );
}

const stored = ["publish", "draft"];
const collections = ["posts", "pages", "media", "users"].map(
  (name): Collection => ({ name, values: [[...stored, "any"], stored] }),
);

function changesOf(before: readonly Collection[], after: readonly Collection[]): readonly Change[] {
  return diffContracts(sideOf(sourcesOf(before)), sideOf(sourcesOf(after))).changes;
}

const describe = ({ message, operations, consequences: { callers, handlers } }: Change) => ({
  message,
  operations,
  callers,
  handlers,
});

function shuffle<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  return items.reduce<readonly Item[]>(
    (shuffled, item) => shuffled.toSpliced(random.drawIntegerBelow(shuffled.length + 1), 0, item),
    [],
  );
}

test("the order of the routes does not change the names of enumerations", () => {
  const others: readonly Collection[] = [
    { name: "menus", values: [["asc", "desc", "any"], stored] },
    {
      name: "terms",
      values: [
        ["asc", "desc", "any"],
        ["asc", "desc"],
      ],
    },
    {
      name: "blocks",
      values: [
        ["asc", "desc", "any"],
        ["asc", "desc"],
      ],
    },
    {
      name: "tags",
      values: [
        [...stored, "any"],
        ["asc", "desc"],
      ],
    },
  ];
  for (let seed = 1; seed <= 96; seed += 1) {
    const before = shuffle(new Random(seed * 7919), [...collections, ...others]);
    const changes = changesOf(before, shuffle(new Random(seed * 104_729), before));
    expect([seed, changes.map(describe)]).toEqual([seed, []]);
  }
});

test("the order of the routes of a site changes no name", () => {
  const text = readFileSync(join(root, "packages/e2e/recorded/wordpress/index.json"), "utf8");
  const index = JSON.parse(text) as { readonly routes: object };
  const routes = Object.fromEntries(shuffle(new Random(3), Object.entries(index.routes)));
  const { changes } = diffContracts(
    sideOf({ "index.json": text }),
    sideOf({ "index.json": JSON.stringify({ ...index, routes }) }),
  );
  // Some of the routes match the same paths, so their order decides which route answers.
  expect(changes.filter(({ rule }) => rule !== "route-precedence-changed")).toEqual([]);
}, 60_000);

test("an enumeration whose name another enumeration has now is renamed, with all endpoints that have it", () => {
  const [posts, ...others] = collections;
  const changes = posts ? changesOf(collections, [{ ...posts, values: [stored, stored] }, ...others]) : [];
  expect(changes.filter(({ rule }) => rule === "name-in-code-changed").map(describe)).toEqual([
    {
      message:
        "MediaStatus: The name of an enumeration changed in generated code, and another enumeration has the old name now (was Status).",
      operations: ["shop.pages.list", "shop.media.list", "shop.users.list"],
      callers: "some",
      handlers: "some",
    },
    {
      message:
        "Status: The name of an enumeration changed in generated code, and another enumeration has the old name now (was MediaStatus).",
      operations: ["shop.posts.create", "shop.pages.create", "shop.media.create", "shop.users.create"],
      callers: "some",
      handlers: "some",
    },
  ]);
});

test("an enumeration without a name whose old name another enumeration has now is reported", () => {
  const [posts, pages, ...others] = collections;
  const onlyStored = (collection: Collection) => ({ ...collection, values: [stored, stored] as const });
  const changes = posts && pages ? changesOf(collections, [posts, pages, ...others.map(onlyStored)]) : [];
  expect(changes.filter(({ before }) => before === "Status").map(describe)).toEqual([
    {
      message:
        "Status: An enumeration no longer has a name in generated code, and another enumeration has the old name now.",
      operations: ["shop.posts.list", "shop.pages.list"],
      callers: "some",
      handlers: "some",
    },
  ]);
});

/** Programs that use the old names of enumerations for arguments of callers and of handlers, by endpoint. */
function listPrograms({ plan }: Side) {
  const [rest] = plan?.interfaces ?? [];
  if (rest?.kind !== "rest") {
    throw new Error("There is no REST interface.");
  }
  const hasValues = (type: JsonType, values: readonly unknown[]) =>
    type.kind === "enumeration" && JSON.stringify(type.values) === JSON.stringify(values);
  return [...rest.enumerations.values()].flatMap(({ name, values }) =>
    rest.groups.flatMap(({ endpoints }) =>
      endpoints
        .filter(({ endpoint }) => endpoint.args.some(({ type }) => hasValues(type, values)))
        .flatMap(({ endpoint, input }) => [
          { endpoint, name, party: "callers" as const, text: programOf("client", [name, input], "name") },
          { endpoint, name, party: "handlers" as const, text: programOf("server", [name, input], "input") },
        ]),
    ),
  );
}

function programOf(entry: "client" | "server", [name, input]: readonly [string, string], from: "name" | "input") {
  const types = [name, `Exclude<${input}["status"], undefined>`];
  const [source, target] = from === "name" ? types : [...types].reverse();
  return [
    `import type { ${name}, ${input} } from "./ENTRY/${entry}/src/api/index.js";`,
    `declare const value: ${source};`,
    `export const used: ${target} = value;`,
  ].join("\n");
}

/** Changes the order of the collections, or removes or adds a value of an argument. */
function edit(before: readonly Collection[], random: Random): readonly Collection[] {
  if (random.drawBoolean(40)) {
    const start = 1 + random.drawIntegerBelow(before.length - 1);
    return [...before.slice(start), ...before.slice(0, start)];
  }
  const changed = random.drawIntegerBelow(before.length);
  const values = [stored, [...stored, "any"], [...stored, "trash"]];
  return before.map((collection, index) =>
    index === changed
      ? { ...collection, values: [random.pick(values) ?? stored, random.pick(values) ?? stored] }
      : collection,
  );
}

test("programs that use names of enumerations fail only for reported endpoints", () => {
  const cases = Array.from({ length: 12 }, (_, index) => {
    const random = new Random((index + 1) * 7919);
    const after = edit(collections, random);
    return { key: String(index), before: collections, after: random.drawBoolean(30) ? edit(after, random) : after };
  });
  const files = new Map<string, string>();
  const programs = cases.flatMap(({ key, before, after }) => {
    const sides = [sideOf(sourcesOf(before)), sideOf(sourcesOf(after))] as const;
    for (const [folder, version] of [
      ["old", before],
      ["new", after],
    ] as const) {
      for (const [path, text] of modulesIn(`${key}/${folder}`, sourcesOf(version))) {
        files.set(path, text);
      }
    }
    const { changes } = diffContracts(...sides);
    return listPrograms(sides[0]).map((program, index) => {
      for (const folder of ["old", "new"]) {
        files.set(`${key}/${folder}-${index}.ts`, program.text.replace("ENTRY", folder));
      }
      return { ...program, path: (folder: string) => `${key}/${folder}-${index}.ts`, changes };
    });
  });
  const errors = compileErrors(files);
  const isReported = (endpoint: Endpoint, name: string, party: "callers" | "handlers", changes: readonly Change[]) =>
    changes.some(
      ({ before, operations, consequences }) =>
        ["some", "breaks"].includes(consequences[party]) &&
        (operations.includes(endpoint.operation.join(".")) || (before === name && operations.length === 0)),
    );
  const problems = programs.flatMap(({ endpoint, name, party, path, changes }) => {
    const error = errors.get(path("new"));
    const oldError = errors.get(path("old"));
    const isMissing = error !== undefined && !isReported(endpoint, name, party, changes);
    return oldError === undefined && !isMissing ? [] : [`${path("new")}: ${oldError ?? error}`];
  });
  expect(problems).toEqual([]);
  expect(errors.size).toBeGreaterThan(0);
}, 120_000);
