import { emptyContext, findProblem, readLiteralValue } from "@bothends/datatypes";
import { findXsdText } from "@bothends/datatypes/pattern";
import { findPatternText } from "@bothends/datatypes/pattern/example-text";
import type { Level, LevelsOfWriters } from "../../../rules/rule.js";
import type { SampleTexts } from "../../difference.js";
import { createDatatype, type EffectiveType, getWhiteSpace, isDerivedFrom } from "./effective-type.js";

// Determines which texts that one version of a simple type allows do not match the patterns of the other version.

/** How changed patterns affect the readers of both versions, and texts that only one of the versions accepts. */
export interface PatternComparison {
  readonly levels: LevelsOfWriters;
  readonly sampleTexts: SampleTexts;
  /** Whether the patterns are too complex to compare, so that `levels` are the worst case. */
  readonly isUndecided: boolean;
}

/** Compares the patterns of two atomic types. */
export function comparePatterns(before: EffectiveType, after: EffectiveType): PatternComparison {
  const [old, current] = [compareDirection(before, after), compareDirection(after, before)];
  return {
    levels: [old.level, current.level],
    sampleTexts: { before: old.refusedText, after: current.refusedText },
    isUndecided: old.isUndecided === true || current.isUndecided === true,
  };
}

/** The effect on the reader of texts that a writer sends. */
interface WrittenTexts {
  readonly level: Level;
  /** A text that the reader refuses. */
  readonly refusedText?: string | undefined;
  readonly isUndecided?: boolean;
}

const undecided: WrittenTexts = { level: "some", isUndecided: true };

function compareDirection(writer: EffectiveType, reader: EffectiveType): WrittenTexts {
  const sentPatterns = listPatterns(writer);
  const addedPatterns = reader.patterns.filter((pattern) => !writer.patterns.includes(pattern));
  const findRefused = (matching: readonly string[]) =>
    addedPatterns.map((notMatching) => findXsdText({ matching, notMatching }));
  // Generated writers send the canonical form of a number if the pattern allows it.
  const canonicalForm = findForm(canonicalForms, writer);
  const results = canonicalForm === undefined ? [] : findRefused([...sentPatterns, canonicalForm]);
  const allResults = [...results, ...findRefused(sentPatterns)];
  const refusedTexts = allResults.flatMap((result) => (result.kind === "found" ? [result.text] : []));
  if (allResults.some(({ kind }) => kind === "unknown")) {
    const examples = writer.patterns.map((pattern) => findPatternText(pattern, (text) => isValid(text, writer)));
    const refusedText = examples.find((text) => text !== undefined && isRefused(text, writer, reader));
    return { ...undecided, refusedText };
  }
  if (refusedTexts.length === 0) {
    return { level: "none" };
  }
  const sentText = refusedTexts.find((text) => isRefused(text, writer, reader));
  if (sentText !== undefined) {
    const accepted = findXsdText({ matching: [...sentPatterns, ...reader.patterns] });
    return { level: accepted.kind === "none" ? "breaks" : "some", refusedText: sentText };
  }
  // Only third-party writers send other forms of a number.
  const isOtherForm = canonicalForm !== undefined && results.every(({ kind }) => kind === "none");
  const otherText = refusedTexts.find((text) => isValid(text, writer));
  return isOtherForm && otherText !== undefined ? { level: "tolerated", refusedText: otherText } : undecided;
}

function isValid(text: string, type: EffectiveType): boolean {
  const datatype = createDatatype(type);
  return datatype !== undefined && findProblem(datatype, text) === undefined;
}

/** Whether a generated reader refuses the text that a generated writer sends for the value of a text. */
function isRefused(text: string, writer: EffectiveType, reader: EffectiveType): boolean {
  const [writerType, readerType] = [createDatatype(writer), createDatatype(reader)];
  if (writerType === undefined || readerType === undefined || !isValid(text, writer)) {
    return false;
  }
  const sentText = writerType.write(readLiteralValue(writerType, text), emptyContext);
  return sentText === text && findProblem(readerType, text) !== undefined;
}

/** Returns patterns that together match at least all texts that a type allows. */
function listPatterns(type: EffectiveType): readonly string[] {
  const { patterns, facets, values } = type;
  const getLength = (facet: "length" | "minLength" | "maxLength") => facets.get("length") ?? facets.get(facet) ?? "";
  const [shortest, longest] = [getLength("minLength") || "0", getLength("maxLength")];
  const hasLength = shortest !== "0" || longest !== "";
  // The length of bytes is not the length of their text.
  const isText = isDerivedFrom(type.builtin, "string") || type.builtin === "anyURI";
  const form = findForm(lexicalForms, type);
  return [
    ...patterns,
    ...(values === undefined ? [] : [values.map(escapeText).join("|")]),
    ...(hasLength && isText ? [`[\\s\\S]{${shortest},${longest}}`] : []),
    ...(form === undefined ? [] : [form]),
    ...(whiteSpaceForms[getWhiteSpace(type)] ?? []),
  ];
}

function escapeText(text: string): string {
  return text.replace(/[\\|.?*+(){}[\]^-]/g, "\\$&");
}

const whiteSpaceForms: Readonly<Record<string, readonly string[]>> = {
  replace: ["[^\\t\\n\\r]*"],
  collapse: ["([^\\s]+( [^\\s]+)*)?"],
};

type Forms = readonly (readonly [builtin: string, pattern: string])[];

function findForm(forms: Forms, { builtin }: EffectiveType): string | undefined {
  return forms.find(([base]) => isDerivedFrom(builtin, base))?.[1];
}

const decimalForm = "[+\\-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)";
const floatForm = `${decimalForm}([eE][+\\-]?[0-9]+)?|-?INF|NaN`;
const zone = "(Z|[+\\-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00))?";
const [year, month, day] = ["-?[0-9]{4,}", "(0[1-9]|1[0-2])", "(0[1-9]|[12][0-9]|3[01])"];
const time = "([01][0-9]|2[0-4]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?";

/** Patterns that match at least all texts of built-in types (XSD 1.0 Part 2 §3). */
const lexicalForms: Forms = [
  ["boolean", "true|false|0|1"],
  ["integer", "[+\\-]?[0-9]+"],
  ["decimal", decimalForm],
  ["float", floatForm],
  ["double", floatForm],
  ["dateTime", `${year}-${month}-${day}T${time}${zone}`],
  ["date", `${year}-${month}-${day}${zone}`],
  ["time", `${time}${zone}`],
  ["gYearMonth", `${year}-${month}${zone}`],
  ["gYear", `${year}${zone}`],
  ["gMonthDay", `--${month}-${day}${zone}`],
  ["gMonth", `--${month}(--)?${zone}`],
  ["gDay", `---${day}${zone}`],
  ["hexBinary", "([0-9a-fA-F]{2})*"],
  ["language", "[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*"],
  ["NCName", "[\\i-[:]][\\c-[:]]*"],
  ["Name", "\\i\\c*"],
  ["NMTOKEN", "\\c+"],
];

const canonicalForms: Forms = [
  ["boolean", "true|false"],
  ["integer", "0|-?[1-9][0-9]*"],
  ["decimal", "-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?"],
];
