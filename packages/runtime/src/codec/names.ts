import { clark } from "@bothends/xml/names";

/** The namespace of `xsi:type` and `xsi:nil` (XSD 1.0 Part 1 §2.6). */
export const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
/** The namespace of the built-in types. */
export const schemaNamespace = "http://www.w3.org/2001/XMLSchema";

/** The namespace and local name of an element, attribute or type, as it appears in messages. */
export interface WireName {
  readonly namespace: string;
  readonly localName: string;
}

/** Maps names in the schema to names on the wire. */
export interface NamesOnWire {
  namespace(namespace: string): string;
  element(name: WireName): WireName;
}

/** Leaves all names unchanged. */
export const unchangedNames: NamesOnWire = { namespace: (namespace) => namespace, element: (name) => name };

/** Creates the mapping of names from the options `namespaces` and `elements`. */
export function createNamesOnWire({
  namespaces,
  elements,
}: {
  readonly namespaces?: ReadonlyMap<string, string> | undefined;
  readonly elements?: ReadonlyMap<string, string> | undefined;
}): NamesOnWire {
  if (!namespaces?.size && !elements?.size) {
    return unchangedNames;
  }
  const getNamespaceOnWire = (namespace: string): string => namespaces?.get(namespace) ?? namespace;
  return {
    namespace: getNamespaceOnWire,
    element: ({ namespace, localName }) => ({
      namespace: getNamespaceOnWire(namespace),
      localName: elements?.get(clark(namespace, localName)) ?? localName,
    }),
  };
}
