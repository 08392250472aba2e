import { type Declaration, runtimeValue, type TypeScriptFile } from "../print/index.js";
import { aliasDeclarations, typeDeclarations } from "./contract-types.js";
import { documentation } from "./documentation.js";
import { reexportsOf } from "./index-file.js";
import { typeOf } from "./nodes.js";
import { descriptorsFile, faultsFile, indexFile, typesFile } from "./places.js";
import type { SoapContext } from "./soap-context.js";
import { serviceDescriptors, sharedDescriptors } from "./soap-descriptors.js";
import { typeNode } from "./type-of.js";
import { usedNames } from "./used-names.js";

/** The contract package's files of one SOAP interface. */
export interface SoapContractFiles {
  readonly types: TypeScriptFile;
  readonly faults: TypeScriptFile;
  readonly shared: TypeScriptFile;
  readonly services: readonly TypeScriptFile[];
}

export function emitSoapContract(context: SoapContext): SoapContractFiles {
  const { contract } = context.places;
  const services = context.plan.services.map((service) => {
    const file = contract.file(descriptorsFile(service.file));
    file.add(...serviceDescriptors(service, context));
    return file;
  });
  const shared = contract.file(descriptorsFile(undefined));
  shared.add(...sharedDescriptors(context));
  const faults = contract.file(faultsFile);
  faults.add(...faultClasses(context));
  const types = contract.file(typesFile);
  const declared = context.soap.types.flatMap((type) => typeDeclarations(type, context));
  const used = usedNames([...declared, ...[...services, shared, faults].flatMap((file) => file.declarations)]);
  types.add(...aliasDeclarations(used, context), ...declared);
  return { types, faults, shared, services };
}

/** The entry of the contract: everything, by name. */
export function emitSoapContractIndex(files: SoapContractFiles, context: SoapContext): TypeScriptFile {
  const index = context.places.contract.file(indexFile);
  for (const file of [files.types, files.faults, files.shared, ...files.services]) {
    index.add(...reexportsOf(file.declarations, context.places.contract, nameOf(file)));
  }
  return index;
}

function faultClasses(context: SoapContext): readonly Declaration[] {
  return context.plan.faults.map(({ name, fault }) => ({
    kind: "class",
    name,
    typeParameters: [],
    extends: typeOf(runtimeValue("@bothends/runtime", "SoapFault"), typeNode(fault.type, context)),
    members: [],
    documentation: documentation(fault.documentation, [
      `The declared fault ${fault.name}: its detail is a ${fault.element.local}.`,
    ]),
  }));
}

/** The file's name in its folder. */
function nameOf(file: TypeScriptFile): string {
  return file.path.slice(file.path.lastIndexOf("/") + 1);
}
