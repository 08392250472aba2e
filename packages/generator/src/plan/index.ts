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
  SoapPlan,
  TypePlan,
} from "./plan.js";
export { entryOf, hasOnlyTypes, packageFolders, sourceFolderOf } from "./plan.js";
export { planFiles } from "./plan-files.js";
export { servicesByFile } from "./plan-soap.js";
export { enumerationKey, type SharedEnumeration } from "./rest-enumerations.js";
