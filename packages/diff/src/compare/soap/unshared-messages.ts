import { findBodyType, type Operation } from "@bothends/generator";
import type { TypeComparison } from "../types/type-comparison.js";
import { compareNillable, findResult, hasSoap, type Result } from "./http-messages.js";
import {
  createCodeTarget,
  createTargetIn,
  type OperationReportTarget,
  report,
  type ServicePair,
} from "./report-operation.js";

/**
 * Whether clients of one version can send SOAP messages of an operation to servers of the other version. If the
 * versions share no protocol, because SOAP 1.2 replaced SOAP 1.1, their SOAP messages are compared as well.
 */
export function sharesSoap({ before, after }: OperationReportTarget, { protocolsOfParts }: ServicePair): boolean {
  const shared = Object.keys(before.bindings).filter((protocol) => protocol in after.bindings);
  const sharesNothing = shared.length === 0 && protocolsOfParts.size === 0;
  return hasSoap(before) && hasSoap(after) && (sharesNothing || shared.some((name) => name.startsWith("soap")));
}

/**
 * Compares the messages of an operation in generated code only, because no client can send the SOAP messages of one
 * version to servers of the other version. If both versions have HTTP messages, their members are compared there.
 */
export function compareUnsharedMessages(context: TypeComparison, target: OperationReportTarget): void {
  const { before, after } = target;
  const codeTarget = createCodeTarget(target);
  const [oldResult, newResult] = [findResult(context.old, before), findResult(context.new, after)];
  if (oldResult === undefined || newResult === undefined) {
    if (oldResult !== newResult) {
      const [oldText, newText] = [oldResult, newResult].map((result) => (result === undefined ? "nothing" : "a value"));
      const variant = oldResult === undefined ? "wasEmpty" : undefined;
      report(codeTarget, { rule: "result-in-code-changed", before: oldText, after: newText, variant });
    }
  }
  if (before.http !== undefined && after.http !== undefined) {
    return;
  }
  const [oldInput, newInput] = [before, after].map(({ input: { body } }) => findBodyType(body));
  if (oldInput !== undefined && newInput !== undefined) {
    const types = { before: { kind: "named", id: oldInput }, after: { kind: "named", id: newInput } } as const;
    context.compare(context, types, createTargetIn(codeTarget, "input", `${target.subject} (request)`));
  }
  compareResults(context, codeTarget, [oldResult, newResult]);
}

type Results = readonly [before: Result | undefined, after: Result | undefined];

/** Compares the results of an operation in code. */
export function compareResults(
  context: TypeComparison,
  codeTarget: OperationReportTarget,
  [before, after]: Results,
): void {
  if (before !== undefined && after !== undefined) {
    const subject = `${codeTarget.subject} (answer)`;
    compareNillable(codeTarget, { direction: "output", subject, before, after });
    context.compare(context, { before: before.type, after: after.type }, createTargetIn(codeTarget, "output", subject));
  }
}

/** Whether the results of an operation refer to the same type, and both or neither are lists. */
export function haveSameType([before, after]: Results): boolean {
  const getKey = ({ type, isRepeated = false }: Result) =>
    `${isRepeated} ${type.kind === "named" ? type.id : `xs:${type.name}`}`;
  return before !== undefined && after !== undefined && getKey(before) === getKey(after);
}

type Output = NonNullable<Operation["output"]>;

/** Whether the element around a result is in only one version, or has another type, of which one has a name. */
export function hasOtherWrapper(context: TypeComparison, [before, after]: readonly [Output, Output]): boolean {
  const [oldType = "", newType = ""] = [findBodyType(before.body), findBodyType(after.body)];
  const areMessages = context.old.messageTypes.has(oldType) && context.new.messageTypes.has(newType);
  return before.result.kind !== after.result.kind || (oldType !== newType && !areMessages);
}

export function formatResult({ body, result }: Output): string {
  switch (result.kind) {
    case "member":
      return "one member";
    case "empty":
      return "nothing";
    case "whole":
      return body.kind === "element" && body.type.kind === "builtin" ? "a value" : "an object";
  }
}
