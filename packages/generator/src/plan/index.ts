export { listAnswerContexts } from "./answer-types.js";
export { type BuiltinPlan, exampleTexts, findMatchingText, type Mapping, type ValueKind } from "./builtins.js";
export { findEnumeratedKind, findEnumerationLiterals } from "./enumeration-literals.js";
export { type ExportedName, listExportedNames, type NamedDeclaration } from "./exported-names.js";
export { hasRequiredMembers, isOptional } from "./optional-input.js";
export { planFiles } from "./plan.js";
export type {
  AnswerTypePlan,
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
} from "./plan-model.js";
export {
  findBodyType,
  getEntry,
  getSourceFolder,
  hasOnlyTypes,
  listOperationPaths,
  listPackageFolders,
} from "./plan-model.js";
export { type Alternative, listKeysIn, planRecordTyping } from "./record-typing.js";
export { formatEnumerationKey } from "./rest.js";
export { groupServicesByFile } from "./soap.js";
