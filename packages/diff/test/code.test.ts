import { expect, test } from "vitest";
import { type Change, type Level, levels } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { memberPairs } from "./pairs/members.js";
import { operationPairs } from "./pairs/operations.js";
import type { Pair } from "./pairs/pair.js";
import { restPairs } from "./pairs/rest.js";
import { serviceOf, servicesOf } from "./pairs/service.js";
import { typePairs } from "./pairs/types.js";
import { compileErrors } from "./proof/compile.js";
import { diffOf, type Sources, sideOf } from "./proof/contracts.js";
import { generatedFrom } from "./proof/packages.js";
import { type Program, typePrograms } from "./proof/type-programs.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

const pairs = [...memberPairs, ...typePairs];
/** The generated file with the types. */
function typesOf(sources: Sources): string {
  const [, text] = [...generatedFrom(sources)].find(([path]) => path.endsWith("/types.ts")) ?? [];
  if (text === undefined) {
    throw new Error("No types were generated.");
  }
  return text;
}

const imports = 'import type * as Old from "./old.js";\nimport type * as New from "./new.js";\n';

/** Programs that name the types that are no longer exported according to a change that breaks the party's code. */
function importPrograms(pair: Pair, party: "callers" | "handlers"): readonly Program[] {
  const { changes } = diffOf(pair.old, pair.new);
  const breaking = changes.filter(
    ({ direction, consequences }) => direction !== "output" && consequences[party] === "breaks",
  );
  return breaking.flatMap(({ vanishedNames = [] }) =>
    vanishedNames.map((name) => ({ strict: `export type V = New.${name};`, plain: `export type V = New.${name};` })),
  );
}

/** The programs of a pair, each in the strictest form that compiles if nothing changes. */
function usable(pairsOf: readonly Pair[]) {
  const modules = new Map<string, string>();
  const baseline = new Map<string, string>();
  const programs = pairsOf.flatMap((pair, index) => {
    modules.set(`${index}/old.ts`, typesOf(pair.old));
    modules.set(`${index}/new.ts`, typesOf(pair.new));
    const programsOf = typePrograms(sideOf(pair.old));
    return (["write", "read"] as const).flatMap((use) =>
      [...programsOf[use], ...importPrograms(pair, use === "write" ? "callers" : "handlers")].map((program, number) => {
        const path = `${index}/${use}-${number}`;
        const unchanged = (text: string) => `${imports}${text.replaceAll("New.", "Old.")}`;
        baseline.set(`${path}-strict.ts`, unchanged(program.strict));
        baseline.set(`${path}-plain.ts`, unchanged(program.plain));
        return { pair, use, path, program };
      }),
    );
  });
  const failing = compileErrors(new Map([...modules, ...baseline]));
  const chosen = programs.flatMap((each) => {
    const form: keyof Program | undefined = !failing.has(`${each.path}-strict.ts`)
      ? "strict"
      : !failing.has(`${each.path}-plain.ts`)
        ? "plain"
        : undefined;
    return form === undefined ? [] : [{ ...each, text: `${imports}${each.program[form]}` }];
  });
  return { modules, chosen };
}

function codeLevel(changes: readonly Change[], party: "callers" | "handlers"): Level {
  return levels[Math.max(0, ...changes.map(({ consequences }) => levels.indexOf(consequences[party])))] ?? "none";
}

test("programs that use the old types fail against the new ones exactly where the rules predict it", () => {
  const { modules, chosen } = usable(pairs);
  expect(chosen.length).toBeGreaterThan(4 * pairs.length);
  const files = new Map(chosen.map(({ path, text }) => [`${path}.ts`, text]));
  const errors = compileErrors(new Map([...modules, ...files]));
  const problems = pairs.flatMap((pair) => {
    // Clients write the input, and handlers read it.
    const input = withoutVanishedNames(diffOf(pair.old, pair.new).changes).filter(
      ({ direction }) => direction !== "output",
    );
    return (["write", "read"] as const).flatMap((use) => {
      const paths = chosen.filter((each) => each.pair === pair && each.use === use).map(({ path }) => `${path}.ts`);
      const found = paths.flatMap((path) => errors.get(path) ?? []);
      const claim = codeLevel(input, use === "write" ? "callers" : "handlers");
      if (pair.failsLate === true && use === "write") {
        // Only code that names a type that is no longer exported fails when it is compiled.
        const names = paths.filter((path) => /^export type V = /m.test(files.get(path) ?? ""));
        const isLate = found.length === names.length && claim === (names.length > 0 ? "breaks" : "some");
        return isLate ? [] : [`${pair.rule}, ${use}: ${claim}, but ${found.join("; ")}`];
      }
      const isUndecided = input.some(({ undecided }) => undecided !== undefined);
      const agrees = isUndecided || (claim === "none" ? found.length === 0 : claim === "tolerated" || found.length > 0);
      return agrees
        ? []
        : [`${pair.rule} (${pair.title ?? ""}), ${use}: ${claim}, but ${found.join("; ") || "no error"}`];
    });
  });
  expect(problems).toEqual([]);
}, 300_000);

/** The names that the generated packages export, except those of the runtime. */
function exportsOf(sources: Sources) {
  const listIn = (folder: "client" | "server") =>
    [...generatedFrom(sources)]
      .filter(([path]) => new RegExp(`(^|/)${folder}/src/[^/]+/index\\.ts$`).test(path))
      .flatMap(([, text]) => [
        ...[...String(text).matchAll(/^export (?:type )?\{([^}]*)\}(?! from "@bothends\/runtime)/gm)].flatMap(
          ([, names = ""]) => names.split(",").map((name) => name.trim()),
        ),
        ...[...String(text).matchAll(/^export (?:class|interface|function|const|type) (\w+)/gm)].map(
          ([, name = ""]) => name,
        ),
      ]);
  return { client: new Set(listIn("client")), server: new Set(listIn("server")) };
}

const namePairs = [...operationPairs, ...restPairs].map(({ old, new: new_ }) => [old, new_] as const);

test("a changed name breaks callers if the client package exported it, and handlers if the server package did", () => {
  const problems = [...namePairs, ...namePairs.map(([old, new_]) => [new_, old] as const)].flatMap(([old, new_]) => {
    const { changes } = diffOf(old, new_);
    const names = changes.filter(
      ({ rule, before = "", subject, after }) =>
        rule === "name-in-code-changed" && subject === after && /^\w+$/.test(before) && !/^[a-z]\w*$/.test(subject),
    );
    const [oldExports, newExports] = names.length === 0 ? [] : [exportsOf(old), exportsOf(new_)];
    return names.flatMap(({ before = "", after = "", consequences: { callers, handlers } }) => {
      const isGone = (part: "client" | "server") => oldExports?.[part].has(before) && !newExports?.[part].has(before);
      const isKept = newExports?.client.has(before) === true || newExports?.server.has(before) === true;
      const level = (part: "client" | "server") => (isGone(part) && !isKept ? "breaks" : "none");
      const isExported = newExports?.client.has(after) === true || newExports?.server.has(after) === true;
      return isExported && callers === level("client") && handlers === level("server")
        ? []
        : [`${before} -> ${after}: callers ${callers}, handlers ${handlers}`];
    });
  });
  expect(problems).toEqual([]);
});

const renamedCode: readonly { title: string; old: Sources; new: Sources; want: readonly string[] }[] = [
  {
    title: "one of several services",
    old: servicesOf([{ name: "Ask" }], [{ name: "Buy" }]),
    new: replaceIn(servicesOf([{ name: "Ask" }], [{ name: "Buy" }]), /<service name="More"/, '<service name="Sales"'),
    want: [
      "client.more -> client.sales: breaks callers, handlers",
      "MoreClient -> SalesClient: breaks callers",
      "MoreHandlers -> SalesHandlers: breaks handlers",
      "moreRoutes -> salesRoutes: breaks handlers",
    ],
  },
  {
    title: "an interface with one service instead of two",
    old: servicesOf([{ name: "Ask" }], [{ name: "Buy" }]),
    new: serviceOf({ operations: [{ name: "Ask" }] }),
    want: [
      "ApiClient -> SClient: breaks callers",
      "client.s.ask -> client.ask: breaks callers",
      "ApiHandlers -> SHandlers: breaks handlers",
      "apiRoutes -> sRoutes: breaks handlers",
    ],
  },
  {
    title: "an operation with its messages",
    old: serviceOf({ operations: [{ name: "Ask" }, { name: "CancelOrder" }] }),
    new: serviceOf({ operations: [{ name: "Ask" }, { name: "CancelOrders" }] }),
    want: [
      "CancelOrder -> CancelOrders: breaks callers, handlers",
      "CancelOrderResponse -> CancelOrdersResponse: breaks callers, handlers",
    ],
  },
  {
    title: "the version of a namespace of routes",
    old: indexOf({ "/shop/v1/things": {} }),
    new: indexOf({ "/shop/v2/things": {} }),
    want: [
      "ShopV1Client -> ShopV2Client: breaks callers",
      "ShopV1Endpoints -> ShopV2Endpoints: breaks callers, handlers",
      "ShopV1Handlers -> ShopV2Handlers: breaks handlers",
    ],
  },
  {
    title: "a route",
    old: indexOf({ "/shop/v1/color": {}, "/shop/v1/things": {} }),
    new: indexOf({ "/shop/v1/colour": {}, "/shop/v1/things": {} }),
    want: [
      "ShopColorEndpoints -> ShopColourEndpoints: breaks callers, handlers",
      "ShopColorGet -> ShopColourGet: breaks callers, handlers",
    ],
  },
];

function replaceIn(sources: Sources, from: RegExp, to: string): Sources {
  return Object.fromEntries(Object.entries(sources).map(([path, text]) => [path, text.replace(from, to)]));
}

test.each(renamedCode)("the names that change with $title are reported", ({ old, new: new_, want }) => {
  const { changes } = diffOf(old, new_);
  const names = changes
    .filter(({ rule }) => rule === "name-in-code-changed")
    .map(({ before, after, consequences }) => {
      const parties = (["callers", "handlers"] as const).filter((party) => consequences[party] === "breaks");
      return `${before} -> ${after}: breaks ${parties.join(", ")}`;
    });
  expect(names.sort()).toEqual([...want].sort());
});
