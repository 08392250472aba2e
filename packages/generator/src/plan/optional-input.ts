import type { Field, Operation, RecordType, SoapInterface, TypeDefinition, TypeId } from "../model/index.js";
import { findBodyType } from "./plan-model.js";
import { planRecordTyping } from "./record-typing.js";

/** Whether a value of the record may omit the member. */
export function isOptional(field: Field): boolean {
  switch (field.kind) {
    case "element":
    case "group":
    case "any":
      return field.min === 0;
    case "attribute":
      return !field.required;
    case "anyAttribute":
      return true;
    default:
      return false;
  }
}

/** The members that all objects inherit. TypeScript does not accept `{}` for a type with such a member. */
const inheritedNames: ReadonlySet<string> = new Set([
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
]);

type Types = ReadonlyMap<TypeId, TypeDefinition>;

/**
 * Whether a call can omit the input, because all its members are optional. It cannot if an option of the client can
 * provide a member: the type of the input then depends on the options.
 */
export function isInputOptional(
  operation: Operation,
  { ambient }: Pick<SoapInterface, "ambient">,
  types: Types,
): boolean {
  const record = findInputRecord(operation, types);
  return (
    record !== undefined &&
    !hasRequiredMembers(operation, types) &&
    record.content.every(({ kind }) => kind === "field") &&
    record.fields.every(({ key }) => !inheritedNames.has(key) && !ambient.includes(key))
  );
}

/** Whether the input of a call must have members, or is not an object. */
export function hasRequiredMembers(operation: Operation, types: Types): boolean {
  const record = findInputRecord(operation, types);
  return record === undefined || operation.input.attachments.length > 0 || hasRequiredFields(record, types);
}

function findInputRecord({ input }: Operation, types: Types): RecordType | undefined {
  const type = types.get(findBodyType(input.body) ?? "");
  return type?.kind === "record" ? type : undefined;
}

function hasRequiredFields(record: RecordType, types: Types): boolean {
  const { optionalMembers, choices } = planRecordTyping(record);
  const choiceKeys = new Set(choices.flat().flatMap((alternative) => [...alternative]));
  const base = record.base === undefined ? undefined : types.get(record.base);
  const required = record.fields.filter((field) => !isOptional(field));
  const requiredKeys = new Set(required.map(({ key }) => key));
  return (
    (base?.kind === "record" && hasRequiredFields(base, types)) ||
    required.some(
      ({ key, inherited }) =>
        !(record.base !== undefined && inherited) && !choiceKeys.has(key) && !optionalMembers.has(key),
    ) ||
    choices.some((alternatives) => alternatives.every((keys) => [...keys].some((key) => requiredKeys.has(key))))
  );
}
