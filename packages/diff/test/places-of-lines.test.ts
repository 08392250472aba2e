import { Random } from "@bothends/dynamic/random";
import { describe, expect, test } from "vitest";
import { type Change, diffContracts, readSnapshot, type Side, writeSnapshot } from "../src/index.js";
import { lineDocuments } from "./edits/line-documents.js";
import { type EditedLine, editLine, jsonEdits, splitAttributes, xmlEdits } from "./edits/line-edits.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Edits one line of a WSDL, a schema or an index. All changes must have the position of this line, in both versions.

const [firstSeed, seedCount] = (process.env["DIFF_LINES"] ?? "1,60").split(",").map(Number) as [number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

/** The edits of declarations and bindings. Others change references between definitions of a WSDL. */
const declarationEdits = Object.fromEntries(
  Object.entries(xmlEdits).filter(
    ([name]) => !["element", "message", "part", "parts", "style", "bodyNamespace"].includes(name),
  ),
);

const documents = [
  { title: "a WSDL", sources: lineDocuments["orders"] ?? {}, edits: declarationEdits },
  {
    title: "a WSDL with each attribute on a line of its own",
    sources: mapTexts(lineDocuments["orders"] ?? {}, splitAttributes),
    edits: declarationEdits,
  },
  { title: "an index", sources: lineDocuments["shop"] ?? {}, edits: jsonEdits },
];

function mapTexts(sources: Sources, map: (text: string) => string): Sources {
  return Object.fromEntries(Object.entries(sources).map(([path, text]) => [path, map(text)]));
}

describe.each(documents)("one edited line of $title", ({ sources, edits }) => {
  test("has the position of all changes", { timeout: 60_000 }, () => {
    const [[path = "", text = ""] = []] = Object.entries(sources);
    const before = sideOf(sources);
    let count = 0;
    const misplaced = seeds.flatMap((seed) => {
      const edited = editLine(new Random(seed), text, edits);
      const after = edited && readIfValid({ [path]: edited.text });
      if (edited === undefined || after === undefined || !isDeclaration(edited)) {
        return [];
      }
      count += 1;
      const lines = [edited.old, edited.new] as const;
      return [
        ...findMisplaced(diffContracts(before, after).changes, lines, edited),
        ...findMisplaced(diffContracts(after, before).changes, [edited.new, edited.old], edited),
        ...findMisplaced(diffContracts(restore(before), withoutPlan(after)).changes, lines, edited),
      ].map((change) => `${seed} ${edited.edit}: ${edited.oldText.trim()}: ${change}`);
    });
    expect(misplaced).toEqual([]);
    expect(count).toBeGreaterThan(seedCount / 4);
  });
});

/** Returns a side with the contract as a snapshot restores it. */
function restore(side: Side): Side {
  return withoutPlan({ ...side, contract: readSnapshot(writeSnapshot(side.contract)) ?? side.contract });
}

function withoutPlan(side: Side): Side {
  return { ...side, plan: undefined };
}

/** Whether a line is not a part of a message or a reference of a WSDL, which declare nothing in their own line. */
function isDeclaration({ oldText }: EditedLine): boolean {
  return !/"GET"$|<(?:part|input|output|fault|operation|http:operation|mime:\w+|soap:header|soap:binding)\b/.test(
    oldText,
  );
}

function readIfValid(sources: Sources): Side | undefined {
  try {
    return sideOf(sources);
  } catch {
    return undefined;
  }
}

/** Changes that follow from another change, and have the position of the declaration that they are about. */
const consequences = ["name-in-code-changed", "result-in-code-changed", "default-protocol-changed"];

/** Changes that an edit causes in the surrounding declarations. */
const consequencesOfEdits: Readonly<Record<string, RegExp>> = {
  // The facets and the lists of a type have another meaning.
  base: /^(?:range|type)-/,
  mixed: /^choice-branch-/,
  // Answers no longer contain the members of an object.
  delete: /^member-contexts-changed$/,
  // An object has no other members; answers contain a required member in all contexts.
  key: /^(?:type-(?:widened|narrowed)|member-contexts-changed)$/,
  // A keyword does not restrict values of another type.
  string: /^(?:answer-keyword|member-contexts)-changed$/,
};

function findMisplaced(
  changes: readonly Change[],
  [oldLine, newLine]: readonly [old: number | undefined, new: number | undefined],
  { edit }: EditedLine,
): readonly string[] {
  return changes.flatMap(({ rule, subject, oldPosition, newPosition }) => {
    // An added item has no counterpart, so its old position is that of the surrounding declaration.
    const isOldWrong = oldLine !== undefined && oldPosition?.line !== oldLine && !/-added(?:-|$)/.test(rule);
    const isNewWrong = newLine !== undefined && newPosition?.line !== newLine && !/-removed(?:-|$)/.test(rule);
    const isConsequence = consequences.includes(rule) || consequencesOfEdits[edit]?.test(rule) === true;
    return (isOldWrong || isNewWrong) && !isConsequence
      ? [`${rule} ${subject} at ${oldPosition?.line} and ${newPosition?.line}, not ${oldLine} and ${newLine}`]
      : [];
  });
}
