import { expect, test } from "vitest";
import { diffContracts, type SourcePosition } from "../src/index.js";
import { edited, projects } from "./edits/sources.js";
import { indexOf } from "./pairs/index-document.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { type Sources, sideOf } from "./proof/contracts.js";

const limit = '<simpleType name="Limit"><restriction base="int"><maxInclusive value="9"/></restriction></simpleType>';
const anonymousLimit = '<simpleType><restriction base="int"><maxInclusive value="9"/></restriction></simpleType>';

const orderOf = (...values: readonly string[]) => ({ orderby: { type: "string", enum: values } });
const listOf = (...values: readonly string[]) => ({
  sort: { type: "array", items: { type: "object", properties: orderOf(...values) } },
});

/** An index with three routes, of which the first has other arguments than the later ones. */
function threeRoutes(first: Readonly<Record<string, object>>, later: Readonly<Record<string, object>>): Sources {
  const args = [first, later, later];
  return indexOf(
    Object.fromEntries(
      ["posts", "pages", "parts"].map((name, index) => [`/shop/v1/${name}`, { args: args[index] ?? {} }]),
    ),
  );
}

// Each position is that of the first occurrence of a text in the sources.
test.each([
  {
    title: "a simple type whose only use now has a type of its own",
    old: wsdlOf(`${limit}${sequence('<element name="b" type="string"/>', '<element name="a" type="t:Limit"/>')}`),
    new: wsdlOf(sequence('<element name="b" type="string"/>', `<element name="a">${anonymousLimit}</element>`)),
    want: ["Limit", '<simpleType name="Limit"', '<element name="a"'],
  },
  {
    title: "an alias of a built-in type",
    old: wsdlOf(sequence('<element name="b" type="string"/>', '<element name="a" type="dateTime"/>')),
    new: wsdlOf(sequence('<element name="b" type="string"/>', '<element name="a" type="date"/>')),
    want: ["DateTime", '<element name="a"', '<element name="a"'],
  },
  {
    title: "a list type that became a repeated member",
    old: wsdlOf(`<simpleType name="Words"><list itemType="string"/></simpleType>${sequence(element("a:t:Words"))}`),
    new: wsdlOf(sequence(element("a*"))),
    want: ["Words", '<simpleType name="Words"', '<element name="a"'],
  },
  {
    title: "an enumeration of arguments, of which one has another order",
    old: threeRoutes({ id: {}, ...orderOf("date", "id") }, orderOf("date", "id")),
    new: threeRoutes({ id: {}, ...orderOf("id", "date") }, orderOf("date", "id")),
    want: ["Orderby", '"orderby": {', '"orderby": {'],
  },
  {
    title: "an enumeration in a nested member",
    old: threeRoutes(listOf("a", "b"), listOf("a", "b")),
    new: threeRoutes(listOf("b", "a"), listOf("a", "b")),
    want: ["Orderby", '{\n          "type": "string"', '{\n          "type": "string"'],
  },
])("a name that vanished has the places of its declaration: $title", ({ old, new: new_, want }) => {
  const [name, oldText, newText] = want;
  const change = findName(old, new_, name ?? "");
  expect([change?.before, change?.oldPosition, change?.newPosition]).toEqual([
    name,
    positionOf(old, oldText ?? ""),
    positionOf(new_, newText ?? ""),
  ]);
});

test("an enumeration of a renamed answer has the place of the member in both versions", () => {
  const renamed = edited("vehicle", [
    { file: "objects.json", from: '"media": {', to: '"mediaItem": {' },
    { file: "bothends.json", from: /\$defs\/media"/g, to: '$defs/mediaItem"' },
  ]);
  const change = findName(projects.vehicle, renamed, "MediaStatus");
  expect(change?.after).toBe("MediaItemStatus");
  expect(change?.oldPosition?.path).toBe("schemas/content/objects.json");
  // The edit moves no line.
  expect(change?.newPosition).toEqual(change?.oldPosition);
});

function findName(before: Sources, after: Sources, name: string) {
  const { changes } = diffContracts(sideOf(before), sideOf(after));
  return changes.find(({ rule, before: oldName }) => rule === "name-in-code-changed" && oldName === name);
}

/** The position of a text in sources of one file. */
function positionOf(sources: Sources, text: string): SourcePosition | undefined {
  const [[path, content]] = Object.entries(sources) as [[string, string]];
  const start = content.indexOf(text);
  const lines = content.slice(0, start).split("\n");
  return start < 0 ? undefined : { path, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

test("a branch of a choice that is a member of a substitution group has the place of the member's declaration", () => {
  const sourcesOf = (...names: readonly string[]) =>
    wsdlOf(
      `<element name="head" type="string" abstract="true"/>${names.map((name) => `<element name="${name}" type="string" substitutionGroup="t:head"/>`).join("")}<complexType name="T"><sequence><element ref="t:head"/></sequence></complexType>`,
    );
  const [before, after] = [sourcesOf("card", "cash"), sourcesOf("card", "cash", "voucher")];
  const { changes } = diffContracts(sideOf(before), sideOf(after));
  const positions = changes.filter(({ rule }) => rule === "choice-branch-added").map(({ newPosition }) => newPosition);
  const position = positionOf(after, '<element name="voucher"');
  expect(positions).toEqual([position, position]);
});
