import type { AnyOperationDescriptor, ServiceFacts } from "../../descriptor.js";
import { EncodeError } from "../../errors.js";

/** An input with the arguments that the client holds for the operation's members of those names; the call's own win. */
export function ambientInput(
  operation: AnyOperationDescriptor,
  input: unknown,
  { facts, options }: { readonly facts: ServiceFacts; readonly options: object },
): object {
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

function hasMember({ input: { body } }: AnyOperationDescriptor, name: string): boolean {
  const reference = "parts" in body ? body.parts : body.type;
  const type: object = typeof reference === "function" ? reference() : reference;
  return (
    "fields" in type && typeof type.fields === "object" && type.fields !== null && Object.hasOwn(type.fields, name)
  );
}
