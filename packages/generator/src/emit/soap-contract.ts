import { type Declaration, runtimeValue, type TypeScriptFile } from "../print/index.js";
import { aliasDeclarations, typeDeclarations } from "./contract-types.js";
import { documentation } from "./documentation.js";
import { reexportsOf } from "./index-file.js";
import { typeOf } from "./nodes.js";
import { descriptorsFile, faultsFile, indexFile, typesFile } from "./places.js";
import { planOf, type SoapContext } from "./soap-context.js";
import { serviceDescriptors, sharedDescriptors } from "./soap-descriptors.js";
import { typeNode } from "./type-of.js";
import { usedNames } from "./used-names.js";

/** The contract package's files of one SOAP interface. */
export interface SoapContractFiles {
  /** Aliases first, then a file per namespace, or all in one. */
  readonly types: readonly TypeScriptFile[];
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
  const declared = new Map<string, Declaration[]>([[typesFile, []]]);
  for (const type of context.soap.types) {
    const file = planOf(type.id, context).typesFile;
    const before = declared.get(file);
    if (before === undefined) declared.set(file, [...typeDeclarations(type, context)]);
    else before.push(...typeDeclarations(type, context));
  }
  const others = [...services, shared, faults].flatMap((file) => file.declarations);
  const used = usedNames([...[...declared.values()].flat(), ...others]);
  const types = [...declared].map(([name, declarations]) => {
    const file = contract.file(name);
    file.add(...(name === typesFile ? aliasDeclarations(used, context) : []), ...declarations);
    return file;
  });
  return { types, faults, shared, services };
}

/** The entry of the contract: everything, by name. */
export function emitSoapContractIndex(files: SoapContractFiles, context: SoapContext): TypeScriptFile {
  const index = context.places.contract.file(indexFile);
  for (const file of [...files.types, files.faults, files.shared, ...files.services]) {
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
      `The declared fault ${fault.name}: its detail is the element ${fault.element.local}.`,
    ]),
  }));
}

/** The file's name in its folder. */
export function nameOf(file: TypeScriptFile): string {
  return file.path.slice(file.path.lastIndexOf("/") + 1);
}
