import type { SoapInterface, SoapInterfaceConfig, TypeDefinition } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { facadeNames, sharedNames } from "./interface-names.js";
import { nameTypes } from "./name-types.js";
import { Overrides } from "./overrides.js";
import { placeTypes } from "./placing.js";
import type { FaultPlan, SoapPlan, TypePlan } from "./plan.js";
import { nameOperations, nameServices } from "./plan-services.js";
import { reservedNames } from "./reserved.js";
import { faultKey, nameFaults, rolesOf } from "./roles.js";
import { Scope } from "./scope.js";
import { findTwins } from "./twins.js";
import { placeDeclarations } from "./type-files.js";
import { planBuiltins } from "./type-map.js";

/** Names and files of one SOAP interface. What is named first gets the name it asks for: services, the facade, types, faults, operations. */
export function planSoap(
  soap: SoapInterface,
  {
    folder,
    config,
    diagnostics,
  }: { folder: string; config: SoapInterfaceConfig | undefined; diagnostics: Diagnostics },
): SoapPlan {
  const scope = new Scope(reservedNames);
  const overrides = new Overrides(config?.names ?? new Map(), diagnostics);
  const services = nameServices(soap.services, scope);
  const { word, ...options } = sharedNames(soap.name, scope, ["Facts"]);
  const [service] = services;
  const single = service !== undefined && services.length === 1 ? service : undefined;
  const { client, handlers, routes } = single ?? facadeNames(soap.name, scope);
  const leaders = findTwins(soap.types);
  const operations = soap.services.flatMap((service) => service.operations);
  const faultNames = nameFaults(operations);
  const roles = rolesOf(soap, faultNames);
  const names = nameTypes(soap, { scope, overrides, diagnostics, leaders, roles });

  const faults = new Map<string, FaultPlan>();
  for (const [fault, wish] of faultNames) {
    if (faults.has(faultKey(fault))) continue;
    faults.set(faultKey(fault), { name: scope.take(wish, `${wish}Fault`), fault });
  }
  const typesFile = placeDeclarations(soap, { config, leaders });
  const places = placeTypes(soap.types, soap.services);
  const files = new Map(services.map((each) => [each.service, each.file]));
  const types = new Map(
    soap.types.map((type): readonly [string, TypePlan] => {
      const place = places.get(type.id);
      const own = names.get(type.id);
      if (own === undefined) throw new Error(`${type.id} has no name.`);
      return [
        type.id,
        {
          ...own,
          typesFile: typesFile(type.id),
          file: place === undefined || place === "shared" ? undefined : files.get(place),
          declares: leaders.get(type.id) === type.id,
          inline: isInline(type),
        },
      ];
    }),
  );
  const builtins = planBuiltins(config, scope, diagnostics);
  const servicePlans = services.map((service) => ({
    ...service,
    operations: nameOperations(service, { scope, overrides, diagnostics }),
  }));
  overrides.reportUnused();
  return {
    kind: "soap",
    interface: soap,
    folder,
    client,
    handlers,
    routes,
    hasFacade: single === undefined,
    ...options,
    facts: `${word}Facts`,
    services: servicePlans,
    types,
    faults: [...faults.values()],
    faultOf: new Map(
      [...faultNames.keys()].flatMap((fault) => {
        const plan = faults.get(faultKey(fault));
        return plan === undefined ? [] : [[fault, plan] as const];
      }),
    ),
    builtins,
  };
}

function isInline(type: TypeDefinition): boolean {
  return type.name === undefined && (type.kind === "restriction" || type.kind === "list" || type.kind === "union");
}
