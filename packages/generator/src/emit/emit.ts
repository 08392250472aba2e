import type { Descriptors } from "../describe/describe.js";
import type { FileTree, Service } from "../model/index.js";
import { hasOnlyTypes, type InterfacePlan, type Plan } from "../plan/index.js";
import type { TypeScriptFile } from "../print/index.js";
import type { ServiceDocument } from "../publish/slots.js";
import { createEntryFile, getFileName, getFolders, indexFile } from "./files.js";
import { emitRestClient } from "./rest/client.js";
import { createRestContext } from "./rest/context.js";
import { emitRestContract, emitRestContractEntry, listContractFiles } from "./rest/contract.js";
import { emitRestServer } from "./rest/server.js";
import { emitSoapClient } from "./soap/client.js";
import { createSoapContext } from "./soap/context.js";
import { emitSoapContract, emitSoapContractEntry } from "./soap/contract.js";
import { emitSoapServer } from "./soap/server.js";

/** The results of earlier stages, from which code is emitted. */
export interface EmitInputs {
  readonly plan: Plan;
  readonly descriptors: Descriptors;
  /** The WSDL that the server of each service publishes. */
  readonly publishedWsdls: ReadonlyMap<Service, ServiceDocument>;
}

/** Prints every TypeScript file of the generated packages. */
export function emit(inputs: EmitInputs): FileTree {
  return new Map(emitFiles(inputs).map((file) => [file.path, file.print()]));
}

/** Makes every TypeScript file of the generated packages. Imports are added later, when the files are printed. */
export function emitFiles(inputs: EmitInputs): readonly TypeScriptFile[] {
  return inputs.plan.interfaces
    .flatMap((interfacePlan) => emitInterface(interfacePlan, inputs))
    .filter((file) => file.declarations.length > 0 || getFileName(file) === indexFile);
}

function emitInterface(
  interfacePlan: InterfacePlan,
  { plan, descriptors, publishedWsdls }: EmitInputs,
): readonly TypeScriptFile[] {
  const interfaceDescriptors = descriptors.get(interfacePlan.interface);
  const folders = getFolders(interfacePlan, plan.packages);
  if (interfacePlan.kind === "soap" && interfaceDescriptors?.kind === "soap") {
    const context = createSoapContext(interfacePlan, interfaceDescriptors, folders);
    const contract = emitSoapContract(context);
    if (hasOnlyTypes(plan.packages)) {
      return [...contract.types, createEntryFile(folders.contract, indexFile, contract.types)];
    }
    return [
      ...contract.types,
      contract.faults,
      contract.descriptors,
      emitSoapContractEntry(contract, context),
      ...(plan.packages.client.isOmitted ? [] : emitSoapClient(contract, context)),
      ...(plan.packages.server.isOmitted ? [] : emitSoapServer(contract, { context, documents: publishedWsdls })),
    ];
  }
  if (interfacePlan.kind === "rest" && interfaceDescriptors?.kind === "rest") {
    const context = createRestContext(interfacePlan, interfaceDescriptors, folders);
    const contract = emitRestContract(context);
    if (hasOnlyTypes(plan.packages)) {
      const types = [...contract.types, ...contract.answers];
      return [...types, createEntryFile(folders.contract, indexFile, types)];
    }
    return [
      ...listContractFiles(contract),
      emitRestContractEntry(contract, context),
      ...(plan.packages.client.isOmitted ? [] : emitRestClient(contract, context)),
      ...(plan.packages.server.isOmitted ? [] : emitRestServer(contract, context)),
    ];
  }
  throw new Error(`The interface ${interfacePlan.interface.name} has no descriptors.`);
}
