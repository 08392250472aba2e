import type { WsdlComponents, WsdlFile } from "../components/wsdl-model.js";
import type { SoapInterfaceConfig } from "../model/config.js";
import type { Service, SoapInterface } from "../model/soap.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { limitHelp, type SourceLimits, sourceLimits } from "../source/limits.js";
import type { SourceText } from "../source/span.js";
import { MessageRecords } from "./message-records.js";
import { lowerServices } from "./services.js";
import { checkArguments, checkOperations, lowerSlots } from "./soap-config.js";
import { TypeLowering } from "./types.js";

/** The interface that WSDLs and schemas describe; undefined where they bind nothing. */
export function lowerWsdl(
  components: WsdlComponents,
  config: SoapInterfaceConfig,
  diagnostics: Diagnostics,
  limits: SourceLimits = sourceLimits,
): SoapInterface | undefined {
  const types = new TypeLowering(components.schema, diagnostics, limits);
  const lowering = { types, records: new MessageRecords(types), config, diagnostics };
  const services = distinct(
    components.files.flatMap((file) => lowerServices(file, { ...lowering, callable: soapOperations(file) })),
  );
  checkOperations(components, config, diagnostics);
  if (services.length === 0) {
    for (const file of diagnostics.hasErrors ? [] : components.files) {
      diagnostics.error("WSDL019", file.span, { message: "No operation is bound to SOAP or HTTP." });
    }
    return undefined;
  }
  checkSize(components, services, { diagnostics, limits });
  const definitions = types.definitions(documentOrder(components));
  checkArguments(services, definitions, { config, diagnostics });
  return {
    kind: "soap",
    name: config.name,
    services,
    types: definitions,
    ambient: config.ambient.map((argument) => argument.name),
    slots: lowerSlots(components, services, { config, diagnostics }),
  };
}

interface Bounded {
  readonly diagnostics: Diagnostics;
  readonly limits: SourceLimits;
}

function checkSize({ files }: WsdlComponents, services: readonly Service[], { diagnostics, limits }: Bounded): void {
  const count = services.reduce((sum, service) => sum + service.operations.length, 0);
  const [first] = files;
  if (count <= limits.operations || first === undefined) return;
  diagnostics.error("WSDL026", first.span, {
    message: `There are ${count} operations.`,
    help: limitHelp("operations", limits),
  });
}

function soapOperations({ bindings }: WsdlFile): ReadonlySet<string> {
  const soap = bindings.filter((binding) => binding.protocol?.kind === "soapBinding");
  return new Set(soap.flatMap(({ operations }) => operations.map(({ operation }) => operation.name)));
}

/** Two WSDLs may import one document with a service. */
function distinct(services: readonly Service[]): readonly Service[] {
  const places = new Set<string>();
  return services.filter(({ span, name }) => {
    const place = `${span.source.path} ${span.start} ${name}`;
    return places.size < places.add(place).size;
  });
}

/** Documents in the order in which they were reached: each WSDL, then its schemas. */
function documentOrder({ files, schema }: WsdlComponents): readonly SourceText[] {
  const order = new Set<SourceText>();
  const [first] = files;
  if (first !== undefined) order.add(first.source);
  for (const components of [schema.types, schema.elements, schema.groups, schema.attributes]) {
    for (const component of components.values()) order.add(component.span.source);
  }
  for (const file of files) order.add(file.source);
  return [...order];
}
