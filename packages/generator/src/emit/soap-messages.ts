import type { Attachment, Body, Operation, RecordType, TypeId, TypeReference } from "../model/index.js";
import type { TypeNode } from "../print/index.js";
import { documentation } from "./documentation.js";
import { emptyObjectFits } from "./empty-object.js";
import { keyword, orNull, property, typeOf } from "./nodes.js";
import { definitionOf, type SoapContext, typeSymbol } from "./soap-context.js";
import { fieldNode, isOptional, typeNode } from "./type-of.js";

/** What an operation takes. */
export function inputNode(operation: Operation, context: SoapContext): TypeNode {
  const { body, attachments } = operation.input;
  return withAttachments(bodyNode(body, context), attachments);
}

/** What an operation answers: the one result of a wrapper, null where it may be absent; nothing; or the whole body. */
export function outputNode(operation: Operation, context: SoapContext): TypeNode {
  const { output, http } = operation;
  if (output === undefined || output.result.kind === "empty") return keyword("void");
  if (output.result.kind === "whole") return withAttachments(bodyNode(output.body, context), output.attachments);
  const { key } = output.result;
  const record = recordOf(output.body, context);
  const field = record?.fields.find((each) => each.key === key);
  if (field === undefined) throw new Error(`${operation.name} answers ${key}, which its output does not have.`);
  const nilRoot = http?.answer.kind === "xml" && http.answer.nillable;
  return orNull(fieldNode(field, context), isOptional(field) || nilRoot);
}

/**
 * What `CallOptions` and `OperationContext` say of header blocks: those that an operation takes, then those of its answer
 * or beside its faults. Nothing where the operation declares none.
 */
export function headerNodes({ input, output }: Operation, context: SoapContext): readonly TypeNode[] {
  const taken = blocksNode([input.headers], context);
  const answered = blocksNode([output?.headers, output?.headerFaults], context);
  if (answered === undefined) return taken === undefined ? [] : [taken];
  return [taken ?? keyword("object"), answered];
}

function blocksNode(records: readonly (TypeId | undefined)[], context: SoapContext): TypeNode | undefined {
  const [first, ...others] = records.filter((id) => id !== undefined).map((id) => typeOf(typeSymbol(id, context)));
  if (first === undefined) return undefined;
  return others.length === 0 ? first : { kind: "intersection", members: [first, ...others] };
}

/** The members of an operation's input by name; none when it is not a record. */
export function inputMembers(operation: Operation, context: SoapContext): ReadonlySet<string> {
  const { body, attachments } = operation.input;
  const inBody = recordOf(body, context)?.fields ?? [];
  return new Set([...inBody, ...attachments].map((member) => member.key));
}

/** An input that needs nothing can be left out of a call. */
export function inputIsOptional(operation: Operation, context: SoapContext): boolean {
  const record = recordOf(operation.input.body, context);
  if (record === undefined || operation.input.attachments.length > 0) return false;
  const alone = record.content.every((each) => each.kind === "field");
  return alone && record.fields.every(isOptional) && emptyObjectFits(record.fields.map((field) => field.key));
}

function withAttachments(body: TypeNode, attachments: readonly Attachment[]): TypeNode {
  if (attachments.length === 0) return body;
  const members = attachments.map(({ key, types, documentation: text }) =>
    property(key, keyword("Uint8Array"), {
      documentation: documentation(text, [`An attachment: ${types.join(" or ")}.`]),
    }),
  );
  return { kind: "intersection", members: [body, { kind: "object", members }] };
}

function bodyNode(body: Body, context: SoapContext): TypeNode {
  if (body.kind === "parts") return typeOf(typeSymbol(body.record, context));
  return orNull(typeNode(body.type, context), body.nillable);
}

function recordOf(body: Body, context: SoapContext): RecordType | undefined {
  const reference: TypeReference = body.kind === "parts" ? { kind: "named", id: body.record } : body.type;
  if (reference.kind === "builtin") return undefined;
  const definition = definitionOf(reference.id, context);
  return definition.kind === "record" ? definition : undefined;
}
