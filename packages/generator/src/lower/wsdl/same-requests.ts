import { findFirstElement, RequestRecognition } from "../../model/request-recognition.js";
import type { Operation } from "../../model/soap.js";
import type { TypeDefinition, TypeId } from "../../model/xsd-types.js";
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
  const recognition = new RequestRecognition(operations, findType);
  for (const [index, operation] of operations.entries()) {
    const other = recognition.findSame(operation, "soap11") ?? recognition.findSame(operation, "soap12");
    if (other !== undefined && operations.indexOf(other) < index) {
      const element = findFirstElement(operation.input.body, findType);
      const start = element === undefined ? "have an empty body" : `begin with the same element, <${element.local}>`;
      references.reports.warning("WSDL053", operation.span, {
        message: `The requests of the operations "${other.name}" and "${operation.name}" ${start}, and have the same soapAction. No server can tell them apart.`,
      });
    }
  }
  return operations.map((operation) =>
    recognition.recognize(operation, "soap12") === "action" ? sendAction(operation) : operation,
  );
}

/** Makes the SOAP 1.2 requests of an operation contain its action, if it has one. */
function sendAction(operation: Operation): Operation {
  const { soap12 } = operation.bindings;
  return soap12 === undefined || soap12.action === ""
    ? operation
    : { ...operation, bindings: { ...operation.bindings, soap12: { ...soap12, sendAction: true } } };
}
