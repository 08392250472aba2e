import type { Service, Span } from "@bothends/generator";
import type { Difference, SoapSide, TypeComparison } from "../sides.js";

/** The names in code that changed although the wire did not: classes, members and types. */
export function codeNameDifferences(
  { old, new: new_ }: TypeComparison,
  services: readonly (readonly [before: Service, after: Service])[],
): readonly Difference[] {
  if (old.plan === undefined || new_.plan === undefined) {
    return [];
  }
  const found: Difference[] = [];
  const compare = (before: string | undefined, after: string | undefined, spans: Spans) => {
    if (before !== undefined && after !== undefined && before !== after) {
      found.push({ rule: "name-in-code-changed", subject: after, before, after, ...spans });
    }
  };
  const facade = { oldSpan: services[0]?.[0].span, newSpan: services[0]?.[1].span };
  compare(old.plan.client, new_.plan.client, facade);
  compare(accessText(old), accessText(new_), facade);
  for (const [before, after] of services) {
    const [left, right] = [servicePlan(old, before), servicePlan(new_, after)];
    const spans = { oldSpan: before.span, newSpan: after.span };
    compare(left?.client, right?.client, spans);
    if (old.plan.hasFacade && new_.plan.hasFacade) {
      compare(memberText(left?.member), memberText(right?.member), spans);
    }
  }
  for (const type of new_.interface.types) {
    const before = old.plan.types.get(type.id);
    const after = new_.plan.types.get(type.id);
    if (before?.inline === false && after?.inline === false) {
      compare(before.name, after.name, { oldSpan: old.types.get(type.id)?.span, newSpan: type.span });
    }
  }
  return found;
}

interface Spans {
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
}

function servicePlan({ plan }: SoapSide, service: Service) {
  return plan?.services.find((each) => each.service === service);
}

function memberText(member: string | undefined): string | undefined {
  return member === undefined ? undefined : `.${member}`;
}

/** How operations are reached from the class of the interface. */
function accessText({ plan }: SoapSide): string | undefined {
  return plan === undefined
    ? undefined
    : plan.hasFacade
      ? `${plan.client} with a member for each service`
      : `${plan.client} with the operations of its service`;
}
