import type { SourceLimits } from "../source/limits.js";
import type { Span } from "../source/span.js";

/** `bothends.json`, read: what to generate from what, and what a schema cannot say. Paths are relative to the root. */
export interface Config {
  /** The span of the whole file, for problems that have no better place. */
  readonly span: Span;
  readonly packages: {
    readonly contract: PackageConfig;
    readonly client: PackageConfig;
    readonly server: PackageConfig;
  };
  /** What the generated packages' package.json says of the runtime: `workspace:^`, `^0.1.0`, `file:…`. */
  readonly runtime: string;
  /** How much the sources may be, where not the default. */
  readonly limits: Partial<SourceLimits>;
  readonly interfaces: readonly InterfaceConfig[];
}

export interface PackageConfig {
  /** The folder. */
  readonly path: string;
  /** The npm name. */
  readonly name: string;
  /** Where one package holds all three: the folder in its `src`, and the first step of its entries. */
  readonly part?: "contract" | "client" | "server" | undefined;
}

export type InterfaceConfig = SoapInterfaceConfig | RestInterfaceConfig;

export interface Located {
  /** The place in `bothends.json` (or of the command line's stand-in for it). */
  readonly span: Span;
}

/** Another name for something, and where its own name stands beside it. */
export interface GivenName extends Located {
  readonly name: string;
  readonly keySpan: Span;
}

export interface SoapInterfaceConfig extends Located {
  readonly kind: "soap";
  readonly name: string;
  readonly wsdl: readonly (Located & { readonly path: string })[];
  /** Arguments that a client holds once. */
  readonly ambient: readonly (Located & { readonly name: string })[];
  readonly wireNames: {
    /** A word for each namespace that may be another at run time. */
    readonly namespaces: readonly (Located & { readonly slot: string; readonly namespace: string })[];
    readonly operations: readonly (Located & { readonly name: string })[];
  };
  /** SOAP 1.2 requests carry an `action` parameter. */
  readonly soap12Action: boolean;
  /** What the WSDLs refer to, and no document declares, is left open, with a warning. */
  readonly lenient: boolean;
  /** The TypeScript side of a built-in: `{ dateTime: "Date", decimal: "number", long: "number" }`. */
  readonly typeMap: ReadonlyMap<string, Located & { readonly type: string }>;
  /** Whether the types of each namespace have a file of their own. */
  readonly typeFiles: "one" | "namespace";
  /** Only these operations, and what they reach; undefined: all. */
  readonly operations: readonly (Located & { readonly name: string })[] | undefined;
  /** Other TypeScript names, by wire name (`CheckUSA`, `{ns}Vehicle`). */
  readonly names: ReadonlyMap<string, GivenName>;
}

export interface RestInterfaceConfig extends Located {
  readonly kind: "rest";
  readonly name: string;
  readonly index: Located & { readonly path: string };
  readonly base: {
    /** Default `/wp-json`. */
    readonly path: string;
    readonly values: ReadonlyMap<string, readonly string[]>;
    readonly language: { readonly variable: string | undefined; readonly argument: string | undefined } | undefined;
  };
  readonly wireNames: { readonly segments: readonly (Located & { readonly name: string })[] };
  /** Only these routes; undefined: all. */
  readonly routes: readonly (Located & { readonly name: string })[] | undefined;
  /** Other operation names, by `METHOD route`: `"POST /x/v1/things": "x.things.add"`. */
  readonly names: ReadonlyMap<string, GivenName>;
  /** JSON Schemas of what operations answer. */
  readonly responses: readonly ResponseConfig[];
}

/** A JSON Schema and what it is of: an operation, a group of operations, a route, or a method and a route. */
export interface ResponseConfig extends Located {
  readonly key: string;
  readonly keySpan: Span;
  readonly path: string;
  /** A JSON pointer in the file; "" for the whole of it. */
  readonly pointer: string;
}
