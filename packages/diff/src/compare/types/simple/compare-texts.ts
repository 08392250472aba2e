import { emptyContext, readLiteralValue } from "@bothends/datatypes";
import { findXsdText } from "@bothends/datatypes/pattern";
import { findPatternText } from "@bothends/datatypes/pattern/example-text";
import type { Level } from "../../../rules/rule.js";
import type { SampleTexts } from "../../difference.js";
import {
  accepts,
  createDatatype,
  type EffectiveType,
  getWhiteSpace,
  isDerivedFrom,
  whiteSpaces,
} from "./effective-type.js";
import {
  getCanonicalForm,
  getWhiteSpaceForm,
  isText,
  listRestrictions,
  type RestrictionKind,
  type TextRestriction,
} from "./patterns.js";

// Determines which texts that one version of a simple type allows the other version refuses, or reads as other values.

/** How changed restrictions affect the readers of both versions, and texts that only one of the versions accepts. */
export interface TextComparison {
  /** A level is undefined if no pattern expresses a restriction of the reader. */
  readonly levels: readonly [oldWriter: Level | undefined, newWriter: Level | undefined];
  readonly sampleTexts: SampleTexts;
  /** Whether the patterns are too complex to compare, so that a level is the worst case. */
  readonly isUndecided: readonly [oldWriter: boolean, newWriter: boolean];
}

/** The part of two types that a comparison considers. */
export interface Scope {
  /** The restrictions of the reader; all if undefined. */
  readonly kinds?: readonly RestrictionKind[] | undefined;
  /** Whether a text that the reader reads as another value counts as well. */
  readonly includesReading: boolean;
}

/** Compares the texts of two atomic types. */
export function compareTexts(before: EffectiveType, after: EffectiveType, scope: Scope): TextComparison {
  const [old, current] = [compareDirection(before, after, scope), compareDirection(after, before, scope)];
  return {
    levels: [old.level, current.level],
    sampleTexts: { before: old.refusedText, after: current.refusedText },
    isUndecided: [old.isUndecided === true, current.isUndecided === true],
  };
}

/** The effect on the reader of texts that a writer sends. */
interface WrittenTexts {
  readonly level: Level | undefined;
  /** A text that the reader refuses. */
  readonly refusedText?: string | undefined;
  readonly isUndecided?: boolean;
}

const undecided: WrittenTexts = { level: "some", isUndecided: true };

function compareDirection(writer: EffectiveType, reader: EffectiveType, scope: Scope): WrittenTexts {
  if (writer.values !== undefined) {
    return { level: compareValues(writer.values, [writer, reader], scope) };
  }
  const restrictions = listRestrictions(reader)
    .filter(({ kind }) => scope.kinds?.includes(kind) ?? true)
    .filter((restriction) => !isImplied(restriction, [writer, reader]));
  const refused = findRefusedTexts(restrictions, [writer, reader]);
  if (refused.level !== "none" || !scope.includesReading) {
    return refused.level === "none" && restrictions.some(({ isExact }) => !isExact) ? { level: undefined } : refused;
  }
  return restrictions.some(({ isExact }) => !isExact)
    ? { level: undefined }
    : { level: findReadingLevel(writer, reader) };
}

type Direction = readonly [writer: EffectiveType, reader: EffectiveType];

/** Whether a reader's restriction refuses no text of the writer's type, which has the same restriction. */
function isImplied({ kind, value }: TextRestriction, [writer, reader]: Direction): boolean {
  if (normalizesMore(reader, writer)) {
    return false;
  }
  return kind === "builtin"
    ? isDerivedFrom(writer.builtin, reader.builtin)
    : (writer.builtin === reader.builtin || kind === "pattern") &&
        listRestrictions(writer).some((other) => other.kind === kind && other.value === value);
}

/** Whether readers of a type change the white space of texts that readers of another type do not change. */
export function normalizesMore(type: EffectiveType, other: EffectiveType): boolean {
  return whiteSpaces.indexOf(getWhiteSpace(type)) > whiteSpaces.indexOf(getWhiteSpace(other));
}

/** Finds texts that a writer sends, but that restrictions of the reader refuse. */
function findRefusedTexts(restrictions: readonly TextRestriction[], [writer, reader]: Direction): WrittenTexts {
  const sentPatterns = listSentPatterns(writer);
  const whiteSpace = getWhiteSpace(reader);
  const readPatterns = restrictions.flatMap(({ pattern }) => (pattern === undefined ? [] : [{ pattern, whiteSpace }]));
  const findRefused = (matching: readonly string[]) =>
    readPatterns.map((notMatching) => findXsdText({ matching, notMatching }));
  // Generated writers send the canonical form of a number if the pattern allows it.
  const canonicalForm = getCanonicalForm(writer);
  const results = canonicalForm === undefined ? [] : findRefused([...sentPatterns, canonicalForm]);
  const allResults = [...results, ...findRefused(sentPatterns)];
  const refusedTexts = allResults.flatMap((result) => (result.kind === "found" ? [result.text] : []));
  if (allResults.some(({ kind }) => kind === "unknown")) {
    const examples = writer.patterns.map((pattern) => findPatternText(pattern, (text) => isValid(text, writer)));
    const refusedText = examples.find((text) => text !== undefined && isRefused(text, [writer, reader]));
    return { ...undecided, refusedText };
  }
  if (refusedTexts.length === 0) {
    return { level: "none" };
  }
  const sentText = refusedTexts.find((text) => isRefused(text, [writer, reader]));
  if (sentText !== undefined) {
    const accepted = findXsdText({ matching: [...sentPatterns, ...readPatterns] });
    return { level: accepted.kind === "none" ? "breaks" : "some", refusedText: sentText };
  }
  // Only third-party writers send other forms of a number.
  const isOtherForm = canonicalForm !== undefined && results.every(({ kind }) => kind === "none");
  const otherText = refusedTexts.find((text) => isValid(text, writer));
  return isOtherForm && otherText !== undefined ? { level: "tolerated", refusedText: otherText } : undecided;
}

/** Returns patterns that match at least all texts that a writer sends. */
function listSentPatterns(writer: EffectiveType): readonly string[] {
  return [...listRestrictions(writer).flatMap(({ pattern }) => pattern ?? []), getWhiteSpaceForm(writer)];
}

/** Returns whether a reader that accepts all texts of a writer reads some as other values; undefined if unknown. */
function findReadingLevel(writer: EffectiveType, reader: EffectiveType): Level | undefined {
  const [written, read] = [getValueForm(writer), getValueForm(reader)];
  const sentPatterns = listSentPatterns(writer);
  const find = (notMatching: string): Level | undefined => {
    const { kind } = findXsdText({ matching: sentPatterns, notMatching });
    return kind === "none" ? "none" : kind === "found" ? "tolerated" : undefined;
  };
  if (written === "text" && read === "text") {
    return find(getWhiteSpaceForm(reader));
  }
  if (written === "text") {
    const form = getCanonicalForm(reader);
    return form !== undefined && read !== "other" ? find(form) : undefined;
  }
  if (written === read && (written !== "other" || writer.builtin === reader.builtin)) {
    return "none";
  }
  if (read === "text" && written !== "other") {
    // A pattern may require another form, which generated writers then send: `007`.
    return writer.patterns.length === 0 ? "none" : find(getCanonicalForm(writer) ?? "");
  }
  return undefined;
}

/** Returns how the values of a type are compared with their texts. */
function getValueForm({ builtin }: EffectiveType): "text" | "number" | "boolean" | "other" {
  if (isText(builtin) || builtin === "anySimpleType") {
    return "text";
  }
  return isDerivedFrom(builtin, "decimal") ? "number" : builtin === "boolean" ? "boolean" : "other";
}

/** Returns the effect on enumeration values, which writers send; undefined if they cannot be read. */
function compareValues(values: readonly string[], [writer, reader]: Direction, scope: Scope): Level | undefined {
  const [writerType, readerType] = [createDatatype(writer), createDatatype(reader)];
  if (writerType === undefined || readerType === undefined) {
    return undefined;
  }
  const sentTexts = values
    .filter((text) => accepts(writerType, text))
    .map((text) => writerType.write(readLiteralValue(writerType, text), emptyContext));
  const acceptedTexts = sentTexts.filter((text) => accepts(readerType, text));
  if (sentTexts.length === 0) {
    return undefined;
  }
  if (acceptedTexts.length < sentTexts.length) {
    return acceptedTexts.length === 0 ? "breaks" : "some";
  }
  const isKept = (text: string) =>
    String(readLiteralValue(writerType, text)) === String(readLiteralValue(readerType, text));
  return scope.includesReading && !acceptedTexts.every(isKept) ? "tolerated" : "none";
}

function isValid(text: string, type: EffectiveType): boolean {
  return accepts(createDatatype(type), text);
}

/** Whether a generated reader refuses the text that a generated writer sends for the value of a text. */
function isRefused(text: string, [writer, reader]: Direction): boolean {
  const [writerType, readerType] = [createDatatype(writer), createDatatype(reader)];
  if (writerType === undefined || readerType === undefined || !isValid(text, writer)) {
    return false;
  }
  const sentText = writerType.write(readLiteralValue(writerType, text), emptyContext);
  return sentText === text && !accepts(readerType, text);
}
