import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { type Change, diffContracts } from "../src/index.js";
import { wsdlOf } from "./pairs/pair.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Edits one line of random content models, in which groups of all kinds contain each other: how often an element or a
// group occurs, the kind of a group, or the type of an element. The changes must point to the edited line.

const [firstSeed, seedCount] = (process.env["DIFF_NESTED"] ?? "1,120").split(",").map(Number) as [number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

interface Line {
  readonly name: string;
  attributes: Record<string, string>;
  readonly children?: readonly Line[];
  /** Whether the line closes itself: an element or a reference. */
  readonly isLeaf?: boolean;
}

/** The lines of a content model, and of the named groups to which it refers. */
interface Model {
  readonly root: Line;
  readonly groups: Line[];
}

const occurrences: readonly Record<string, string>[] = [
  {},
  {},
  { minOccurs: "0" },
  { maxOccurs: "unbounded" },
  { minOccurs: "0", maxOccurs: "3" },
];

function drawElement(random: Random, names: string[]): Line {
  const attributes = {
    name: names.shift() ?? "z",
    type: random.pick(["string", "int"]) ?? "",
    ...random.pick(occurrences),
  };
  return { name: "element", attributes, isLeaf: true };
}

function drawGroup(random: Random, names: string[], depth: number, groups: Line[]): Line {
  const name = random.drawBoolean(50) ? "sequence" : "choice";
  const children = Array.from({ length: 1 + random.drawIntegerBelow(3) }, () => {
    if (depth === 0 || random.drawBoolean(45)) {
      return drawElement(random, names);
    }
    const group = drawGroup(random, names, depth - 1, groups);
    if (random.drawBoolean(75)) {
      return group;
    }
    // The definition of a named group says nothing about its occurrences.
    const ref = `g${groups.length}`;
    groups.push({ name: "group", attributes: { name: ref }, children: [{ ...group, attributes: {} }] });
    return { name: "group", attributes: { ref: `t:${ref}`, ...random.pick(occurrences) }, isLeaf: true };
  });
  return { name, attributes: { ...random.pick(occurrences) }, children };
}

function drawModel(random: Random): Model {
  const names = "abcdefghijklmnopqrstuvwxyz".split("").flatMap((letter) => [letter, `${letter}2`]);
  const groups: Line[] = [];
  if (random.drawBoolean(10)) {
    const children = Array.from({ length: 3 }, () => drawElement(random, names));
    for (const child of children) {
      delete child.attributes["maxOccurs"];
    }
    return { root: { name: "all", attributes: random.drawBoolean(50) ? { minOccurs: "0" } : {}, children }, groups };
  }
  return { root: drawGroup(random, names, 3, groups), groups };
}

function listLines(line: Line): readonly Line[] {
  return [line, ...(line.children ?? []).flatMap(listLines)];
}

function write({ name, attributes, children, isLeaf = false }: Line): readonly string[] {
  const texts = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  const start = `<${name}${texts.join("")}`;
  return isLeaf ? [`${start}/>`] : [`${start}>`, ...(children ?? []).flatMap(write), `</${name}>`];
}

function sourcesOf({ root, groups }: Model): Sources {
  return wsdlOf(["", ...groups.flatMap(write), '<complexType name="T">', ...write(root), "</complexType>"].join("\n"));
}

/** Changes one attribute, or a sequence to a choice or the reverse; returns false if nothing was changed. */
function applyEdit(random: Random, { root, groups }: Model): boolean {
  const lines = [root, ...groups].flatMap(listLines);
  const line = random.pick(lines.filter(({ attributes, name }) => name !== "group" || "ref" in attributes)) ?? root;
  const isDefinition = groups.some(({ children }) => children?.[0] === line);
  const kind = random.drawIntegerBelow(3);
  if (kind === 0 && line.attributes["type"] !== undefined) {
    line.attributes["type"] = line.attributes["type"] === "string" ? "int" : "string";
    return true;
  }
  if (kind === 1 && (line.name === "sequence" || line.name === "choice")) {
    Object.assign(line, { name: line.name === "choice" ? "sequence" : "choice" });
    return true;
  }
  if (isDefinition) {
    return false;
  }
  const isInAll = root.name === "all";
  const isOptional = line.attributes["minOccurs"] === "0";
  if (isInAll || random.drawBoolean(50)) {
    line.attributes = { ...line.attributes, minOccurs: isOptional ? "1" : "0" };
  } else {
    line.attributes = { ...line.attributes, maxOccurs: line.attributes["maxOccurs"] === undefined ? "5" : "1" };
  }
  return true;
}

function findEditedLine(before: Sources, after: Sources): number {
  const [oldLines, newLines] = [before, after].map((sources) => (sources["t.wsdl"] ?? "").split("\n"));
  return (oldLines ?? []).findIndex((line, index) => line !== newLines?.[index]) + 1;
}

/** Whether a change is not only a consequence in code: a group has another key if another group has its name. */
function isLocated({ rule }: Change): boolean {
  return !/^(?:name-in-code-changed|member-key-changed)$/.test(rule);
}

test.each(seeds)("a change of a nested group points to the edited line (seed %i)", (seed) => {
  const random = new Random(seed * 7013);
  const model = drawModel(random);
  const before = sourcesOf(model);
  while (!applyEdit(random, model)) {
    // Another line may allow an edit.
  }
  const after = sourcesOf(model);
  const line = findEditedLine(before, after);
  for (const [old, current] of [
    [before, after],
    [after, before],
  ] as const) {
    const changes = diffContracts(sideOf(old), sideOf(current)).changes.filter(isLocated);
    const places = changes.map(({ rule, subject, oldPosition, newPosition }) => ({
      change: `${rule} ${subject}`,
      lines: [oldPosition?.line, newPosition?.line],
    }));
    expect(places).toEqual(places.map(({ change }) => ({ change, lines: [line, line] })));
  }
});

const first = '<element name="first" type="string"/>';
const [a, b] = ["a", "b"].map((name) => `<element name="${name}" type="string"/>`);
const extended =
  '<complexType name="Base">\n<sequence>\n<element name="base" type="string"/>\n</sequence>\n</complexType>';

/** A type whose sequence contains lines after its first element. */
function typeOf(...lines: readonly string[]): Sources {
  return wsdlOf(
    ["", '<complexType name="T">', "<sequence>", first, ...lines, "</sequence>", "</complexType>"].join("\n"),
  );
}

test.each([
  {
    title: "a branch of a choice in a choice",
    old: typeOf("<choice>", `${b}<!-- -->`, '<choice id="c">', `${a}<!-- -->`, "</choice>", "</choice>"),
    new: typeOf(
      "<choice>",
      `${b}<!-- -->`,
      '<choice id="c">',
      `${a}<!-- -->`,
      '<element name="c" type="int"/>',
      "</choice>",
      "</choice>",
    ),
    want: ['<choice id="c">', '<element name="c" type="int"/>'],
  },
  {
    title: "an optional sequence around members",
    old: typeOf(a ?? "", b ?? ""),
    new: typeOf('<sequence minOccurs="0">', a ?? "", b ?? "", "</sequence>"),
    want: ["<sequence>", '<sequence minOccurs="0">'],
  },
  {
    title: "a choice around members",
    old: typeOf(a ?? "", b ?? ""),
    new: typeOf("<choice>", a ?? "", b ?? "", "</choice>"),
    want: ["<sequence>", "<choice>"],
  },
  {
    title: "the group of an extension",
    old: wsdlOf(
      `\n${extended}\n<complexType name="T"><complexContent><extension base="t:Base">\n<sequence id="s">\n${a}\n${b}\n</sequence>\n</extension></complexContent></complexType>`,
    ),
    new: wsdlOf(
      `\n${extended}\n<complexType name="T"><complexContent><extension base="t:Base">\n<choice id="s">\n${a}\n${b}\n</choice>\n</extension></complexContent></complexType>`,
    ),
    want: ['<sequence id="s">', '<choice id="s">'],
  },
  {
    title: "the kind of a named group, and not the reference to it",
    old: wsdlOf(
      `\n<group name="g">\n<sequence id="s">\n${a}\n${b}\n</sequence>\n</group>\n<complexType name="T"><sequence>${first}\n<group ref="t:g"/>\n</sequence></complexType>`,
    ),
    new: wsdlOf(
      `\n<group name="g">\n<choice id="s">\n${a}\n${b}\n</choice>\n</group>\n<complexType name="T"><sequence>${first}\n<group ref="t:g"/>\n</sequence></complexType>`,
    ),
    want: ['<sequence id="s">', '<choice id="s">'],
  },
])("a change points to the lines of its groups: $title", ({ old, new: new_, want }) => {
  const getLine = (sources: Sources, { line = 0 } = {}) => (sources["t.wsdl"] ?? "").split("\n")[line - 1]?.trim();
  for (const [before, after, texts] of [
    [old, new_, want],
    [new_, old, want.toReversed()],
  ] as const) {
    const { changes } = diffContracts(sideOf(before), sideOf(after));
    expect(changes.length).toBeGreaterThan(0);
    for (const { message, oldPosition, newPosition } of changes) {
      expect([getLine(before, oldPosition), getLine(after, newPosition)], message).toEqual(texts);
    }
  }
});
