import {
  code,
  comment,
  type Declaration,
  eachSymbol,
  identifier,
  literal,
  runtimeValue,
  type TypeScriptFile,
} from "../../print/index.js";
import { descriptorsFile, entryFile, faultsFile, indexFile, operationsFile, typesFile } from "../files.js";
import { documentation } from "../members.js";
import { planOf, type SoapContext } from "./context.js";
import { serviceDescriptors, sharedDescriptors } from "./descriptors.js";
import { aliasDeclarations, typeDeclarations } from "./type-declarations.js";
import { referencedType } from "./types.js";

/** The contract package's files of one SOAP interface. */
export interface SoapContractFiles {
  /** Aliases first, then a file per namespace, or all in one. */
  readonly types: readonly TypeScriptFile[];
  readonly faults: TypeScriptFile;
  readonly shared: TypeScriptFile;
  readonly services: readonly TypeScriptFile[];
}

export function emitSoapContract(context: SoapContext): SoapContractFiles {
  const { contract } = context.folders;
  const services = context.plan.services.map((service) => {
    const file = contract.file(descriptorsFile(service.file));
    file.add(...serviceDescriptors(service, context));
    return file;
  });
  const shared = contract.file(descriptorsFile(undefined));
  shared.add(...sharedDescriptors(context));
  const faults = contract.file(faultsFile);
  faults.add(...faultClasses(context));
  const declared = declarationsByFile(context);
  const others = [...services, shared, faults].flatMap((file) => file.declarations);
  const used = usedNames([...[...declared.values()].flat(), ...others]);
  const types = [...declared].map(([name, declarations]) => {
    const file = contract.file(name);
    file.add(...(name === typesFile ? aliasDeclarations(used, context) : []), ...declarations);
    return file;
  });
  return { types, faults, shared, services };
}

function declarationsByFile(context: SoapContext): ReadonlyMap<string, readonly Declaration[]> {
  const declared = new Map<string, Declaration[]>([[typesFile, []]]);
  for (const type of context.soap.types) {
    const file = planOf(type.id, context).typesFile;
    const list = declared.get(file) ?? [];
    declared.set(file, list);
    for (const declaration of typeDeclarations(type, context)) {
      list.push(declaration);
    }
  }
  return declared;
}

/** The names that declarations use, wherever they come from. */
function usedNames(declarations: readonly Declaration[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const declaration of declarations) {
    if (declaration.kind !== "reexport") {
      eachSymbol(declaration.code, ({ name }) => names.add(name));
    }
  }
  return names;
}

/** The entries of the contract: types and faults, and the descriptors apart from them. */
export function emitSoapContractEntries(files: SoapContractFiles, context: SoapContext): readonly TypeScriptFile[] {
  const { contract } = context.folders;
  return [
    entryFile(contract, indexFile, [...files.types, files.faults]),
    entryFile(contract, operationsFile, [files.shared, ...files.services]),
  ];
}

function faultClasses(context: SoapContext): readonly Declaration[] {
  const soapFault = runtimeValue("@bothends/runtime", "SoapFault");
  return context.plan.faults.map(({ name, fault }) => {
    const fact = `The declared fault ${fault.name}: its detail is the element ${fault.element.local}.`;
    return {
      kind: "class",
      name,
      code: code`
        ${comment(documentation(fault.documentation, [fact]))}
        export class ${identifier(name)} extends ${soapFault}<${referencedType(fault.type, context)}> {
          override readonly name = ${literal(name)};
        }`,
    };
  });
}
