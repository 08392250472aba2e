import { expect, test } from "vitest";
import { diffContracts, type Level } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { worstOf } from "./proof/call-outcomes.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

// Values of requests become optional. The type `unknown` includes absence, so reading such a value still compiles.

const schemas = [
  {},
  { type: "string" },
  { type: "integer" },
  { type: ["string", "null"] },
  { items: {}, type: "array" },
];
const typeNames = ["unknown", "string", "number", "string | null", "readonly unknown[]"];
const route = "/shop/v1/things";

/** The places of a value in requests: the sources with a definition of the value, and code that reads the value. */
const places: readonly { readonly path: string; readonly sources: (definition: object) => Sources }[] = [
  { path: "q", sources: (q) => indexOf({ [route]: { methods: ["POST"], args: { q } } }) },
  { path: "q", sources: (q) => indexOf({ [route]: { args: { q } } }) },
  {
    path: "o.q",
    sources: (q) =>
      indexOf({
        [route]: { methods: ["POST"], args: { o: { type: "object", required: true, properties: { q } } } },
      }),
  },
];
const cases = places.flatMap(({ path, sources }) =>
  schemas.flatMap((schema, from) =>
    schemas
      .filter((_, to) => to === from || to === 0 || from === 0)
      .map((newSchema) => ({
        path,
        schemas: [schema, newSchema],
        type: typeNames[from] ?? "",
        old: sources({ ...schema, required: true }),
        current: sources({ ...newSchema, required: false }),
      })),
  ),
);

test("handlers that read a value which became optional fail exactly where the diff says so", () => {
  const files = new Map<string, string>();
  for (const [index, { path, type, old, current }] of cases.entries()) {
    const group = sideOf(old).contract.interfaces.flatMap((each) =>
      each.kind === "rest" ? each.endpoints.map(({ operation }) => operation.at(-1)) : [],
    )[0];
    const start = `import type { ApiHandlers } from "./server/src/api/index.js";
type Input = Parameters<ApiHandlers["shop"]["things"]["${group}"]>[0];`;
    const container = path.includes(".") ? "input.o" : "input";
    const programs = [
      `export const read = (input: Input): ${type} => input.${path};`,
      `export const read = (input: Input): { readonly q: ${type} } => ${container};`,
    ];
    for (const [state, sources] of [
      ["old", old],
      ["new", current],
    ] as const) {
      for (const [name, text] of modulesIn(`${index}/${state}`, sources)) {
        files.set(name, text);
      }
      for (const [number, program] of programs.entries()) {
        files.set(`${index}/${state}/${number}.ts`, `${start}\n${program}\n`);
      }
    }
  }
  const errors = compileErrors(files);
  const claims = cases.map(({ path, schemas, old, current }, index) => {
    const failing = (state: string) => [0, 1].filter((number) => errors.has(`${index}/${state}/${number}.ts`)).length;
    expect(failing("old")).toBe(0);
    const want: Level = failing("new") === 2 ? "breaks" : failing("new") === 1 ? "some" : "none";
    const { changes } = diffContracts(sideOf(old), sideOf(current));
    return { path, schemas, claim: worstOf(changes, "handlers"), want };
  });
  expect(claims.filter(({ claim, want }) => claim !== want)).toEqual([]);
  expect(new Set(claims.map(({ want }) => want))).toEqual(new Set(["breaks", "some"]));
}, 300_000);
