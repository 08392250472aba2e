import type { Attachment, Body, Operation, RecordType, TypeId, TypeReference } from "../../model/index.js";
import { code, type Fragment, intersection, objectType, use } from "../../print/index.js";
import { acceptsEmptyObject, documentation, orNull, property } from "../members.js";
import { getDefinition, type SoapContext, typeSymbol } from "./context.js";
import { fieldType, isOptional, referencedType } from "./types.js";

/** The TypeScript type of an operation's input. */
export function inputType(operation: Operation, context: SoapContext): Fragment {
  const { body, attachments } = operation.input;
  return withAttachments(bodyType(body, context), attachments);
}

/**
 * The TypeScript type of an operation's answer. It is `void`, the type of the body, or the type of a wrapper's only member. An optional
 * member may also be null.
 */
export function outputType(operation: Operation, context: SoapContext): Fragment {
  const { output, http } = operation;
  if (output === undefined || output.result.kind === "empty") {
    return code`void`;
  }
  if (output.result.kind === "whole") {
    const bodyMayBeNil = context.soap.tolerate.includes("nil") && output.body.kind === "element";
    return withAttachments(orNull(bodyType(output.body, context), bodyMayBeNil), output.attachments);
  }
  const { key, repeated } = output.result;
  const field = recordOf(output.body, context)?.fields.find((candidate) => candidate.key === key);
  if (field === undefined) {
    throw new Error(
      `The result of the operation ${operation.name} is the member ${key}, which its output does not have.`,
    );
  }
  const rootMayBeNil = http?.answer.kind === "xml" && http.answer.nillable;
  return orNull(fieldType(field, context), !repeated && (isOptional(field) || rootMayBeNil));
}

/**
 * The type arguments of `CallOptions` and `OperationContext`: the header blocks of an operation's input, then those of its answer and
 * its faults. Empty if the operation declares no header blocks.
 */
export function headerTypes({ input, output }: Operation, context: SoapContext): readonly Fragment[] {
  const inputBlocks = findBlocksType([input.headers], context);
  const answerBlocks = findBlocksType([output?.headers, output?.headerFaults], context);
  if (answerBlocks === undefined) {
    return inputBlocks === undefined ? [] : [inputBlocks];
  }
  return [inputBlocks ?? code`object`, answerBlocks];
}

function findBlocksType(records: readonly (TypeId | undefined)[], context: SoapContext): Fragment | undefined {
  const types = records.filter((id) => id !== undefined).map((id) => use(typeSymbol(id, context)));
  return types.length === 0 ? undefined : intersection(...types);
}

/** The names of the members in an operation's input; empty if the input is not a record. */
export function inputMembers(operation: Operation, context: SoapContext): ReadonlySet<string> {
  const { body, attachments } = operation.input;
  const bodyFields = recordOf(body, context)?.fields ?? [];
  return new Set([...bodyFields, ...attachments].map((member) => member.key));
}

/** Whether a call can omit the input because all its members are optional. */
export function isInputOptional(operation: Operation, context: SoapContext): boolean {
  const record = recordOf(operation.input.body, context);
  if (record === undefined || operation.input.attachments.length > 0) {
    return false;
  }
  const hasOnlyFields = record.content.every((particle) => particle.kind === "field");
  return (
    hasOnlyFields && record.fields.every(isOptional) && acceptsEmptyObject(record.fields.map((field) => field.key))
  );
}

function withAttachments(body: Fragment, attachments: readonly Attachment[]): Fragment {
  if (attachments.length === 0) {
    return body;
  }
  const members = attachments.map(({ key, types, documentation: text }) =>
    property(key, code`Uint8Array`, { documentation: documentation(text, [`An attachment: ${types.join(" or ")}.`]) }),
  );
  return intersection(body, objectType(members));
}

function bodyType(body: Body, context: SoapContext): Fragment {
  if (body.kind === "parts") {
    return use(typeSymbol(body.record, context));
  }
  return orNull(referencedType(body.type, context), body.nillable);
}

function recordOf(body: Body, context: SoapContext): RecordType | undefined {
  const reference: TypeReference = body.kind === "parts" ? { kind: "named", id: body.record } : body.type;
  if (reference.kind === "builtin") {
    return undefined;
  }
  const definition = getDefinition(reference.id, context);
  return definition.kind === "record" ? definition : undefined;
}

/** The comment of an operation in the client or server: its documentation, or a generated sentence. */
export function operationText({ name, documentation, output }: Operation, end: "client" | "server"): string {
  if (documentation !== undefined && documentation.trim() !== "") {
    return documentation;
  }
  if (output === undefined) {
    return `${end === "client" ? "Sends" : "Receives"} the message of the operation ${name}, which has no answer.`;
  }
  return `${end === "client" ? "Calls" : "Answers"} the operation ${name}.`;
}

/**
 * A sentence with the classes of an operation's faults, such as `May throw NotFound or Busy.` Empty if the operation declares no faults.
 */
export function faultSentence(verb: string, { faults }: Operation, { plan }: SoapContext): readonly string[] {
  const names = faults.flatMap((fault) => plan.faultPlans.get(fault)?.name ?? []);
  const lastName = names.pop();
  if (lastName === undefined) {
    return [];
  }
  return [`${verb} ${names.length === 0 ? lastName : `${names.join(", ")} or ${lastName}`}.`];
}
