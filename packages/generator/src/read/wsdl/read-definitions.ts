import { isXsdNamespace } from "../../source/namespaces.js";
import type { SpannedText } from "../../source/span.js";
import type {
  Definitions,
  Import,
  Message,
  Operation,
  OperationFault,
  OperationMessage,
  Part,
  Port,
  PortType,
  Reference,
  Service,
  TransmissionPrimitive,
  Types,
} from "./documents.js";
import { checkChildren, readAction, readUsingAddressing } from "./extensions.js";
import { readAddress, readBinding } from "./read-binding.js";
import { listItems, type WsdlElement } from "./wsdl-element.js";

/** Reads a document whose root is `wsdl:definitions` (WSDL 1.1 §2.1). */
export function readDefinitions(root: WsdlElement): Definitions {
  checkChildren(root, ["import", "types", "message", "portType", "binding", "service"]);
  return {
    span: root.span,
    documentation: root.documentation,
    source: root.source,
    name: root.attribute("name"),
    targetNamespace: root.attribute("targetNamespace")?.text ?? "",
    imports: readChildren(root, "import", readImport),
    types: readChildren(root, "types", readTypes),
    messages: readChildren(root, "message", readMessage),
    portTypes: readChildren(root, "portType", readPortType),
    bindings: readChildren(root, "binding", readBinding),
    services: readChildren(root, "service", readService),
  };
}

/** Reads each child with this name. Children that `read` has reported as invalid are left out. */
function readChildren<T>(
  parent: WsdlElement,
  localName: string,
  read: (element: WsdlElement) => T | undefined,
): readonly T[] {
  return parent
    .children(localName)
    .map(read)
    .filter((result) => result !== undefined);
}

function readImport(element: WsdlElement): Import | undefined {
  const location = element.attribute("location");
  if (location === undefined) {
    return undefined;
  }
  return {
    span: element.span,
    documentation: element.documentation,
    namespace: element.attribute("namespace"),
    location,
  };
}

function readTypes(element: WsdlElement): Types {
  checkChildren(element, []);
  const schemas = element.elements.filter((child) => isXsdNamespace(child.namespace) && child.localName === "schema");
  return { span: element.span, documentation: element.documentation, schemas: schemas.map((schema) => schema.element) };
}

function readMessage(element: WsdlElement): Message | undefined {
  checkChildren(element, ["part"]);
  const name = element.definedName("internal");
  return (
    name && {
      span: element.span,
      documentation: element.documentation,
      name,
      parts: readChildren(element, "part", readPart),
    }
  );
}

function readPart(element: WsdlElement): Part | undefined {
  checkChildren(element, []);
  const name = element.definedName(element.attribute("element") === undefined ? "sent" : "internal");
  if (name === undefined) {
    return undefined;
  }
  const reference = element.reference("element");
  const type = element.reference("type");
  const hasReference = element.attribute("element") !== undefined || element.attribute("type") !== undefined;
  const unreadable = hasReference && reference === undefined && type === undefined;
  return { span: element.span, documentation: element.documentation, name, element: reference, type, unreadable };
}

function readPortType(element: WsdlElement): PortType | undefined {
  checkChildren(element, ["operation"]);
  const name = element.definedName("internal");
  return (
    name && {
      span: element.span,
      documentation: element.documentation,
      name,
      operations: readChildren(element, "operation", readOperation),
    }
  );
}

function readOperation(element: WsdlElement): Operation | undefined {
  checkChildren(element, ["input", "output", "fault"]);
  const name = element.definedName("sent");
  const input = readChildren(element, "input", readOperationMessage)[0];
  const output = readChildren(element, "output", readOperationMessage)[0];
  const parameterOrder = element.attribute("parameterOrder");
  return (
    name && {
      span: element.span,
      documentation: element.documentation,
      name,
      primitive: transmissionPrimitive(element),
      input,
      output,
      faults: readChildren(element, "fault", readOperationFault),
      parameterOrder: parameterOrder && listItems(parameterOrder.text),
    }
  );
}

/** WSDL 1.1 §2.4: the order of input and output determines who sends the first message. */
function transmissionPrimitive(element: WsdlElement): TransmissionPrimitive {
  const input = element.children("input")[0];
  const output = element.children("output")[0];
  if (output === undefined) {
    if (input === undefined) {
      reportNoMessages(element);
    }
    return "one-way";
  }
  if (input === undefined) {
    return "notification";
  }
  return input.element.start < output.element.start ? "request-response" : "solicit-response";
}

function reportNoMessages(element: WsdlElement): void {
  element.diagnostics.unresolved("WSDL025", element.span, {
    message: `<${element.tag}> "${element.attribute("name")?.text ?? ""}" has neither input nor output.`,
    fallback: "An empty input is used.",
  });
}

function readOperationMessage(element: WsdlElement): OperationMessage | undefined {
  const message = element.requiredReference("message");
  return (
    message && {
      span: element.span,
      documentation: element.documentation,
      name: element.attribute("name"),
      message,
      action: readAction(element),
    }
  );
}

function readOperationFault(element: WsdlElement): OperationFault | undefined {
  const message = element.requiredReference("message");
  if (message === undefined) {
    return undefined;
  }
  const name = element.attribute("name") ?? nameFault(element, message);
  return { span: element.span, documentation: element.documentation, name, message, action: readAction(element) };
}

/** WSDL 1.1 §2.4.2 requires a name. The name of the message can replace it, because messages contain neither. */
function nameFault(element: WsdlElement, message: Reference): SpannedText {
  element.diagnostics.warning("WSDL009", element.span, {
    message: `<${element.tag}> has no attribute "name". The name of its message, "${message.local}", is used.`,
  });
  return { text: message.local, span: message.span };
}

function readService(element: WsdlElement): Service | undefined {
  checkChildren(element, ["port"]);
  const name = element.definedName("internal");
  return (
    name && {
      span: element.span,
      documentation: element.documentation,
      name,
      ports: readChildren(element, "port", readPort),
    }
  );
}

function readPort(element: WsdlElement): Port | undefined {
  const name = element.definedName("internal");
  const binding = element.requiredReference("binding");
  return (
    name &&
    binding && {
      span: element.span,
      documentation: element.documentation,
      name,
      binding,
      address: readAddress(element),
      addressing: readUsingAddressing(element),
    }
  );
}
