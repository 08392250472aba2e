import { lowerIndex } from "../../src/lower/rest/interface.js";
import type { RestInterfaceConfig } from "../../src/model/config.js";
import type { Arg, RestInterface } from "../../src/model/rest.js";
import { readIndex } from "../../src/read/rest/read-index.js";
import { type Diagnostic, Diagnostics } from "../../src/source/diagnostics.js";
import { Sources } from "../../src/source/sources.js";

const span = { source: { path: "bothends.json", text: "" }, start: 0, end: 0 };

export interface Options {
  readonly names?: Readonly<Record<string, string>>;
  readonly routes?: readonly string[];
  readonly unversioned?: readonly string[];
  readonly segments?: readonly string[];
  readonly responses?: Readonly<Record<string, string>>;
  /** Other files by path. */
  readonly files?: Readonly<Record<string, unknown>>;
}

function configOf(options: Options): RestInterfaceConfig {
  const located = (name: string) => ({ name, span });
  return {
    kind: "rest",
    name: "content",
    span,
    index: { path: "index.json", span },
    base: { path: "/wp-json", values: new Map(), language: undefined },
    wireNames: { segments: (options.segments ?? []).map(located) },
    routes: options.routes?.map(located),
    unversioned: (options.unversioned ?? []).map(located),
    names: new Map(
      Object.entries(options.names ?? {}).map(([key, name]) => [key, { ...located(name), keySpan: span }]),
    ),
    responses: Object.entries(options.responses ?? {}).map(([key, place]) => {
      const [path = "", pointer = ""] = place.split("#");
      return { key, keySpan: span, path, pointer, span };
    }),
  };
}

/** Reads and lowers an index: text, bytes, or a JSON value. */
export function lowered(
  index: unknown,
  options: Options = {},
): { readonly interface: RestInterface | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics = new Diagnostics();
  const text = typeof index === "string" ? index : JSON.stringify(index);
  const bytes = index instanceof Uint8Array ? index : new TextEncoder().encode(text);
  const files = new Map(Object.entries(options.files ?? {}));
  const sources = new Sources({
    readFile: (path) => {
      if (!files.has(path)) {
        return { kind: "file", bytes };
      }
      return { kind: "file", bytes: new TextEncoder().encode(JSON.stringify(files.get(path))) };
    },
    diagnostics,
  });
  const document = readIndex({ path: "index.json", span }, sources, diagnostics);
  const lower = document && lowerIndex(document, configOf(options), { sources, diagnostics });
  return { interface: lower, diagnostics: diagnostics.all };
}

/** An index with one endpoint per `METHODS route`; equal routes share an entry. */
export function indexOf(endpoints: readonly string[], namespaces: readonly string[] = []): unknown {
  const routes: Record<string, { namespace: string; methods: string[]; endpoints: unknown[] }> = {};
  for (const endpoint of endpoints) {
    const [methods = "", route = ""] = endpoint.split(" ");
    routes[route] ??= { namespace: "", methods: [], endpoints: [] };
    routes[route].endpoints.push({ methods: methods.split(","), args: {} });
  }
  return { namespaces, routes };
}

/** The names of all endpoints, by `METHODS route`. */
export function namesOf(index: unknown, options: Options = {}): Record<string, string> {
  const endpoints = lowered(index, options).interface?.endpoints ?? [];
  return Object.fromEntries(
    endpoints.map(({ methods, route, operation }) => [`${methods.join()} ${route}`, operation.join(".")]),
  );
}

/** The only argument of an index with one endpoint. */
export function argOf(definition: unknown): { readonly arg: Arg | undefined; readonly codes: readonly string[] } {
  const index = { routes: { "/x": { endpoints: [{ methods: ["GET"], args: { a: definition } }] } } };
  const result = lowered(index);
  return {
    arg: result.interface?.endpoints[0]?.args[0],
    codes: result.diagnostics.map(({ severity, code }) => `${severity} ${code}`),
  };
}
