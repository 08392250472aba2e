import type { AnyOperationDescriptor, ServiceFacts } from "../../descriptor.js";
import { EncodeError } from "../../errors.js";

/**
 * An input with the arguments that the client holds for the operation's members of those names; the call's own win. An
 * input without members, as the text of one element, stands as it is.
 */
export function ambientInput(
  operation: AnyOperationDescriptor,
  input: unknown,
  { facts, options }: { readonly facts: ServiceFacts; readonly options: object },
): unknown {
  if (!hasMembers(operation) || (input === null && isNillable(operation))) return input;
  const given = input ?? {};
  if (typeof given !== "object") throw new EncodeError("The input is an object.", { path: `/${operation.name}` });
  const missing = (facts.ambient ?? []).filter(
    (name) =>
      ownValue(given, name) === undefined && ownValue(options, name) !== undefined && hasMember(operation, name),
  );
  if (missing.length === 0) return given;
  return { ...given, ...Object.fromEntries(missing.map((name) => [name, ownValue(options, name)])) };
}

function ownValue(record: object, name: string): unknown {
  return Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined;
}

function inputType({ input: { body } }: AnyOperationDescriptor): { readonly kind: string } {
  const reference = "parts" in body ? body.parts : body.type;
  return typeof reference === "function" ? reference() : reference;
}

function hasMembers(operation: AnyOperationDescriptor): boolean {
  const { kind } = inputType(operation);
  return kind === "record" || kind === "polymorphic";
}

function isNillable({ input: { body } }: AnyOperationDescriptor): boolean {
  return "nillable" in body && body.nillable === true;
}

function hasMember(operation: AnyOperationDescriptor, name: string): boolean {
  const type = inputType(operation);
  return (
    "fields" in type && typeof type.fields === "object" && type.fields !== null && Object.hasOwn(type.fields, name)
  );
}
