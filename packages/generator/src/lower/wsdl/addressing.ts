import type {
  BindingComponent,
  BindingOperationComponent,
  OperationComponent,
  PortTypeComponent,
} from "../../components/wsdl/wsdl-components.js";
import type { AddressingActions, AddressingSpans, SoapBinding } from "../../model/soap.js";
import type { UsingAddressing } from "../../read/wsdl/documents.js";
import type { SpannedText } from "../../source/span.js";

/** The element UsingAddressing, and the element that contains it. */
export interface AddressingSource extends UsingAddressing {
  readonly parent: AddressingSpans["parent"];
}

/** An operation of a SOAP binding. */
interface OperationSource {
  readonly boundOperation: BindingOperationComponent;
  readonly binding: BindingComponent;
  readonly addressing: AddressingSource | undefined;
}

/** Lowers the use of WS-Addressing in an operation (Web Services Addressing 1.0, Metadata). */
export function lowerAddressing(
  { boundOperation: { operation }, binding, addressing }: OperationSource,
  soapAction: SpannedText | undefined,
): Pick<SoapBinding, "addressing" | "addressingSpans"> {
  if (addressing === undefined) {
    return { addressing: undefined, addressingSpans: { declaration: binding.span, parent: "binding" } };
  }
  const { span, parent } = addressing;
  const { input, output, faults } = operation;
  const usedSoapAction = soapAction?.text === "" ? undefined : soapAction;
  return {
    addressing: getActions(operation, binding.portType, { ...addressing, soapAction: usedSoapAction }),
    addressingSpans: {
      declaration: span,
      parent,
      actions: {
        action: (input?.action ?? usedSoapAction ?? input ?? operation).span,
        ...(output !== undefined && { answer: (output.action ?? output).span }),
        faults: faults.map((fault) => (fault.action ?? fault).span),
      },
    },
  };
}

/**
 * Returns the WS-Addressing actions of an operation's messages. A declared action takes precedence; without one, a
 * request uses the soapAction. Otherwise, the default of WS-Addressing 1.0 Metadata §4.4.4 applies.
 */
function getActions(
  operation: OperationComponent,
  portType: PortTypeComponent,
  { required, soapAction }: UsingAddressing & { readonly soapAction: SpannedText | undefined },
): AddressingActions {
  const { namespace, local } = portType.name;
  const delimiter = /^urn:/i.test(namespace) ? ":" : "/";
  const defaultStart = [namespace.endsWith(delimiter) ? namespace.slice(0, -1) : namespace, local];
  const createDefaultAction = (...steps: readonly string[]): string => [...defaultStart, ...steps].join(delimiter);
  const { input, output, faults, name } = operation;
  return {
    required,
    action: (input?.action ?? soapAction)?.text ?? createDefaultAction(input?.name ?? name),
    answer: output && (output.action?.text ?? createDefaultAction(output.name)),
    faults: faults.map((fault) => ({
      name: fault.name,
      action: fault.action?.text ?? createDefaultAction(name, "Fault", fault.name),
    })),
  };
}
