import type { BindingComponent, ServiceComponent, WsdlFile } from "../components/wsdl-model.js";
import type { Service } from "../model/soap.js";
import type { LoweredPort, Lowering } from "./lowered.js";
import { mergePorts, operationOf, type PortGroup } from "./merge-ports.js";
import { lowerPort, type PortPlace } from "./ports.js";

/** The services of one WSDL; each binding that no port names is one without an address. */
export function lowerServices(file: WsdlFile, lowering: Lowering): readonly Service[] {
  const named = new Set(file.services.flatMap(({ ports }) => ports.map(({ binding }) => binding)));
  const unnamed = file.bindings.filter((binding) => !named.has(binding) && binding.protocol !== undefined);
  if (file.services.length > 0) for (const binding of unnamed) reportUnnamed(binding, lowering);
  const services = file.services.flatMap((service) => lowerService(service, file, lowering));
  return [...services, ...unnamed.flatMap((binding) => lowerBinding(binding, file, lowering))];
}

function lowerBinding(binding: BindingComponent, file: WsdlFile, lowering: Lowering): readonly Service[] {
  const { name, span, documentation } = binding;
  const port: PortPlace = { name: name.local, span, documentation, binding, address: undefined, addressing: undefined };
  return lowerService({ name, span, documentation, ports: [port] }, file, lowering);
}

function reportUnnamed({ name, span }: BindingComponent, { types }: Lowering): void {
  types.infoOnce("WSDL028", span, {
    message: `No port names binding "${name.local}"; it becomes a service of its own, without an address.`,
  });
}

type ServicePlace = Pick<ServiceComponent, "name" | "span" | "documentation"> & {
  readonly ports: readonly PortPlace[];
};

function lowerService(service: ServicePlace, file: WsdlFile, lowering: Lowering): readonly Service[] {
  const ports = service.ports.map((port) => lowerPort(port, lowering)).filter((port) => port !== undefined);
  const groups = mergePorts(
    ports.filter((port) => port.operations.length > 0),
    lowering,
  );
  for (const port of groups.flatMap((group) => group.ports)) reportTransport(port, lowering);
  return groups.map((group) => serviceOf(group, { service, file, only: groups.length === 1 }, lowering));
}

function reportTransport({ port, transport }: LoweredPort, { types }: Lowering): void {
  if (transport === undefined) return;
  types.warnOnce("WSDL029", transport.span, {
    message: `Port "${port.name}" sends SOAP over ${transport.text}: a \`transport\` of your own has to carry it.`,
    help: "Give clients a `transport` that does, or an address where the service takes SOAP over HTTP.",
  });
}

function serviceOf(
  group: PortGroup,
  place: { readonly service: ServicePlace; readonly file: WsdlFile; readonly only: boolean },
  lowering: Lowering,
): Service {
  const { service, file, only } = place;
  const { namespace } = service.name;
  const [first] = group.ports;
  return {
    name: only || first === undefined ? service.name.local : first.port.name,
    file: baseName(file.path),
    namespace,
    span: service.span,
    documentation: service.documentation ?? file.documentation,
    ports: group.ports.map(({ port }) => port),
    operations: group.operations.map((operation) => operationOf(operation, namespace, lowering)),
  };
}

/** `schemas/orders.wsdl` -> `orders`. */
function baseName(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
}
