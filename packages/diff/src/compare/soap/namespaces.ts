import type { SoapInterface } from "@bothends/generator";
import type { NamespaceCheck } from "../../merge-replacements.js";

/**
 * Returns a function that says whether one namespace was replaced with another: whether the new version no longer has
 * the old namespace, and the old version did not have the new one.
 */
export function createNamespaceCheck(before: SoapInterface, after: SoapInterface): NamespaceCheck {
  let versions: readonly [Namespaces, Namespaces] | undefined;
  return ({ before: oldNamespace, after: newNamespace, moved }) => {
    versions ??= [listNamespaces(before), listNamespaces(after)];
    const hasOtherForm = oldNamespace === "" || newNamespace === "";
    const part = hasOtherForm ? "members" : moved === undefined ? "operations" : "all";
    return !versions[1][part].has(oldNamespace) && !versions[0][part].has(newNamespace);
  };
}

interface Namespaces {
  /** The namespaces of the members of types; "" if the schema declares them without a namespace. */
  readonly members: ReadonlySet<string>;
  /** The namespaces of operations of rpc style. */
  readonly operations: ReadonlySet<string>;
  /** The namespaces of members, types, bodies and faults. */
  readonly all: ReadonlySet<string>;
}

function listNamespaces({ services, types }: SoapInterface): Namespaces {
  const operations = services.flatMap((service) => service.operations);
  const bodies = operations.flatMap(({ input, output }) => [
    input.body,
    ...(output === undefined ? [] : [output.body]),
  ]);
  // The parts of an rpc message never have a namespace, and attributes seldom have one.
  const parts = new Set(
    bodies.flatMap((body) =>
      body.kind === "parts" ? body.record : body.rpc && body.type.kind === "named" ? body.type.id : [],
    ),
  );
  const records = types.flatMap((type) => (type.kind === "record" && !parts.has(type.id) ? [type] : []));
  const members = records
    .flatMap(({ fields }) => fields)
    .flatMap((field) => {
      const isNamed = field.kind === "element" || (field.kind === "attribute" && field.wireName.namespace !== "");
      return isNamed ? field.wireName.namespace : [];
    });
  const listElements = (rpc: boolean) =>
    bodies.flatMap((body) => (body.kind === "element" && body.rpc === rpc ? body.element.namespace : []));
  const faults = operations.flatMap((operation) => operation.faults.map(({ element }) => element.namespace));
  const names = records.map(({ wireName }) => wireName.namespace);
  return {
    members: new Set(members),
    operations: new Set(listElements(true)),
    all: new Set([...members, ...listElements(false), ...faults, ...names]),
  };
}
