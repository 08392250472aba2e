import { findFirstElement } from "../../model/request-element.js";
import type { Operation, TypeDefinition, TypeId, WireName } from "../../model/soap.js";
import type { BindingContext } from "./message-parts.js";

/**
 * Makes clients send the parameter `action` of SOAP 1.2 for the operations of a service whose requests begin with the
 * same element, because only the action tells the server which operation is called. Reports operations that also have
 * the same action (Basic Profile 1.1 R2710).
 */
export function distinguishRequests(
  operations: readonly Operation[],
  findType: (id: TypeId) => TypeDefinition | undefined,
  { references }: BindingContext,
): readonly Operation[] {
  const groups = new Map<string, { readonly element: WireName | undefined; readonly operations: Operation[] }>();
  for (const operation of operations.filter(hasSoap)) {
    const element = findFirstElement(operation.input.body, findType);
    const key = element === undefined ? "" : `{${element.namespace}}${element.local}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { element, operations: [operation] });
    } else {
      group.operations.push(operation);
    }
  }
  const operationsThatNeedAction = new Set<Operation>();
  for (const { element, operations: sameOperations } of groups.values()) {
    for (const [index, operation] of sameOperations.entries()) {
      const other = sameOperations.slice(0, index).find((earlier) => haveSameAction(earlier, operation));
      if (other !== undefined) {
        const start = element === undefined ? "have an empty body" : `begin with the same element, <${element.local}>`;
        references.reports.warning("WSDL053", operation.span, {
          message: `The requests of the operations "${other.name}" and "${operation.name}" ${start}, and have the same soapAction. No server can tell them apart.`,
        });
      }
    }
    const soap12Operations = sameOperations.filter(({ bindings }) => bindings.soap12 !== undefined);
    for (const operation of soap12Operations) {
      const others = soap12Operations.filter((other) => other !== operation);
      if (others.length > 0 && !others.some((other) => haveSameAction(operation, other))) {
        operationsThatNeedAction.add(operation);
      }
    }
  }
  return operations.map((operation) => (operationsThatNeedAction.has(operation) ? sendAction(operation) : operation));
}

function hasSoap({ bindings }: Operation): boolean {
  return bindings.soap11 !== undefined || bindings.soap12 !== undefined;
}

/** Whether two operations have the same action in a version of SOAP that both support. */
function haveSameAction({ bindings: left }: Operation, { bindings: right }: Operation): boolean {
  return (["soap11", "soap12"] as const).some(
    (version) => left[version] !== undefined && left[version].action === right[version]?.action,
  );
}

/** Makes the SOAP 1.2 requests of an operation contain its action, if it has one. */
function sendAction(operation: Operation): Operation {
  const { soap12 } = operation.bindings;
  return soap12 === undefined || soap12.action === ""
    ? operation
    : { ...operation, bindings: { ...operation.bindings, soap12: { ...soap12, sendAction: true } } };
}
