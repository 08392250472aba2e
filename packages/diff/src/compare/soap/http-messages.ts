import { findBodyType, type HttpMessage, type Operation, type Protocol, type WireName } from "@bothends/generator";
import type { Direction } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import { isSimilarName } from "../similar-names.js";
import type { SoapSide } from "../soap-side.js";
import { findLimitsOfArgument } from "../types/code-limits.js";
import type { TypeComparison } from "../types/type-comparison.js";
import { createSharedSubject, createTargetIn, type OperationReportTarget, report } from "./report-operation.js";

/**
 * Compares the HTTP GET and POST messages of an operation. Differences that are also in its SOAP messages are not
 * repeated.
 */
export function compareHttp(context: TypeComparison, target: OperationReportTarget, isRenamed: boolean): void {
  const { before, after } = target;
  for (const protocol of ["httpGet", "httpPost"] as const) {
    const [oldBinding, newBinding] = [before.bindings[protocol], after.bindings[protocol]];
    if (oldBinding !== undefined && newBinding !== undefined && oldBinding.replace !== newBinding.replace) {
      const formatPosition = ({ replace }: typeof oldBinding) => (replace ? "in the path" : "in the query or the body");
      const subject = `${target.subject} (${protocol})`;
      report(target, {
        rule: "http-parameters-moved",
        subject,
        before: formatPosition(oldBinding),
        after: formatPosition(newBinding),
        oldSpan: oldBinding.span ?? before.span,
        newSpan: newBinding.span ?? after.span,
      });
    }
    const [oldLocation, newLocation] = [oldBinding?.location, newBinding?.location];
    if (oldLocation !== undefined && newLocation !== undefined && oldLocation !== newLocation && !isRenamed) {
      report(target, {
        rule: "http-location-changed",
        subject: `${target.subject} (${protocol})`,
        before: oldLocation,
        after: newLocation,
        oldSpan: oldBinding?.span ?? before.span,
        newSpan: newBinding?.span ?? after.span,
      });
    }
  }
  if (before.http === undefined || after.http === undefined) {
    return;
  }
  compareParameters(context, target, [before.http.parameters, after.http.parameters]);
  compareAnswers(context, target, [before.http.answer, after.http.answer]);
  compareBodies(context, target, [before.http.body, after.http.body]);
}

/** Compares the XML bodies of requests. A request has either a body or parameters. */
function compareBodies(
  context: TypeComparison,
  target: OperationReportTarget,
  [before, after]: readonly [HttpMessage["body"], HttpMessage["body"]],
): void {
  const subject = `${target.subject} (HTTP request)`;
  const texts = [before, after].map((body) => (body === undefined ? "parameters" : formatName(body.element)));
  const [oldText, newText] = texts;
  if (oldText !== newText) {
    report(target, { rule: "input-element-changed", subject, before: oldText, after: newText });
  }
  if (before !== undefined && after !== undefined) {
    compareNillable(target, { direction: "input", subject, before, after });
    context.compare(context, { before: before.type, after: after.type }, createTargetIn(target, "input", subject));
  }
}

interface Nillables extends Pick<Difference, "sharedSubject" | "oldSpan" | "newSpan"> {
  readonly direction: Direction;
  readonly subject: string;
  readonly before: { readonly nillable: boolean };
  readonly after: { readonly nillable: boolean };
}

/** Reports an element that became nillable or is no longer nillable. */
export function compareNillable(target: OperationReportTarget, { before, after, ...details }: Nillables): void {
  if (before.nillable !== after.nillable) {
    const rule = after.nillable ? "member-became-nillable" : "member-became-not-nillable";
    report(target, { rule, ...details });
  }
}

function formatName({ namespace, local }: WireName): string {
  return `{${namespace}}${local}`;
}

type Parameters = HttpMessage["parameters"];

function compareParameters(
  context: TypeComparison,
  target: OperationReportTarget,
  [before, after]: readonly [Parameters, Parameters],
): void {
  let removedParameters = before.filter(({ name }) => !after.some((parameter) => parameter.name === name));
  let addedParameters = after.filter(({ name }) => !before.some((parameter) => parameter.name === name));
  // With SOAP, the members of the SOAP message determine the generated type.
  const sameCode = hasSoap(target.before) && hasSoap(target.after);
  const getSubject = ({ name }: Parameters[number]) => ({
    subject: `${target.subject} (HTTP).${name}`,
    sharedSubject: `${createSharedSubject(name)} (HTTP)`,
  });
  const getSpans = (oldParameter: Parameters[number] | undefined, newParameter: Parameters[number] | undefined) => ({
    oldSpan: findParameterSpan(target, target.before, oldParameter),
    newSpan: findParameterSpan(target, target.after, newParameter),
  });
  for (const parameter of removedParameters) {
    const [renamedParameter, ...others] = addedParameters.filter(
      ({ name, optional }) =>
        (before.findIndex((other) => other.name === parameter.name) ===
          after.findIndex((other) => other.name === name) ||
          isSimilarName(parameter.name, name)) &&
        optional === parameter.optional,
    );
    if (renamedParameter !== undefined && others.length === 0 && before.length === after.length) {
      removedParameters = removedParameters.filter((other) => other !== parameter);
      addedParameters = addedParameters.filter((other) => other !== renamedParameter);
      const variant = parameter.optional ? "optional" : undefined;
      const values = { before: parameter.name, after: renamedParameter.name, variant };
      const details = { ...getSubject(renamedParameter), ...values, ...getSpans(parameter, renamedParameter) };
      report(target, { rule: "member-renamed", direction: "input", ...details, sameCode });
    }
  }
  for (const parameter of removedParameters) {
    const rule = parameter.optional ? "member-removed-optional" : "member-removed-required";
    const details = { ...getSubject(parameter), before: parameter.name, ...getSpans(parameter, undefined) };
    report(target, { rule, direction: "input", ...details, sameCode, ...findLimitsOfArgument(context, parameter.key) });
  }
  for (const parameter of addedParameters) {
    const rule = parameter.optional ? "member-added-optional" : "member-added-required";
    const details = { ...getSubject(parameter), after: parameter.name, ...getSpans(undefined, parameter) };
    report(target, { rule, direction: "input", ...details, sameCode, ...findLimitsOfArgument(context, parameter.key) });
  }
  for (const parameter of before) {
    const counterpart = after.find(({ name }) => name === parameter.name);
    if (counterpart === undefined) {
      continue;
    }
    const details = { ...getSubject(parameter), ...getSpans(parameter, counterpart) };
    if (parameter.optional !== counterpart.optional) {
      const rule = parameter.optional ? "member-became-required" : "member-became-optional";
      report(target, {
        rule,
        direction: "input",
        ...details,
        sameCode,
        ...findLimitsOfArgument(context, parameter.key),
      });
    }
    if (parameter.list !== counterpart.list) {
      const rule = parameter.list ? "member-became-single" : "member-became-repeated";
      report(target, { rule, direction: "input", ...details, sameCode });
    }
    const types = { before: parameter.type, after: counterpart.type };
    const isInMessages =
      hasSoap(target.before) === hasSoap(target.after) &&
      isMemberOf(context.old, target.before, parameter) &&
      isMemberOf(context.new, target.after, counterpart);
    if (!isInMessages) {
      context.compare(context, types, { ...createTargetIn(target, "input", details.subject), ...details });
    }
  }
}

/**
 * Finds the position of a parameter in one version of an operation: in the message of the first protocol that both
 * versions have. Without a parameter, returns the position of the operation.
 */
function findParameterSpan(
  { before, after }: OperationReportTarget,
  { bindings, span }: Operation,
  parameter: Parameters[number] | undefined,
) {
  const protocol = (["httpGet", "httpPost"] as const).find((name) => before.bindings[name] && after.bindings[name]);
  const { parameters = [] } = (protocol === undefined ? undefined : bindings[protocol]) ?? {};
  return parameters.find(({ name }) => name === parameter?.name)?.span ?? span;
}

/** The names of protocols in reports. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  soap11: "SOAP 1.1",
  soap12: "SOAP 1.2",
  httpGet: "HTTP GET",
  httpPost: "HTTP POST",
};

/** Whether an operation has SOAP messages, in SOAP 1.1 or SOAP 1.2. */
export function hasSoap({ bindings }: Operation): boolean {
  return bindings.soap11 !== undefined || bindings.soap12 !== undefined;
}

/**
 * Whether the SOAP request has a member with the name and type of an HTTP parameter. If so, changes of the parameter
 * are reported for that member.
 */
function isMemberOf({ types }: SoapSide, { input: { body } }: Operation, { name, type }: Parameters[number]): boolean {
  const id = findBodyType(body) ?? "";
  const record = types.get(id);
  return (
    record?.kind === "record" &&
    record.fields.some(
      (field) =>
        field.kind === "element" &&
        field.wireName.local === name &&
        JSON.stringify(field.type) === JSON.stringify(type),
    )
  );
}

type Answer = HttpMessage["answer"];

function compareAnswers(
  context: TypeComparison,
  target: OperationReportTarget,
  [before, after]: readonly [Answer, Answer],
): void {
  const [hadAnswer, hasAnswer] = [target.before, target.after].map(({ output }) => output !== undefined);
  if (hadAnswer !== hasAnswer) {
    // The operation became one-way, or the reverse. This is reported once for all protocols.
    return;
  }
  const subject = `${target.subject} (HTTP answer)`;
  const [oldText, newText] = [formatAnswer(before), formatAnswer(after)];
  if (oldText !== newText) {
    report(target, { rule: "output-element-changed", subject, before: oldText, after: newText });
  }
  if (before.kind === "xml" && after.kind === "xml") {
    compareNillable(target, { direction: "output", subject, before, after });
  }
  if ("type" in before && "type" in after) {
    context.compare(context, { before: before.type, after: after.type }, createTargetIn(target, "output", subject));
  }
}

function formatAnswer(answer: Answer): string {
  switch (answer.kind) {
    case "xml":
      return formatName(answer.element);
    case "bytes":
      return answer.mediaType;
    default:
      return answer.kind;
  }
}
