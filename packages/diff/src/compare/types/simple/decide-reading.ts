import { normalizeWhiteSpace, type SimpleType, type TextContext } from "@bothends/datatypes";
import { acceptOthers, createXsdMachine, findTextOfMachines, type TextMachine } from "@bothends/datatypes/pattern";
import { tryReadMember } from "@bothends/datatypes/union-members";
import type { Level } from "../../../rules/rule.js";
import { createDatatype, type EffectiveType, isDerivedFrom } from "./effective-type.js";
import { findFacetDifferences } from "./facets.js";
import { getCanonicalForm, getWhiteSpaceForm, isText, listRestrictions, type TextRestriction } from "./patterns.js";
import { createReadTexts, createSentTexts } from "./text-bounds.js";

// Decides how readers of one simple type read the texts that writers of another one send: from texts that show it, and
// from machines that prove that there are no others.

/** The effect of the texts of a writer on a reader. */
export interface Reading {
  readonly level: Level;
  /** Whether no text shows another level; otherwise, the level is that of the known texts. */
  readonly isProven: boolean;
}

interface SampleTexts {
  /** Texts that writers may send. */
  readonly literals: readonly string[];
  /** Whether the JavaScript type of a value is part of its meaning. */
  readonly comparesTypes?: boolean;
}

export type Direction = readonly [writer: EffectiveType, reader: EffectiveType];

/**
 * Decides the effect on a reader. Returns undefined if no text is known, or if a type allows any text of any type.
 */
export function decideReading(
  direction: Direction,
  { literals, comparesTypes = false }: SampleTexts,
): Reading | undefined {
  const [writer, reader] = direction;
  const [writerType, readerType] = [createDatatype(writer), createDatatype(reader)];
  if (writerType === undefined || readerType === undefined || direction.some(hasListedNames)) {
    return undefined;
  }
  const context = hasNames(writer) ? boundPrefix : boundDefault;
  const texts = new SentTexts([writerType, readerType], { context, comparesTypes });
  texts.addAll(literals);
  if (!texts.isDecided && !hasListedValues(writer)) {
    searchTexts(texts, direction);
  } else {
    texts.areAllKnown = true;
  }
  const { refused, accepted } = texts;
  if (refused.size === 0 && accepted.size === 0) {
    return texts.isNoneAccepted ? { level: "breaks", isProven: true } : undefined;
  }
  if (refused.size > 0) {
    const isProven = accepted.size > 0 || texts.areAllKnown || texts.isNoneAccepted;
    return { level: accepted.size > 0 || !isProven ? "some" : "breaks", isProven };
  }
  const isProven = texts.areAllKnown || texts.areAllAccepted;
  return { level: findKeptLevel(texts, direction), isProven };
}

/** The texts that a writer is known to send. */
class SentTexts {
  readonly refused = new Set<string>();
  readonly accepted = new Set<string>();
  /** Whether the texts are all that the writer sends. */
  areAllKnown = false;
  areAllAccepted = false;
  isNoneAccepted = false;
  readonly #types: readonly [writer: SimpleType<unknown>, reader: SimpleType<unknown>];
  readonly #context: TextContext;
  readonly #comparesTypes: boolean;

  constructor(
    types: readonly [SimpleType<unknown>, SimpleType<unknown>],
    { context, comparesTypes }: { readonly context: TextContext; readonly comparesTypes: boolean },
  ) {
    this.#types = types;
    this.#context = context;
    this.#comparesTypes = comparesTypes;
  }

  get isDecided(): boolean {
    return this.refused.size > 0 && this.accepted.size > 0;
  }

  /** Adds the text that the writer sends for the value of each text that it accepts. */
  addAll(texts: readonly string[]): void {
    const [writer, reader] = this.#types;
    for (const text of texts) {
      const value = tryReadMember([writer], text, this.#context)?.value;
      const sent = value === undefined ? undefined : this.#write(value);
      if (sent !== undefined) {
        (tryReadMember([reader], sent, this.#context) === undefined ? this.refused : this.accepted).add(sent);
      }
    }
  }

  #write(value: unknown): string | undefined {
    try {
      return this.#types[0].write(value, this.#context);
    } catch {
      // Names without a namespace cannot be written inside a default namespace.
      return undefined;
    }
  }

  /** Whether the reader reads the same value as a reader of the writer's type. */
  isKept(text: string): boolean {
    const [value, otherValue] = this.#types.map((type) =>
      type.read(normalizeWhiteSpace(text, type.whiteSpace), this.#context),
    );
    const isSame = formatValue(value) === formatValue(otherValue);
    return isSame && (!this.#comparesTypes || typeof value === typeof otherValue);
  }
}

function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.map(formatValue).join(" ") : String(value);
}

/** The namespaces that writers of names declare. */
const boundPrefix: TextContext = {
  resolve: (prefix) => (prefix === "q1" ? "urn:q1" : undefined),
  prefixFor: () => "q1",
};

/** The namespaces that other writers declare: only that of the elements, without a prefix. */
const boundDefault: TextContext = { ...boundPrefix, resolve: (prefix) => (prefix === "" ? "urn:q1" : undefined) };

/** Whether values of a type are names whose namespaces have prefixes in messages. */
export function hasNames({ builtin, parts }: EffectiveType): boolean {
  return ["QName", "NOTATION"].includes(builtin) || parts.some(hasNames);
}

/** Whether a type lists names with their namespaces, which are not written in this way in messages. */
function hasListedNames(type: EffectiveType): boolean {
  return (type.values !== undefined && hasNames(type)) || type.parts.some(hasListedNames);
}

/** Whether the values of a type are listed. */
function hasListedValues({ variety, values, parts }: EffectiveType): boolean {
  return values !== undefined || (variety === "union" && parts.every(hasListedValues));
}

/** Searches for a text that the reader refuses, and for one that it accepts, unless such a text is known. */
function searchTexts(texts: SentTexts, direction: Direction): void {
  const [writer, reader] = direction;
  const sent = createSentTexts(writer);
  const read = createReadTexts(reader, (restriction) => !isImplied(restriction, direction));
  if (sent === undefined || read === undefined) {
    return;
  }
  const search = (matching: readonly TextMachine[], notMatching?: TextMachine) => {
    const result = findTextOfMachines(matching, notMatching);
    texts.addAll(result.kind === "found" ? [result.text] : []);
    return result.kind;
  };
  if (texts.refused.size === 0) {
    const kind = search([sent], read.most);
    const isUndecided = kind === "none" && texts.refused.size === 0 && read.least !== read.most;
    const leastKind = isUndecided && read.least !== undefined ? search([sent], read.least) : kind;
    texts.areAllAccepted = kind === "none" && leastKind === "none" && read.least !== undefined;
  }
  if (texts.accepted.size === 0) {
    const kind = search([sent, read.most]);
    // Without bounds, the texts of numbers are simpler.
    const isSimple = ({ kind: each }: TextRestriction) => each !== "least" && each !== "greatest";
    const [moreSent, moreRead] =
      kind === "unknown" ? [createSentTexts(writer, isSimple), createReadTexts(reader, isSimple)] : [];
    const simpleKind = moreSent === undefined || moreRead === undefined ? kind : search([moreSent, moreRead.most]);
    texts.isNoneAccepted = simpleKind === "none";
    if (kind === "found" && texts.accepted.size === 0 && read.least !== undefined && read.least !== read.most) {
      search([sent, read.least]);
    }
  }
}

/** Whether a reader's restriction refuses no text of the writer's type, which has the same or a stricter one. */
function isImplied(restriction: TextRestriction, [writer, reader]: Direction): boolean {
  if (restriction.isExact || writer.variety !== "atomic" || writer.builtin !== reader.builtin) {
    return false;
  }
  const { kind, value } = restriction;
  const isKept = listRestrictions(writer).some((other) => other.kind === kind && other.value === value);
  const isBound = kind === "least" || kind === "greatest";
  const isLoosened = findFacetDifferences(writer, reader).every(
    ({ rule, kinds }) => kinds?.includes(kind) !== true || rule.endsWith("-loosened"),
  );
  return isKept || (isBound && isLoosened && writer.builtin === reader.builtin);
}

/** Returns the effect of texts that a reader accepts: it may read some as other values. */
function findKeptLevel(texts: SentTexts, direction: Direction): Level {
  const isKept = () => [...texts.accepted].every((text) => texts.isKept(text));
  if (!texts.areAllKnown && isKept()) {
    texts.addAll(findChangedTexts(direction));
  }
  return isKept() ? "none" : "tolerated";
}

/** Finds texts of an atomic type that a reader of another type changes. */
function findChangedTexts([writer, reader]: Direction): readonly string[] {
  const members = reader.variety === "union" ? reader.parts : [reader];
  const forms = members.map((member) => getKeptForm([writer, member]));
  const sent = forms.every((form) => form === undefined) ? undefined : createSentTexts(writer);
  const read = members.map((member) => createReadTexts(member)?.most);
  return forms.flatMap((form, index) => {
    const accepted = read[index];
    if (form === undefined || sent === undefined || accepted === undefined) {
      return [];
    }
    // A union reads a text with the first member type that accepts it.
    const earlier = read.slice(0, index).flatMap((machine) => (machine === undefined ? [] : [acceptOthers(machine)]));
    const result = findTextOfMachines([sent, accepted, ...earlier], createXsdMachine(form));
    return result.kind === "found" ? [result.text] : [];
  });
}

/** Returns a pattern for the texts of a writer that a reader of another type keeps; undefined if it is not known. */
function getKeptForm([writer, reader]: Direction): string | undefined {
  if (writer.variety !== "atomic" || reader.variety === "union") {
    return undefined;
  }
  if (isText(reader.builtin) || reader.variety === "list") {
    return isText(writer.builtin) ? getWhiteSpaceForm(reader) : getCanonicalForm(writer);
  }
  return isDerivedFrom(reader.builtin, "decimal") ? getCanonicalForm(reader) : undefined;
}
