import type { SoapInterface, SoapInterfaceConfig, TypeId } from "../model/index.js";
import { fileWord } from "./file-word.js";
import { Scope } from "./scope.js";
import { namespaceWord } from "./words.js";

const oneFile = "types.ts";

/** The file of each type's declaration: one for all, or as `typeFiles` asks, one per namespace. Twins have their leader's. */
export function placeDeclarations(
  soap: SoapInterface,
  { config, leaders }: { config: SoapInterfaceConfig | undefined; leaders: ReadonlyMap<TypeId, TypeId> },
): (id: TypeId) => string {
  if (config?.typeFiles !== "namespace") return () => oneFile;
  const scope = new Scope();
  const files = new Map<string, string>();
  for (const { id } of soap.types) {
    const namespace = namespaceOf(leaders.get(id) ?? id);
    if (files.has(namespace)) continue;
    const slot = soap.slots.namespaces.find((each) => each.namespace === namespace)?.slot;
    const word = slot ?? namespaceWord(namespace);
    files.set(namespace, word === undefined ? oneFile : `${scope.take(fileWord(word))}.types.ts`);
  }
  return (id) => files.get(namespaceOf(leaders.get(id) ?? id)) ?? oneFile;
}

function namespaceOf(id: TypeId): string {
  return id.startsWith("{") ? id.slice(1, id.indexOf("}")) : "";
}
