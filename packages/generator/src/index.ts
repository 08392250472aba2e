export {
  type ArgumentDefault,
  completePattern,
  createValueReader,
  findJsonType,
  findStringFormat,
  hasLimit,
  hiddenLimits,
  listHiddenLimits,
  listsLimits,
  readDefault,
  wordpressConventions,
} from "@bothends/runtime/argument-defaults";
export {
  compileRoute,
  compileRoutePattern,
  findPath,
  findValueText,
  type Route,
  RouteTable,
} from "@bothends/runtime/route-syntax";
export {
  type Descriptors,
  describe,
  type InterfaceDescriptors,
  type ObjectValue,
  type Reference,
  type RestDescriptors,
  type SoapDescriptors,
  type Value,
} from "./describe/describe.js";
export { createExampleCall, type ExampleCall } from "./emit/example-call.js";
export {
  type ContractInputs,
  type Generated,
  GenerationCache,
  generate,
  type Inputs,
  type ReadContract,
  readContract,
} from "./generate.js";
export type {
  AddressingActions,
  AnswerType,
  AnyAttributeField,
  AnyField,
  Arg,
  ArrayType,
  Attachment,
  AttributeField,
  Bindings,
  Body,
  BuiltinName,
  Config,
  ConfiguredName,
  Contract,
  Documentation,
  Documented,
  ElementField,
  Endpoint,
  EnumerationType,
  FacetValue,
  Fault,
  Field,
  FileTree,
  GroupField,
  HttpBinding,
  HttpMessage,
  IdentityConstraint,
  Input,
  Interface,
  InterfaceConfig,
  JsonProperty,
  JsonType,
  JsonValue,
  ListType,
  MaxOccurs,
  Method,
  MixedField,
  Operation,
  Output,
  PackageConfig,
  Particle,
  PathPiece,
  PathVariable,
  PolymorphicType,
  Port,
  Protocol,
  RecordType,
  ResponseConfig,
  RestBase,
  RestInterface,
  RestInterfaceConfig,
  RestNamespace,
  RestrictionType,
  Service,
  SoapBinding,
  SoapInterface,
  SoapInterfaceConfig,
  TextField,
  TypeDefinition,
  TypeId,
  TypeReference,
  UnionType,
  WildcardNamespaces,
  WireName,
  WireSlots,
  WithSpan,
} from "./model/index.js";
export { findFirstElement, RequestRecognition } from "./model/request-recognition.js";
export {
  type ExportedName,
  findBodyType,
  listAnswerContexts,
  listExportedNames,
  listOperationPaths,
  listPackageFolders,
  type NamedDeclaration,
  type Plan,
  planFiles,
  type SoapPlan,
  type ValueKind,
} from "./plan/index.js";
export {
  type ConfigDefaults,
  type ConfigFlags,
  commandLinePath,
  deriveInterfaceName,
  readConfig,
  readConfigFromFlags,
  readSettingsDocument,
} from "./read/config/read-config.js";
export { isInterfaceName } from "./read/config/read-interfaces.js";
export {
  type ImportingDocument,
  type ImportLocation,
  readImportLocations,
  type UnreadableDocument,
} from "./read/import-locations.js";
export { wellKnownNamespaces } from "./read/xsd/well-known/index.js";
export type { Templates } from "./render/render.js";
export { type Code, catalogue } from "./source/catalogue/index.js";
export { type Diagnostic, Diagnostics, formatDiagnostics, type Severity } from "./source/diagnostics.js";
export type { JsonNode } from "./source/json.js";
export { isLimit, type SourceLimits, sourceLimits } from "./source/source-limits.js";
export type { FileRead, ReadFile } from "./source/sources.js";
export { getPosition, type SourceText, type Span } from "./source/span.js";
export { describeNonIndex, describeNonJson } from "./source/unexpected-files.js";
export { hyphenate } from "./source/xml-names.js";
