import { type DynamicSoapInterface, dynamicContract } from "@bothends/dynamic";
import type { Body, Contract } from "@bothends/generator";
import { clark } from "@bothends/xml";

/** A body that is one element. */
export interface ElementBody {
  readonly body: Extract<Body, { readonly kind: "element" }>;
  /** In Clark notation. */
  readonly element: string;
  readonly type: ReturnType<DynamicSoapInterface["type"]>;
}

/** What the declaration of a body's element says beside its type. */
export function factsOf({ body }: ElementBody) {
  return { nillable: body.nillable, default: body.default, fixed: body.fixed };
}

/** Every body of one element that the operations of a contract send, answer or throw; each element once. */
export function elementBodies(contract: Contract): readonly ElementBody[] {
  return dynamicContract(contract).interfaces.flatMap((soap) => {
    if (soap.kind !== "soap") return [];
    const operations = soap.interface.services.flatMap((service) => service.operations);
    const bodies = operations.flatMap(({ input, output, faults }): readonly Body[] => [
      input.body,
      ...(output === undefined ? [] : [output.body]),
      ...faults.map(({ element, type }) => ({ kind: "element", element, type, ...plain }) as const),
    ]);
    const found = new Map<string, ElementBody>();
    for (const body of bodies) {
      if (body.kind !== "element") continue;
      const element =
        body.element.namespace === "" ? body.element.local : clark(body.element.namespace, body.element.local);
      const key = `${body.rpc} ${body.encoded} ${element}`;
      if (!found.has(key)) found.set(key, { body, element, type: soap.type(body.type) });
    }
    return [...found.values()];
  });
}

const plain = { nillable: false, default: undefined, fixed: undefined, rpc: false, encoded: false };
