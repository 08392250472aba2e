import type { HttpMessage } from "../model/soap.js";
import type { ElementField, TypeReference } from "../model/types.js";
import type { HttpSide, Lowering, SoapSide } from "./lowered.js";
import { sameReference } from "./members.js";

/**
 * What an operation sends and answers over HTTP in the terms of its SOAP binding, where the two are one operation: its
 * parameters are the members of the SOAP input, and its answer has the type of the SOAP result. Undefined where they are not.
 */
export function correspondence(soap: SoapSide, { http }: HttpSide, lowering: Lowering): HttpMessage | undefined {
  if (http.body !== undefined) return undefined;
  const members = inputMembers(soap);
  if (members?.length !== http.parameters.length || !sameAnswer(soap, http.answer)) return undefined;
  const parameters = members.map((member) => {
    const parameter = http.parameters.find((one) => one.name === member.wireName.local);
    return parameter && typedParameter(parameter, member, lowering);
  });
  const complete = parameters.filter((parameter) => parameter !== undefined);
  return complete.length === parameters.length
    ? { body: undefined, parameters: complete, answer: http.answer }
    : undefined;
}

function inputMembers({ inputRecord }: SoapSide): readonly ElementField[] | undefined {
  const fields = inputRecord?.fields ?? [];
  const elements = fields.filter((field) => field.kind === "element");
  return inputRecord === undefined || elements.length < fields.length ? undefined : elements;
}

/** HTTP has text alone, so a part of type string may be any simple type; it takes the element's. */
function typedParameter(
  parameter: HttpMessage["parameters"][number],
  member: ElementField,
  { types }: Lowering,
): HttpMessage["parameters"][number] | undefined {
  const isList = member.max !== 1;
  if (isList !== parameter.list || !types.isSimple(member.type)) return undefined;
  if (!isString(parameter.type) && !sameReference(parameter.type, member.type)) return undefined;
  return { ...parameter, key: member.key, type: member.type };
}

function isString(type: TypeReference): boolean {
  return type.kind === "builtin" && type.name === "string";
}

function sameAnswer({ resultType }: SoapSide, answer: HttpMessage["answer"]): boolean {
  switch (answer.kind) {
    case "none":
      return resultType === undefined;
    case "xml":
    case "text":
      return resultType !== undefined && sameReference(resultType, answer.type);
    case "bytes":
      return resultType?.kind === "builtin" && resultType.name === "base64Binary";
  }
}
