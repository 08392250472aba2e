import type { Config, Contract, Interface, SoapInterface, SoapInterfaceConfig } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { planRecordTyping } from "./choices.js";
import { Scope, safeFileName } from "./names.js";
import type { InterfacePlan, Plan } from "./plan.js";
import { planRest } from "./plan-rest.js";
import { planSoap } from "./plan-soap.js";

export { answerContexts } from "./answer-types.js";
export type { BuiltinPlan, Mapping, ValueKind } from "./builtins.js";
export { type Alternative, listKeysIn as keysIn, planRecordTyping } from "./choices.js";
export type {
  AnswerPlan,
  BranchPlan,
  EndpointAnswer,
  EndpointPlan,
  FaultPlan,
  GroupPlan,
  InterfacePlan,
  ObjectPlan,
  OperationPlan,
  PackagePlan,
  Plan,
  RestPlan,
  ServicePlan,
  SharedDefinitions,
  SharedEnumeration,
  SoapPlan,
  TypePlan,
} from "./plan.js";
export {
  getEntry as entryOf,
  getSourceFolder as sourceFolderOf,
  hasOnlyTypes,
  operationPaths,
  packageFolders,
} from "./plan.js";
export { enumerationKey } from "./plan-rest.js";
export { groupServicesByFile as servicesByFile } from "./plan-soap.js";

/** A function that plans one interface, or returns the plan of an earlier run. */
type PlanInterface = (contractInterface: Interface, plan: () => InterfacePlan) => InterfacePlan;

/** Decides all names and files of the generated packages. */
export function planFiles(
  contract: Contract,
  config: Config,
  diagnostics: Diagnostics,
  planInterface: PlanInterface = (_, plan) => plan(),
): Plan {
  const folders = new Scope();
  return {
    packages: config.packages,
    interfaces: contract.interfaces.map((source) => {
      const folder = folders.takeName(safeFileName(source.name));
      return planInterface(source, () => {
        if (source.kind === "rest") {
          return planRest(source, folder);
        }
        reportWideChoices(source, diagnostics);
        return planSoap(source, { folder, config: findConfig(source.name, config), diagnostics });
      });
    }),
  };
}

function findConfig(name: string, config: Config): SoapInterfaceConfig | undefined {
  return config.interfaces.find(
    (candidate): candidate is SoapInterfaceConfig => candidate.kind === "soap" && candidate.name === name,
  );
}

/** Reports the types whose choices have too many alternatives for TypeScript to check. */
function reportWideChoices({ types }: SoapInterface, diagnostics: Diagnostics): void {
  for (const type of types) {
    if (type.kind !== "record") {
      continue;
    }
    const { wideMembers } = planRecordTyping(type);
    if (wideMembers.size === 0) {
      continue;
    }
    const [firstMember, secondMember] = wideMembers;
    diagnostics.info("XSD056", type.span, {
      message: `A choice between ${wideMembers.size} members (${firstMember}, ${secondMember} …) has too many alternatives for a union type. Its members are optional, and the choice is checked when a value is sent or read.`,
    });
  }
}
