import { nearestName, splitClark } from "@bothends/xml";

/** An expanded name; `namespace` is "" for none. Maps use Clark notation as key: `{namespace}local`, or `local` without a namespace. */
export interface QName {
  readonly namespace: string;
  readonly local: string;
}

/** Suggests a name for an unknown one: the same local name in another namespace, or a similar local name in the same namespace. */
export function nearestQName(name: QName, clarkNames: Iterable<string>): QName | undefined {
  const inNamespace: string[] = [];
  let elsewhere: QName | undefined;
  for (const clarkName of clarkNames) {
    const { namespace, localName: local } = splitClark(clarkName);
    if (namespace === name.namespace) {
      inNamespace.push(local);
    } else if (local === name.local) {
      elsewhere ??= { namespace, local };
    }
  }
  if (elsewhere !== undefined) {
    return elsewhere;
  }
  const local = nearestName(name.local, inNamespace);
  return local === undefined ? undefined : { namespace: name.namespace, local };
}
