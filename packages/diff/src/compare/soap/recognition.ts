import { findFirstElement, type Operation, type Service } from "@bothends/generator";
import { formatElement, type SoapSide } from "../sides.js";

type SoapVersion = "soap11" | "soap12";

/**
 * What a server needs to recognize the requests of an operation: their element; their action, because other operations
 * have the same element; or "nothing" if another operation has the same element and the same action.
 */
export type Recognition = "element" | "action" | "nothing";

/** Returns how servers recognize the requests of an operation over a version of SOAP. */
export type FindRecognition = (operation: Operation, version: SoapVersion) => Recognition;

/** Groups the operations of a service by the element of their requests, and returns a function that looks them up. */
export function createRecognition({ operations }: Service, { types }: SoapSide): FindRecognition {
  const getElement = ({ input }: Operation): string => {
    const element = findFirstElement(input.body, (id) => types.get(id));
    return element === undefined ? "" : formatElement({ element });
  };
  const operationsByElement = new Map<string, Operation[]>();
  for (const operation of operations) {
    const element = getElement(operation);
    operationsByElement.set(element, [...(operationsByElement.get(element) ?? []), operation]);
  }
  return (operation, version) => {
    const others = (operationsByElement.get(getElement(operation)) ?? []).filter(
      (other) => other !== operation && other.bindings[version] !== undefined,
    );
    const action = operation.bindings[version]?.action;
    return others.some(({ bindings }) => bindings[version]?.action === action)
      ? "nothing"
      : others.length > 0
        ? "action"
        : "element";
  };
}
