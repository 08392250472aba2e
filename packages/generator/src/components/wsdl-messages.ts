import { clark } from "@bothends/xml";
import type { Message, Part, Reference } from "../read/wsdl/documents.js";
import type { Code } from "../source/catalogue/index.js";
import { nearest } from "../source/nearest.js";
import type { QName } from "../source/qname.js";
import type { MessageComponent, PartComponent } from "./wsdl-model.js";
import { type Problems, placeOf, spelled } from "./wsdl-scope.js";
import type { ElementDeclaration, SchemaComponents, TypeDefinition } from "./xsd-model.js";

/** A message whose parts know their elements and types (WSDL 1.1 §2.3). */
export function resolveMessage(
  message: Message,
  name: QName,
  context: { readonly schema: SchemaComponents; readonly problems: Problems },
): MessageComponent {
  const parts: PartComponent[] = [];
  for (const part of message.parts) {
    const content = resolvePart(part, context.schema, context.problems);
    if (parts.some((other) => other.name === part.name.text)) {
      context.problems.error("WSDL010", part.name.span, {
        message: `The message "${message.name.text}" has two parts "${part.name.text}".`,
      });
    } else if (content !== undefined) {
      parts.push({ name: part.name.text, span: part.span, documentation: part.documentation, content });
    }
  }
  const complete = parts.length === message.parts.length;
  return { name, span: message.span, documentation: message.documentation, parts, complete };
}

function resolvePart(part: Part, schema: SchemaComponents, problems: Problems): PartComponent["content"] | undefined {
  const { element, type } = part;
  if (element !== undefined && type === undefined) {
    const declaration = schema.elements.get(clark(element.namespace, element.local));
    if (declaration !== undefined) return { kind: "element", declaration };
    reportUnknown(part, element, {
      code: "WSDL012",
      what: "element",
      verb: "declares",
      known: schema.elements,
      problems,
    });
  } else if (type !== undefined && element === undefined) {
    const name = clark(type.namespace, type.local);
    const definition = schema.types.get(name) ?? schema.builtinTypes.get(name);
    if (definition !== undefined) return { kind: "type", type: definition };
    reportUnknown(part, type, { code: "WSDL013", what: "type", verb: "defines", known: schema.types, problems });
  } else {
    problems.error("WSDL018", part.span, {
      message: `Part "${part.name.text}" has ${element === undefined ? "neither an element nor a type" : "both an element and a type"}.`,
    });
  }
  return undefined;
}

interface Unknown {
  readonly code: Code;
  readonly what: string;
  readonly verb: string;
  readonly known: ReadonlyMap<string, ElementDeclaration | TypeDefinition>;
  readonly problems: Problems;
}

function reportUnknown(part: Part, reference: Reference, { code, what, verb, known, problems }: Unknown): void {
  const close = nearest(clark(reference.namespace, reference.local), known.keys());
  const found = close === undefined ? undefined : known.get(close);
  problems.error(code, reference.span, {
    message: `Part "${part.name.text}" refers to ${what} ${reference.text}, which no schema ${verb}.`,
    help: found?.name && `Did you mean ${spelled(found.name, reference)} (${placeOf(found.span)})?`,
  });
}
