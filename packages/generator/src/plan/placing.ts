import type { Service, TypeDefinition, TypeId } from "../model/index.js";
import { referencesOf, referencesOfOperation } from "./references.js";

/** The service that alone reaches a type, or "shared". A type that nothing reaches is shared. */
export function placeTypes(
  types: readonly TypeDefinition[],
  services: readonly Service[],
): ReadonlyMap<TypeId, Service | "shared"> {
  const definitions = new Map(types.map((type) => [type.id, type]));
  const places = new Map<TypeId, Service | "shared">();
  for (const service of services) {
    const open = service.operations.flatMap(referencesOfOperation);
    // A type is entered at most twice, for its first service and when it becomes shared: linear in the references.
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const known = places.get(id);
      if (known === service || known === "shared") continue;
      places.set(id, known === undefined ? service : "shared");
      const definition = definitions.get(id);
      if (definition !== undefined) open.push(...referencesOf(definition));
    }
  }
  for (const type of types) if (!places.has(type.id)) places.set(type.id, "shared");
  return places;
}
