import type { AnyOperationDescriptor, RuntimePart, ServiceFacts } from "../../descriptor.js";
import { applyWireNames, type OperationNames, type WireNameOptions, wireNames } from "../../wire-names.js";
import { ambientInput, inputFacts } from "./ambient-input.js";

/** The names of an interface on the wire. */
export interface InterfaceNames {
  /** The real namespace by the namespace of the schema. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** The names of one operation. */
  of(operation: AnyOperationDescriptor): OperationNames;
}

/** Applies the facts of an interface to its calls: `xs.facts`. */
export interface FactsPart extends RuntimePart<"facts"> {
  /** Checks that only configured names are renamed, and resolves them. */
  names(facts: ServiceFacts, options: WireNameOptions): InterfaceNames;
  /** Prepares an operation for the ambient arguments that it declares. */
  prepareInput(operation: AnyOperationDescriptor, facts: ServiceFacts): InputWithFacts;
}

/** Adds the ambient arguments from the client's options to an input. */
export type InputWithFacts = (input: unknown, options: object) => unknown;

/** The part of the runtime that applies facts; undefined if they have none. */
export function factsPart({ by }: ServiceFacts): FactsPart | undefined {
  return by !== undefined && isFactsPart(by) ? by : undefined;
}

function isFactsPart(part: RuntimePart<"facts">): part is FactsPart {
  return "names" in part;
}

/** Applies the facts of an interface: its ambient arguments, and the names that can be changed. */
export const facts: FactsPart = {
  kind: "facts",
  names(interfaceFacts, options) {
    const names = wireNames(interfaceFacts, options);
    return { namespaces: names.namespaces, of: (operation) => applyWireNames(operation, names) };
  },
  prepareInput(operation, { ambient = [] }) {
    const input = inputFacts(operation, ambient);
    return (values, options) => ambientInput(values, input, options);
  },
};
