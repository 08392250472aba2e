import type { ElementField, TypeReference } from "../model/schema-types.js";
import type { HttpMessage } from "../model/soap.js";
import type { HttpSide, Lowering, SoapSide } from "./lowered.js";
import { sameReference } from "./members.js";

/** What an operation sends and answers over HTTP in the terms of its SOAP binding, or why the two are not one operation. */
export type Correspondence =
  | { readonly kind: "same"; readonly message: HttpMessage }
  | { readonly kind: "apart"; readonly difference: Difference };

/** How an operation differs at two ports, said of the later one: `takes no "Year"`. */
export interface Difference {
  readonly text: string;
  readonly help: string;
}

/** Its parameters are the members of the SOAP input, and its answer has the type of the SOAP result. */
export function correspondence(soap: SoapSide, { http }: HttpSide, lowering: Lowering): Correspondence {
  if (http.body !== undefined) return apart("takes an XML document", "Take the message's members as parameters.");
  const members = inputMembers(soap);
  if (members === undefined) {
    return apart("takes parameters", "Bind it to SOAP in the document style, wrapped, where one service is meant.");
  }
  const parameters: HttpMessage["parameters"][number][] = [];
  for (const member of members) {
    const { local } = member.wireName;
    const parameter = http.parameters.find((one) => one.name === local);
    if (parameter === undefined) return apart(`takes no "${local}"`, `Add a part "${local}" to its message.`);
    const typed = typedParameter(parameter, member, lowering);
    if (typed === undefined) return apart(`takes another "${local}"`, `Give "${local}" one type at both.`);
    parameters.push(typed);
  }
  const more = http.parameters.find(({ name }) => !members.some(({ wireName }) => wireName.local === name));
  if (more !== undefined) return apart(`takes "${more.name}", too`, `Remove the part "${more.name}" from its message.`);
  if (parameters.length < http.parameters.length) return apart("takes a parameter twice", "Remove one of the parts.");
  if (!sameAnswer(soap, http.answer)) return apart("answers something else", "Give the answer one type at both.");
  return { kind: "same", message: { body: undefined, parameters, answer: http.answer } };
}

function apart(text: string, help: string): Correspondence {
  return { kind: "apart", difference: { text, help } };
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
