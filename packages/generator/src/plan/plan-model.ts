import type {
  Body,
  BuiltinName,
  EmbeddedResources,
  Endpoint,
  Fault,
  JsonType,
  Operation,
  PackageConfig,
  RestInterface,
  Service,
  SoapInterface,
  TypeId,
} from "../model/index.js";
import type { BuiltinPlan, Mapping } from "./builtins.js";

/** The names and files of the generated packages, all decided before code is printed. */
export interface Plan {
  readonly packages: { readonly contract: PackagePlan; readonly client: PackagePlan; readonly server: PackagePlan };
  readonly interfaces: readonly InterfacePlan[];
}

/** A generated package: `path` is its folder in the file tree, `name` its npm name. */
export type PackagePlan = PackageConfig;

/** The names and files of one interface. */
export type InterfacePlan = SoapPlan | RestPlan;

interface InterfaceNames {
  /** The name of the interface's folder in the `src` of each package, and of its entry in `exports`: `vehicle`. */
  readonly folder: string;
  /** The name of the interface's client class: `VehicleClient`. */
  readonly client: string;
  /** The name of the interface's handlers type: `VehicleHandlers`. */
  readonly handlers: string;
  /** The name of the function that makes the interface's routes: `vehicleRoutes`. */
  readonly routes: string;
  /** The name of the client's options type: `VehicleClientOptions`. */
  readonly clientOptions: string;
  /** The name of the server's options type: `VehicleServerOptions`. */
  readonly serverOptions: string;
}

/** The names and files of a SOAP interface, its services, types and faults. */
export interface SoapPlan extends InterfaceNames {
  readonly kind: "soap";
  readonly interface: SoapInterface;
  /** The name of the constant with the settings from `bothends.json`: `vehicleSettings`. */
  readonly settings: string;
  /**
   * Whether the client and the handlers have a member for each service; otherwise they have the operations of the only
   * service.
   */
  readonly hasFacade: boolean;
  /** Whether every service has an HTTP address in the WSDL. If so, clients can be created without options. */
  readonly hasAddresses: boolean;
  /**
   * The names of the services, by which the options `address` and `port` of clients choose one; empty if there is only
   * one name.
   */
  readonly serviceKeys: readonly string[];
  readonly services: readonly ServicePlan[];
  readonly types: ReadonlyMap<TypeId, TypePlan>;
  readonly faults: readonly FaultPlan[];
  readonly faultPlans: ReadonlyMap<Fault, FaultPlan>;
  readonly builtins: ReadonlyMap<BuiltinName, BuiltinPlan>;
}

/** The names and files of one service. */
export interface ServicePlan {
  readonly service: Service;
  /** The name of the service's files, without extension: `reg`. */
  readonly file: string;
  /** The name of the facade's member for the service: `reg`. */
  readonly member: string;
  /** The name of the constant with the service's descriptor: `reg`. */
  readonly constant: string;
  /** The name of the service's client class: `RegClient`. */
  readonly client: string;
  /** The name of the service's handlers type: `RegHandlers`. */
  readonly handlers: string;
  /** The name of the function that makes the service's routes: `regRoutes`. */
  readonly routes: string;
  /** The name of the constant with the WSDL that the service publishes: `regWsdl`. */
  readonly wsdl: string;
  /** The constant with the parts that the published WSDLs share; undefined if the source WSDL has only one service. */
  readonly definitions: SharedDefinitions | undefined;
  /** Whether the service has an HTTP address in the WSDL. */
  readonly hasAddress: boolean;
  readonly operations: readonly OperationPlan[];
}

/** A constant with the parts that several published WSDLs share: `airDefinitions` in `wsdl/shared/air.ts`. */
export interface SharedDefinitions {
  readonly constant: string;
  /** The name of the constant's file, without extension: `air`. */
  readonly file: string;
}

/** The names of one operation. */
export interface OperationPlan {
  readonly operation: Operation;
  /** The name of the client's method and of the handlers' member: `checkUSA`. */
  readonly method: string;
  /**
   * The name of the constant with the operation's descriptor. It is the name of the method if that name is available.
   */
  readonly constant: string;
  /** Whether calls may omit the input. */
  readonly isInputOptional: boolean;
}

/** The names and files of one type. */
export interface TypePlan {
  /** The name of the TypeScript type. Equal types have the same name. */
  readonly name: string;
  /**
   * The name of the constant with the values of an enumeration: `colorValues`. A type with `exact` uses the constant
   * and the descriptor of its exact type.
   */
  readonly values: string;
  /** The name of the function that returns the type's descriptor: `colorDescriptor`. */
  readonly descriptor: string;
  /** The name of the file that declares the type: `types.ts`. */
  readonly typesFile: string;
  /** The file name of the only service that uses the type; undefined if several services use it. */
  readonly file: string | undefined;
  /** Whether the type's declaration is printed. Of several equal types, only the first is printed. */
  readonly isDeclared: boolean;
  /** Whether the type is written where it is used, without a declaration, because it is an anonymous simple type. */
  readonly isInline: boolean;
  /** The type of a module, if `typeMap` maps this type to a module's type. */
  readonly mapping: Mapping | undefined;
  /**
   * The representation of the built-in type that this type restricts; undefined unless `typeMap` determines this
   * representation.
   */
  readonly represented: BuiltinPlan | undefined;
}

/** The class that represents a declared fault. */
export interface FaultPlan {
  readonly name: string;
  readonly fault: Fault;
}

/** The names and files of a REST interface, its endpoints and answer types. */
export interface RestPlan extends InterfaceNames {
  readonly kind: "rest";
  readonly interface: RestInterface;
  /** The name of the constant with the interface's descriptor: `content`. */
  readonly constant: string;
  /** The name of the constant with the index that the server publishes: `contentIndex`. */
  readonly index: string;
  /** The name of the constant with the answer schemas: `contentAnswers`. */
  readonly answerSchemas: string;
  readonly answers: AnswersPlan;
  /** The named enumerations, keyed by `formatEnumerationKey`. */
  readonly enumerations: ReadonlyMap<string, SharedEnumeration>;
  readonly groups: readonly GroupPlan[];
  /** The tree of all endpoints. */
  readonly tree: BranchPlan;
  /** The name of the constant with the descriptors of all endpoints: `contentEndpoints`. */
  readonly endpointsConstant: string;
}

/** An enumeration that several arguments or members share, so that it is declared only once. */
export interface SharedEnumeration {
  readonly name: string;
  /** The name that these arguments and members have in common: `translation_language`. */
  readonly member: string;
  readonly values: Extract<JsonType, { kind: "enumeration" }>["values"];
}

/** The TypeScript types of a REST interface's answers. */
export interface AnswersPlan {
  /** The TypeScript name of each object, by the id of its schema. */
  readonly names: ReadonlyMap<string, string>;
  /** The name of each type, by id. The id of an object refers to the type for any context. */
  readonly typeNames: ReadonlyMap<string, string>;
  readonly objects: ReadonlyMap<string, ObjectPlan>;
  readonly endpoints: ReadonlyMap<Endpoint, EndpointAnswer>;
  /** The type `Embedded`, for embedded resources in the context `embed`. */
  readonly embedded: (EmbeddedResources & { readonly name: string }) | undefined;
}

/** The type of an object in answers, possibly only for one context. */
export interface AnswerTypePlan {
  /** The id by which the answers of endpoints refer to the type. */
  readonly id: string;
  /** The TypeScript name: `Post`, `PostForEdit`. */
  readonly name: string;
  readonly documentation: string | undefined;
  /** The type with all its members, however it is declared. */
  readonly fullType: JsonType;
  readonly form: DeclarationForm;
}

/**
 * How the type of an answer is declared. `whole`: in full. `extended`: as a base with additional members. `only`,
 * `without`: as a base with only some of its members, or without some of them.
 */
export type DeclarationForm =
  | { readonly kind: "whole"; readonly type: JsonType }
  | { readonly kind: "extended"; readonly base: string; readonly members: JsonType }
  | { readonly kind: "only" | "without"; readonly base: string; readonly names: readonly string[] };

/** The types of an object in answers, one for each context in which its members differ. */
export interface ObjectPlan {
  readonly types: readonly AnswerTypePlan[];
  /** The TypeScript interface that lists the types by context: `PostContexts`; undefined if no endpoint needs it. */
  readonly contexts: { readonly name: string; readonly byContext: ReadonlyMap<string, string> } | undefined;
}

/** The types of an endpoint's answer. */
export interface EndpointAnswer {
  /** The type if the request has no argument `context`. */
  readonly type: JsonType;
  /** The context if the request has no argument `context`; undefined if the answer does not depend on the context. */
  readonly initialContext?: string;
  /**
   * The answer types for each value of the argument `context`: members of a TypeScript interface (`PostContexts`), or
   * unnamed types.
   */
  readonly contexts?:
    | { readonly kind: "named"; readonly object: string; readonly isList: boolean }
    | { readonly kind: "each"; readonly answers: ReadonlyMap<string, JsonType> };
}

/** The endpoints below one member of the client: `content.core`. */
export interface GroupPlan {
  /**
   * The name of the client's member: `core`; undefined if the endpoints are members of the facade (`content.index()`).
   */
  readonly member: string | undefined;
  /** The name of the group's files, without extension: `core-v2`. */
  readonly file: string;
  readonly client: string;
  readonly handlers: string;
  readonly endpoints: readonly EndpointPlan[];
  /** The tree of the group's endpoints. */
  readonly tree: BranchPlan;
  /** The name of the constant with the descriptors of the group's endpoints: `coreV2Endpoints`. */
  readonly endpointsConstant: string;
}

/** A node in the endpoint tree. The contract package declares a TypeScript interface for it. */
export interface BranchPlan {
  /** The name of the TypeScript interface: `CoreMediaEndpoints`. */
  readonly name: string;
  /** The members of the client that lead to the node: `["core", "media"]`. */
  readonly words: readonly string[];
  readonly endpoints: readonly { readonly word: string; readonly endpoint: EndpointPlan }[];
  readonly branches: readonly { readonly word: string; readonly branch: BranchPlan }[];
}

/** The names of one endpoint. */
export interface EndpointPlan {
  readonly endpoint: Endpoint;
  /** The members that lead from the group to the endpoint: `["blocks", "list"]`. */
  readonly path: readonly string[];
  readonly constant: string;
  readonly input: string;
}

/** Returns the members of the client and of the handlers that lead to each operation: `["reg", "checkUSA"]`. */
export function listOperationPaths(plan: InterfacePlan): ReadonlyMap<Operation | Endpoint, readonly string[]> {
  return plan.kind === "soap"
    ? new Map(
        plan.services.flatMap(({ member, operations }) =>
          operations.map(({ operation, method }) => [operation, plan.hasFacade ? [member, method] : [method]] as const),
        ),
      )
    : new Map(
        plan.groups.flatMap(({ member, endpoints }) =>
          endpoints.map(
            ({ endpoint, path }) => [endpoint, [...(member === undefined ? [] : [member]), ...path]] as const,
          ),
        ),
      );
}

/** Returns the id of the type of a message's body; undefined if this type is built in. */
export function findBodyType(body: Body): TypeId | undefined {
  return body.kind === "parts" ? body.record : body.type.kind === "named" ? body.type.id : undefined;
}

/**
 * Returns the beginning of the import specifiers of a package: `@acme/client`, or `@acme/all/client` if one package
 * contains the contract, the client and the server.
 */
export function getEntry({ name, part }: PackagePlan): string {
  return part === undefined ? name : `${name}/${part}`;
}

/**
 * Returns the source folder of a package: `client/src`, or `all/src/client` if one package contains the contract, the
 * client and the server.
 */
export function getSourceFolder({ path, part }: PackagePlan): string {
  return part === undefined ? `${path}/src` : `${path}/src/${part}`;
}

/** Whether neither clients nor servers are generated. The contract then contains only types. */
export function hasOnlyTypes({ client, server }: Plan["packages"]): boolean {
  return client.isOmitted === true && server.isOmitted === true;
}

/** Returns the folders of the generated packages, each of them once. */
export function listPackageFolders(packages: Plan["packages"]): readonly string[] {
  return [...new Set(Object.values(packages).map(({ path }) => path))];
}
