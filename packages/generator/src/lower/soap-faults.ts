import type { BindingOperationComponent, OperationFaultComponent } from "../components/wsdl-model.js";
import type { Fault } from "../model/soap.js";
import type { Lowering } from "./lowered.js";

/** The faults of an operation, each with the element that stands in a fault's detail (WSDL 1.1 §3.6). */
export function lowerFaults({ operation }: BindingOperationComponent, lowering: Lowering): readonly Fault[] {
  return operation.faults.map((fault) => lowerFault(fault, lowering)).filter((fault) => fault !== undefined);
}

function lowerFault(fault: OperationFaultComponent, { types }: Lowering): Fault | undefined {
  const { name, span, message } = fault;
  if (!message.complete) return undefined;
  const [part, ...others] = message.parts;
  if (part === undefined || others.length > 0) {
    types.unresolvedOnce("WSDL044", span, {
      message: `Fault "${name}" needs a message with one part; "${message.name.local}" has ${message.parts.length}.`,
      instead: "It is left undeclared.",
    });
    return undefined;
  }
  const { content } = part;
  const documentation = fault.documentation ?? message.documentation;
  if (content.kind === "element") {
    const { declaration } = content;
    return { name, span, documentation, element: declaration.name, type: types.elementType(declaration) };
  }
  const element = { namespace: "", local: part.name };
  return { name, span, documentation, element, type: types.reference(content.type) };
}
