import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { type Change, diffContracts } from "../src/index.js";
import { wsdlOf } from "./pairs/pair.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Changes one line of random content models: how often a choice or a sequence occurs, or an alternative of a choice.
// The changes must point to the edited line.

const [firstSeed, seedCount] = (process.env["DIFF_GROUPS"] ?? "1,40").split(",").map(Number) as [number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

/** A group of members, which are names, and of further groups. */
interface Group {
  readonly kind: "choice" | "sequence";
  readonly members: readonly (string | Group)[];
}

/** Draws a group. A choice contains no choice, because its alternatives would be those of the outer choice. */
function drawGroup(random: Random, names: string[], depth: number, isInChoice = false): Group {
  const kind = !isInChoice && random.drawBoolean(60) ? "choice" : "sequence";
  const members = Array.from({ length: 2 + random.drawIntegerBelow(2) }, () =>
    depth > 0 && random.drawBoolean(40)
      ? drawGroup(random, names, depth - 1, kind === "choice")
      : (names.shift() ?? "z"),
  );
  return { kind, members };
}

function linesOf({ kind, members }: Group): readonly string[] {
  const inner = members.flatMap((member) =>
    typeof member === "string" ? [`<element name="${member}" type="string"/>`] : linesOf(member),
  );
  return [`<${kind}>`, ...inner, `</${kind}>`];
}

function sourcesOf(lines: readonly string[]): Sources {
  return wsdlOf(
    [
      '<complexType name="T"><sequence>',
      '<element name="first" type="string"/>',
      ...lines,
      "</sequence></complexType>",
    ].join("\n"),
  );
}

/** The line of a position, as the source has it; undefined without a position. */
function lineAt(sources: Sources, position: Change["oldPosition"]): string | undefined {
  return position && sources[position.path]?.split("\n")[position.line - 1]?.trim();
}

test.each(seeds)("changes of how often a group occurs point to the group (seed %i)", (seed) => {
  const random = new Random(seed * 5501);
  const names = "abcdefghijklmnopqrstuvwxyz".split("");
  const group = drawGroup(random, names, 2);
  const lines = linesOf(group);
  const openings = lines.flatMap((line, index) => (/^<(?:choice|sequence)>$/.test(line) ? [index] : []));
  const index = random.pick(openings) ?? 0;
  const attribute = random.pick([' minOccurs="0"', ' maxOccurs="3"', ' minOccurs="0" maxOccurs="unbounded"']) ?? "";
  const opening = lines[index]?.replace(">", `${attribute}>`) ?? "";
  const [before, after] = [sourcesOf(lines), sourcesOf(lines.with(index, opening))];
  const find = (old: Sources, current: Sources) => diffContracts(sideOf(old), sideOf(current)).changes;
  const isAboutGroup = ({ rule }: Change) => /^(?:group|member-occurs)-/.test(rule);
  const kind = lines[index]?.slice(1, -1);
  for (const change of find(before, after).filter(isAboutGroup)) {
    expect(lineAt(after, change.newPosition), change.message).toBe(opening);
    // A sequence that occurs once may be a part of the sequence that contains it.
    if (kind === "choice") {
      expect(lineAt(before, change.oldPosition), change.message).toBe("<choice>");
    }
  }
  for (const change of find(after, before).filter(isAboutGroup)) {
    expect(lineAt(after, change.oldPosition), change.message).toBe(opening);
    if (kind === "choice") {
      expect(lineAt(before, change.newPosition), change.message).toBe("<choice>");
    }
  }
});

test.each(seeds)("an added alternative points to the choice in the old version (seed %i)", (seed) => {
  const random = new Random(seed * 7001);
  const names = "abcdefghijklmnopqrstuvwxyz".split("");
  const choice: Group = { kind: "choice", members: names.splice(0, 2) };
  const groups = [drawGroup(random, names, 1), choice, drawGroup(random, names, 1)];
  const lines = linesOf({ kind: "sequence", members: groups });
  // A mark in each choice, by which positions tell them apart.
  const marked = lines.map((line, index) => (line === "<choice>" ? `<choice id="c${index}">` : line));
  const openings = marked.flatMap((line, index) => (line.startsWith("<choice") ? [index] : []));
  const index = random.pick(openings) ?? 0;
  const [before, after] = [marked, marked.toSpliced(index + 1, 0, '<element name="added" type="string"/>')].map(
    sourcesOf,
  );
  if (before === undefined || after === undefined) {
    throw new Error("There are no versions.");
  }
  const [change, ...others] = diffContracts(sideOf(before), sideOf(after)).changes.filter(
    ({ rule, direction }) => rule === "choice-branch-added" && direction === "input",
  );
  expect(others).toEqual([]);
  expect(lineAt(after, change?.newPosition)).toBe('<element name="added" type="string"/>');
  expect(lineAt(before, change?.oldPosition)).toBe(marked[index]);
});
