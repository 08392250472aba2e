export type { BuiltinPlan, ValueKind } from "./builtins.js";
export { type Alternative, shapeOf } from "./choices.js";
export type {
  EndpointPlan,
  FaultPlan,
  GroupPlan,
  InterfacePlan,
  OperationPlan,
  PackagePlan,
  Plan,
  RestPlan,
  ServicePlan,
  SoapPlan,
  TypePlan,
} from "./plan.js";
export { entryOf, packageFolders, sourceFolderOf } from "./plan.js";
export { planFiles } from "./plan-files.js";
