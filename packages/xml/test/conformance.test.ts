import { existsSync, readFileSync } from "node:fs";
import { DONE, decodeXml, schemaLimits, XmlError, XmlReader } from "@bothends/xml";
import { describe, expect, test } from "vitest";

interface Case {
  readonly file: string;
  readonly expected: "valid" | "not-wf";
  readonly id: string;
  readonly namespaces?: boolean;
}

const folder = new URL("../../../../shared/corpora/xmlconf/", import.meta.url);
const present = existsSync(new URL("manifest.json", folder));
const cases: readonly Case[] = present ? JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8")) : [];

function problemIn(file: string): XmlError | undefined {
  try {
    const reader = new XmlReader(decodeXml(readFileSync(new URL(file, folder))), schemaLimits);
    while (reader.next() !== DONE) {}
    return undefined;
  } catch (error) {
    if (error instanceof XmlError) {
      return error;
    }
    throw error;
  }
}

describe.skipIf(!present)("the W3C conformance suite, documents without a DTD", () => {
  test("is complete", () => {
    expect(cases).toHaveLength(666);
  });

  // `namespaces: false` marks well-formed documents that Namespaces in XML refuses.
  const refused = cases.filter((testCase) => testCase.expected === "not-wf" || testCase.namespaces === false);
  const accepted = cases.filter((testCase) => testCase.expected === "valid" && testCase.namespaces !== false);

  test("documents that are not well-formed are refused, with a position", () => {
    const wrong = refused.filter((testCase) => {
      const problem = problemIn(testCase.file);
      return problem === undefined || problem.line < 1 || problem.column < 1;
    });
    expect(wrong.map((testCase) => `${testCase.id} ${testCase.file}`)).toEqual([]);
  });

  test("well-formed documents are accepted", () => {
    const wrong = accepted.flatMap((testCase) => {
      const problem = problemIn(testCase.file);
      return problem === undefined ? [] : [`${testCase.file}:${problem.line}:${problem.column} ${problem.message}`];
    });
    expect(wrong).toEqual([]);
  });
});
