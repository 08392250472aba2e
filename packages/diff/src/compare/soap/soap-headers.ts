import type { ElementField, Input, Operation, Output, TypeId } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import type { Direction } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import { matchUnique } from "../similar-names.js";
import { formatElement, type SoapSide } from "../soap-side.js";
import { findConstraintDifferences } from "../types/constraints.js";
import { findMovedElement } from "../types/moved-declarations.js";
import type { TypeComparison, TypePair } from "../types/type-comparison.js";
import { compareNillable } from "./http-messages.js";
import { createTargetIn, type OperationReportTarget, report } from "./report-operation.js";

/** Header blocks of an operation's messages, and how reports name them. */
interface ComparedHeaders {
  readonly direction: Direction;
  readonly getSubject: (key: string) => string;
  readonly getSharedSubject: (key: string) => string;
  readonly addedRule: RuleId;
  readonly removedRule: RuleId;
  /** Whether the new version of the message, or of its faults, declares a header block. */
  readonly isDeclaring: boolean;
  /** Receives the differences. */
  readonly pair: TypePair;
}

/** The header blocks of a message. A request has no header faults. */
type MessageHeaders = Pick<Input, "headers"> & Partial<Pick<Output, "headerFaults">>;

/** Compares the header blocks of a message. */
export function compareHeaders(
  context: TypeComparison,
  { target, direction }: { readonly target: OperationReportTarget; readonly direction: Direction },
  [before, after]: readonly [MessageHeaders, MessageHeaders],
): void {
  const headers: ComparedHeaders = {
    direction,
    getSubject: (key) => `${target.subject} (header).${key}`,
    getSharedSubject: (key) => `header ${key}`,
    addedRule: "header-added",
    removedRule: "header-removed",
    isDeclaring: declaresHeader(after),
    pair: target.pair,
  };
  compareHeaderFields(context, target, headers, [
    getHeaderFields(context.old, before.headers),
    getHeaderFields(context.new, after.headers),
  ]);
}

/**
 * Compares the header blocks that only faults may have. The header blocks of an answer may accompany its faults as
 * well, so a block that is a header of the answer in either version is not compared here.
 */
export function compareHeaderFaults(
  context: TypeComparison,
  target: OperationReportTarget,
  [before, after]: readonly [Output, Output],
): void {
  const headers: ComparedHeaders = {
    direction: "output",
    getSubject: (key) => `${target.subject} (header of faults).${key}`,
    getSharedSubject: (key) => `header of faults ${key}`,
    addedRule: "header-fault-added",
    removedRule: "header-fault-removed",
    isDeclaring: declaresHeader(after),
    pair: target.headerFaultPair,
  };
  const answerFields = [
    ...getHeaderFields(context.old, before.headers),
    ...getHeaderFields(context.new, after.headers),
  ];
  const answerNames = new Set(answerFields.map(getHeaderName));
  const listFields = (side: SoapSide, { headerFaults }: Output) =>
    getHeaderFields(side, headerFaults).filter((field) => !answerNames.has(getHeaderName(field)));
  compareHeaderFields(context, target, headers, [listFields(context.old, before), listFields(context.new, after)]);
}

function declaresHeader({ headers, headerFaults }: MessageHeaders): boolean {
  return headers !== undefined || headerFaults !== undefined;
}

function compareHeaderFields(
  context: TypeComparison,
  operationTarget: OperationReportTarget,
  { direction, getSubject, getSharedSubject, addedRule, removedRule, isDeclaring, pair }: ComparedHeaders,
  [oldFields, newFields]: readonly [readonly ElementField[], readonly ElementField[]],
): void {
  const target = { ...operationTarget, pair };
  const counterparts = matchHeaders(oldFields, newFields);
  for (const field of oldFields) {
    const counterpart = counterparts.get(field);
    const subject = getSubject(field.key);
    const oldSpan = findHeaderSpan(target.before, field);
    if (counterpart === undefined) {
      const variant = isDeclaring ? undefined : direction === "input" ? "lastOfRequest" : "lastOfAnswer";
      report(target, { rule: removedRule, direction, subject, before: getHeaderName(field), oldSpan, variant });
    } else {
      const newSpan = findHeaderSpan(target.after, counterpart);
      const details = { direction, subject, sharedSubject: getSharedSubject(field.key), oldSpan, newSpan };
      compareHeaderNames(context, target, { details, before: field, after: counterpart });
      compareNillable(target, { ...details, before: field, after: counterpart });
      for (const difference of findConstraintDifferences(context, field, counterpart)) {
        report(target, { ...difference, ...details });
      }
      const types = { before: field.type, after: counterpart.type };
      context.compare(context, types, { ...createTargetIn(target, direction, subject), ...details });
    }
  }
  const matchedNewFields = new Set(counterparts.values());
  for (const field of newFields.filter((newField) => !matchedNewFields.has(newField))) {
    const newSpan = findHeaderSpan(target.after, field);
    report(target, {
      rule: addedRule,
      direction,
      subject: getSubject(field.key),
      after: getHeaderName(field),
      newSpan,
    });
  }
}

/**
 * Returns the position of a header block in the bindings of an operation. The position of its field may be in another
 * operation, because operations share the fields of header blocks.
 */
function findHeaderSpan({ bindings: { soap11, soap12 } }: Operation, field: ElementField) {
  const headers = [...(soap11?.headers ?? []), ...(soap12?.headers ?? [])];
  return headers.find(({ element }) => formatElement({ element }) === getHeaderName(field))?.span ?? field.span;
}

interface ComparedHeader {
  readonly details: Pick<Difference, "direction" | "subject" | "sharedSubject" | "oldSpan" | "newSpan">;
  readonly before: ElementField;
  readonly after: ElementField;
}

/** Reports the namespace and the key of a header if they changed. */
function compareHeaderNames(
  context: TypeComparison,
  target: OperationReportTarget,
  { details, before, after }: ComparedHeader,
): void {
  if (before.wireName.namespace !== after.wireName.namespace) {
    const values = { before: before.wireName.namespace || "none", after: after.wireName.namespace || "none" };
    const moved = findMovedElement(context, toElement(before), toElement(after));
    report(target, { rule: "member-namespace-changed", ...details, ...values, variant: "header", moved });
  }
  if (before.key !== after.key) {
    report(target, { rule: "member-key-changed", ...details, before: before.key, after: after.key });
  }
}

/**
 * Matches headers by their names; those that remain, by their names without namespaces. Returns the new version of each
 * header that both versions have, keyed by its old version.
 */
function matchHeaders(
  oldFields: readonly ElementField[],
  newFields: readonly ElementField[],
): ReadonlyMap<ElementField, ElementField> {
  return new Map(
    matchUnique(
      [oldFields, newFields],
      [
        (left, right) => getHeaderName(left) === getHeaderName(right),
        (left, right) => left.wireName.local === right.wireName.local,
      ],
    ),
  );
}

/** Returns the header blocks declared by a record whose members are headers. */
export function getHeaderFields({ types }: TypeComparison["old"], id: TypeId | undefined): readonly ElementField[] {
  const record = id === undefined ? undefined : types.get(id);
  return record?.kind === "record" ? record.fields.filter((field) => field.kind === "element") : [];
}

function toElement({ wireName, span }: ElementField) {
  return { element: wireName, span };
}

/** Formats the name of a header block for reports. */
export function getHeaderName({ wireName }: ElementField): string {
  return `{${wireName.namespace}}${wireName.local}`;
}
