import { findBodyType, type SoapInterface } from "@bothends/generator";
import { hasOtherForm, type NamespaceCheck } from "../../merge-replacements.js";

/**
 * Returns a function that says whether one namespace was replaced with another: whether the new version no longer has
 * the old namespace, and the old version did not have the new one.
 */
export function createNamespaceCheck(before: SoapInterface, after: SoapInterface): NamespaceCheck {
  let versions: readonly [Namespaces, Namespaces] | undefined;
  return (change) => {
    versions ??= [listNamespaces(before), listNamespaces(after)];
    const [oldNamespaces, newNamespaces] = versions;
    const { before: oldNamespace, after: newNamespace, moved, files } = change;
    if (hasOtherForm(change)) {
      // The elements of the old file may now be in another file.
      return files.every(
        (file) =>
          !newNamespaces.members.has(`${file} ${oldNamespace}`) &&
          !oldNamespaces.members.has(`${file} ${newNamespace}`),
      );
    }
    const part = moved === undefined ? "operations" : "all";
    return !newNamespaces[part].has(oldNamespace) && !oldNamespaces[part].has(newNamespace);
  };
}

interface Namespaces {
  /**
   * The files that declare elements of types, each with the namespace of these elements: `orders.xsd urn:orders`.
   * Header blocks are not among them, because a header block is a global element, which always has a namespace.
   */
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
  // The parts of an rpc message never have a namespace.
  const parts = new Set(
    bodies.flatMap((body) => (body.kind === "parts" || body.rpc ? (findBodyType(body) ?? []) : [])),
  );
  const headers = new Set(
    operations.flatMap(({ input, output }) => [input.headers, output?.headers, output?.headerFaults]),
  );
  const records = types.flatMap((type) => (type.kind === "record" && !parts.has(type.id) ? [type] : []));
  const listFields = (owners: typeof records) =>
    owners.flatMap(({ fields }) => fields.filter((field) => field.kind === "element"));
  const members = listFields(records.filter(({ id }) => !headers.has(id)));
  const listElements = (rpc: boolean) =>
    bodies.flatMap((body) => (body.kind === "element" && body.rpc === rpc ? body.element.namespace : []));
  const faults = operations.flatMap((operation) => operation.faults.map(({ element }) => element.namespace));
  const names = records.map(({ wireName }) => wireName.namespace);
  return {
    members: new Set(members.map(({ span, wireName }) => `${span?.source.path} ${wireName.namespace}`)),
    operations: new Set(listElements(true)),
    all: new Set([
      ...listFields(records).map(({ wireName }) => wireName.namespace),
      ...listElements(false),
      ...faults,
      ...names,
    ]),
  };
}
