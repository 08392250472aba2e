import type {
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

/** All decisions about the generated TypeScript, made before printing: names and files. */
export interface Plan {
  readonly packages: { readonly contract: PackagePlan; readonly client: PackagePlan; readonly server: PackagePlan };
  readonly interfaces: readonly InterfacePlan[];
}

/** `path` is the folder in the tree, `name` the npm name. */
export type PackagePlan = PackageConfig;

export type InterfacePlan = SoapPlan | RestPlan;

interface Common {
  /** The folder in each package's `src`, and the entry in its exports: `vehicle`. */
  readonly folder: string;
  /** The class, the handlers and the routes of the whole interface: `VehicleClient`, `VehicleHandlers`, `vehicleRoutes`. */
  readonly client: string;
  readonly handlers: string;
  readonly routes: string;
  /** `VehicleClientOptions`, `VehicleServerOptions`. */
  readonly clientOptions: string;
  readonly serverOptions: string;
}

export interface SoapPlan extends Common {
  readonly kind: "soap";
  readonly interface: SoapInterface;
  /** The constant with the settings from `bothends.json`: `vehicleSettings`. */
  readonly settings: string;
  /** Whether the class, the handlers and the routes have a member for each service. A single service uses them directly. */
  readonly hasFacade: boolean;
  /** Whether the WSDL has a callable address for each service, so that clients need no options. */
  readonly hasAddresses: boolean;
  readonly services: readonly ServicePlan[];
  readonly types: ReadonlyMap<TypeId, TypePlan>;
  readonly faults: readonly FaultPlan[];
  readonly faultOf: ReadonlyMap<Fault, FaultPlan>;
  readonly builtins: ReadonlyMap<BuiltinName, BuiltinPlan>;
}

export interface ServicePlan {
  readonly service: Service;
  /** The word in file names: `reg`. */
  readonly file: string;
  /** The facade's member: `reg`. */
  readonly member: string;
  /** The descriptor: `reg`. */
  readonly constant: string;
  /** `RegClient`, `RegHandlers`, `regRoutes`, `regWsdl`. */
  readonly client: string;
  readonly handlers: string;
  readonly routes: string;
  readonly wsdl: string;
  /** The shared parts of the documents for its WSDL's services; undefined if the WSDL has only one service. */
  readonly definitions: SharedDefinitions | undefined;
  readonly operations: readonly OperationPlan[];
}

/** The constant with the start of several published documents: `airDefinitions` in `wsdl/shared/air.ts`. */
export interface SharedDefinitions {
  readonly constant: string;
  /** The word in the file name. */
  readonly file: string;
}

export interface OperationPlan {
  readonly operation: Operation;
  /** The method, and the key among a service's operations and handlers: `checkUSA`. */
  readonly method: string;
  /** The descriptor; the method's name unless another service has it. */
  readonly constant: string;
}

export interface TypePlan {
  /** The TypeScript type; equal types share it. */
  readonly name: string;
  /** The array of an enumeration's values: `colorValues`. A type with `exact` shares it and the descriptor with that type. */
  readonly values: string;
  readonly descriptor: string;
  /** The file that declares it: `types.ts`. */
  readonly typesFile: string;
  /** The file word of the only service that uses it; undefined if several do. Descriptors are in this order. */
  readonly file: string | undefined;
  /** Whether this is the first of several equal types, which declares them all. */
  readonly declares: boolean;
  /** Whether it is inlined where it is used: an anonymous simple type. */
  readonly inline: boolean;
  /** Present if its values have a module's type. */
  readonly mapping: Mapping | undefined;
  /** Present if `typeMap` chooses how its values represent its built-in type. */
  readonly represented: BuiltinPlan | undefined;
}

/** A class for a declared fault. */
export interface FaultPlan {
  readonly name: string;
  readonly fault: Fault;
}

export interface RestPlan extends Common {
  readonly kind: "rest";
  readonly interface: RestInterface;
  /** The interface's descriptor: `content`. */
  readonly constant: string;
  /** The index document's constant: `contentIndex`. */
  readonly index: string;
  /** The constant with the schemas of its answers: `contentAnswers`. */
  readonly answerSchemas: string;
  readonly answers: AnswersPlan;
  /** The named enumerations, keyed by `enumerationKey`. */
  readonly enumerations: ReadonlyMap<string, SharedEnumeration>;
  readonly groups: readonly GroupPlan[];
  /** The tree of all endpoints. */
  readonly tree: BranchPlan;
  /** The constant with the descriptors of all endpoints: `contentEndpoints`. */
  readonly list: string;
}

/** An enumeration used by several arguments or members, which code declares once. */
export interface SharedEnumeration {
  readonly name: string;
  /** The arguments and members that use it: `translation_language`. */
  readonly member: string;
  readonly values: Extract<JsonType, { kind: "enumeration" }>["values"];
}

/** The types of answers. */
export interface AnswersPlan {
  /** The name of the schema of each object, by id. */
  readonly names: ReadonlyMap<string, string>;
  /** The names of types, by the ids that types and endpoints refer to. An object's id refers to its type for any context. */
  readonly typeNames: ReadonlyMap<string, string>;
  readonly objects: ReadonlyMap<string, ObjectPlan>;
  readonly endpoints: ReadonlyMap<Endpoint, EndpointAnswer>;
  /** The type `Embedded`, with the types of resources in the context `embed`. */
  readonly embedded: (EmbeddedResources & { readonly name: string }) | undefined;
}

/** A type of answers: an object, possibly in one context. */
export interface AnswerPlan {
  /** Referred to by the types of endpoints. */
  readonly id: string;
  /** `Post`, `PostForEdit`. */
  readonly name: string;
  readonly documentation: string | undefined;
  readonly text: AnswerText;
}

/** How a type of answers is written: in full, or as another type with additional members, only these or without these. */
export type AnswerText =
  | { readonly kind: "whole"; readonly type: JsonType }
  | { readonly kind: "extended"; readonly base: string; readonly members: JsonType }
  | { readonly kind: "only" | "without"; readonly base: string; readonly names: readonly string[] };

/** The types of an object, and the interface that lists them by context; undefined if no endpoint needs it. */
export interface ObjectPlan {
  readonly types: readonly AnswerPlan[];
  /** `PostContexts`, and the ids of the types. */
  readonly contexts: { readonly name: string; readonly byContext: ReadonlyMap<string, string> } | undefined;
}

/** The types of an endpoint's answer, without and with the argument `context`. */
export interface EndpointAnswer {
  readonly type: JsonType;
  /** The context without the argument; undefined if the answer does not depend on it. */
  readonly initial?: string;
  readonly contexts?:
    | { readonly kind: "named"; readonly object: string; readonly isList: boolean }
    | { readonly kind: "each"; readonly answers: ReadonlyMap<string, JsonType> };
}

/** The endpoints below one member of the client: `content.core`. */
export interface GroupPlan {
  /** Undefined if its endpoints are members of the facade (`content.index()`). */
  readonly member: string | undefined;
  /** The word in file names: `core-v2`. */
  readonly file: string;
  readonly client: string;
  readonly handlers: string;
  readonly endpoints: readonly EndpointPlan[];
  /** The tree of its endpoints, below its member. */
  readonly tree: BranchPlan;
  /** The constant with the descriptors of its endpoints: `coreV2Endpoints`. */
  readonly list: string;
}

/** A part of the tree of endpoints, declared by an interface of the contract. */
export interface BranchPlan {
  /** `CoreMediaEndpoints`. */
  readonly name: string;
  /** The path of names from the interface to the operation or group: `["core", "media"]`. */
  readonly words: readonly string[];
  readonly endpoints: readonly { readonly word: string; readonly endpoint: EndpointPlan }[];
  readonly branches: readonly { readonly word: string; readonly branch: BranchPlan }[];
}

export interface EndpointPlan {
  readonly endpoint: Endpoint;
  /** Below the group's member: `["blocks", "list"]`. */
  readonly path: readonly string[];
  readonly constant: string;
  readonly input: string;
}

/** The path of each operation among the members of its client and handlers: `["reg", "checkUSA"]`. */
export function operationPaths(plan: InterfacePlan): ReadonlyMap<Operation | Endpoint, readonly string[]> {
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

/** The start of a package's entries: `@acme/client`, or `@acme/all/client` if one package contains all. */
export function entryOf({ name, part }: PackagePlan): string {
  return part === undefined ? name : `${name}/${part}`;
}

/** The folder of a package's source: `client/src`, or `all/src/client`. */
export function sourceFolderOf({ path, part }: PackagePlan): string {
  return part === undefined ? `${path}/src` : `${path}/src/${part}`;
}

/** Whether neither clients nor servers are generated, so that the contract contains only types. */
export function hasOnlyTypes({ client, server }: Plan["packages"]): boolean {
  return client.omitted === true && server.omitted === true;
}

/** The folders of the generated packages, each once. */
export function packageFolders(packages: Plan["packages"]): readonly string[] {
  return [...new Set(Object.values(packages).map(({ path }) => path))];
}
