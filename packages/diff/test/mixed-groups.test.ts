import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";
import { itemsOfMixed, sendContents } from "./proof/special-calls.js";

const many = 'maxOccurs="unbounded"';
const optional = 'minOccurs="0" maxOccurs="unbounded"';
const group = (kind: "choice" | "sequence", bounds: string, ...members: readonly string[]) =>
  `<${kind} ${bounds}>${members.map((each) => (each.startsWith("<") ? each : element(each))).join("")}</${kind}>`;

/** Contents with repeated groups, and what happens to text, or to members alone, that mixed content allows. */
const cases = [
  { content: group("choice", many, "a", "b") + element("c"), value: { choice: [{ a: "b" }], c: "b" }, level: "some" },
  {
    content: element("c*") + group("choice", many, "a", "b") + element("d?"),
    value: { choice: [{ a: "b" }], d: "b" },
    level: "some",
  },
  {
    content: group("sequence", optional, "a", group("choice", many, "b", "c")),
    value: { sequence: [{ a: "b", choice: [{ c: "b" }] }] },
    level: "some",
  },
  { content: group("choice", 'minOccurs="0" maxOccurs="2"', "a", "b"), value: { choice: [{ a: "b" }] }, level: "some" },
  { content: group("choice", many, "a", "b"), value: { choice: [{ a: "b" }] }, level: "some" },
  { content: group("sequence", optional, "a", "b?"), value: { sequence: [{ a: "b" }] }, level: "some" },
  { content: group("choice", optional, "a", "b"), value: { choice: [{ a: "b" }] }, level: "tolerated" },
  { content: group("sequence", many, "a?", "b?"), value: { sequence: [{ a: "b" }] }, level: "tolerated" },
] as const;

test.each(cases)(
  "mixed content has the members of repeated groups directly: $content",
  async ({ content, level, value }) => {
    const [plain, mixed] = [sequence(content), sequence(content).replace('name="T"', 'name="T" mixed="true"')].map(
      (types) => sideOf(wsdlOf(types)),
    );
    if (plain === undefined || mixed === undefined) {
      throw new Error("There are no sides.");
    }
    const list = (versions: readonly [typeof plain, typeof plain]) =>
      diffContracts(...versions)
        .changes.filter(({ rule }) => rule !== "name-in-code-changed")
        .map(({ rule, direction, consequences: { oldClients, newClients } }) =>
          [rule, direction, oldClients, newClients].join(" "),
        );
    expect(list([plain, mixed])).toEqual([
      `mixed-changed input tolerated ${level}`,
      `mixed-changed output ${level} tolerated`,
    ]);
    expect(list([mixed, plain])).toEqual([
      `mixed-changed input ${level} tolerated`,
      `mixed-changed output tolerated ${level}`,
    ]);
    // Only mixed content is sent: text, each member alone and three times, and each pair of members.
    const sendMixed = sendContents((side) => {
      const members = (itemsOfMixed(side) ?? []).map(({ key }) => ({ [key]: "b" }));
      const ofMembers = members.flatMap((each) => [
        [each],
        [each, each, each],
        ...members.map((other) => [each, other]),
      ]);
      const contents = members.length === 0 ? [] : [["text"], ...ofMembers];
      return contents.map((content) => ({ content }));
    });
    const outcomes = [await sendMixed(mixed, plain), await sendMixed(plain, mixed)];
    expect(outcomes.map(({ errors, total }) => errors > 0 && errors < total)).toEqual(
      outcomes.map(() => level === "some"),
    );
    // Readers of mixed content accept each value of the other content.
    const sendPlain = sendContents((side) => (itemsOfMixed(side) === undefined ? [value] : []));
    const accepted = [await sendPlain(plain, mixed), await sendPlain(mixed, plain)];
    expect(accepted.map(({ errors, total }) => [errors, total])).toEqual([
      [0, 1],
      [0, 1],
    ]);
  },
);
