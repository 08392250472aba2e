import { Random } from "@bothends/dynamic/random";
import { listExportedNames } from "@bothends/generator";
import { expect, test } from "vitest";
import { diffContracts, formatChangesAsMarkdown, formatChangesAsText, judgeChanges } from "../src/index.js";
import { edits } from "./edits/edits.js";
import { furtherEdits } from "./edits/further-edits.js";
import { singleCauseEdits } from "./edits/single-cause-edits.js";
import { edited, projects } from "./edits/sources.js";
import { encodedPairs } from "./pairs/encoded.js";
import { headerFaultPairs } from "./pairs/header-faults.js";
import { indexOf } from "./pairs/index-document.js";
import { memberPairs } from "./pairs/members.js";
import { operationPairs } from "./pairs/operations.js";
import { wsdlOf } from "./pairs/pair.js";
import { restPairs } from "./pairs/rest.js";
import { serviceOf } from "./pairs/service.js";
import { typePairs } from "./pairs/types.js";
import { compileErrors } from "./proof/compile.js";
import { diffOf, type Sources, sideOf } from "./proof/contracts.js";
import { generatedFrom, modulesIn } from "./proof/packages.js";

const pairs = [...memberPairs, ...typePairs, ...encodedPairs, ...operationPairs, ...headerFaultPairs, ...restPairs];
const states: readonly Sources[] = [...new Set(pairs.flatMap(({ old, new: new_ }) => [old, new_]))];

const entries = {
  client: "client/src/[^/]+/index",
  operations: "client/src/[^/]+/operations",
  server: "server/src/[^/]+/index",
};

type Entry = keyof typeof entries;

/** The names that an entry of the generated packages exports, except those of the runtime. */
function exportedBy(entry: Entry, sources: Sources): ReadonlySet<string> {
  const texts = [...generatedFrom(sources)].filter(([path]) => new RegExp(`(^|/)${entries[entry]}\\.ts$`).test(path));
  return new Set(
    texts
      .flatMap(([, text]) => [
        ...[...text.matchAll(/^export (?:type )?\{([^}]*)\} from "(?!@bothends\/runtime)/gm)].flatMap(
          ([, names = ""]) => names.split(",").map((name) => name.trim()),
        ),
        ...[...text.matchAll(/^export (?:class|interface|function|const|type) (\w+)/gm)].map(([, name = ""]) => name),
      ])
      .filter((name) => name !== ""),
  );
}

interface Versions {
  readonly what: string;
  readonly old: Sources;
  readonly new: Sources;
}

const listed: readonly Versions[] = [
  ...pairs.map(({ rule, title = "", old, new: new_ }) => ({ what: `${rule} ${title}`, old, new: new_ })),
  ...[...edits, ...furtherEdits, ...singleCauseEdits].map(({ project, title, replacements }) => ({
    what: `${title} (${project})`,
    old: projects[project],
    new: edited(project, replacements),
  })),
];
const versions = listed.flatMap((each) => [each, { what: `${each.what}, swapped`, old: each.new, new: each.old }]);

const parties = { client: "callers", operations: "callers", server: "handlers" } as const;

type ExportedName = ReturnType<typeof listExportedNames>[number];

const exportedNames = new WeakMap<Sources, readonly ExportedName[]>();

/** The names that the packages of sources export. They are listed once. */
function namesOf(sources: Sources): readonly ExportedName[] {
  const known = exportedNames.get(sources) ?? (sideOf(sources).plan?.interfaces ?? []).flatMap(listExportedNames);
  exportedNames.set(sources, known);
  return known;
}

/** The exported names of the old version that the new version does not export, by entry. */
function vanishedNames(old: Sources, new_: Sources) {
  const listNames = (sources: Sources) =>
    namesOf(sources).flatMap((each) => each.entries.map((entry) => ({ entry, name: each.name })));
  const newNames = new Set(listNames(new_).map(({ entry, name }) => `${entry} ${name}`));
  return listNames(old).filter(({ entry, name }) => !newNames.has(`${entry} ${name}`));
}

test("code breaks if a name vanishes that it imports", () => {
  const problems = versions.flatMap(({ what, old, new: new_ }) => {
    const vanished = vanishedNames(old, new_);
    const { changes } = vanished.length === 0 ? { changes: [] } : diffOf(old, new_);
    const isBroken = (party: "callers" | "handlers") =>
      changes.some(({ consequences }) => ["some", "breaks"].includes(consequences[party]));
    return vanished.flatMap(({ entry, name }) => (isBroken(parties[entry]) ? [] : [`${what}: ${name} of ${entry}`]));
  });
  expect(problems).toEqual([]);
}, 300_000);

/**
 * The names that the main entries no longer export, and that no change contains. The names of a removed interface
 * vanish with the module from which code imports them.
 */
function listUnnamed(old: Sources, new_: Sources): readonly string[] {
  const kept = new Set(
    (sideOf(old).plan?.interfaces ?? [])
      .filter(({ interface: { name } }) => sideOf(new_).contract.interfaces.some((other) => other.name === name))
      .flatMap(listExportedNames)
      .map(({ name }) => name),
  );
  const vanished = vanishedNames(old, new_).filter(({ entry, name }) => entry !== "operations" && kept.has(name));
  const { changes } = vanished.length === 0 ? { changes: [] } : diffOf(old, new_);
  const words = new Set(
    changes.flatMap(({ message, before = "", vanishedNames: names = [] }) => [
      ...`${message} ${before}`.split(/\W+/),
      ...names,
    ]),
  );
  return [...new Set(vanished.flatMap(({ name }) => (words.has(name) ? [] : [name])))];
}

test("each name that vanished is in an entry", () => {
  const problems = versions.flatMap(({ what, old, new: new_ }) =>
    listUnnamed(old, new_).map((name) => `${what}: ${name}`),
  );
  expect(problems).toEqual([]);
}, 300_000);

const [firstSeed, seedCount] = (process.env["DIFF_EXPORTED_NAMES"] ?? "1,8").split(",").map(Number) as [number, number];

test("programs that import a name that vanished do not compile", () => {
  const random = new Random(firstSeed);
  const candidates = versions.filter(
    ({ old, new: new_ }) => !Object.keys(old).includes("bothends.json") && vanishedNames(old, new_).length > 0,
  );
  const chosen = Array.from({ length: seedCount }, () => random.pick(candidates)).filter((each) => each !== undefined);
  const modules = new Map<string, string>();
  const programs = new Map<string, string>();
  for (const [index, { old, new: new_ }] of chosen.entries()) {
    for (const [path, text] of modulesIn(`${index}/new`, new_)) {
      modules.set(path, text);
    }
    const names = namesOf(old);
    for (const { name, entries: exportingEntries } of names) {
      for (const entry of exportingEntries) {
        const module = `./new/${entry === "server" ? "server" : "client"}/src/api/${entry === "operations" ? entry : "index"}.js`;
        programs.set(`${index}/${entry}-${name}.ts`, `export { ${name} } from "${module}";`);
      }
    }
  }
  const errors = compileErrors(new Map([...modules, ...programs]));
  const expected = chosen.flatMap(({ old, new: new_ }, index) =>
    vanishedNames(old, new_).map(({ entry, name }) => `${index}/${entry}-${name}.ts`),
  );
  expect([...errors.keys()].sort()).toEqual([...new Set(expected)].sort());
}, 300_000);

/** Whether a configuration lists packages, but not all three, so that some names are in no package. */
function omitsPackages({ "bothends.json": text = "{}" }: Sources): boolean {
  const { packages } = JSON.parse(text) as { readonly packages?: object };
  return packages !== undefined && Object.keys(packages).length < 3;
}

test("the names of a plan are those that the generated packages export", () => {
  const whole = states.filter((sources) => !omitsPackages(sources));
  expect(whole.length).toBeGreaterThan(states.length - 10);
  const problems = whole.flatMap((sources, index) => {
    const names = namesOf(sources);
    return (Object.keys(entries) as Entry[]).flatMap((entry) => {
      const listed = new Set(names.filter((each) => each.entries.includes(entry)).map(({ name }) => name));
      const exported = exportedBy(entry, sources);
      return [
        ...[...listed]
          .filter((name) => !exported.has(name))
          .map((name) => `${index} ${entry}: ${name} is not exported`),
        ...[...exported].filter((name) => !listed.has(name)).map((name) => `${index} ${entry}: ${name} is not listed`),
      ];
    });
  });
  expect(problems).toEqual([]);
}, 300_000);

const orders = (types: string, reference: string) =>
  wsdlOf(
    `${types}<complexType name="T"><sequence><element name="a" ${reference.startsWith("<") ? "" : `type="t:${reference}"`}>${reference.startsWith("<") ? reference : ""}</element></sequence></complexType>`,
  );
const words = '<restriction base="string"><enumeration value="red"/><enumeration value="blue"/></restriction>';
const limit = '<restriction base="int"><maxInclusive value="9"/></restriction>';
const line = '<sequence><element name="x" type="string"/></sequence>';

test.each([
  {
    title: "a named enumeration that became anonymous",
    old: orders(`<simpleType name="Colour">${words}</simpleType>`, "Colour"),
    new: orders("", `<simpleType>${words}</simpleType>`),
    want: ["TA: A name in generated code changed (was Colour). Generated code also no longer exports colourValues."],
    swapped: ["Colour: A name in generated code changed (was TA). Generated code also no longer exports taValues."],
  },
  {
    title: "a restriction that became anonymous",
    old: orders(`<simpleType name="Limit">${limit}</simpleType>`, "Limit"),
    new: orders("", `<simpleType>${limit}</simpleType>`),
    want: ["Limit: A name is no longer in generated code."],
    swapped: [],
  },
  {
    title: "an anonymous type that became a named one",
    old: orders("", `<complexType>${line}</complexType>`),
    new: orders(`<complexType name="Line">${line}</complexType>`, "Line"),
    want: ["Line: A name in generated code changed (was TA)."],
    swapped: ["T.a: A name in generated code changed (Line → TA)."],
  },
])("a name that vanished is reported once: $title", ({ old, new: new_, want, swapped }) => {
  const list = (before: Sources, after: Sources) =>
    diffContracts(sideOf(before), sideOf(after))
      .changes.filter(({ rule }) => rule === "name-in-code-changed" || rule === "type-renamed")
      .map(({ message }) => message);
  expect(list(old, new_)).toEqual(want);
  expect(list(new_, old)).toEqual(swapped);
});

const routes = ["/shop/v1/items", "/shop/v1/orders", "/shop/v1/orders/open"];
const randomNames = Array.from({ length: 40 }, (_, index) => index + 1);

/** A project whose settings give each route a random name: words in one to three groups. */
function projectWithNames(random: Random): Sources {
  const draw = (index: number) => {
    const words = Array.from({ length: random.drawIntegerBelow(3) }, () => random.pick(["deals", "stock", "sale"]));
    return ["shop", ...words, `list${index}`].join(".");
  };
  const names = Object.fromEntries(routes.map((route, index) => [`GET ${route}`, draw(index)]));
  const { "index.json": document = "" } = indexOf(
    Object.fromEntries(routes.map((route) => [route, { args: { page: { type: "integer" } } }])),
  );
  const packages = { path: "generated", name: "generated" };
  return {
    "index.json": document,
    "bothends.json": JSON.stringify({ packages, interfaces: { api: { index: "index.json", names } } }),
  };
}

test.each(randomNames)("every name that vanished with a renamed endpoint is in an entry (seed %d)", (seed) => {
  const random = new Random(seed);
  const [before, after] = [projectWithNames(random), projectWithNames(random)];
  const { changes } = diffContracts(sideOf(before), sideOf(after));
  const reported = new Set(changes.flatMap(({ before: name = "" }) => name));
  const vanished = new Set(
    vanishedNames(before, after).flatMap(({ entry, name }) => (entry === "operations" ? [] : [name])),
  );
  expect([...vanished].filter((name) => !reported.has(name))).toEqual([]);
});

/** An index whose answers have a random title, contexts and an enumeration. */
function indexWithTitle(random: Random, title: string): Sources {
  const contexts = ["view", "edit", "embed"].slice(0, 2 + random.drawIntegerBelow(2));
  const context = { type: "string", enum: contexts, default: "view" };
  const property = () => ({ type: "string", context: contexts.filter(() => random.drawBoolean(60)) });
  const schema = {
    title,
    type: "object",
    properties: {
      a: property(),
      b: property(),
      c: { type: "string" },
      status: { type: "string", enum: ["on", "off"] },
    },
  };
  const routes = { "/shop/v1/items": { args: { context } }, "/shop/v1/items/(?P<id>[\\d]+)": { args: { context } } };
  return indexOf(routes, Object.fromEntries(Object.keys(routes).map((route) => [route, schema])));
}

test.each(randomNames)("every name that vanished with a renamed answer is in an entry (seed %d)", (seed) => {
  const [before, after] = ["thing", "offer"].map((title) => indexWithTitle(new Random(seed), title)) as [
    Sources,
    Sources,
  ];
  const { changes } = diffContracts(sideOf(before), sideOf(after));
  const words = new Set(changes.flatMap(({ message, before: name = "" }) => [...message.split(/\W+/), name]));
  const vanished = vanishedNames(before, after).filter(({ entry }) => entry !== "operations");
  expect(vanished.length).toBeGreaterThan(0);
  expect(vanished.filter(({ name }) => !words.has(name))).toEqual([]);
});

test.each(randomNames)("every name that vanished with a removed route is in an entry (seed %d)", (seed) => {
  const random = new Random(seed * 4483);
  const words = ["items", "orders", "sales", "parts"];
  const schemaOf = (title: string) => ({
    title,
    type: "object",
    properties: {
      status: { type: "string", enum: ["on", title] },
      a: { type: "string", context: ["edit"] },
      b: { type: "string", context: ["view", "edit"] },
    },
  });
  const indexWith = (names: readonly string[]) => {
    const context = { type: "string", enum: ["view", "edit"], default: "view" };
    const kind = { type: "string", enum: ["small", "large"] };
    const routes = names.flatMap((name) => [`/shop/v1/${name}`, `/shop/v1/${name}/(?P<id>[\\d]+)`]);
    return indexOf(
      Object.fromEntries(routes.map((route) => [route, { args: { context, kind } }])),
      Object.fromEntries(routes.map((route) => [route, schemaOf(route.split("/")[3] ?? "")])),
    );
  };
  const kept = words.filter(() => random.drawBoolean(60));
  const [before, after] = [indexWith(words), indexWith(kept.length === 0 ? ["items"] : kept)];
  expect(listUnnamed(before, after)).toEqual([]);
});

test.each(randomNames)("every name that vanished with a removed operation is in an entry (seed %d)", (seed) => {
  const random = new Random(seed * 4493);
  const names = ["Ask", "Tell", "Look", "Buy"];
  const operations = names.map((name) => ({
    name,
    fault: random.pick(["Broken", "Stuck"] as const) ?? "Broken",
    header: random.drawBoolean(30),
    answer: `<element name="r" type="${random.pick(["date", "decimal", "string"])}"/>`,
  }));
  const kept = operations.filter(() => random.drawBoolean(50));
  const [before, after] = [
    serviceOf({ operations }),
    serviceOf({ operations: kept.length === 0 ? operations.slice(1) : kept }),
  ];
  expect(listUnnamed(before, after)).toEqual([]);
});

test("reports list the names that vanished with a removed operation", () => {
  const names = ["Ask", "Tell"].map((name) => ({ name, answer: `<element name="${name}ed" type="string"/>` }));
  const diff = diffContracts(
    sideOf(serviceOf({ operations: names })),
    sideOf(serviceOf({ operations: names.slice(0, 1) })),
  );
  const judgement = judgeChanges(diff, { level: "tolerated", allowList: [] });
  const formatPath = (path: string) => path;
  const text = formatChangesAsText(diff, judgement, { color: false, verbose: false, formatPath });
  expect(text).toContain("    no longer exported: TellResponse\n");
  expect(formatChangesAsMarkdown(diff, judgement, { formatPath })).toContain("No longer exported: TellResponse.");
  expect(diff.changes.find(({ rule }) => rule === "operation-removed")?.vanishedNames).toEqual(["TellResponse"]);
});
