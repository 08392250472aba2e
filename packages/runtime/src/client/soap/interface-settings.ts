import type { AnyOperationDescriptor } from "../../descriptor.js";
import { applyWireNames, readWireNames } from "../../wire-names.js";
import type { SettingsFeature } from "./connection.js";

/** Applies an interface's settings: its ambient arguments and its configurable names. */
export const settings: SettingsFeature = {
  kind: "settings",
  prepareNames(settings, options) {
    const names = readWireNames(settings, options);
    return { namespaces: names.namespaces, ofOperation: (operation) => applyWireNames(operation, names) };
  },
  prepareInput(operation, { ambient = [] }) {
    const ambientInput = readInputMembers(operation, ambient);
    return (input, options) => addAmbient(input, ambientInput, options);
  },
};

/** The properties of an operation's input that decide whether ambient arguments are added to it. */
interface AmbientInput {
  /** Whether the input is an object with members. False, for example, if the input is the text of one element. */
  readonly hasMembers: boolean;
  readonly isNillable: boolean;
  /** The ambient arguments that the operation declares. */
  readonly ambient: readonly string[];
}

/**
 * Reads the properties in `AmbientInput` from an operation's descriptor. Called once, when the operation is prepared.
 */
function readInputMembers(operation: AnyOperationDescriptor, ambient: readonly string[]): AmbientInput {
  const { body } = operation.input;
  const typeReference: unknown = "parts" in body ? body.parts : body.type;
  const type = (typeof typeReference === "function" ? typeReference() : typeReference) as { readonly kind: string };
  const fields = "fields" in type && typeof type.fields === "object" ? (type.fields ?? {}) : {};
  return {
    hasMembers: type.kind === "record" || type.kind === "polymorphic",
    isNillable: "nillable" in body && body.nillable === true,
    ambient: ambient.filter((argument) => Object.hasOwn(fields, argument)),
  };
}

/**
 * Adds the ambient arguments that the operation declares, with their values in the client's options. Members of the
 * input take precedence.
 */
function addAmbient(input: unknown, ambientInput: AmbientInput, options: object): unknown {
  const members = input ?? {};
  // An input of the wrong type is returned unchanged, and is refused when it is written.
  if (!ambientInput.hasMembers || (input === null && ambientInput.isNillable) || typeof members !== "object") {
    return input;
  }
  const missingNames = ambientInput.ambient.filter(
    (name) => getMemberValue(members, name) === undefined && getMemberValue(options, name) !== undefined,
  );
  if (missingNames.length === 0) {
    return members;
  }
  return { ...members, ...Object.fromEntries(missingNames.map((name) => [name, getMemberValue(options, name)])) };
}

function getMemberValue(record: object, name: string): unknown {
  return Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined;
}
