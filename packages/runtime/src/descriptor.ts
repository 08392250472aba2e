/**
 * What generated code says: plain facts about types, operations and endpoints. What those facts *do* is written once,
 * in `codec/`, `soap/`, `http-binding/`, `rest/`, `client/` and `server/`. Nothing runs when a descriptor is loaded.
 *
 * Names on the wire are written in Clark notation, `{namespace}local`; a name in no namespace is just `local`.
 */

export type { AnswerSchema, AnswerSchemas } from "./descriptor/answer.js";
export type {
  AnyEndpointDescriptor,
  ArgDescriptor,
  EndpointDescriptor,
  JsonObject,
  JsonTypeName,
  JsonValue,
  MemberDescriptor,
  Method,
  PathPiece,
  PathVariable,
  RestInterfaceDescriptor,
} from "./descriptor/endpoint.js";
export type { DescriptorFormat } from "./descriptor/format.js";
export type {
  AddressingDescriptor,
  AnyBodyDescriptor,
  AnyOperationDescriptor,
  AttachmentDescriptor,
  BodyDescriptor,
  FaultDescriptor,
  HttpAnswer,
  HttpBindingDescriptor,
  HttpBody,
  HttpDescriptor,
  HttpParameter,
  InputDescriptor,
  OperationBindings,
  OperationDescriptor,
  OutputDescriptor,
  Protocol,
  ServiceDescriptor,
  ServiceFacts,
  SoapBindingDescriptor,
} from "./descriptor/operation.js";
export type {
  AnyAttribute,
  AnyAttributeField,
  AnyElement,
  AnyField,
  AnyRecord,
  AnyRecordDescriptor,
  AnyValue,
  ArrayDescriptor,
  AttributeField,
  ContentReader,
  ElementField,
  FieldDescriptor,
  GroupField,
  KeysOf,
  Max,
  MemberOf,
  MixedField,
  ModelGroup,
  Particle,
  PolymorphicDescriptor,
  RecordDescriptor,
  TextField,
  TypeDescriptor,
  TypeReference,
  WildcardNamespaces,
} from "./descriptor/record.js";
export type {
  AnyTypeDescriptor,
  Derivation,
  DerivedSimpleType,
  Facet,
  FacetCheck,
  FacetUse,
  FacetValue,
  SimpleType,
  TextContext,
} from "./descriptor/simple-type.js";
