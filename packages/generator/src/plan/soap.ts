import type {
  Fault,
  Operation,
  Service,
  SoapInterface,
  SoapInterfaceConfig,
  TypeDefinition,
  TypeId,
} from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { planTypeMap, type TypeMapPlan } from "./builtins.js";
import { isInputOptional } from "./optional-input.js";
import type { FaultPlan, OperationPlan, ServicePlan, SharedDefinitions, SoapPlan, TypePlan } from "./plan-model.js";
import {
  assignDeclarations,
  assignDescriptors,
  getFaultKey,
  listReferences,
  listRepresentatives,
  nameFaultDetails,
  nameFaults,
  nameTypes,
  type TypeNames,
} from "./type-names.js";
import {
  ConfiguredNames,
  createEntryNames,
  createFacadeNames,
  formatServiceWords,
  reservedMembers,
  reservedNames,
  Scope,
  takeSharedNames,
  toCamelCase,
  toPascalCase,
  toSafeFileName,
} from "./typescript-names.js";

/**
 * Decides on the names and files of a SOAP interface. Names are taken in this order: services, the facade, types,
 * faults, operations. If a preferred name is already taken, the later declaration gets another name.
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
  const configuredNames = new ConfiguredNames(config?.names ?? new Map(), diagnostics);
  const services = nameServices(soap.services, scope);
  const { word, ...options } = takeSharedNames(soap.name, scope, ["Settings"]);
  const [service] = services;
  const onlyService = service !== undefined && services.length === 1 ? service : undefined;
  const { client, handlers, routes } = onlyService ?? createFacadeNames(soap.name, scope);
  const representatives = listRepresentatives(soap.types);
  const faultNames = nameFaults(soap.services);
  const detailNames = nameFaultDetails(soap, faultNames);
  const names = nameTypes(soap, {
    scope,
    configured: configuredNames,
    diagnostics,
    representatives,
    details: detailNames,
  });
  const faults = planFaults(faultNames, scope);
  const typeMap = planTypeMap(soap, { config, scope, diagnostics, representatives });
  const types = planTypes(soap, { services, config, representatives, names, typeMap });
  const definitions = nameDefinitions(services, scope);
  const definitionsById = new Map(soap.types.map((type) => [type.id, type]));
  const servicePlans = services.map((service) => ({
    ...service,
    definitions: definitions.get(service.service),
    hasAddress: service.service.ports.some(({ address }) => isCallable(address)),
    operations: nameOperations(service, { scope, configured: configuredNames, diagnostics }).map((names) => ({
      ...names,
      isInputOptional: isInputOptional(names.operation, soap, definitionsById),
    })),
  }));
  const serviceNames = [...new Set(soap.services.map(({ name }) => name))];
  configuredNames.reportUnused();
  return {
    kind: "soap",
    interface: soap,
    folder,
    client,
    handlers,
    routes,
    hasFacade: onlyService === undefined,
    hasAddresses: servicePlans.every(({ hasAddress }) => hasAddress),
    serviceKeys: serviceNames.length > 1 ? serviceNames : [],
    ...options,
    settings: `${word}Settings`,
    services: servicePlans,
    types,
    faults: [...faults.values()],
    faultPlans: new Map(
      [...faultNames.keys()].flatMap((fault) => {
        const plan = faults.get(getFaultKey(fault));
        return plan === undefined ? [] : [[fault, plan] as const];
      }),
    ),
    builtins: typeMap.builtins,
  };
}

/** Names the class of each fault. Faults with the same key share a class. */
function planFaults(names: ReadonlyMap<Fault, string>, scope: Scope): ReadonlyMap<string, FaultPlan> {
  const faults = new Map<string, FaultPlan>();
  for (const [fault, preferredName] of names) {
    if (faults.has(getFaultKey(fault))) {
      continue;
    }
    // If the preferred name is taken, because another service has a fault with the same name, the class gets the name
    // of the fault's element.
    const { local } = fault.element;
    const candidates: readonly [string, ...string[]] =
      preferredName === toPascalCase(local) ? [preferredName] : [preferredName, toPascalCase(local)];
    const fallback = preferredName.endsWith("Fault") ? `${preferredName}Error` : `${preferredName}Fault`;
    faults.set(getFaultKey(fault), { name: scope.takeName(...candidates, fallback), fault });
  }
  return faults;
}

interface TypePlanning {
  readonly services: readonly ServiceNames[];
  readonly config: SoapInterfaceConfig | undefined;
  readonly representatives: ReadonlyMap<TypeId, TypeId>;
  readonly names: ReadonlyMap<TypeId, TypeNames>;
  readonly typeMap: TypeMapPlan;
}

/** Decides the names and files of each type. */
function planTypes(
  soap: SoapInterface,
  { services, config, representatives, names, typeMap }: TypePlanning,
): ReadonlyMap<TypeId, TypePlan> {
  const getTypesFile = assignDeclarations(soap, { config, representatives });
  const assignments = assignDescriptors(soap.types, soap.services);
  const partIds = listPartsOfSimpleTypes(soap.types);
  const files = new Map(services.map(({ service, file }) => [service, file]));
  return new Map(
    soap.types.map((type): readonly [TypeId, TypePlan] => {
      const assignment = assignments.get(type.id);
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
          typesFile: getTypesFile(type.id),
          file: assignment === undefined || assignment === "shared" ? undefined : files.get(assignment),
          isDeclared: representatives.get(type.id) === type.id,
          isInline: isInline(type, partIds),
          mapping: typeMap.mappedTypes.get(type.id),
          represented: typeMap.representedTypes.get(type.id),
        },
      ];
    }),
  );
}

function isCallable(address: string | undefined): boolean {
  return address !== undefined && /^https?:\/\/./i.test(address) && URL.canParse(address);
}

/**
 * Whether an anonymous simple type is written where it is used, without a declaration. An enumeration is declared,
 * unless it is part of a union or list.
 */
function isInline(type: TypeDefinition, partIds: ReadonlySet<TypeId>): boolean {
  if (type.name !== undefined) {
    return false;
  }
  const isPart = type.kind === "enumeration" && partIds.has(type.id);
  return isPart || type.kind === "restriction" || type.kind === "list" || type.kind === "union";
}

/** Returns the types that are members of unions or items of lists. */
function listPartsOfSimpleTypes(types: readonly TypeDefinition[]): ReadonlySet<TypeId> {
  return new Set(types.flatMap((type) => (type.kind === "union" || type.kind === "list" ? listReferences(type) : [])));
}

type ServiceNames = Omit<ServicePlan, "operations" | "definitions" | "hasAddress">;

/**
 * Names the file, class and constants of each service. The first service of a WSDL is named after the WSDL's file,
 * unless its `wsdl:service` was divided into services that are named after their ports. All other services are named
 * after their `name`. The first services of all WSDLs are named first, so that their names do not change if a WSDL gets
 * another service.
 */
export function nameServices(services: readonly Service[], scope: Scope): readonly ServiceNames[] {
  const files = new Scope();
  const members = new Scope(reservedMembers);
  const firstServices = listFirstServices(services);
  const nameService = (service: Service, preferredName: string): ServiceNames => {
    const file = files.takeName(toSafeFileName(preferredName));
    const words = formatServiceWords(preferredName, file);
    const member = members.takeName(toCamelCase(words));
    const stem = scope.takeWithDerived([toPascalCase(words), `${toPascalCase(words)}Service`], (word) =>
      Object.values(createNames(word)),
    );
    return { service, file, member, ...createNames(stem) };
  };
  const firstNames = new Map([...firstServices].map((service) => [service, nameService(service, service.file)]));
  return services.map((service) => firstNames.get(service) ?? nameService(service, service.name));
}

/**
 * Names the constants that contain the shared parts of published documents. Documents share parts if their services
 * come from the same WSDL.
 */
function nameDefinitions(services: readonly ServiceNames[], scope: Scope): ReadonlyMap<Service, SharedDefinitions> {
  const names = new Map(services.map((service) => [service.service, service]));
  const definitions = new Map<Service, SharedDefinitions>();
  for (const servicesOfFile of groupServicesByFile(services.map(({ service }) => service))) {
    const firstNames = names.get(servicesOfFile[0]);
    if (servicesOfFile.length === 1 || firstNames === undefined) {
      continue;
    }
    const sharedDefinitions = { constant: scope.takeName(`${firstNames.constant}Definitions`), file: firstNames.file };
    for (const service of servicesOfFile) {
      definitions.set(service, sharedDefinitions);
    }
  }
  return definitions;
}

/** Groups services by the WSDL that defines them. */
export function groupServicesByFile(services: readonly Service[]): readonly (readonly [Service, ...Service[]])[] {
  const files = new Map<string, [Service, ...Service[]]>();
  for (const service of services) {
    const servicesOfFile = files.get(service.span.source.path);
    if (servicesOfFile === undefined) {
      files.set(service.span.source.path, [service]);
    } else {
      servicesOfFile.push(service);
    }
  }
  return [...files.values()];
}

function listFirstServices(services: readonly Service[]): ReadonlySet<Service> {
  const firstServices = new Map<string, Service>();
  for (const service of services) {
    if (!firstServices.has(service.file)) {
      firstServices.set(service.file, service);
    }
  }
  return new Set([...firstServices.values()].filter((service) => service.isNamedAfterPort !== true));
}

function createNames(stem: string): Pick<ServiceNames, "constant" | "client" | "handlers" | "routes" | "wsdl"> {
  const word = toCamelCase(stem);
  return { constant: word, ...createEntryNames(stem), wsdl: `${word}Wsdl` };
}

/** The configured names, and the scope of the constants, for naming operations. */
export interface OperationNaming {
  readonly scope: Scope;
  readonly configured: ConfiguredNames;
  readonly diagnostics: Diagnostics;
}

type OperationNames = Omit<OperationPlan, "isInputOptional">;

/** Names the methods and constants of a service's operations. */
export function nameOperations(service: ServiceNames, naming: OperationNaming): readonly OperationNames[] {
  const methods = new Scope(reservedMembers);
  const firstOperations = new Map<string, Operation>();
  return service.service.operations.map((operation) => {
    const configuredName = naming.configured.find(operation.uniqueName, methods);
    const preferredName = configuredName ?? toCamelCase(operation.uniqueName);
    const overloadName = operation.overload > 1 ? `${preferredName}${operation.overload}` : preferredName;
    const first = firstOperations.get(preferredName);
    const method =
      first === undefined ? methods.takeName(overloadName, `${overloadName}Operation`) : methods.takeName(overloadName);
    if (first === undefined) {
      firstOperations.set(preferredName, operation);
      if (method !== overloadName) {
        reportReservedName(operation, { method, reservedName: overloadName }, naming.diagnostics);
      }
    } else if (first.uniqueName !== operation.uniqueName) {
      reportTakenName(operation, { method, preferredName, first }, naming.diagnostics);
    }
    const constant = naming.scope.takeName(method, `${service.constant}${toPascalCase(method)}`);
    return { operation, method, constant };
  });
}

function reportReservedName(
  operation: Operation,
  { method, reservedName }: { readonly method: string; readonly reservedName: string },
  diagnostics: Diagnostics,
): void {
  diagnostics.info("NAM006", operation.span, {
    message: `The method of the operation ${JSON.stringify(operation.uniqueName)} is named ${method}, because a member named ${reservedName} has a special meaning in JavaScript.`,
    help: chooseName(operation),
  });
}

function reportTakenName(
  operation: Operation,
  {
    method,
    preferredName,
    first,
  }: { readonly method: string; readonly preferredName: string; readonly first: Operation },
  diagnostics: Diagnostics,
): void {
  diagnostics.warning("NAM002", operation.span, {
    message: `The method of the operation ${JSON.stringify(operation.uniqueName)} is named ${method}, because ${JSON.stringify(first.uniqueName)} has the name ${preferredName}.`,
    help: chooseName(operation),
  });
}

function chooseName({ uniqueName }: Operation): string {
  return `To choose another name, add ${JSON.stringify(uniqueName)} to \`names\` in bothends.json.`;
}
