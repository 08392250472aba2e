import type { WsdlComponents } from "../components/wsdl-model.js";
import type { SoapInterfaceConfig } from "../model/config.js";
import type { TypeDefinition } from "../model/schema-types.js";
import type { Service, WireSlots } from "../model/soap.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { didYouMean } from "../source/nearest.js";

interface Checking {
  readonly config: SoapInterfaceConfig;
  readonly diagnostics: Diagnostics;
}

/** Reports operations that `bothends.json` asks for and no WSDL has. */
export function checkOperations(
  { files }: WsdlComponents,
  config: SoapInterfaceConfig,
  diagnostics: Diagnostics,
): void {
  const names = new Set(
    files.flatMap((file) => file.bindings.flatMap((one) => one.operations.map(({ operation }) => operation.name))),
  );
  for (const { name, span } of config.operations ?? []) {
    if (names.has(name)) continue;
    diagnostics.error("WSDL016", span, {
      message: `No WSDL binds operation "${name}".`,
      help: didYouMean(name, names),
    });
  }
}

/** Reports arguments that a client shall hold once and no operation takes. */
export function checkArguments(
  services: readonly Service[],
  definitions: readonly TypeDefinition[],
  { config, diagnostics }: Checking,
): void {
  if (config.ambient.length === 0) return;
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  const names = new Set<string>();
  for (const { input } of services.flatMap((service) => service.operations)) {
    const id = input.body.kind === "parts" ? input.body.record : namedId(input.body.type);
    const record = id === undefined ? undefined : byId.get(id);
    if (record?.kind === "record") for (const field of record.fields) names.add(field.key);
  }
  for (const { name, span } of config.ambient) {
    if (names.has(name)) continue;
    diagnostics.error("WSDL023", span, {
      message: `No operation takes an argument "${name}".`,
      help: didYouMean(name, names),
    });
  }
}

function namedId(type: { readonly kind: string; readonly id?: string }): string | undefined {
  return type.kind === "named" ? type.id : undefined;
}

/** What may bear another name at run time, as `bothends.json` says; each must be there. */
export function lowerSlots(
  { files, schema }: WsdlComponents,
  services: readonly Service[],
  { config, diagnostics }: Checking,
): WireSlots {
  const namespaces = new Set([...files.flatMap((file) => file.namespaces), ...schema.namespaces]);
  for (const { namespace, span } of config.wireNames.namespaces) {
    if (namespaces.has(namespace)) continue;
    diagnostics.error("WSDL024", span, {
      message: `No document has the namespace "${namespace}".`,
      help: didYouMean(namespace, namespaces),
    });
  }
  const operations = new Set(services.flatMap((service) => service.operations.map((operation) => operation.name)));
  for (const { name, span } of config.wireNames.operations) {
    if (operations.has(name)) continue;
    diagnostics.error("WSDL016", span, {
      message: `There is no operation "${name}".`,
      help: didYouMean(name, operations),
    });
  }
  return {
    namespaces: config.wireNames.namespaces.map(({ slot, namespace }) => ({ slot, namespace })),
    operations: config.wireNames.operations.map(({ name }) => name),
  };
}
