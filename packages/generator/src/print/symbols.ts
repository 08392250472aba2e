/** The module that exports a name: an entry point of a package, or a file of a generated package. */
export type Module =
  | {
      readonly kind: "package";
      readonly specifier: string;
      /**
       * The specifier of a larger entry point that exports all names of this one. A file that needs both imports only
       * the larger one.
       */
      readonly partOf?: string;
    }
  | {
      readonly kind: "file";
      /** The npm name of the package that contains the file. */
      readonly package: string;
      /** The specifier that other packages use to import the file, such as `@bothends/contract/vehicle`. */
      readonly entry: string;
      /** The path of the file in the generated tree. */
      readonly path: string;
    };

/**
 * A name that generated code uses and that another file or package exports. The import statements of a file are
 * computed from the symbols in its code.
 */
export interface CodeSymbol {
  readonly name: string;
  readonly module: Module;
  /** Symbols of the kind "type" are imported with `import type`. */
  readonly kind: "type" | "value";
  /**
   * The alias in a namespace import, such as `xs` in `import * as xs`. Present if code refers to the symbol as
   * `xs.string` instead of `string`.
   */
  readonly namespace?: string;
}

/**
 * All names of the runtime that generated code may use, grouped by module. A test checks that the runtime exports each
 * of them.
 */
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
  "@bothends/runtime/soap-client": {
    types: ["CallOptions", "OutcomeOf", "ResultOption", "SoapClientOptions", "Supplied"],
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

/** The module with all built-in types and codecs, which generated code imports as `xs`. */
export const xsModule = "@bothends/runtime/xs";

/**
 * A module with all names of `xs` except `kindNames`. Generated code imports it where possible, because importing `xs`
 * on Node also loads the code of all `kindNames`.
 */
const basicXs: Module = { kind: "package", specifier: "@bothends/runtime/xs/basic", partOf: xsModule };

/** The names that only the complete module `xs` exports, because they load additional code. */
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

/** The modules of the runtime, keyed by import specifier. */
const modules: ReadonlyMap<string, Module> = new Map(
  [...Object.keys(runtimeSymbols), xsModule].map((specifier) => [specifier, { kind: "package", specifier }]),
);

function getModule(specifier: string): Module {
  return modules.get(specifier) ?? { kind: "package", specifier };
}

/** Returns the symbol of a type that the runtime exports. */
export function runtimeType<M extends keyof Modules>(module: M, name: NamesOf<M, "types">): CodeSymbol {
  return { name, module: getModule(module), kind: "type" };
}

/** Returns the symbol of a function or class that the runtime exports. */
export function runtimeValue<M extends keyof Modules>(module: M, name: NamesOf<M, "values">): CodeSymbol {
  return { name, module: getModule(module), kind: "value" };
}

/** Returns the symbol of a member of `xs`: a built-in type, a derivation, a facet, or the codec of a kind of type. */
export function xs(name: string): CodeSymbol {
  return { name, module: kindNames.has(name) ? getModule(xsModule) : basicXs, kind: "value", namespace: "xs" };
}

/** Returns the names that generated declarations must not use. */
export function listRuntimeNames(): readonly string[] {
  return ["xs", ...Object.values(runtimeSymbols).flatMap((module) => [...module.types, ...module.values])];
}
