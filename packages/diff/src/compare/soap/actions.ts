import type { Fault, Operation, Protocol, RequestRecognition, Service, SoapBinding } from "@bothends/generator";
import { joinNames } from "@bothends/generator/text";
import type { Level } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import { findSettingSpans } from "../setting-positions.js";
import type { SoapSide } from "../soap-side.js";
import type { TypeComparison } from "../types/type-comparison.js";
import { protocolNames } from "./http-messages.js";
import { hasSameRequest } from "./rename-rules.js";
import { findPortSpan, type OperationReportTarget, report, type ServicePair } from "./report-operation.js";

/** The bindings of an operation to a protocol that both versions have. */
export interface CommonBinding {
  readonly protocol: Protocol & ("soap11" | "soap12");
  readonly oldBinding: SoapBinding;
  readonly newBinding: SoapBinding;
}

/** An action that changed in a protocol, and whether servers refuse the requests of each version's clients. */
interface ChangedAction extends CommonBinding {
  readonly isOldRefused: boolean;
  readonly isNewRefused: boolean;
}

/**
 * Reports the SOAPActions of an operation that changed. An action that changed in the same way in SOAP 1.1 and SOAP 1.2
 * is reported once.
 */
export function compareSoapActions(
  target: OperationReportTarget,
  commonBindings: readonly CommonBinding[],
  recognitions: readonly [before: RequestRecognition, after: RequestRecognition],
): void {
  const { before, after, subject } = target;
  const protocolCount = Object.keys(before.bindings).filter((protocol) => protocol in after.bindings).length;
  const changedActions = commonBindings
    .filter(({ oldBinding, newBinding }) => oldBinding.action !== newBinding.action)
    .map((binding) => findRefusals(target, binding, recognitions));
  const chooseLevel = (actions: readonly ChangedAction[], key: "isOldRefused" | "isNewRefused"): Level => {
    const isAffected = actions.some((action) => action[key]);
    const areAllAffected = changedActions.filter((action) => action[key]).length === protocolCount;
    return isAffected ? (areAllAffected ? "breaks" : "some") : "none";
  };
  for (const actions of groupByValues(changedActions)) {
    const [first] = actions;
    const names = actions.map(({ protocol }) => protocolNames[protocol]);
    const refusedNames = actions
      .filter(({ isOldRefused, isNewRefused }) => isOldRefused || isNewRefused)
      .map(({ protocol }) => protocolNames[protocol]);
    const areAllNamed = actions.length === commonBindings.length;
    const isNamed = !areAllNamed && refusedNames.length === names.length;
    report(target, {
      rule: "soap-action-changed",
      ...(!areAllNamed && { subject: `${subject} (${joinNames(names, "and")})` }),
      before: first?.oldBinding.action,
      after: first?.newBinding.action,
      oldSpan: first?.oldBinding.span ?? before.span,
      newSpan: first?.newBinding.span ?? after.span,
      ...(refusedNames.length === 0
        ? { variant: "ignored" }
        : { levels: [chooseLevel(actions, "isOldRefused"), chooseLevel(actions, "isNewRefused")] }),
      ...(refusedNames.length > 0 &&
        refusedNames.length < protocolCount &&
        !isNamed && { onlyProtocols: refusedNames }),
    });
  }
}

function findRefusals(
  { before, after }: OperationReportTarget,
  binding: CommonBinding,
  [oldRecognition, newRecognition]: readonly [before: RequestRecognition, after: RequestRecognition],
): ChangedAction {
  const { protocol, oldBinding, newBinding } = binding;
  if (protocol === "soap11") {
    return { ...binding, isOldRefused: true, isNewRefused: true };
  }
  // A server ignores an action that none of its operations has, unless it needs the action to recognize the request.
  return {
    ...binding,
    isOldRefused:
      oldBinding.sendAction &&
      (newRecognition.hasAction(oldBinding.action, protocol) || newRecognition.recognize(after, protocol) === "action"),
    isNewRefused:
      newBinding.sendAction &&
      (oldRecognition.hasAction(newBinding.action, protocol) ||
        oldRecognition.recognize(before, protocol) === "action"),
  };
}

/** Reports that SOAP 1.2 requests now contain their action, or no longer, because of the setting `soap12Action`. */
export function compareSentActions(
  context: TypeComparison,
  target: OperationReportTarget,
  recognitions: readonly [before: RequestRecognition, after: RequestRecognition],
): void {
  const { before, after } = target;
  const [wasSent, isSent] = [before, after].map(({ bindings }) => bindings.soap12?.sendAction);
  if (wasSent === undefined || isSent === undefined || wasSent === isSent) {
    return;
  }
  const recognition = isSent ? recognitions[1].recognize(after, "soap12") : recognitions[0].recognize(before, "soap12");
  const [oldSpan, newSpan] = findSettingSpans([context.old.interface, context.new.interface], ["soap12Action"]);
  report(target, {
    rule: isSent ? "soap-action-became-sent" : "soap-action-became-unsent",
    variant: recognition === "action" ? "required" : undefined,
    oldSpan: oldSpan ?? before.span,
    newSpan: newSpan ?? after.span,
  });
}

function groupByValues(actions: readonly ChangedAction[]): readonly (readonly ChangedAction[])[] {
  const groups = new Map<string, ChangedAction[]>();
  for (const action of actions) {
    const key = JSON.stringify([action.oldBinding.action, action.newBinding.action]);
    groups.set(key, [...(groups.get(key) ?? []), action]);
  }
  return [...groups.values()];
}

/** The services and the faults of an operation, and whether its name changed. */
interface AddressingContext extends Pick<ServicePair, "services"> {
  readonly matchedFaults: ReadonlyMap<Fault, Fault>;
  readonly isRenamed: boolean;
}

/**
 * Reports changes in the use of WS-Addressing, and of the actions in its headers. The actions of a renamed operation
 * follow from its name.
 */
export function compareAddressing(
  operationTarget: OperationReportTarget,
  binding: CommonBinding,
  { services, matchedFaults, isRenamed }: AddressingContext,
): void {
  const target = { ...operationTarget, subject: `${operationTarget.subject} (addressing)` };
  const { oldBinding, newBinding } = binding;
  const [before, after] = [oldBinding.addressing, newBinding.addressing];
  const declarations = findAddressingDeclarations(binding, services);
  if (before === undefined || after === undefined) {
    if (before !== after) {
      const rule = before === undefined ? "addressing-added" : "addressing-removed";
      const variant = (before ?? after)?.required === true ? "required" : undefined;
      report(target, { rule, variant, ...declarations });
    }
    return;
  }
  if (before.required !== after.required) {
    const rule = after.required ? "addressing-became-required" : "addressing-became-optional";
    report(target, { rule, ...declarations });
  }
  if (isRenamed) {
    return;
  }
  const [oldSpans, newSpans] = [oldBinding.addressingSpans?.actions, newBinding.addressingSpans?.actions];
  const hasAnswers = before.answer !== undefined && after.answer !== undefined;
  const formatActions = ({ action, answer }: typeof before) => (hasAnswers ? `${action} ${answer}` : action);
  if (formatActions(before) !== formatActions(after)) {
    const message = before.action === after.action ? "answer" : "action";
    report(operationTarget, {
      rule: "addressing-changed",
      before: formatActions(before),
      after: formatActions(after),
      oldSpan: oldSpans?.[message] ?? operationTarget.before.span,
      newSpan: newSpans?.[message] ?? operationTarget.after.span,
    });
  }
  for (const [{ name: oldName }, { name }] of matchedFaults) {
    const [oldIndex, newIndex] = [
      before.faults.findIndex((fault) => fault.name === oldName),
      after.faults.findIndex((fault) => fault.name === name),
    ];
    const [oldFault, newFault] = [before.faults[oldIndex], after.faults[newIndex]];
    if (oldFault !== undefined && newFault !== undefined && oldFault.action !== newFault.action) {
      report(target, {
        rule: "addressing-changed",
        subject: `${operationTarget.subject} (fault ${name})`,
        before: oldFault.action,
        after: newFault.action,
        oldSpan: oldSpans?.faults[oldIndex] ?? operationTarget.before.span,
        newSpan: newSpans?.faults[newIndex] ?? operationTarget.after.span,
      });
    }
  }
}

/** Returns the positions of UsingAddressing, or of the binding or port that would contain this element. */
function findAddressingDeclarations(
  { protocol, oldBinding, newBinding }: CommonBinding,
  [oldService, newService]: ServicePair["services"],
): Pick<Difference, "oldSpan" | "newSpan"> {
  const findSpan = (binding: SoapBinding, otherBinding: SoapBinding, service: Service) =>
    binding.addressing === undefined && otherBinding.addressingSpans?.parent === "port"
      ? findPortSpan(service, protocol)
      : (binding.addressingSpans?.declaration ?? service.span);
  return {
    oldSpan: findSpan(oldBinding, newBinding, oldService),
    newSpan: findSpan(newBinding, oldBinding, newService),
  };
}

/** Reports requests that the server of one version cannot tell from those of another operation. */
export function compareRecognition(
  context: TypeComparison,
  target: OperationReportTarget,
  { service, versions }: { readonly service: ServicePair; readonly versions: readonly ("soap11" | "soap12")[] },
): void {
  const [oldRecognition, newRecognition] = service.recognitions;
  const listOthers = (side: SoapSide, { operations }: Service, operation: Operation) =>
    operations
      .filter((other) => other !== operation && hasSameRequest({ old: side, new: side }, operation, other))
      .map(({ uniqueName }) => uniqueName);
  const changes = versions.map((version) => {
    const isOldRecognized = oldRecognition.recognize(target.before, version) !== "nothing";
    const isNewRecognized = newRecognition.recognize(target.after, version) !== "nothing";
    return {
      version,
      rule: isNewRecognized ? "requests-became-distinct" : "requests-became-ambiguous",
      isChanged: isOldRecognized !== isNewRecognized,
    } as const;
  });
  const isShared = new Set(changes.map(({ rule, isChanged }) => `${rule} ${isChanged}`)).size === 1;
  for (const { version, rule } of changes.filter(({ isChanged }) => isChanged).slice(0, isShared ? 1 : undefined)) {
    const counterparts =
      rule === "requests-became-distinct"
        ? listOthers(context.old, service.services[0], target.before)
        : listOthers(context.new, service.services[1], target.after);
    report(target, {
      rule,
      counterparts,
      ...(!isShared && { subject: `${target.subject} (${protocolNames[version]})` }),
    });
  }
}
