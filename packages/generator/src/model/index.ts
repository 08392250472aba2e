import type { RestInterface } from "./rest.js";
import type { SoapInterface } from "./soap.js";

export type {
  Config,
  ConfiguredName,
  InterfaceConfig,
  MappedType,
  ModulePath,
  ModuleType,
  PackageConfig,
  ResponseConfig,
  RestInterfaceConfig,
  SoapInterfaceConfig,
  Tolerance,
  WithSpan,
} from "./config.js";
export type { FileTree } from "./file-tree.js";
export type { Documentation, Node } from "./node.js";
export type {
  AnswerType,
  Arg,
  Endpoint,
  JsonProperty,
  JsonType,
  JsonValue,
  Method,
  PathPiece,
  PathVariable,
  RestBase,
  RestInterface,
  RestNamespace,
} from "./rest.js";
export type {
  AnyAttributeField,
  AnyField,
  ArrayType,
  AttributeField,
  BuiltinName,
  ElementField,
  EnumerationType,
  FacetValue,
  Field,
  GroupField,
  IdentityConstraint,
  IdentityPath,
  ListType,
  MaxOccurs,
  MixedField,
  Particle,
  PolymorphicType,
  RecordType,
  RestrictionType,
  TextField,
  TypeDefinition,
  TypeId,
  TypeReference,
  UnionType,
  WildcardNamespaces,
  WireName,
} from "./schema-types.js";
export type {
  AddressingActions,
  Attachment,
  Bindings,
  Body,
  Fault,
  HttpBinding,
  HttpMessage,
  Input,
  Operation,
  Output,
  Port,
  Protocol,
  Service,
  SoapBinding,
  SoapInterface,
  WireSlots,
} from "./soap.js";

/** The interfaces that the sources describe: plain data in source order, without TypeScript names. */
export interface Contract {
  readonly interfaces: readonly Interface[];
}

export type Interface = SoapInterface | RestInterface;
