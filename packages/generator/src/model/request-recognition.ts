import type { Body, Operation } from "./soap.js";
import type { TypeDefinition, TypeId, WireName } from "./xsd-types.js";

type FindType = (id: TypeId) => TypeDefinition | undefined;
type SoapVersion = "soap11" | "soap12";

/**
 * Returns the first element in the body of a message, by which servers recognize requests; undefined if the body is
 * empty.
 */
export function findFirstElement(body: Body, findType: FindType): WireName | undefined {
  if (body.kind === "element") {
    return body.element;
  }
  const record = findType(body.record);
  const part = record?.kind === "record" ? record.fields.find(({ kind }) => kind === "element") : undefined;
  return part?.kind === "element" ? part.wireName : undefined;
}

/** How servers recognize the requests of a service's operations. */
export class RequestRecognition {
  readonly #findType: FindType;
  readonly #operationsByElement = new Map<string, Operation[]>();

  constructor(operations: readonly Operation[], findType: FindType) {
    this.#findType = findType;
    for (const operation of operations) {
      const element = this.#formatElement(operation);
      const group = this.#operationsByElement.get(element);
      if (group === undefined) {
        this.#operationsByElement.set(element, [operation]);
      } else {
        group.push(operation);
      }
    }
  }

  /**
   * Returns what a server needs to recognize the requests of an operation: their element; their action, because other
   * operations have the same element; or "nothing" if another operation has the same element and the same action.
   */
  recognize(operation: Operation, version: SoapVersion): "element" | "action" | "nothing" {
    if (this.findSame(operation, version) !== undefined) {
      return "nothing";
    }
    return this.#listOthers(operation, version).length > 0 ? "action" : "element";
  }

  /** Whether an operation has an action in a version of SOAP. */
  hasAction(action: string, version: SoapVersion): boolean {
    return [...this.#operationsByElement.values()].some((operations) =>
      operations.some(({ bindings }) => bindings[version]?.action === action),
    );
  }

  /** Returns the first other operation that has the same element and the same action; undefined if there is none. */
  findSame(operation: Operation, version: SoapVersion): Operation | undefined {
    const action = operation.bindings[version]?.action;
    return this.#listOthers(operation, version).find(({ bindings }) => bindings[version]?.action === action);
  }

  /** Lists the other operations of a version of SOAP whose requests have the same element. */
  #listOthers(operation: Operation, version: SoapVersion): readonly Operation[] {
    const group = operation.bindings[version] && this.#operationsByElement.get(this.#formatElement(operation));
    return (group ?? []).filter((other) => other !== operation && other.bindings[version] !== undefined);
  }

  #formatElement({ input }: Operation): string {
    const element = findFirstElement(input.body, this.#findType);
    return element === undefined ? "" : `{${element.namespace}}${element.local}`;
  }
}
