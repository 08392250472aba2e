import { suggestName } from "@bothends/xml";
import type {
  BindingComponent,
  ServiceComponent,
  WsdlComponents,
  WsdlFile,
} from "../../components/wsdl/wsdl-components.js";
import type { SoapInterfaceConfig } from "../../model/config.js";
import type { Operation, Service, SoapInterface, WireSlots } from "../../model/soap.js";
import type { TypeDefinition, TypeId, TypeReference } from "../../model/xsd-types.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { describeLimitRemedy, type SourceLimits, sourceLimits } from "../../source/source-limits.js";
import type { SourceText } from "../../source/span.js";
import { xsdNamespace } from "../../source/xml-names.js";
import { lowerReferencedTypes } from "../xsd/type-definitions.js";
import { TypeReferences } from "../xsd/type-references.js";
import { lowerHttpMessages } from "./http-operation.js";
import { type MergedOperation, type MergedPorts, mergePorts, reportSeparateService } from "./merge-ports.js";
import { type BindingContext, MessageRecords } from "./message-parts.js";
import { isCallable, lowerPort, type PortOperations, type PortSource } from "./ports.js";
import { distinguishRequests } from "./same-requests.js";
import { isLongHeaderId } from "./soap-operation.js";
import { widenAnswers } from "./widened-answers.js";

/**
 * Lowers WSDLs and their schemas to an interface of the Contract. Reports WSDLs without a supported binding and returns
 * undefined.
 */
export function lowerWsdl(
  components: WsdlComponents,
  config: SoapInterfaceConfig,
  diagnostics: Diagnostics,
  limits: SourceLimits = sourceLimits,
): SoapInterface | undefined {
  const { files, schema } = components;
  const references = new TypeReferences(schema, diagnostics, limits);
  const sharedContext = { references, records: new MessageRecords(references), config, diagnostics };
  const services = omitDuplicateServices(files.flatMap((file) => lowerServices(file, sharedContext)));
  checkOperations(components, config, diagnostics);
  if (services.length === 0) {
    for (const file of diagnostics.hasErrors ? [] : files) {
      diagnostics.error("WSDL019", file.span, { message: "No operation is bound to SOAP or HTTP." });
    }
    return undefined;
  }
  checkOperationCount(components, services, { diagnostics, limits });
  const types = lowerReferencedTypes(references, {
    documents: sortDocuments(components),
    namespaces: schema.namespaces,
  });
  checkAmbientArguments(services, types, { config, diagnostics });
  return widenAnswers({
    kind: "soap",
    name: config.name,
    services,
    types: nameCommonHeaders(types, services),
    targetNamespaces: [...files.flatMap((file) => file.namespaces), ...schema.targetNamespaces],
    ambient: config.ambient.map((argument) => argument.name),
    slots: lowerSlots(components, services, { config, diagnostics }),
    configured: {
      span: config.span,
      names: [
        ...config.wireNames.namespaces.map(({ slot, span }) => ({ name: slot, span })),
        ...config.wireNames.operations,
      ],
      settings: config.settings,
    },
    conventions: config.conventions,
    tolerate: config.tolerate,
  });
}

type SharedContext = Omit<BindingContext, "callableOperations" | "reportsUnsupported">;

/** Lowers the services of one WSDL. Each binding without a port becomes a separate service, which has no address. */
function lowerServices(file: WsdlFile, sharedContext: SharedContext): readonly Service[] {
  const usedBindings = new Set(file.services.flatMap(({ ports }) => ports.map(({ binding }) => binding)));
  const unusedBindings = file.bindings.filter(
    (binding) => !usedBindings.has(binding) && binding.protocolBinding !== undefined,
  );
  if (file.services.length > 0) {
    for (const binding of unusedBindings) {
      reportUnusedBinding(binding, sharedContext);
    }
  }
  const callableNamesInFile = listCallableOperations(unusedBindings.length === 0 ? [] : file.bindings, sharedContext);
  const createContext = (callableOperations: ReadonlySet<string>): BindingContext => {
    return { ...sharedContext, callableOperations, reportsUnsupported: true };
  };
  const serviceSources = [
    ...file.services.map((service) => {
      const bindings = service.ports.map(({ binding }) => binding);
      return {
        service,
        context: createContext(listCallableOperations(bindings, sharedContext)),
      };
    }),
    ...unusedBindings.map((binding) => ({
      service: createServiceOfBinding(binding),
      context: createContext(callableNamesInFile),
    })),
  ];
  const groupedServices = serviceSources.map(({ service, context }): GroupedService => {
    return { service, context, portGroups: groupPorts(service, context) };
  });
  const hasSeparatePorts = groupedServices.some(({ portGroups }) => arePortsSeparate(portGroups));
  return groupedServices.flatMap((service) => listServicesOfGroups(service, { file, hasSeparatePorts }));
}

/** A `wsdl:service`, or a binding without a port, with its ports in groups: each group becomes a service. */
interface GroupedService {
  readonly service: ServiceSource;
  readonly portGroups: readonly MergedPorts[];
  readonly context: BindingContext;
}

type ServiceSource = Pick<ServiceComponent, "name" | "span" | "documentation"> & {
  readonly ports: readonly PortSource[];
};

function reportUnusedBinding({ name, span }: BindingComponent, { references }: SharedContext): void {
  references.reports.info("WSDL028", span, {
    message: `No port uses the binding "${name.local}". The binding becomes a separate service without an address.`,
  });
}

/**
 * Returns the names of the operations that at least one binding supports: a SOAP binding, or an HTTP binding that can
 * be lowered.
 */
function listCallableOperations(
  bindings: readonly BindingComponent[],
  sharedContext: SharedContext,
): ReadonlySet<string> {
  const context = { ...sharedContext, callableOperations: new Set<string>(), reportsUnsupported: false } as const;
  return new Set(
    bindings.flatMap((binding) =>
      binding.operations
        .filter((boundOperation) => isCallable(boundOperation, binding, context))
        .map(({ operation }) => operation.name),
    ),
  );
}

/** Creates a service without an address for a binding without a port. */
function createServiceOfBinding(binding: BindingComponent): ServiceSource {
  const { name, span, documentation } = binding;
  const port = {
    name: name.local,
    span,
    documentation,
    binding,
    address: undefined,
    addressing: undefined,
    policies: [],
  };
  return { name, span, documentation, ports: [port] };
}

function groupPorts(service: ServiceSource, context: BindingContext): readonly MergedPorts[] {
  const ports = service.ports
    .map((port) => lowerPort(port, context))
    .filter((port) => port !== undefined)
    .filter((port) => port.operations.length > 0);
  const mergedPorts = mergePorts(ports, context);
  for (const port of mergedPorts.flatMap(({ ports }) => ports)) {
    reportTransport(port, context);
  }
  return mergedPorts;
}

function reportTransport({ port, transport }: PortOperations, { references }: BindingContext): void {
  if (transport === undefined) {
    return;
  }
  references.reports.warning("WSDL029", transport.span, {
    message: `The port "${port.name}" uses SOAP over ${transport.text}, for which clients need the option \`transport\`.`,
    help: "Pass a transport to clients, or declare an address that accepts SOAP over HTTP.",
  });
}

/**
 * Whether three or more groups have a port with the same protocol. If so, the groups are unrelated services, not
 * variants of the first service.
 */
function arePortsSeparate(portGroups: readonly MergedPorts[]): boolean {
  const protocols = portGroups.flatMap(({ ports }) => [...new Set(ports.map(({ port }) => port.protocol))]);
  return protocols.some((protocol) => protocols.filter((other) => other === protocol).length > 2);
}

function listServicesOfGroups(
  { service, portGroups, context }: GroupedService,
  { file, hasSeparatePorts }: { readonly file: WsdlFile; readonly hasSeparatePorts: boolean },
): readonly Service[] {
  const isNamedAfterPort = hasSeparatePorts && portGroups.length > 1;
  const names = nameGroupServices(portGroups, isNamedAfterPort ? undefined : service.name.local);
  return portGroups.map((group, index) => {
    const name = names[index] ?? service.name.local;
    if (group.separation !== undefined) {
      reportSeparateService(group.separation, name, context);
    }
    const loweredService = createService(group, { name, service, file }, context);
    return isNamedAfterPort ? { ...loweredService, isNamedAfterPort } : loweredService;
  });
}

/**
 * Names the services into which a `wsdl:service` is divided. The first service gets `firstName`, if it is defined. The
 * next ones are named after their ports: `AirPricePort` -> `AirPrice`. If the short name is taken, it keeps the suffix
 * `Port` or `BindingPort`; if that name is taken too, it gets a number.
 */
function nameGroupServices(portGroups: readonly MergedPorts[], firstName: string | undefined): readonly string[] {
  const portNames = portGroups.map(({ ports: [first] }) => first?.port.name ?? "");
  const fullNames = firstName === undefined ? portNames : [firstName, ...portNames.slice(1)];
  const shortNames = fullNames.map((name) =>
    name === firstName ? name : name.replace(/(?<=.)(?:Binding)?_?Port$/, ""),
  );
  const chosenNames = shortNames.map((name, index) => {
    const isTaken = fullNames.some(
      (other, otherIndex) => otherIndex !== index && (other === name || shortNames[otherIndex] === name),
    );
    return isTaken ? (fullNames[index] ?? name) : name;
  });
  return chosenNames.map((name, index) => (chosenNames.indexOf(name) < index ? addNumber(name, chosenNames) : name));
}

function addNumber(name: string, takenNames: readonly string[]): string {
  let number = 2;
  while (takenNames.includes(`${name}${number}`)) {
    number += 1;
  }
  return `${name}${number}`;
}

function createService(
  { ports, repeatedPorts, operations }: MergedPorts,
  { name, service, file }: { readonly name: string; readonly service: ServiceSource; readonly file: WsdlFile },
  context: BindingContext,
): Service {
  const { namespace } = service.name;
  const inputRecords = new Map(
    operations.flatMap(({ soap }) =>
      soap?.inputRecord === undefined ? [] : [[soap.inputRecord.id, soap.inputRecord]],
    ),
  );
  return {
    name,
    file: getFileStem(file.path),
    namespace,
    span: service.span,
    documentation: service.documentation ?? file.documentation,
    ports: ports.map(({ port }) => port),
    otherPorts: repeatedPorts.map(({ port }) => port),
    operations: distinguishRequests(
      operations.map((operation) => createOperation(operation, namespace, context)),
      (id) => inputRecords.get(id),
      context,
    ),
  };
}

/** Creates the operation of the Contract from a merged operation. */
function createOperation(
  { soap, http, bindings, suffix }: MergedOperation,
  namespace: string,
  context: BindingContext,
): Operation {
  if (soap !== undefined) {
    const { name, overload, span, documentation, input, output, faults } = soap;
    const uniqueName = name + suffix;
    return { name, uniqueName, overload, span, documentation, input, output, faults, http: http?.http, bindings };
  }
  if (http === undefined) {
    throw new Error("A merged operation has neither a SOAP nor an HTTP binding.");
  }
  const { name, overload, span, documentation } = http;
  const messages = lowerHttpMessages(http, namespace, context);
  const uniqueName = name + suffix;
  return { name, uniqueName, overload, span, documentation, ...messages, faults: [], http: http.http, bindings };
}

/** Returns the name of a file without its extension: `schemas/orders.wsdl` -> `orders`. */
function getFileStem(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
}

/** Removes duplicate services, which exist if two WSDLs import the same document. */
function omitDuplicateServices(services: readonly Service[]): readonly Service[] {
  const keys = new Set<string>();
  return services.filter(({ span, ports: [port] }) => {
    const key = `${span.source.path} ${span.start} ${port?.span.start}`;
    return keys.size < keys.add(key).size;
  });
}

/** Reports operations that are listed in `bothends.json`, but that no WSDL binds. */
function checkOperations({ files }: WsdlComponents, config: SoapInterfaceConfig, diagnostics: Diagnostics): void {
  const operations = files.flatMap((file) => file.bindings.flatMap((binding) => binding.operations));
  const names = new Set(operations.map(({ operation }) => operation.name));
  for (const { name, span } of config.operations ?? []) {
    if (!names.has(name)) {
      diagnostics.error("WSDL016", span, {
        message: `No WSDL binds an operation "${name}".`,
        help: suggestName(name, names),
      });
    }
  }
}

function checkOperationCount(
  { files }: WsdlComponents,
  services: readonly Service[],
  { diagnostics, limits }: { readonly diagnostics: Diagnostics; readonly limits: SourceLimits },
): void {
  const count = services.reduce((sum, service) => sum + service.operations.length, 0);
  const [firstFile] = files;
  if (count <= limits.operations || firstFile === undefined) {
    return;
  }
  diagnostics.error("WSDL026", firstFile.span, {
    message: `The WSDLs have ${count} operations, which exceeds the limit.`,
    ...describeLimitRemedy("operations", limits),
  });
}

/**
 * Returns the documents in the order in which generated code has their types: the first WSDL, the schemas, the
 * remaining WSDLs.
 */
function sortDocuments({ files, schema }: WsdlComponents): readonly SourceText[] {
  const documents = new Set<SourceText>();
  const [firstFile] = files;
  if (firstFile !== undefined) {
    documents.add(firstFile.source);
  }
  for (const components of [schema.types, schema.elements, schema.groups, schema.attributes]) {
    for (const component of components.values()) {
      documents.add(component.span.source);
    }
  }
  for (const file of files) {
    documents.add(file.source);
  }
  return [...documents];
}

interface CheckContext {
  readonly config: SoapInterfaceConfig;
  readonly diagnostics: Diagnostics;
}

/** Reports ambient arguments that are listed in `bothends.json`, but that no operation has. */
function checkAmbientArguments(
  services: readonly Service[],
  types: readonly TypeDefinition[],
  { config, diagnostics }: CheckContext,
): void {
  if (config.ambient.length === 0) {
    return;
  }
  const names = listArgumentNames(services, types);
  for (const { name, span } of config.ambient) {
    if (!names.has(name)) {
      diagnostics.error("WSDL023", span, {
        message: `No operation has an argument "${name}".`,
        help: suggestName(name, names),
      });
    }
  }
}

function listArgumentNames(services: readonly Service[], types: readonly TypeDefinition[]): ReadonlySet<string> {
  const typesById = new Map(types.map((type) => [type.id, type]));
  const names = new Set<string>();
  for (const { input } of services.flatMap((service) => service.operations)) {
    const { body } = input;
    const type: TypeReference = body.kind === "parts" ? { kind: "named", id: body.record } : body.type;
    const record = type.kind === "named" ? typesById.get(type.id) : undefined;
    for (const field of record?.kind === "record" ? record.fields : []) {
      names.add(field.key);
    }
  }
  return names;
}

/**
 * Gives the name `CommonHeaders` to one of the header types that have too many blocks to be named after their blocks:
 * the type that most operations use. If each of these types belongs to only one operation, none is renamed.
 */
function nameCommonHeaders(types: readonly TypeDefinition[], services: readonly Service[]): readonly TypeDefinition[] {
  const uses = new Map<TypeId, number>();
  for (const { input, output } of services.flatMap(({ operations }) => operations)) {
    for (const id of [input.headers, output?.headers].filter((id) => id !== undefined)) {
      uses.set(id, (uses.get(id) ?? 0) + 1);
    }
  }
  const sharedIds = [...uses].filter(([id, count]) => count > 1 && isLongHeaderId(id));
  const [commonId] = sharedIds.sort(([, a], [, b]) => b - a)[0] ?? [];
  return types.map((type) => (type.id === commonId ? { ...type, words: ["CommonHeaders"] } : type));
}

const maxListedNamespaces = 5;

/** Lists the namespaces that a configuration does not name yet; undefined if there are none. */
function formatNamespaces(namespaces: readonly string[]): string | undefined {
  const listedNamespaces = namespaces.slice(0, maxListedNamespaces).map((namespace) => JSON.stringify(namespace));
  return listedNamespaces.length === 0
    ? undefined
    : `"wireNames" does not name these namespaces yet: ${listedNamespaces.join(", ")}${namespaces.length > listedNamespaces.length ? ", …" : ""}.`;
}

/** Returns the names in messages that programs can replace at run time. Reports names that the WSDLs do not contain. */
function lowerSlots(
  { files, schema }: WsdlComponents,
  services: readonly Service[],
  { config, diagnostics }: CheckContext,
): WireSlots {
  const { wireNames } = config;
  const namespaces = new Set([
    ...files.flatMap((file) => file.namespaces.map(({ namespace }) => namespace)),
    ...schema.namespaces,
  ]);
  const namedNamespaces = new Set(wireNames.namespaces.map(({ namespace }) => namespace));
  const otherNamespaces = [...namespaces].filter(
    (namespace) => !namedNamespaces.has(namespace) && namespace !== xsdNamespace,
  );
  for (const { namespace, span } of wireNames.namespaces) {
    if (!namespaces.has(namespace)) {
      diagnostics.error("WSDL024", span, {
        message: `No document has the namespace "${namespace}".`,
        help: suggestName(namespace, otherNamespaces) ?? formatNamespaces(otherNamespaces),
      });
    }
  }
  const operations = new Set(services.flatMap((service) => service.operations.map((operation) => operation.name)));
  for (const { name, span } of wireNames.operations) {
    if (!operations.has(name)) {
      diagnostics.error("WSDL016", span, {
        message: `The WSDLs have no operation "${name}".`,
        help: suggestName(name, operations),
      });
    }
  }
  return {
    namespaces: wireNames.namespaces.map(({ slot, namespace }) => ({ slot, namespace })),
    operations: wireNames.operations.map(({ name }) => name),
  };
}
