import type { OperationComponent, PortTypeComponent } from "../components/wsdl-model.js";
import type { AddressingActions } from "../model/soap.js";
import type { UsingAddressing } from "../read/wsdl/documents.js";

/** The actions of an operation's messages: those that it says, else the soapAction, else those of Metadata §4.4.4. */
export function addressingActions(
  operation: OperationComponent,
  portType: PortTypeComponent,
  { required, soapAction }: UsingAddressing & { readonly soapAction: string },
): AddressingActions {
  const { namespace, local } = portType.name;
  const delimiter = /^urn:/i.test(namespace) ? ":" : "/";
  const start = [namespace.endsWith(delimiter) ? namespace.slice(0, -1) : namespace, local];
  const actionOf = (...steps: readonly string[]): string => [...start, ...steps].join(delimiter);
  const { input, output, faults, name } = operation;
  const ownAction = input?.action ?? (soapAction === "" ? undefined : soapAction);
  return {
    required,
    action: ownAction ?? actionOf(input?.name ?? name),
    answer: output && (output.action ?? actionOf(output.name)),
    faults: faults.map((fault) => ({
      name: fault.name,
      action: fault.action ?? actionOf(name, "Fault", fault.name),
    })),
  };
}
