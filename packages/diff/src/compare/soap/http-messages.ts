import {
  findBodyType,
  type HttpMessage,
  type Operation,
  type Protocol,
  type Span,
  type TypeReference,
  type WireName,
} from "@bothends/generator";
import type { Direction } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import { isSimilarName } from "../similar-names.js";
import type { SoapSide } from "../soap-side.js";
import { findLimitsOfArgument } from "../types/code-limits.js";
import type { TypeComparison } from "../types/type-comparison.js";
import {
  createSharedSubject,
  createTargetIn,
  type OperationReportTarget,
  report,
  unsentLevels,
} from "./report-operation.js";

interface HttpComparison {
  readonly isRenamed: boolean;
  /** Whether the SOAP messages are compared as well. If so, they determine the types in code. */
  readonly isSoapShared: boolean;
}

/**
 * Compares the HTTP GET and POST messages of an operation. Differences that are also in its SOAP messages are not
 * repeated if these are compared.
 */
export function compareHttp(
  context: TypeComparison,
  target: OperationReportTarget,
  { isRenamed, isSoapShared }: HttpComparison,
): void {
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
  compareParameters(context, { target, isSoapShared }, [before.http.parameters, after.http.parameters]);
  compareAnswers(context, { target, isSoapShared }, [before.http.answer, after.http.answer]);
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
  const spans = findBodySpans(target, "bodySpans");
  const hasOtherElement = oldText !== newText;
  if (hasOtherElement) {
    report(target, { rule: "input-element-changed", subject, before: oldText, after: newText, ...spans.ofPart });
  }
  if (before !== undefined && after !== undefined) {
    const typeSpans = hasOtherElement ? spans.ofPart : spans.ofElement;
    compareNillable(target, { direction: "input", subject, before, after, ...typeSpans });
    const typeTarget = { ...createTargetIn(target, "input", subject), ...typeSpans };
    context.compare(context, { before: before.type, after: after.type }, typeTarget);
  }
}

interface Nillables
  extends Pick<Difference, "sharedSubject" | "oldSpan" | "newSpan" | "levels" | "sameCode" | "codeLevels" | "variant"> {
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

interface HttpTarget {
  readonly target: OperationReportTarget;
  readonly isSoapShared: boolean;
}

function compareParameters(
  context: TypeComparison,
  { target, isSoapShared }: HttpTarget,
  [before, after]: readonly [Parameters, Parameters],
): void {
  let removedParameters = before.filter(({ name }) => !after.some((parameter) => parameter.name === name));
  let addedParameters = after.filter(({ name }) => !before.some((parameter) => parameter.name === name));
  // With SOAP, the members of the SOAP message determine the generated type.
  const sameCode = isSoapShared;
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
    comparePresence(context, { target, isSoapShared }, { details, parameters: [parameter, counterpart] });
    if (parameter.list !== counterpart.list) {
      const rule = parameter.list ? "member-became-single" : "member-became-repeated";
      report(target, { rule, direction: "input", ...details, sameCode });
    }
    const types = { before: parameter.type, after: counterpart.type };
    const isInMessages =
      isSoapShared &&
      isMemberOf(context.old, target.before, parameter) &&
      isMemberOf(context.new, target.after, counterpart);
    if (!isInMessages) {
      context.compare(context, types, { ...createTargetIn(target, "input", details.subject), ...details });
    }
  }
}

interface ComparedParameter {
  readonly details: Pick<Difference, "sharedSubject" | "oldSpan" | "newSpan"> & { readonly subject: string };
  readonly parameters: readonly [before: Parameters[number], after: Parameters[number]];
}

/**
 * Reports a parameter that became optional or required, in messages and in code. In code, a member of a SOAP message
 * determines whether calls may omit the parameter, or pass null.
 */
function comparePresence(
  context: TypeComparison,
  { target, isSoapShared }: HttpTarget,
  { details, parameters: [before, after] }: ComparedParameter,
): void {
  const [oldMember, newMember] = [
    findMember(context.old, target.before, before),
    findMember(context.new, target.after, after),
  ];
  const isOptionalInCode = [oldMember?.optional ?? before.optional, newMember?.optional ?? after.optional] as const;
  const isOptional = [before.optional, after.optional] as const;
  const limits = findLimitsOfArgument(context, before.key);
  const isSameChange = isOptional.every((optional, index) => optional === isOptionalInCode[index]);
  const reportPresence = ([wasOptional, isNowOptional]: readonly boolean[], effects: Partial<Difference>) => {
    if (wasOptional !== isNowOptional) {
      const rule = wasOptional === true ? "member-became-required" : "member-became-optional";
      report(target, { rule, direction: "input", ...details, ...effects, ...limits });
    }
  };
  if (isSoapShared || isSameChange) {
    reportPresence(isOptional, { sameCode: isSoapShared });
  } else {
    reportPresence(isOptional, { sameCode: true });
    reportPresence(isOptionalInCode, unsentLevels);
  }
  if (!isSoapShared) {
    const versions = {
      before: { nillable: oldMember?.nillable === true },
      after: { nillable: newMember?.nillable === true },
    };
    compareNillable(target, { direction: "input", ...details, ...versions, ...unsentLevels });
  }
}

/**
 * Finds the position of a parameter in one version of an operation: in the message of the first protocol that both
 * versions have. Without the parameter, returns the position of what would contain it.
 */
function findParameterSpan(
  target: OperationReportTarget,
  { bindings, span }: Operation,
  parameter: Parameters[number] | undefined,
) {
  const protocol = findSharedProtocol(target);
  const { parameters = [], parametersSpan = span } = (protocol === undefined ? undefined : bindings[protocol]) ?? {};
  return parameters.find(({ name }) => name === parameter?.name)?.span ?? parametersSpan;
}

interface Spans {
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
}

/**
 * Finds the positions of a body or an answer in both versions, at the first protocol that both have: those of the
 * binding's element, of the part, and of the part's element. Positions that the WSDL lacks are those of the operation.
 */
function findBodySpans(
  target: OperationReportTarget,
  body: "bodySpans" | "answerSpans",
): { readonly ofContent: Spans; readonly ofPart: Spans; readonly ofElement: Spans } {
  const protocol = findSharedProtocol(target);
  const [old, current] = [target.before, target.after].map(({ bindings, span }) => {
    const spans = (protocol === undefined ? undefined : bindings[protocol])?.[body];
    return { content: spans?.content ?? span, part: spans?.part ?? span, element: spans?.element ?? span };
  });
  return {
    ofContent: { oldSpan: old?.content, newSpan: current?.content },
    ofPart: { oldSpan: old?.part, newSpan: current?.part },
    ofElement: { oldSpan: old?.element, newSpan: current?.element },
  };
}

/** Returns the first protocol with HTTP messages that both versions of an operation have. */
function findSharedProtocol({ before, after }: OperationReportTarget): "httpGet" | "httpPost" | undefined {
  return (["httpGet", "httpPost"] as const).find((name) => before.bindings[name] && after.bindings[name]);
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
function isMemberOf(side: SoapSide, operation: Operation, parameter: Parameters[number]): boolean {
  return JSON.stringify(findField(side, operation, parameter)?.type) === JSON.stringify(parameter.type);
}

/** Whether code may omit the member of the SOAP request that an HTTP parameter is, or pass null. */
function findMember(side: SoapSide, operation: Operation, parameter: Parameters[number]) {
  const field = hasSoap(operation) ? findField(side, operation, parameter) : undefined;
  return field && { optional: field.min === 0, nillable: field.nillable };
}

function findField({ types }: SoapSide, { input: { body } }: Operation, { name }: Parameters[number]) {
  const record = types.get(findBodyType(body) ?? "");
  const fields = record?.kind === "record" ? record.fields.filter((field) => field.kind === "element") : [];
  return fields.find(({ wireName }) => wireName.local === name);
}

type Answer = HttpMessage["answer"];

function compareAnswers(
  context: TypeComparison,
  { target, isSoapShared }: HttpTarget,
  [before, after]: readonly [Answer, Answer],
): void {
  const [hadAnswer, hasAnswer] = [target.before, target.after].map(({ output }) => output !== undefined);
  if (hadAnswer !== hasAnswer && isSoapShared) {
    // The operation became one-way, or the reverse. This is reported once for all protocols.
    return;
  }
  const subject = `${target.subject} (HTTP answer)`;
  const [oldText, newText] = [formatAnswer(before), formatAnswer(after)];
  const spans = findBodySpans(target, "answerSpans");
  const isXml = before.kind === "xml" && after.kind === "xml";
  const changedSpans = isXml ? spans.ofPart : spans.ofContent;
  if (oldText !== newText) {
    report(target, { rule: "output-element-changed", subject, before: oldText, after: newText, ...changedSpans });
  }
  const typeSpans = oldText !== newText ? changedSpans : isXml ? spans.ofElement : spans.ofPart;
  const [oldType, newType] = [getAnswerType(before), getAnswerType(after)];
  const isNillable = (answer: Answer) => ({ nillable: answer.kind === "xml" && answer.nillable });
  const details = { direction: "output", subject, ...typeSpans } as const;
  const wireVersions = { before: isNillable(before), after: isNillable(after) };
  compareNillableAnswers(context, { target, isSoapShared }, { ...details, ...wireVersions });
  if (oldType !== undefined && newType !== undefined) {
    const typeTarget = { ...createTargetIn(target, "output", subject), ...typeSpans };
    context.compare(context, { before: oldType, after: newType }, typeTarget);
  }
}

/**
 * Reports an answer that became nillable or is no longer nillable, in messages and in code. In code, the answer of a
 * SOAP message may be null as well.
 */
function compareNillableAnswers(
  context: TypeComparison,
  { target, isSoapShared }: HttpTarget,
  { before, after, ...details }: Nillables,
): void {
  const [oldResult, newResult] = [findResult(context.old, target.before), findResult(context.new, target.after)];
  const isSameInCode = oldResult?.nillable === before.nillable && newResult?.nillable === after.nillable;
  if (isSameInCode || oldResult === undefined || newResult === undefined) {
    compareNillable(target, { ...details, before, after });
    return;
  }
  // If handlers may still return null because of SOAP, their code compiles, but the server cannot send null over HTTP.
  const mayFail = newResult.nillable && !after.nillable;
  compareNillable(target, { ...details, before, after, codeLevels: [mayFail ? "some" : "none", "none"] });
  if (!isSoapShared) {
    compareNillable(target, { ...details, before: oldResult, after: newResult, ...unsentLevels });
  }
}

/** Returns the type of an answer in code; undefined if there is no answer. */
function getAnswerType(answer: Answer): TypeReference | undefined {
  return answer.kind === "bytes"
    ? { kind: "builtin", name: "base64Binary" }
    : answer.kind === "none"
      ? undefined
      : answer.type;
}

/** The result of an operation in generated code. */
export interface Result {
  readonly type: TypeReference;
  readonly nillable: boolean;
  /** Whether the result is a list. */
  readonly isRepeated?: boolean;
}

/** Returns the type of an operation's result in generated code; undefined if it has none. */
export function findResult({ types }: SoapSide, { output, http }: Operation): Result | undefined {
  if (output === undefined || output.result.kind === "empty") {
    return undefined;
  }
  const { body, result } = output;
  if (result.kind === "whole") {
    return body.kind === "parts" ? { type: { kind: "named", id: body.record }, nillable: false } : body;
  }
  const record = types.get(findBodyType(body) ?? "");
  const field = record?.kind === "record" ? record.fields.find(({ key }) => key === result.key) : undefined;
  const isNillableAnswer = http?.answer.kind === "xml" && http.answer.nillable;
  return field?.kind === "element"
    ? {
        type: field.type,
        nillable: !result.repeated && (field.nillable || field.min === 0 || isNillableAnswer),
        isRepeated: result.repeated,
      }
    : undefined;
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
