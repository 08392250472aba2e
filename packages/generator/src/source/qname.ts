import { nearestName, splitClark } from "@bothends/xml";

/** An expanded name; `namespace` is "" for none. As a key of a map it is written in Clark notation: `{ns}local`, or `local` for none. */
export interface QName {
  readonly namespace: string;
  readonly local: string;
}

/** The name that a mistyped one most likely meant: the same one in another namespace, or a similar one in its own. */
export function nearestQName(name: QName, clarkNames: Iterable<string>): QName | undefined {
  const inNamespace: string[] = [];
  let elsewhere: QName | undefined;
  for (const clarkName of clarkNames) {
    const { namespace, localName: local } = splitClark(clarkName);
    if (namespace === name.namespace) inNamespace.push(local);
    else if (local === name.local) elsewhere ??= { namespace, local };
  }
  if (elsewhere !== undefined) return elsewhere;
  const local = nearestName(name.local, inNamespace);
  return local === undefined ? undefined : { namespace: name.namespace, local };
}
