import { clark } from "@bothends/xml";
import type { ElementField, RecordType, TypeReference } from "../model/schema-types.js";
import type { HttpMessage, Input, Output } from "../model/soap.js";
import type { QName } from "../source/qname.js";
import { unconstrained } from "./content.js";
import type { HttpSide, Lowering } from "./lowered.js";
import type { Unkeyed } from "./members.js";

/** The input and output of an operation that HTTP alone binds: its parameters side by side, and its answer. */
export function lowerHttpAlone(
  operation: HttpSide,
  namespace: string,
  lowering: Lowering,
): { readonly input: Input; readonly output: Output } {
  const name = { namespace, local: operation.name };
  const fields = operation.http.parameters.map((parameter) => ({
    ...partField(operation, parameter.key, parameter.type),
    min: parameter.optional ? 0 : 1,
    max: parameter.list ? ("unbounded" as const) : 1,
  }));
  const output = {
    ...lowerAnswer(operation, name, lowering),
    attachments: [],
    headers: undefined,
    headerFaults: undefined,
  };
  const { body } = operation.http;
  if (body !== undefined) {
    const element = { kind: "element", ...body, ...unconstrained, rpc: false, encoded: false } as const;
    return { input: { body: element, attachments: [], headers: undefined }, output };
  }
  const input = partsRecord(operation, { name, step: "httpInput", words: [name.local, "Input"], fields }, lowering);
  return {
    input: { body: { kind: "parts", record: input.id }, attachments: [], headers: undefined },
    output,
  };
}

function lowerAnswer(operation: HttpSide, name: QName, lowering: Lowering): Pick<Output, "body" | "result"> {
  const { answer } = operation.http;
  if (answer.kind === "xml") {
    const { element, type, nillable } = answer;
    return {
      body: { kind: "element", element, type, nillable, ...unconstrained, rpc: false, encoded: false },
      result: { kind: "whole" },
    };
  }
  const type = answerType(answer);
  const fields = type === undefined ? [] : [partField(operation, "Body", type)];
  const record = partsRecord(operation, { name, step: "httpOutput", words: [name.local, "Output"], fields }, lowering);
  return {
    body: { kind: "parts", record: record.id },
    result: type === undefined ? { kind: "empty" } : { kind: "member", key: "Body" },
  };
}

function answerType(answer: HttpMessage["answer"]): TypeReference | undefined {
  if (answer.kind === "text") return answer.type;
  return answer.kind === "bytes" ? { kind: "builtin", name: "base64Binary" } : undefined;
}

interface Parts {
  readonly name: QName;
  readonly step: string;
  readonly words: readonly string[];
  readonly fields: readonly (Unkeyed<ElementField> & { readonly wanted: string })[];
}

function partsRecord(operation: HttpSide, { name, step, words, fields }: Parts, { records }: Lowering): RecordType {
  const id = `${clark(name.namespace, name.local)}@${step}`;
  return records.add({ id, words, wireName: name, span: operation.span, fields });
}

function partField({ span }: HttpSide, name: string, type: TypeReference) {
  return {
    kind: "element" as const,
    wanted: name,
    wireName: { namespace: "", local: name },
    type,
    min: 1,
    max: 1 as const,
    nillable: false,
    default: undefined,
    fixed: undefined,
    span,
    documentation: undefined,
  };
}
