export type { BuiltinPlan, Mapping, ValueKind } from "./builtins.js";
export { type Alternative, keysIn, shapeOf } from "./choices.js";
export type {
  BranchPlan,
  EndpointPlan,
  FaultPlan,
  GroupPlan,
  InterfacePlan,
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
export { entryOf, hasOnlyTypes, operationPaths, packageFolders, sourceFolderOf } from "./plan.js";
export { planFiles } from "./plan-files.js";
export { enumerationKey } from "./plan-rest.js";
export { servicesByFile } from "./plan-soap.js";
export { objectOf } from "./rest-contexts.js";
