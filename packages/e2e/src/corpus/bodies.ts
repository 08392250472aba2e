import { type Body, type Contract, describe } from "@bothends/generator";
import { clark } from "@bothends/xml";
import { DynamicTypes } from "./dynamic-types.js";

/** A body that is one element, and the types that it is made of. */
export interface ElementBody {
  readonly body: Extract<Body, { readonly kind: "element" }>;
  /** In Clark notation. */
  readonly element: string;
  readonly types: DynamicTypes;
}

/** What the declaration of a body's element says beside its type. */
export function factsOf({ body }: ElementBody) {
  return { nillable: body.nillable, default: body.default, fixed: body.fixed };
}

/** Every body of one element that the operations of a contract send, answer or throw; each element once. */
export function elementBodies(contract: Contract): readonly ElementBody[] {
  const descriptors = describe(contract);
  return contract.interfaces.flatMap((soap) => {
    const described = descriptors.get(soap);
    if (soap.kind !== "soap" || described?.kind !== "soap") return [];
    const types = new DynamicTypes(soap, described);
    const operations = soap.services.flatMap((service) => service.operations);
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
      if (!found.has(key)) found.set(key, { body, element, types });
    }
    return [...found.values()];
  });
}

const plain = { nillable: false, default: undefined, fixed: undefined, rpc: false, encoded: false };
