import type { RestInterface } from "./rest.js";
import type { SoapInterface } from "./soap.js";

export type { Documentation, Documented } from "../source/span.js";
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
  SettingPosition,
  SoapInterfaceConfig,
  Tolerance,
  WithSpan,
} from "./config.js";
export type {
  AnswerType,
  Arg,
  EmbeddedResources,
  Endpoint,
  JsonPositions,
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
  AddressingActions,
  AddressingSpans,
  Attachment,
  Bindings,
  Body,
  BodySpans,
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
  TargetNamespace,
  WireSlots,
} from "./soap.js";
export type {
  AnyAttributeField,
  AnyField,
  ArrayType,
  AttributeField,
  BuiltinName,
  DeclaredGroup,
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
} from "./xsd-types.js";

/** The interfaces that the sources describe, as plain data in source order. Contains no TypeScript names. */
export interface Contract {
  readonly interfaces: readonly Interface[];
}

/** An interface of the Contract: SOAP services, or a REST API. */
export type Interface = SoapInterface | RestInterface;

/** The texts of files by path. A path uses `/` and is relative to the folder into which the tree is written. */
export type FileTree = ReadonlyMap<string, string>;
