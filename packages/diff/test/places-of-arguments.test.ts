import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { diffContracts, readSnapshot, type Side, writeSnapshot } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Changes one keyword in the random schema of an argument. The changes must point to the line of the keyword, or to the
// schema that contains it in a version without the keyword.

const [firstSeed, seedCount] = (process.env["DIFF_ARGUMENTS"] ?? "1,150").split(",").map(Number) as [number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

interface Schema {
  [keyword: string]: unknown;
}

/** The keywords that an edit changes, each with values to choose from. */
const keywords: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  integer: { minimum: [1, 2, 3], maximum: [10, 20, 30], multipleOf: [2, 4], description: ["A", "B"] },
  number: { minimum: [1.5, 2.5], maximum: [10.5, 20], exclusiveMaximum: [true, false] },
  string: { minLength: [1, 2], maxLength: [5, 6], pattern: ["a", "b+"], format: ["date-time", "email"] },
  boolean: { description: ["A", "B"] },
  array: { minItems: [1, 2], maxItems: [5, 6], uniqueItems: [true, false] },
  object: { minProperties: [1, 2], maxProperties: [7, 8], additionalProperties: [false, true] },
};

/** Draws a schema. */
function drawSchema(random: Random, depth: number, kinds = Object.keys(keywords)): Schema {
  const isGroup = (each: string) => each === "array" || each === "object";
  const isNested = depth > 0 && random.drawBoolean(70);
  const kind = random.pick(kinds.filter((each) => isGroup(each) === isNested)) ?? kinds[0] ?? "string";
  const limits = Object.entries(keywords[kind] ?? {}).flatMap(([keyword, values]) =>
    random.drawBoolean(50) ? [[keyword, random.pick(values)] as const] : [],
  );
  const schema: Schema = { type: kind, ...Object.fromEntries(limits) };
  if (kind === "string" && random.drawBoolean(30)) {
    return { type: "string", enum: ["a", "b", "c"] };
  }
  if (kind === "array") {
    return { ...schema, items: drawSchema(random, depth - 1) };
  }
  if (kind === "object") {
    const names = Array.from({ length: 1 + random.drawIntegerBelow(3) }, (_, index) => `m${index}`);
    return { ...schema, properties: Object.fromEntries(names.map((name) => [name, drawMember(random, depth - 1)])) };
  }
  return schema;
}

/** Draws the schema of a member, which may have alternatives of different kinds. */
function drawMember(random: Random, depth: number): Schema {
  if (!random.drawBoolean(25)) {
    return drawSchema(random, depth);
  }
  const kinds = ["integer", "string", depth > 0 ? "object" : "boolean"];
  return { [random.pick(["oneOf", "anyOf"]) ?? ""]: kinds.map((kind) => drawSchema(random, depth, [kind])) };
}

/** Returns all schemas inside a schema, and the schema. */
function listSchemas(schema: Schema): readonly Schema[] {
  const { items, properties = {}, oneOf = [], anyOf = [] } = schema;
  const nested = [...(items ? [items] : []), ...Object.values(properties as object), oneOf, anyOf].flat();
  return [schema, ...(nested as readonly Schema[]).flatMap(listSchemas)];
}

type Edit = "change" | "remove" | "value";

/** Changes one keyword; undefined if nothing fits. */
function applyEdit(random: Random, schema: Schema): Edit | undefined {
  const target = random.pick(listSchemas(schema)) ?? schema;
  if (Array.isArray(target["enum"])) {
    target["enum"] = ["a", "b", "d"];
    return "value";
  }
  const known = keywords[String(target["type"])] ?? {};
  const keyword = random.pick(Object.keys(target).filter((name) => name in known));
  if (keyword === undefined) {
    return undefined;
  }
  if (random.drawBoolean(30)) {
    delete target[keyword];
    return "remove";
  }
  target[keyword] = random.pick((known[keyword] ?? []).filter((value) => value !== target[keyword]));
  return "change";
}

function sourcesOf(argument: Schema): Sources {
  return indexOf({ "/shop/v1/items": { methods: ["POST"], args: { before: { type: "integer" }, argument } } });
}

function linesOf(sources: Sources): readonly string[] {
  return (sources["index.json"] ?? "").split("\n");
}

/** Returns the number of the first line in which two versions differ. */
function findEditedLine(lines: readonly string[], others: readonly string[]): number {
  const trim = (line: string | undefined) => line?.replace(/,$/, "");
  return lines.findIndex((line, index) => trim(line) !== trim(others[index])) + 1;
}

/** Returns the number of the line that opens the object or the list around a line. */
function findEnclosingLine(lines: readonly string[], line: number): number {
  const indent = (text = "") => text.search(/\S/);
  return lines.findLastIndex((text, index) => index < line - 1 && indent(text) < indent(lines[line - 1])) + 1;
}

test.each(seeds)("changes of an argument point to the changed keyword (seed %i)", (seed) => {
  const random = new Random(seed * 6037);
  const schema = drawSchema(random, 3);
  const edited = structuredClone(schema);
  const edit = applyEdit(random, edited);
  const [before, after] = [sourcesOf(schema), sourcesOf(edited)];
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const line = findEditedLine(oldLines, newLines);
  // A version without the keyword has the position of the schema.
  const newLine = edit === "remove" ? findEnclosingLine(oldLines, line) : line;
  const [base, current] = [sideOf(before), sideOf(after)];
  const expectPositions = (old: Side, new_: Side, expected: readonly [number, number]) => {
    // A name in code has the position of the argument or the member after which it was chosen.
    const changes = diffContracts(old, new_).changes.filter(({ rule }) => rule !== "name-in-code-changed");
    const positions = changes.map(({ oldPosition, newPosition }) => [oldPosition?.line, newPosition?.line]);
    expect(positions, JSON.stringify(changes)).toEqual(changes.map(() => expected));
    return changes.length;
  };
  const changeCount = expectPositions(base, current, [line, newLine]);
  expectPositions(current, base, [newLine, line]);
  const contract = readSnapshot(writeSnapshot(base.contract)) ?? base.contract;
  expect(expectPositions({ name: "snapshot", contract }, current, [line, newLine])).toBe(changeCount);
});

const [object, list] = ["object", "array"].map((type) => ({ type }));
const limit = (maximum: number) => ({ type: "integer", maximum });

// Each text is in one line of a version; the position of the other version may be that of a schema.
test.each([
  {
    title: "a required argument",
    old: { type: "integer" },
    new: { type: "integer", required: true },
    want: ['"argument"', '"required": true'],
  },
  {
    title: "a default",
    old: { type: "integer", default: 1 },
    new: { type: "integer", default: 2 },
    want: ['"default": 1', '"default": 2'],
  },
  {
    title: "a type of a member",
    old: { ...object, properties: { a: { type: "string" } } },
    new: { ...object, properties: { a: { type: "integer" } } },
    want: ['"type": "string"', '"type": "integer"'],
  },
  {
    title: "a type of items",
    old: { ...list, items: { type: "string" } },
    new: { ...list, items: { type: "integer" } },
    want: ['"type": "string"', '"type": "integer"'],
  },
  {
    title: "null as a type",
    old: { ...object, properties: { a: { type: ["string"] } } },
    new: { ...object, properties: { a: { type: ["string", "null"] } } },
    want: ['"type": [\n          "string"\n         ]', '"type": [\n          "string",\n          "null"'],
  },
  {
    title: "an added alternative",
    old: { ...object, properties: { a: { oneOf: [{ type: "string" }] } } },
    new: { ...object, properties: { a: { oneOf: [{ type: "string" }, limit(3)] } } },
    want: ['"oneOf"', '{\n           "type": "integer",\n           "maximum": 3'],
  },
  {
    title: "a limit of additional members",
    old: { ...object, additionalProperties: limit(3) },
    new: { ...object, additionalProperties: limit(4) },
    want: ['"maximum": 3', '"maximum": 4'],
  },
  {
    title: "a limit of members whose names match a pattern",
    old: { ...object, patternProperties: { "^a": limit(3) } },
    new: { ...object, patternProperties: { "^a": limit(4) } },
    want: ['"maximum": 3', '"maximum": 4'],
  },
  {
    title: "a required member of a list of names",
    old: { ...object, required: ["a"], properties: { a: {}, b: { type: "string" } } },
    new: { ...object, required: ["a", "b"], properties: { a: {}, b: { type: "string" } } },
    want: ['"b": {', '"b"\n'],
  },
  {
    title: "a member that is marked as required",
    old: { ...object, properties: { a: { type: "string" } } },
    new: { ...object, properties: { a: { type: "string", required: true } } },
    want: ['"a": {', '"required": true'],
  },
  {
    title: "a required member of an alternative",
    old: { oneOf: [{ ...object, properties: { a: { type: "string" } } }, limit(3)] },
    new: { oneOf: [{ ...object, required: ["a"], properties: { a: { type: "string" } } }, limit(3)] },
    want: ['"a": {', '"a"\n'],
  },
  {
    title: "an added member",
    old: { ...object, properties: { a: { ...object, properties: {} } } },
    new: { ...object, properties: { a: { ...object, properties: { b: limit(3) } } } },
    want: ['"a": {', '"b": {'],
  },
])("a change points to the edited line: $title", ({ old, new: new_, want }) => {
  const versions = [old, new_].map(sourcesOf);
  const lineOf = (sources: Sources | undefined, text = "") => {
    const content = sources?.["index.json"] ?? "";
    const start = content.indexOf(text, content.indexOf('"argument"'));
    expect(start).toBeGreaterThan(0);
    return content.slice(0, start).split("\n").length;
  };
  const lines = versions.map((sources, index) => lineOf(sources, want[index]));
  for (const [from, to] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const { changes } = diffContracts(sideOf(versions[from] ?? {}), sideOf(versions[to] ?? {}));
    expect(changes.length).toBeGreaterThan(0);
    for (const { message, oldPosition, newPosition } of changes) {
      expect([oldPosition?.line, newPosition?.line], message).toEqual([lines[from], lines[to]]);
    }
  }
});
