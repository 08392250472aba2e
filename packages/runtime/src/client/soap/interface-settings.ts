import type { AnyOperationDescriptor } from "../../descriptor.js";
import { describeValue, EncodeError } from "../../errors.js";
import { applyWireNames, wireNames } from "../../wire-names.js";
import type { SettingsFeature } from "./connection.js";

/** Applies an interface's settings: its ambient arguments and its configurable names. */
export const settings: SettingsFeature = {
  kind: "settings",
  names(settings, options) {
    const names = wireNames(settings, options);
    return { namespaces: names.namespaces, ofOperation: (operation) => applyWireNames(operation, names) };
  },
  prepareInput(operation, { ambient = [] }) {
    const shape = inputShape(operation, ambient);
    return (input, options) => addAmbient(input, shape, options);
  },
};

/** The properties of an operation's input that decide whether ambient arguments are added to it. */
interface InputShape {
  readonly operation: string;
  /** Whether the input is an object with members; the text of one element, for example, is not. */
  readonly hasMembers: boolean;
  readonly isNillable: boolean;
  /** The ambient arguments that the operation declares. */
  readonly ambient: readonly string[];
}

/** Computes the shape of an operation's input once, when the operation is prepared. */
function inputShape(operation: AnyOperationDescriptor, ambient: readonly string[]): InputShape {
  const { name, input } = operation;
  const { body } = input;
  const typeReference: unknown = "parts" in body ? body.parts : body.type;
  const type = (typeof typeReference === "function" ? typeReference() : typeReference) as { readonly kind: string };
  const fields = "fields" in type && typeof type.fields === "object" ? (type.fields ?? {}) : {};
  return {
    operation: name,
    hasMembers: type.kind === "record" || type.kind === "polymorphic",
    isNillable: "nillable" in body && body.nillable === true,
    ambient: ambient.filter((argument) => Object.hasOwn(fields, argument)),
  };
}

/**
 * Adds the ambient arguments that the operation declares, with their values in the client's options. Members of the input take
 * precedence.
 */
function addAmbient(input: unknown, shape: InputShape, options: object): unknown {
  if (!shape.hasMembers || (input === null && shape.isNillable)) {
    return input;
  }
  const members = input ?? {};
  if (typeof members !== "object") {
    throw new EncodeError(
      `The input must be an object with the members of ${shape.operation}, not ${describeValue(input)}.`,
      { path: `/${shape.operation}` },
    );
  }
  const missingNames = shape.ambient.filter(
    (name) => memberValue(members, name) === undefined && memberValue(options, name) !== undefined,
  );
  if (missingNames.length === 0) {
    return members;
  }
  return { ...members, ...Object.fromEntries(missingNames.map((name) => [name, memberValue(options, name)])) };
}

function memberValue(record: object, name: string): unknown {
  return Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined;
}
