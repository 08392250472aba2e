import {
  type Body,
  type BodySpans,
  type Fault,
  type Operation,
  type Protocol,
  RequestRecognition,
  type Service,
  type Span,
  type TypeId,
  type TypeReference,
} from "@bothends/generator";
import { getRule } from "../../rules/index.js";
import { type Direction, findWorstConsequences, findWorstLevel, getConsequences } from "../../rules/rule.js";
import { type Difference, namespaceRules } from "../difference.js";
import { hasSameDocumentation } from "../documentation.js";
import { matchUnique } from "../similar-names.js";
import { formatElement, type SoapSide } from "../soap-side.js";
import { chooseFixedVariant, findConstraintDifferences } from "../types/constraints.js";
import { findMovedElement } from "../types/moved-declarations.js";
import { formatPairKey } from "../types/references.js";
import { createTypePair, type References, type TypeComparison, type TypePair } from "../types/type-comparison.js";
import { compareAddressing, compareRecognition, compareSentActions, compareSoapActions } from "./actions.js";
import { compareDefaultProtocols } from "./default-protocols.js";
import { compareHttp, compareNillable, findResult, hasSoap } from "./http-messages.js";
import {
  addDeclaration,
  createCodeTarget,
  createTargetIn,
  findFaultSpans,
  findPortSpan,
  type OperationDifferences,
  type OperationReportTarget,
  report,
  type ServicePair,
} from "./report-operation.js";
import { compareHeaderFaults, compareHeaders, getHeaderFields, getHeaderName } from "./soap-headers.js";
import {
  compareResults,
  compareUnsharedMessages,
  formatResult,
  hasOtherWrapper,
  haveSameType,
  sharesSoap,
} from "./unshared-messages.js";

/** An operation in both versions. */
export interface MatchedOperation {
  readonly before: Operation;
  readonly after: Operation;
  /**
   * If the name changed: the rule that reports it. "part": one version has the operation at only some ports. Undefined
   * if the operation has the same name and ports.
   */
  readonly change: "operation-renamed" | "operation-name-changed" | "operation-name-exchanged" | "part" | undefined;
}

/** Returns how servers of one version recognize the requests of a service. */
export function createRecognition({ types }: SoapSide, { operations }: Service): RequestRecognition {
  return new RequestRecognition(operations, (id) => types.get(id));
}

/** Compares two versions of an operation. */
export function compareOperations(
  context: TypeComparison,
  { before, after, change }: MatchedOperation,
  service: ServicePair,
): OperationDifferences {
  const target: OperationReportTarget = {
    subject: after.uniqueName,
    before,
    after,
    pair: createTypePair(),
    faultPair: createTypePair(),
    headerFaultPair: createTypePair(),
    codePair: createTypePair(),
    messagePair: createTypePair(),
    isPart: change === "part",
  };
  if (change !== undefined && change !== "part") {
    report(target, { rule: change, before: before.name, after: after.name });
  } else if (change === undefined) {
    compareMethodNames(context, target);
  }
  const isRenamed = change === "operation-renamed";
  const isSoapShared = sharesSoap(target, service);
  if (change === "part" && hasSoap(before) !== hasSoap(after)) {
    // If one version has the operation only at HTTP ports, there are no SOAP messages to compare.
    compareHttp(context, target, { isRenamed, isSoapShared });
    return target;
  }
  if (isSoapShared) {
    compareBodies(context, { target, direction: "input", isRenamed }, [before.input, after.input]);
    compareOutputs(context, target, isRenamed);
  } else {
    compareUnsharedMessages(context, target);
  }
  const soapTarget = isSoapShared ? target : createCodeTarget(target);
  compareParts(context, soapTarget);
  compareFaults(context, soapTarget);
  compareBindings(context, target, { service, isRenamed: isRenamed });
  compareSentActions(context, target, service.recognitions);
  if (change !== "part") {
    compareDefaultProtocols(target, service);
  }
  compareHttp(context, target, { isRenamed, isSoapShared });
  if (!hasSameDocumentation(before, after)) {
    report(target, { rule: "documentation-changed" });
  }
  return target;
}

function compareMethodNames({ old: oldSide, new: newSide }: TypeComparison, target: OperationReportTarget): void {
  const [before, after] = [oldSide.methods.get(target.before), newSide.methods.get(target.after)];
  if (before !== undefined && after !== undefined && before !== after) {
    report(target, { rule: "name-in-code-changed", before, after });
  }
}

interface Message {
  readonly body: Body;
  readonly attachments: Operation["input"]["attachments"];
  readonly headers: TypeId | undefined;
  readonly headerFaults?: TypeId | undefined;
}

interface MessageReportTarget {
  readonly target: OperationReportTarget;
  readonly direction: Direction;
  readonly isRenamed: boolean;
}

/** Compares the parts of messages that only SOAP has: the header blocks and attachments. */
function compareParts(context: TypeComparison, target: OperationReportTarget): void {
  const { before, after } = target;
  compareHeaders(context, { target, direction: "input" }, [before.input, after.input]);
  compareAttachments({ target, direction: "input" }, [before.input.attachments, after.input.attachments]);
  if (before.output !== undefined && after.output !== undefined) {
    compareHeaders(context, { target, direction: "output" }, [before.output, after.output]);
    compareAttachments({ target, direction: "output" }, [before.output.attachments, after.output.attachments]);
    compareHeaderFaults(context, target, [before.output, after.output]);
  }
}

function compareBodies(
  context: TypeComparison,
  { target, direction, isRenamed }: MessageReportTarget,
  messages: readonly [Message, Message],
): void {
  const [before, after] = [messages[0].body, messages[1].body];
  const subject = `${target.subject} (${direction === "input" ? "request" : "answer"})`;
  const types = { before: getBodyType(before), after: getBodyType(after) };
  const [oldStyle, newStyle] = [getStyle(before), getStyle(after)];
  if (oldStyle !== newStyle) {
    // A body of the kind "parts" also has document style: its message has no parts, or more than one. It is shown as
    // "document", unless the other version is "document" as well.
    const shownStyle = (style: string, other: string) =>
      style !== "parts" ? style : other === "rpc" ? "document" : "document without a single element";
    const [oldText, newText] = [shownStyle(oldStyle, newStyle), shownStyle(newStyle, oldStyle)];
    const bodyHeader =
      findHeaderOfBody(context.old, messages[0], after) ?? findHeaderOfBody(context.new, messages[1], before);
    const change = { rule: "style-changed", before: oldText, after: newText, bodyHeader } as const;
    compareForms(context, { target, direction, isRenamed }, change, { before, after });
    return;
  }
  if (before.kind === "element" && after.kind === "element") {
    const [oldText, newText] = [formatElement(before), formatElement(after)];
    // The element of a renamed operation has another name as well.
    const isRenamedTogether = isRenamed && before.element.local !== after.element.local;
    const isImplied = isRenamedTogether && before.element.namespace === after.element.namespace;
    if (oldText !== newText && !isImplied) {
      const rule = direction === "input" ? "input-element-changed" : "output-element-changed";
      const moved = findMovedElement(context, before, after);
      const spans = findBodySpans(target, direction, "element");
      report(target, { rule, before: oldText, after: newText, moved, isRenamedTogether, ...spans });
    }
    if (before.encoded === after.encoded) {
      const isUnseen = direction === "output" && isAlwaysSent(target.before) && isAlwaysSent(target.after);
      const spans = findBodySpans(target, direction, "declaration");
      compareNillable(target, { direction, subject, before, after, ...spans, ...(isUnseen && { variant: "wrapper" }) });
    }
    for (const difference of findConstraintDifferences(context, before, after)) {
      const spans = findBodySpans(target, direction, "declaration");
      const isAlwaysPresent = ![before, after].some(({ nillable, encoded }) => nillable || encoded);
      const details = chooseFixedVariant(difference.rule, direction, isAlwaysPresent);
      report(target, { ...spans, ...difference, ...details, direction, subject });
    }
    if (before.encoded !== after.encoded) {
      const formatUse = ({ encoded }: typeof before) => (encoded ? "encoded" : "literal");
      const change = { rule: "encoding-changed", before: formatUse(before), after: formatUse(after) } as const;
      compareForms(context, { target, direction, isRenamed }, change, { before, after });
      return;
    }
  }
  const spans = findBodySpans(target, direction, "declaration");
  context.compare(context, types, { ...createTargetIn(target, direction, subject), ...spans });
}

/** Whether servers never send nil in place of the element of an answer, because handlers do not return its content. */
function isAlwaysSent({ output }: Operation): boolean {
  return output !== undefined && output.result.kind !== "whole";
}

/**
 * Returns the name of the element in the body of the other version if it is a header in this version. A part of a
 * message that a binding places in a header is not in the body.
 */
function findHeaderOfBody(side: SoapSide, { headers }: Message, otherBody: Body): string | undefined {
  const name = otherBody.kind === "element" ? formatElement(otherBody) : undefined;
  return getHeaderFields(side, headers).some((field) => getHeaderName(field) === name) ? name : undefined;
}

/** Rules that apply because the encoding changed: in encoded messages, every member may be nil. */
const nilRules: readonly string[] = ["member-became-nillable", "member-became-not-nillable"];

interface FormChange {
  readonly rule: "style-changed" | "encoding-changed";
  readonly before: string;
  readonly after: string;
  readonly bodyHeader?: string | undefined;
}

/**
 * Reports a changed style or encoding. A changed style implies that the names of the parts of a message have other
 * namespaces, a changed encoding that members became nillable or no longer are; these are not reported. All other
 * differences in the members are reported separately.
 */
function compareForms(
  context: TypeComparison,
  { target, direction }: MessageReportTarget,
  change: FormChange,
  bodies: Bodies,
): void {
  const types: References = { before: getBodyType(bodies.before), after: getBodyType(bodies.after) };
  const formContext: TypeComparison = { ...context, pairs: new Map() };
  const pair = createTypePair();
  context.compare(formContext, types, createTargetIn({ ...target, pair }, direction, target.subject));
  const sharedKeys = new Set([...context.old.types.keys()].map((id) => formatPairKey(direction, id, id)));
  // The type pairs of an operation whose encoding changed have different keys. Otherwise, operations with an unchanged
  // encoding would share these pairs, and would not report members that became nillable.
  const isStyle = change.rule === "style-changed";
  const getKey = (key: string) => (isStyle ? key : `${change.rule} ${key}`);
  const isImplied = ({ rule }: Difference, isShared: boolean) =>
    isStyle ? !isShared && namespaceRules.includes(rule) : nilRules.includes(rule);
  const impliedDifferences: Difference[] = [];
  const addPair = (from: TypePair, to: TypePair, isShared: boolean) => {
    to.differences.push(...from.differences.filter((difference) => !isImplied(difference, isShared)));
    impliedDifferences.push(...from.differences.filter((difference) => isImplied(difference, isShared)));
    for (const key of from.usedPairKeys) {
      to.usedPairKeys.add(getKey(key));
    }
    for (const key of from.sameNamePairKeys) {
      to.sameNamePairKeys.add(getKey(key));
    }
    return to;
  };
  addPair(pair, target.pair, false);
  for (const [key, formPair] of formContext.pairs) {
    if (!context.pairs.has(getKey(key))) {
      context.pairs.set(getKey(key), addPair(formPair, createTypePair(), sharedKeys.has(key)));
    }
  }
  const levels = isStyle ? findStyleLevels(bodies, direction, impliedDifferences) : undefined;
  const becameNillable = [pair, ...formContext.pairs.values()].some(({ differences }) =>
    differences.some(({ rule }) => nilRules.includes(rule)),
  );
  const findStyleSpan = ({ bindings, span }: Operation) => (bindings.soap11 ?? bindings.soap12)?.style?.span ?? span;
  report(target, {
    ...change,
    ...(isStyle
      ? { oldSpan: findStyleSpan(target.before), newSpan: findStyleSpan(target.after) }
      : findBodySpans(target, direction, "body")),
    subject: `${target.subject} (${isStyle ? "style" : "encoding"})`,
    variant: !isStyle && becameNillable ? "members" : undefined,
    levels,
  });
}

interface Bodies {
  readonly before: Body;
  readonly after: Body;
}

/**
 * Returns how a changed style affects clients, if the bodies of both versions are one literal element. Messages are the
 * same if the element and its members have the same names. Clients of rpc style do not check the name of an answer.
 */
function findStyleLevels(
  { before, after }: Bodies,
  direction: Direction,
  differences: readonly Difference[],
): Difference["levels"] {
  if (before.kind !== "element" || after.kind !== "element" || before.encoded || after.encoded) {
    return undefined;
  }
  const isSame = formatElement(before) === formatElement(after);
  const getLevel = ({ rpc }: typeof before) => (isSame || (direction === "output" && rpc) ? "none" : "breaks");
  const { oldClients, newClients } = findWorstConsequences(
    differences.map((difference) => getConsequences(getRule(difference.rule), difference)),
  );
  return [findWorstLevel([getLevel(before), oldClients]), findWorstLevel([getLevel(after), newClients])];
}

/** Returns the positions of the `soap:body` of a message, or of the name of the element in it. */
function findBodySpans(
  { before, after }: OperationReportTarget,
  direction: Direction,
  item: keyof BodySpans,
): Pick<Difference, "oldSpan" | "newSpan"> {
  const [oldSpan, newSpan] = [before, after].map(
    ({ bindings, span }) => (bindings.soap11 ?? bindings.soap12)?.bodySpans?.[direction][item] ?? span,
  );
  return { oldSpan, newSpan };
}

function getBodyType(body: Body): TypeReference {
  return body.kind === "parts" ? { kind: "named", id: body.record } : body.type;
}

function getStyle(body: Body): string {
  return body.kind === "parts" ? "parts" : body.rpc ? "rpc" : "document";
}

function compareAttachments(
  { target, direction }: Omit<MessageReportTarget, "isRenamed">,
  [before, after]: readonly [Message["attachments"], Message["attachments"]],
): void {
  const hasAttachment = (list: Message["attachments"], part: string) =>
    list.some((attachment) => attachment.part === part);
  for (const attachment of before.filter(({ part }) => !hasAttachment(after, part))) {
    const subject = `${target.subject}.${attachment.key}`;
    report(target, {
      rule: "member-removed-required",
      direction,
      subject,
      before: attachment.key,
      oldSpan: attachment.span,
    });
  }
  for (const attachment of before) {
    const counterpart = after.find(({ part }) => part === attachment.part);
    const [oldTypes, newTypes] = [attachment, counterpart].map((version) =>
      [...(version?.types ?? [])].sort().join(", "),
    );
    if (counterpart !== undefined && oldTypes !== newTypes) {
      const spans = { oldSpan: attachment.span, newSpan: counterpart.span };
      const subject = `${target.subject}.${attachment.key}`;
      report(target, {
        rule: "attachment-types-changed",
        direction,
        subject,
        before: oldTypes,
        after: newTypes,
        ...spans,
      });
    }
  }
  for (const attachment of after.filter(({ part }) => !hasAttachment(before, part))) {
    const subject = `${target.subject}.${attachment.key}`;
    report(target, {
      rule: "member-added-required",
      direction,
      subject,
      after: attachment.key,
      newSpan: attachment.span,
    });
  }
}

function compareOutputs(context: TypeComparison, target: OperationReportTarget, isRenamed: boolean): void {
  const [before, after] = [target.before.output, target.after.output];
  if (before === undefined || after === undefined) {
    if (before !== after) {
      const { span: oldDeclaration } = target.before;
      const spans = { oldSpan: before?.span ?? oldDeclaration, newSpan: after?.span ?? target.after.span };
      report(target, { rule: before === undefined ? "output-added" : "output-removed", ...spans, oldDeclaration });
    }
    return;
  }
  const results = [findResult(context.old, target.before), findResult(context.new, target.after)] as const;
  const isSameForm = hasOtherWrapper(context, [before, after]) && haveSameType(results);
  const bodyTarget = isSameForm ? { ...target, pair: target.messagePair } : target;
  compareBodies(context, { target: bodyTarget, direction: "output", isRenamed }, [before, after]);
  if (isSameForm) {
    compareResults(context, createCodeTarget(target), results);
  } else if (before.result.kind !== after.result.kind) {
    const variant = before.result.kind === "empty" ? "wasEmpty" : undefined;
    const [oldText, newText] = [formatResult(before), formatResult(after)];
    report(target, { rule: "result-in-code-changed", before: oldText, after: newText, variant });
  }
}

function compareFaults(context: TypeComparison, target: OperationReportTarget): void {
  const { before, after } = target;
  const counterparts = matchFaults(target);
  for (const fault of before.faults) {
    const counterpart = counterparts.get(fault);
    const subject = `${target.subject} (fault ${counterpart?.name ?? fault.name})`;
    if (counterpart === undefined) {
      // Generated code keeps the class of the fault if another operation declares the fault.
      const variant = context.new.faultElements.has(formatElement(fault)) ? "declaredElsewhere" : undefined;
      report(target, { rule: "fault-removed", subject, before: formatElement(fault), oldSpan: fault.span, variant });
      continue;
    }
    if (fault.name !== counterpart.name) {
      const names = { before: fault.name, after: counterpart.name };
      report(target, { rule: "fault-renamed", subject, ...names, oldSpan: fault.span, newSpan: counterpart.span });
    }
    const [oldElement, newElement] = [formatElement(fault), formatElement(counterpart)];
    const spans = findFaultSpans({ before: fault, after: counterpart }, oldElement === newElement);
    if (oldElement !== newElement) {
      const elements = { before: oldElement, after: newElement, oldDeclaration: before.span };
      const moved = findMovedElement(context, fault, counterpart);
      report(target, { rule: "fault-element-changed", subject, ...elements, moved, ...spans });
    }
    const types = { before: fault.type, after: counterpart.type };
    const isOfOtherElement = fault.element.local !== counterpart.element.local;
    const faultTarget = { ...createTargetIn(target, "output", subject), ...spans, pair: target.faultPair };
    const typeTarget = { ...faultTarget, isOfOtherElement };
    addDeclaration(typeTarget, before.span, () => context.compare(context, types, typeTarget));
  }
  const matchedFaults = new Set(counterparts.values());
  for (const fault of after.faults.filter((newFault) => !matchedFaults.has(newFault))) {
    const subject = `${target.subject} (fault ${fault.name})`;
    report(target, { rule: "fault-added", subject, after: formatElement(fault), newSpan: fault.span });
  }
}

/** Matches the faults of both versions by their names; those that remain, by their elements. */
function matchFaults({ before, after }: OperationReportTarget): ReadonlyMap<Fault, Fault> {
  return new Map(
    matchUnique(
      [before.faults, after.faults],
      [(left, right) => left.name === right.name, (left, right) => formatElement(left) === formatElement(right)],
    ),
  );
}

const soapProtocols: readonly (Protocol & ("soap11" | "soap12"))[] = ["soap11", "soap12"];

function compareBindings(
  context: TypeComparison,
  target: OperationReportTarget,
  { service, isRenamed }: { readonly service: ServicePair; readonly isRenamed: boolean },
): void {
  const { recognitions } = service;
  const { before, after } = target;
  const commonBindings = soapProtocols.flatMap((protocol) => {
    const [oldBinding, newBinding] = [before.bindings[protocol], after.bindings[protocol]];
    return oldBinding === undefined || newBinding === undefined ? [] : [{ protocol, oldBinding, newBinding }];
  });
  if (!isRenamed) {
    compareSoapActions(target, commonBindings, recognitions);
  }
  const versionsInCommon = commonBindings.map(({ protocol }) => protocol);
  compareRecognition(context, target, { service, versions: versionsInCommon });
  const versions = commonBindings.map(({ oldBinding, newBinding }) =>
    JSON.stringify([oldBinding.addressing, newBinding.addressing]),
  );
  for (const binding of commonBindings.filter((_, index) => versions.indexOf(versions[index] ?? "") === index)) {
    compareAddressing(target, binding, { services: service.services, matchedFaults: matchFaults(target), isRenamed });
  }
  // `protocols` omits each protocol that all operations of the service gained or lost: such a change is reported for
  // the service.
  for (const protocol of service.protocols) {
    if (service.protocolsOfParts.has(protocol)) {
      continue;
    }
    if (protocol in before.bindings && !(protocol in after.bindings)) {
      const spans = {
        oldSpan: findBindingSpan(before, protocol),
        newSpan: findPortSpan(service.services[1], protocol),
      };
      report(target, { rule: "protocol-removed", before: protocol, ...spans });
    } else if (!(protocol in before.bindings) && protocol in after.bindings) {
      const spans = { oldSpan: findPortSpan(service.services[0], protocol), newSpan: findBindingSpan(after, protocol) };
      report(target, { rule: "protocol-added", after: protocol, ...spans });
    }
  }
}

/** Returns the position of an operation in the binding for a protocol. */
function findBindingSpan({ bindings, span }: Operation, protocol: Protocol): Span | undefined {
  const { [protocol]: binding } = bindings;
  return binding?.span ?? (binding !== undefined && "style" in binding ? binding.style?.span : undefined) ?? span;
}
