import type { Fault, Operation, Protocol, RequestRecognition, Service, Span } from "@bothends/generator";
import type { Direction } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import type { ReportTarget, TypePair } from "../types/type-comparison.js";

/** The differences of an operation, and the keys of the type pairs in its messages. */
export interface OperationDifferences {
  readonly before: Operation;
  readonly after: Operation;
  readonly pair: TypePair;
  /** The differences in the details of faults, and the keys of the type pairs in these details. */
  readonly faultPair: TypePair;
  /** The differences in the header blocks that only faults have, and the keys of the type pairs in these blocks. */
  readonly headerFaultPair: TypePair;
  /** The differences between messages that only code can tell, because no protocol of both versions sends them. */
  readonly codePair: TypePair;
  /** The differences between answers whose results have the same form in code. */
  readonly messagePair: TypePair;
  /**
   * Whether one version has the operation at only some ports. No code uses both versions of its messages, because
   * generated code has this part of the operation in only one version.
   */
  readonly isPart: boolean;
}

/** Both versions of an operation, and the lists that receive their differences. */
export interface OperationReportTarget extends OperationDifferences {
  readonly subject: string;
}

/** What the comparison of an operation needs to know about both versions of its service. */
export interface ServicePair {
  readonly services: readonly [before: Service, after: Service];
  /** The protocols that the service has in both versions. */
  readonly protocols: ReadonlySet<Protocol>;
  /**
   * The protocols of removed or added operations with the name of the compared one, over which clients can still call
   * these operations.
   */
  readonly protocolsOfParts: ReadonlySet<string>;
  readonly recognitions: readonly [before: RequestRecognition, after: RequestRecognition];
}

/** Adds a difference of an operation to a comparison, with the operation's name and positions. */
export function report(
  { subject, before, after, pair }: OperationReportTarget,
  difference: Pick<Difference, "rule"> & Partial<Difference>,
): void {
  pair.differences.push({ subject, oldSpan: before.span, newSpan: after.span, ...difference });
}

/** The effects of differences between messages that clients of one version do not send to servers of the other one. */
export const unsentLevels = { levels: ["none", "none"] } as const;

/** Returns the subject of equal changes in a member of several operations' messages. */
export function createSharedSubject(member: string): string {
  return `${member} in several operations`;
}

/** Returns a target for differences that only code can tell. */
export function createCodeTarget(target: OperationReportTarget): OperationReportTarget {
  const { codePair } = target;
  return { ...target, pair: codePair, faultPair: codePair, headerFaultPair: codePair };
}

/** Returns the target of differences in one direction of an operation's messages. */
export function createTargetIn(
  { before, after, pair }: OperationReportTarget,
  direction: Direction,
  subject: string,
): ReportTarget {
  return { direction, subject, oldSpan: before.span, newSpan: after.span, pair };
}

/**
 * Returns the positions of a difference in the element of a fault: those of the fault if it has another message, of the
 * message's part if that has another element, and otherwise of the element's declaration.
 */
export function findFaultSpans(
  { before, after }: { readonly before: Fault; readonly after: Fault },
  isSameElement: boolean,
): Pick<Difference, "oldSpan" | "newSpan"> {
  const isSameMessage = before.messagePart?.message === after.messagePart?.message;
  const findSpan = ({ span, messagePart }: Fault) =>
    (isSameElement ? (messagePart?.element ?? messagePart) : isSameMessage ? messagePart : undefined)?.span ?? span;
  return { oldSpan: findSpan(before), newSpan: findSpan(after) };
}

/** Compares two types, and gives the differences at the positions of the target an enclosing declaration. */
export function addDeclaration({ pair, oldSpan }: ReportTarget, oldDeclaration: Span, compare: () => void): void {
  const { differences } = pair;
  const { length: start } = differences;
  compare();
  const found = differences.splice(start);
  differences.push(...found.map((each) => (each.oldSpan === oldSpan ? { ...each, oldDeclaration } : each)));
}

/** Returns the position of the first port of a service for a protocol. */
export function findPortSpan({ ports, span }: Service, protocol: Protocol): Span | undefined {
  return ports.find((port) => port.protocol === protocol)?.span ?? span;
}
