import type { Binding, BindingFault, BindingMessage, BindingOperation } from "./documents.js";
import type { WsdlElement } from "./element.js";
import { readUsingAddressing } from "./read-addressing.js";
import { checkChildren } from "./read-extension.js";
import { readBindingProtocol, readMessageExtensions, readOperationProtocol, readSoapFault } from "./read-soap-http.js";

/** `wsdl:binding` (WSDL 1.1 §2.5) with the protocol that its extension elements name. */
export function readBinding(element: WsdlElement): Binding | undefined {
  checkChildren(element, ["operation"]);
  const name = element.required("name");
  const type = element.requiredReference("type");
  return (
    name &&
    type && {
      ...element.documented,
      name,
      type,
      protocol: readBindingProtocol(element),
      addressing: readUsingAddressing(element),
      operations: element
        .children("operation")
        .map(readBindingOperation)
        .filter((operation) => operation !== undefined),
    }
  );
}

function readBindingOperation(element: WsdlElement): BindingOperation | undefined {
  checkChildren(element, ["input", "output", "fault"]);
  const name = element.required("name");
  return (
    name && {
      ...element.documented,
      name,
      protocol: readOperationProtocol(element),
      input: element.children("input").map(readBindingMessage)[0],
      output: element.children("output").map(readBindingMessage)[0],
      faults: element.children("fault").map(readBindingFault),
    }
  );
}

function readBindingMessage(element: WsdlElement): BindingMessage {
  checkChildren(element, []);
  return { ...element.documented, name: element.attribute("name"), extensions: readMessageExtensions(element) };
}

function readBindingFault(element: WsdlElement): BindingFault {
  checkChildren(element, []);
  return { ...element.documented, name: element.attribute("name"), soapFault: readSoapFault(element) };
}
