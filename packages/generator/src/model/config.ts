import type { SourceLimits } from "../source/source-limits.js";
import type { Span } from "../source/span.js";

/** The content of `bothends.json`. Paths are relative to the folder that contains it. */
export interface Config {
  /** The span of the file, for diagnostics that are not about a single member. */
  readonly span: Span;
  readonly packages: {
    readonly contract: PackageConfig;
    readonly client: PackageConfig;
    readonly server: PackageConfig;
  };
  /** The version of the runtime in the generated package.json files: `workspace:^`, `^0.1.0`, `file:…`. */
  readonly runtime: string;
  /** The folder to which the runtime is copied as a package; undefined if the runtime comes from a registry. */
  readonly runtimeFolder?: string | undefined;
  /** Limits that replace the defaults. */
  readonly limits: Partial<SourceLimits>;
  readonly interfaces: readonly InterfaceConfig[];
}

/** A generated package, or the part of a package that contains the contract, the client and the server. */
export interface PackageConfig {
  /** The folder of the package, relative to the folder that contains `bothends.json`. */
  readonly path: string;
  /** The name in package.json. */
  readonly name: string;
  /**
   * The folder in `src` and the first segment of entry points. Undefined unless one package contains the contract, the
   * client and the server.
   */
  readonly part?: "contract" | "client" | "server" | undefined;
  /** True if the package is not generated. `path` and `name` are then those of the contract package. */
  readonly isOmitted?: true | undefined;
}

/** The settings of one interface. */
export type InterfaceConfig = SoapInterfaceConfig | RestInterfaceConfig;

/** A value in the configuration with its position. */
export interface WithSpan {
  /**
   * The position in `bothends.json`, or in the text that replaces this file if the command line contains all settings.
   */
  readonly span: Span;
}

/** The positions of an interface in the configuration, of its settings, and of the names in its `wireNames`. */
export interface ConfiguredNames extends WithSpan {
  readonly names: readonly (WithSpan & { readonly name: string })[];
  readonly settings?: readonly SettingPosition[] | undefined;
}

/** The position of a setting or of a value in it. The path ends with the value: `base`, `values`, `lang`, `en`. */
export interface SettingPosition extends WithSpan {
  readonly path: readonly string[];
}

/** A value of the client option `tolerate`: a difference between an answer and its schema that clients accept. */
export type Tolerance = "enumeration" | "facets" | "nil" | "empty" | "fixed" | "namespaces";

/**
 * A name that replaces a default name. `keySpan` is the span of the key in `names`, which identifies the renamed type,
 * operation or endpoint.
 */
export interface ConfiguredName extends WithSpan {
  readonly name: string;
  readonly keySpan: Span;
}

/** The settings of an interface that WSDLs describe. */
export interface SoapInterfaceConfig extends WithSpan {
  readonly kind: "soap";
  readonly name: string;
  /** The positions of the settings that a diff reports. */
  readonly settings?: readonly SettingPosition[] | undefined;
  readonly wsdl: readonly (WithSpan & { readonly path: string })[];
  /** Arguments that are set once per client instead of in every call. */
  readonly ambient: readonly (WithSpan & { readonly name: string })[];
  readonly wireNames: {
    /** The namespaces that programs can replace at run time, each with the name of its option. */
    readonly namespaces: readonly (WithSpan & { readonly slot: string; readonly namespace: string })[];
    readonly operations: readonly (WithSpan & { readonly name: string })[];
  };
  /** Whether SOAP 1.2 requests have an `action` parameter. */
  readonly soap12Action: boolean;
  /** How servers answer where the specifications leave a choice: the standard way, or like a recorded ASMX service. */
  readonly conventions: "standard" | "asmx";
  /** The deviations from the schema that clients accept in answers. The answer types include these deviations. */
  readonly tolerate: readonly Tolerance[];
  /** Whether unresolved references are reported as warnings instead of errors. */
  readonly lenient: boolean;
  /** The TypeScript types of built-in types, and of named simple types: `{ dateTime: "Date", long: "number" }`. */
  readonly typeMap: ReadonlyMap<string, MappedType>;
  /** Whether all types are in one file, or in one file per namespace. */
  readonly typeFiles: "one" | "namespace";
  /** The operations to generate; undefined for all. */
  readonly operations: readonly (WithSpan & { readonly name: string })[] | undefined;
  /** The configured TypeScript names. The keys are the corresponding names in messages: `CheckUSA`, `{ns}Vehicle`. */
  readonly names: ReadonlyMap<string, ConfiguredName>;
}

/** A TypeScript type that replaces the default type: a built-in type such as `Date`, or the type of a module. */
export type MappedType = WithSpan & {
  readonly keySpan: Span;
  readonly type: string | ModuleType;
};

/**
 * The names of a module's exports: a type, and the functions that read its values from XML text and write them as XML
 * text.
 */
export interface ModuleType {
  readonly module: ModulePath;
  readonly type: string;
  readonly read: string;
  readonly write: string;
}

/** The package, or the file below the root, from which a module is imported. */
export type ModulePath = { readonly package: string } | { readonly file: string };

/** The settings of an interface that an index describes. */
export interface RestInterfaceConfig extends WithSpan {
  readonly kind: "rest";
  readonly name: string;
  /** The positions of the settings that a diff reports. */
  readonly settings?: readonly SettingPosition[] | undefined;
  readonly index: WithSpan & { readonly path: string };
  readonly base: {
    /** The path before all routes. Default `/wp-json`. */
    readonly path: string;
    readonly values: ReadonlyMap<string, readonly string[]>;
    readonly language: { readonly variable: string | undefined; readonly argument: string | undefined } | undefined;
  };
  readonly wireNames: { readonly segments: readonly (WithSpan & { readonly name: string })[] };
  /** The routes to generate; undefined for all. */
  readonly routes: readonly (WithSpan & { readonly name: string })[] | undefined;
  /** Namespaces whose TypeScript names have no version, although the index contains several versions: `wc/v3`. */
  readonly unversioned: readonly (WithSpan & { readonly name: string })[];
  /** Operation names by `METHOD route`: `"POST /x/v1/things": "x.things.add"`. */
  readonly names: ReadonlyMap<string, ConfiguredName>;
  /** The JSON Schemas that describe the answers of operations. */
  readonly responses: readonly ResponseConfig[];
}

/** A JSON Schema for answers. `key` is an operation, a group of operations, a route, or a method and a route. */
export interface ResponseConfig extends WithSpan {
  readonly key: string;
  readonly keySpan: Span;
  readonly path: string;
  /** The JSON pointer of the schema in the file; "" if the file is the schema. */
  readonly pointer: string;
}
