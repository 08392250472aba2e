/** The origin of a name: a package's entry, or a generated file (of this package, or of another through its entry). */
export type Module =
  | {
      readonly kind: "package";
      readonly specifier: string;
      /** An entry that includes all names of this one. A file that uses both imports only that entry. */
      readonly partOf?: string;
    }
  | {
      readonly kind: "file";
      /** The npm name of its package. */
      readonly package: string;
      /** The path under which other packages import it: `@bothends/contract/vehicle`. */
      readonly entry: string;
      /** Its path in the tree. */
      readonly path: string;
    };

/** A name that code uses. Imports are derived from a file's symbols and never written by hand. */
export interface CodeSymbol {
  readonly name: string;
  readonly module: Module;
  /** `type` symbols are imported with `import type`. */
  readonly kind: "type" | "value";
  /** Accessed through `import * as namespace`: `xs.string`. */
  readonly namespace?: string;
}

/** Every runtime name that generated code may use, by module. A test checks that the runtime exports each of them. */
export const runtimeSymbols = {
  "@bothends/runtime": {
    types: [
      "AnyAttribute",
      "AnyElement",
      "AnyEndpointDescriptor",
      "AnyValue",
      "AnswerSchemas",
      "DerivedSimpleType",
      "EmbeddedResource",
      "LinksTo",
      "ListContexts",
      "RestEndpoint",
      "EndpointDescriptor",
      "RestEndpointList",
      "RestIndexEndpoint",
      "JsonObject",
      "JsonValue",
      "OneOf",
      "OperationDescriptor",
      "ArrayDescriptor",
      "PolymorphicDescriptor",
      "RecordDescriptor",
      "RestInterfaceDescriptor",
      "ServiceDescriptor",
      "InterfaceSettings",
    ],
    values: [
      "AbortError",
      "BothendsError",
      "ConfigError",
      "DecodeError",
      "EncodeError",
      "HttpStatusError",
      "ProtocolError",
      "RestError",
      "SoapFault",
      "TimeoutError",
      "TransportError",
    ],
  },
  "@bothends/runtime/client": {
    types: ["CallOptions", "SoapClientOptions", "Supplied"],
    values: ["ServiceClient"],
  },
  "@bothends/runtime/rest-client": {
    types: ["RestCallOptions", "RestClientOptions"],
    values: ["RestClient", "restCalls"],
  },
  "@bothends/runtime/segment-names": {
    types: [],
    values: ["segmentNames"],
  },
  "@bothends/runtime/rest": {
    types: [],
    values: ["pathPattern"],
  },
  "@bothends/runtime/rest-server": {
    types: [
      "Answer",
      "HandlersOf",
      "MissingOption",
      "NamespaceHandlers",
      "RestContext",
      "RestHandlers",
      "RestResult",
      "RestServerOptions",
      "Routes",
    ],
    values: ["RestError", "restAnswer", "restRoutes"],
  },
  "@bothends/runtime/soap-server": {
    types: [
      "Answer",
      "HandlersOf",
      "HandlersOfServices",
      "MissingOption",
      "OperationContext",
      "PublishedDocument",
      "Routes",
      "SoapServerOptions",
    ],
    values: ["SoapFault", "asmxConventions", "combineRoutes", "soapRoutes"],
  },
} as const satisfies Record<string, { readonly types: readonly string[]; readonly values: readonly string[] }>;

/** The module of the built-in types and all codecs, imported as `xs`. */
export const xsModule = "@bothends/runtime/xs";

/** The part of `xs` without kinds of types and patterns: the whole module loads the code of all of them on Node. */
const basicXs: Module = { kind: "package", specifier: "@bothends/runtime/xs/basic", partOf: xsModule };

/** The names that only the complete module exports. */
export const kindNames: ReadonlySet<string> = new Set([
  "addressing",
  "any",
  "anyAttribute",
  "anyType",
  "array",
  "attachments",
  "attribute",
  "content",
  "fault",
  "group",
  "headerBlocks",
  "identity",
  "inOrder",
  "mixed",
  "parts",
  "pattern",
  "polymorphic",
  "soapEncoding",
  "text",
]);

type Modules = typeof runtimeSymbols;
type NamesOf<M extends keyof Modules, K extends "types" | "values"> = Modules[M][K][number];

/** The runtime's entries as modules. */
const modules: ReadonlyMap<string, Module> = new Map(
  [...Object.keys(runtimeSymbols), xsModule].map((specifier) => [specifier, { kind: "package", specifier }]),
);

function moduleOf(specifier: string): Module {
  return modules.get(specifier) ?? { kind: "package", specifier };
}

/** A type exported by the runtime. */
export function runtimeType<M extends keyof Modules>(module: M, name: NamesOf<M, "types">): CodeSymbol {
  return { name, module: moduleOf(module), kind: "type" };
}

/** A function or class exported by the runtime. */
export function runtimeValue<M extends keyof Modules>(module: M, name: NamesOf<M, "values">): CodeSymbol {
  return { name, module: moduleOf(module), kind: "value" };
}

/** A built-in type, derivation, facet, or codec of a kind of type. */
export function xs(name: string): CodeSymbol {
  return { name, module: kindNames.has(name) ? moduleOf(xsModule) : basicXs, kind: "value", namespace: "xs" };
}

/** The names that generated declarations must not use. */
export function runtimeNames(): readonly string[] {
  return ["xs", ...Object.values(runtimeSymbols).flatMap((module) => [...module.types, ...module.values])];
}
