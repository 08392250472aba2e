import type { ElementField, Operation, TypeId } from "@bothends/generator";
import type { Direction } from "../../rules/rule.js";
import {
  createTargetIn,
  type Difference,
  formatElement,
  type OperationReportTarget,
  report,
  type TypeComparison,
} from "../sides.js";
import { matchUnique } from "../similar-names.js";
import { findConstraintDifferences } from "../types/fields.js";
import { findMovedElement } from "../types/moved-declarations.js";
import { compareNillable } from "./http-messages.js";

/** Compares the header blocks of a message. */
export function compareHeaders(
  context: TypeComparison,
  { target, direction }: { readonly target: OperationReportTarget; readonly direction: Direction },
  [before, after]: readonly [TypeId | undefined, TypeId | undefined],
): void {
  const { oldFields, addedFields, counterparts } = matchHeaders(context, [before, after]);
  for (const field of oldFields) {
    const counterpart = counterparts.get(field);
    const subject = `${target.subject} (header).${field.key}`;
    if (counterpart === undefined) {
      report(target, {
        rule: "header-removed",
        direction,
        subject,
        before: getHeaderName(field),
        oldSpan: findHeaderSpan(target.before, field),
      });
    } else {
      const details = {
        direction,
        subject,
        sharedSubject: `header ${field.key}`,
        oldSpan: findHeaderSpan(target.before, field),
        newSpan: findHeaderSpan(target.after, counterpart),
      };
      compareHeaderNames(context, target, { details, before: field, after: counterpart });
      compareNillable(target, { ...details, before: field, after: counterpart });
      for (const difference of findConstraintDifferences(context, field, counterpart)) {
        report(target, { ...difference, ...details });
      }
      const types = { before: field.type, after: counterpart.type };
      context.compare(context, types, { ...createTargetIn(target, direction, subject), ...details });
    }
  }
  for (const field of addedFields) {
    const subject = `${target.subject} (header).${field.key}`;
    const newSpan = findHeaderSpan(target.after, field);
    report(target, { rule: "header-added", direction, subject, after: getHeaderName(field), newSpan });
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

/** Compares the header blocks that may accompany a fault. */
export function compareHeaderFaults(
  context: TypeComparison,
  target: OperationReportTarget,
  [before, after]: readonly [TypeId | undefined, TypeId | undefined],
): void {
  const { oldFields, addedFields, counterparts } = matchHeaders(context, [before, after]);
  const getSubject = ({ key }: ElementField) => `${target.subject} (header fault ${key})`;
  for (const field of oldFields) {
    const counterpart = counterparts.get(field);
    const subject = getSubject(field);
    if (counterpart === undefined) {
      report(target, { rule: "fault-removed", subject, before: getHeaderName(field), oldSpan: field.span });
    } else {
      const names = { before: getHeaderName(field), after: getHeaderName(counterpart) };
      if (names.before !== names.after) {
        const moved = findMovedElement(context, toElement(field), toElement(counterpart));
        report(target, { rule: "fault-element-changed", subject, ...names, moved });
      }
      const types = { before: field.type, after: counterpart.type };
      context.compare(context, types, createTargetIn(target, "output", subject));
    }
  }
  for (const field of addedFields) {
    report(target, {
      rule: "fault-added",
      subject: getSubject(field),
      after: getHeaderName(field),
      newSpan: field.span,
    });
  }
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

interface MatchedHeaders {
  readonly oldFields: readonly ElementField[];
  readonly addedFields: readonly ElementField[];
  /** The new version of each header that both versions have, keyed by its old version. */
  readonly counterparts: ReadonlyMap<ElementField, ElementField>;
}

/** Matches headers by their names; those that remain, by their names without namespaces. */
function matchHeaders(
  context: TypeComparison,
  [before, after]: readonly [TypeId | undefined, TypeId | undefined],
): MatchedHeaders {
  const [oldFields, newFields] = [getHeaderFields(context.old, before), getHeaderFields(context.new, after)];
  const matchedFields = matchUnique(
    [oldFields, newFields],
    [
      (left, right) => getHeaderName(left) === getHeaderName(right),
      (left, right) => left.wireName.local === right.wireName.local,
    ],
  );
  const counterparts = new Map(matchedFields);
  const matchedNewFields = new Set(counterparts.values());
  return { oldFields, addedFields: newFields.filter((field) => !matchedNewFields.has(field)), counterparts };
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
