import type { Fault, Service, SoapInterface, SoapInterfaceConfig, TypeDefinition, TypeId } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { planTypeMap, type TypeMapPlan } from "./builtins.js";
import {
  ConfiguredNames,
  camel,
  entryNames,
  facadeNames,
  fileWord,
  pascal,
  reservedMembers,
  reservedNames,
  Scope,
  serviceWords,
  sharedNames,
} from "./names.js";
import type { FaultPlan, OperationPlan, ServicePlan, SharedDefinitions, SoapPlan, TypePlan } from "./plan.js";
import {
  faultKey,
  nameFaults,
  namesOfDetails,
  nameTypes,
  placeDeclarations,
  placeTypes,
  referencesOf,
  representedTypes,
  type TypeNames,
} from "./plan-types.js";

/**
 * Names and files of one SOAP interface. Whatever is named first gets its preferred name: services, the facade, types, faults,
 * operations.
 */
export function planSoap(
  soap: SoapInterface,
  {
    folder,
    config,
    diagnostics,
  }: { folder: string; config: SoapInterfaceConfig | undefined; diagnostics: Diagnostics },
): SoapPlan {
  const scope = new Scope(reservedNames);
  const configured = new ConfiguredNames(config?.names ?? new Map(), diagnostics);
  const services = nameServices(soap.services, scope);
  const { word, ...options } = sharedNames(soap.name, scope, ["Settings"]);
  const [service] = services;
  const single = service !== undefined && services.length === 1 ? service : undefined;
  const { client, handlers, routes } = single ?? facadeNames(soap.name, scope);
  const representatives = representedTypes(soap.types);
  const faultNames = nameFaults(soap.services);
  const details = namesOfDetails(soap, faultNames);
  const names = nameTypes(soap, { scope, configured, diagnostics, representatives, details });
  const faults = planFaults(faultNames, scope);
  const typeMap = planTypeMap(soap, { config, scope, diagnostics, representatives });
  const types = planTypes(soap, { services, config, representatives, names, typeMap });
  const definitions = nameDefinitions(services, scope);
  const servicePlans = services.map((service) => ({
    ...service,
    definitions: definitions.get(service.service),
    operations: nameOperations(service, { scope, configured, diagnostics }),
  }));
  configured.reportUnused();
  return {
    kind: "soap",
    interface: soap,
    folder,
    client,
    handlers,
    routes,
    hasFacade: single === undefined,
    hasAddresses: servicePlans.every(({ service }) => service.ports.some(({ address }) => isCallable(address))),
    ...options,
    settings: `${word}Settings`,
    services: servicePlans,
    types,
    faults: [...faults.values()],
    faultOf: new Map(
      [...faultNames.keys()].flatMap((fault) => {
        const plan = faults.get(faultKey(fault));
        return plan === undefined ? [] : [[fault, plan] as const];
      }),
    ),
    builtins: typeMap.builtins,
  };
}

/** The class of each fault, by its key. */
function planFaults(names: ReadonlyMap<Fault, string>, scope: Scope): ReadonlyMap<string, FaultPlan> {
  const faults = new Map<string, FaultPlan>();
  for (const [fault, wish] of names) {
    if (faults.has(faultKey(fault))) {
      continue;
    }
    // Two services may have faults with the same name.
    const { local } = fault.element;
    const candidates: readonly [string, ...string[]] = wish === pascal(local) ? [wish] : [wish, pascal(local)];
    const last = wish.endsWith("Fault") ? `${wish}Error` : `${wish}Fault`;
    faults.set(faultKey(fault), { name: scope.take(...candidates, last), fault });
  }
  return faults;
}

interface TypePlanning {
  readonly services: readonly Names[];
  readonly config: SoapInterfaceConfig | undefined;
  readonly representatives: ReadonlyMap<TypeId, TypeId>;
  readonly names: ReadonlyMap<TypeId, TypeNames>;
  readonly typeMap: TypeMapPlan;
}

/** The names and files of each type. */
function planTypes(
  soap: SoapInterface,
  { services, config, representatives, names, typeMap }: TypePlanning,
): ReadonlyMap<TypeId, TypePlan> {
  const typesFile = placeDeclarations(soap, { config, representatives });
  const places = placeTypes(soap.types, soap.services);
  const parts = partsOfSimpleTypes(soap.types);
  const files = new Map(services.map(({ service, file }) => [service, file]));
  return new Map(
    soap.types.map((type): readonly [TypeId, TypePlan] => {
      const place = places.get(type.id);
      const { name, values, descriptor } = names.get(type.id) ?? {};
      if (name === undefined || values === undefined || descriptor === undefined) {
        throw new Error(`${type.id} has no name.`);
      }
      return [
        type.id,
        {
          name,
          values,
          descriptor,
          typesFile: typesFile(type.id),
          file: place === undefined || place === "shared" ? undefined : files.get(place),
          declares: representatives.get(type.id) === type.id,
          inline: isInline(type, parts),
          mapping: typeMap.named.get(type.id),
          represented: typeMap.represented.get(type.id),
        },
      ];
    }),
  );
}

function isCallable(address: string | undefined): boolean {
  return address !== undefined && /^https?:\/\/./i.test(address) && URL.canParse(address);
}

/**
 * Whether a type is inlined where it is used: an anonymous simple type. Enumerations get a name unless they are part of another
 * type.
 */
function isInline(type: TypeDefinition, parts: ReadonlySet<TypeId>): boolean {
  if (type.name !== undefined) {
    return false;
  }
  const isPart = type.kind === "enumeration" && parts.has(type.id);
  return isPart || type.kind === "restriction" || type.kind === "list" || type.kind === "union";
}

/** The members of unions and the items of lists. */
function partsOfSimpleTypes(types: readonly TypeDefinition[]): ReadonlySet<TypeId> {
  return new Set(types.flatMap((type) => (type.kind === "union" || type.kind === "list" ? referencesOf(type) : [])));
}

type Names = Omit<ServicePlan, "operations" | "definitions">;

/**
 * Files, classes and constants of each service. The first service of a WSDL file is named after the file, unless all services of
 * its `wsdl:service` are named after their ports; the others are named after themselves. All first services are named before the
 * others, so that adding a service to a file renames none.
 */
export function nameServices(services: readonly Service[], scope: Scope): readonly Names[] {
  const files = new Scope();
  const members = new Scope(reservedMembers);
  const firsts = firstOfEachFile(services);
  const nameService = (service: Service, wish: string): Names => {
    const file = files.take(fileWord(wish));
    const words = serviceWords(wish, file);
    const member = members.take(camel(words));
    const stem = scope.takeFor([pascal(words), `${pascal(words)}Service`], (word) => Object.values(namesOf(word)));
    return { service, file, member, ...namesOf(stem) };
  };
  const firstNames = new Map([...firsts].map((service) => [service, nameService(service, service.file)]));
  return services.map((service) => firstNames.get(service) ?? nameService(service, service.name));
}

/** Names the shared parts of several services' documents. */
function nameDefinitions(services: readonly Names[], scope: Scope): ReadonlyMap<Service, SharedDefinitions> {
  const names = new Map(services.map((named) => [named.service, named]));
  const definitions = new Map<Service, SharedDefinitions>();
  for (const sameFile of servicesByFile(services.map(({ service }) => service))) {
    const first = names.get(sameFile[0]);
    if (sameFile.length === 1 || first === undefined) {
      continue;
    }
    const shared = { constant: scope.take(`${first.constant}Definitions`), file: first.file };
    for (const service of sameFile) {
      definitions.set(service, shared);
    }
  }
  return definitions;
}

/** The services by defining file: those of one file have similar documents. */
export function servicesByFile(services: readonly Service[]): readonly (readonly [Service, ...Service[]])[] {
  const files = new Map<string, [Service, ...Service[]]>();
  for (const service of services) {
    const sameFile = files.get(service.span.source.path);
    if (sameFile === undefined) {
      files.set(service.span.source.path, [service]);
    } else {
      sameFile.push(service);
    }
  }
  return [...files.values()];
}

function firstOfEachFile(services: readonly Service[]): ReadonlySet<Service> {
  const firsts = new Map<string, Service>();
  for (const service of services) {
    if (!firsts.has(service.file)) {
      firsts.set(service.file, service);
    }
  }
  return new Set([...firsts.values()].filter((service) => service.isNamedAfterPort !== true));
}

function namesOf(stem: string): Pick<Names, "constant" | "client" | "handlers" | "routes" | "wsdl"> {
  const word = camel(stem);
  return { constant: word, ...entryNames(stem), wsdl: `${word}Wsdl` };
}

export interface OperationNaming {
  readonly scope: Scope;
  readonly configured: ConfiguredNames;
  readonly diagnostics: Diagnostics;
}

/** Methods and constants of a service's operations. */
export function nameOperations(service: Names, naming: OperationNaming): readonly OperationPlan[] {
  const methods = new Scope(reservedMembers);
  const owners = new Map<string, string>();
  return service.service.operations.map((operation) => {
    const chosen = naming.configured.find(operation.uniqueName, methods);
    const wish = chosen ?? camel(operation.uniqueName);
    const overload = operation.overload > 1 ? `${wish}${operation.overload}` : wish;
    const owner = owners.get(wish);
    const method = owner === undefined ? methods.take(overload, `${overload}Operation`) : methods.take(overload);
    owners.set(wish, owner ?? operation.uniqueName);
    if (owner === undefined && method !== overload) {
      naming.diagnostics.info("NAM006", operation.span, {
        message: `The method of operation ${JSON.stringify(operation.uniqueName)} is named ${method}, because a member named ${overload} has a special meaning in JavaScript.`,
        help: `To choose another name, add ${JSON.stringify(operation.uniqueName)} to \`names\` in bothends.json.`,
      });
    }
    if (owner !== undefined && owner !== operation.uniqueName) {
      naming.diagnostics.warning("NAM002", operation.span, {
        message: `The method of operation ${JSON.stringify(operation.uniqueName)} is named ${method}, because ${JSON.stringify(owner)} has the name ${wish}.`,
        help: `To choose another name, add ${JSON.stringify(operation.uniqueName)} to \`names\` in bothends.json.`,
      });
    }
    const constant = naming.scope.take(method, `${service.constant}${pascal(method)}`);
    return { operation, method, constant };
  });
}
