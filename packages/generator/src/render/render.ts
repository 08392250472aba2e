import { createRequire } from "node:module";
import type Handlebars from "handlebars";
import type { Config, FileTree } from "../model/index.js";
import {
  entryOf,
  hasOnlyTypes,
  type InterfacePlan,
  type PackagePlan,
  type Plan,
  type RestPlan,
  type SoapPlan,
} from "../plan/index.js";

export interface RenderInputs {
  readonly plan: Plan;
  readonly config: Config;
  readonly templates: Templates;
  /** The generated TypeScript files. */
  readonly code: FileTree;
}

type Kind = keyof Plan["packages"];

const kinds: readonly Kind[] = ["contract", "client", "server"];
const runtimeName = "@bothends/runtime";
/** The initial version of generated packages. Whoever publishes them sets their own. */
const version = "0.1.0";
const typescriptRange = "^7.0.2";
const nouns: Readonly<Record<Kind, string>> = {
  contract: "Types and descriptors",
  client: "Typed clients",
  server: "Typed server stubs",
};

/** The project files of the generated packages. */
export function render({ plan, config, templates, code: files }: RenderInputs): FileTree {
  const tree = new Map<string, string>();
  for (const unit of unitsOf(plan)) {
    const { path } = unit.package;
    const write = (file: string, template: string, slots: Slots) =>
      tree.set(`${path}/${file}`, fill(`package/${template}.hbs`, slots, templates));
    write("package.json", "package.json", manifestSlots(unit, { plan, config, code: files }));
    write("tsconfig.json", "tsconfig.json", tsconfigSlots(unit, { plan, config, code: files }));
    write("README.md", `${readmeOf(unit, plan)}.README.md`, readmeSlots(unit, plan));
  }
  return tree;
}

/** A package, and the parts that it contains. */
interface Unit {
  readonly package: PackagePlan;
  readonly kinds: readonly Kind[];
}

function unitsOf({ packages }: Plan): readonly Unit[] {
  const written = kinds.filter((kind) => packages[kind].omitted !== true);
  if (packages.contract.part !== undefined) {
    return [{ package: packages.contract, kinds: written }];
  }
  return written.map((kind) => ({ package: packages[kind], kinds: [kind] }));
}

/** The README template: for the client, the server, or both, depending on the package. */
function readmeOf({ kinds: parts }: Unit, plan: Plan): string {
  if (hasOnlyTypes(plan.packages)) {
    return "types";
  }
  return parts.includes("client") && parts.includes("server") ? "all" : (parts.at(-1) ?? "contract");
}

function contentsOf({ kinds: parts }: Unit, plan: Plan): string {
  if (hasOnlyTypes(plan.packages)) {
    return "Types";
  }
  return parts.length === kinds.length ? "Types, clients and server stubs" : nouns[parts.at(-1) ?? "contract"];
}

function manifestSlots(unit: Unit, { plan, config, code: files }: Omit<RenderInputs, "templates">): Slots {
  const peers = unit.kinds.includes("contract") ? mappedPackages(plan) : [];
  const dependencies = dependenciesOf(unit, { plan, config, code: files });
  return {
    name: json(unit.package.name),
    version: json(version),
    description: json(
      `${contentsOf(unit, plan)} of ${enumerated(plan.interfaces.map((source) => source.interface.name))}`,
    ),
    entries: entriesOf(unit, plan).map(({ subpath, file }) => ({
      subpath: json(`./${subpath}`),
      source: json(`./src/${file}.ts`),
      types: json(`./dist/${file}.d.ts`),
      code: json(`./dist/${file}.js`),
    })),
    dependencies:
      dependencies.length === 0
        ? undefined
        : dependencies.map(({ name, range }) => ({ name: json(name), range: json(range) })),
    peers: peers.length === 0 ? undefined : peers.map((name) => ({ name: json(name) })),
    // In a workspace, the root package provides the compiler.
    typescript: inWorkspace(config) ? undefined : json(typescriptRange),
  };
}

/** The importable entries of a package: each interface, and the operations of its contract and its client. */
function entriesOf({ kinds: parts }: Unit, plan: Plan): readonly { readonly subpath: string; readonly file: string }[] {
  return parts.flatMap((kind) => {
    const { part } = plan.packages[kind];
    return plan.interfaces.flatMap(({ folder }) => {
      const path = part === undefined ? folder : `${part}/${folder}`;
      const main = { subpath: path, file: `${path}/index` };
      const operations = { subpath: `${path}/operations`, file: `${path}/operations` };
      return kind === "server" || hasOnlyTypes(plan.packages) ? [main] : [main, operations];
    });
  });
}

function inWorkspace({ runtime }: Config): boolean {
  return runtime.startsWith("workspace:");
}

function dependenciesOf(
  unit: Unit,
  { plan, config, code: files }: Omit<RenderInputs, "templates">,
): readonly { readonly name: string; readonly range: string }[] {
  const { contract } = plan.packages;
  const beside = inWorkspace(config) ? config.runtime : `file:${relativePath(unit.package.path, contract.path)}`;
  const dependencies = [
    ...(needsContract(unit) ? [{ name: contract.name, range: beside }] : []),
    ...(usesRuntime(unit, files) ? [{ name: runtimeName, range: config.runtime }] : []),
  ];
  return dependencies.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The packages with types that replace the schema's types. */
function mappedPackages({ interfaces }: Plan): readonly string[] {
  const modules = interfaces.flatMap((source) =>
    source.kind === "soap"
      ? [...source.builtins.values(), ...source.types.values()].map(({ mapping }) => mapping?.module)
      : [],
  );
  const names = modules.flatMap((module) =>
    module !== undefined && "package" in module ? [/^(?:@[^/]+\/)?[^/]+/.exec(module.package)?.[0] ?? ""] : [],
  );
  return [...new Set(names)].sort();
}

/** Whether any file of the package imports the runtime. A package with only types may not need it. */
function usesRuntime(unit: Unit, files: FileTree): boolean {
  const folder = `${unit.package.path}/`;
  return [...files].some(([path, text]) => path.startsWith(folder) && text.includes(`from "${runtimeName}`));
}

/** Whether the contract is in another package, which this one depends on. */
function needsContract(unit: Unit): boolean {
  return !unit.kinds.includes("contract");
}

/** Project references: the contract's package, and the runtime if it is in the same workspace. */
function tsconfigSlots(unit: Unit, { plan, config, code: files }: Omit<RenderInputs, "templates">): Slots {
  const references = [
    ...(inWorkspace(config) && usesRuntime(unit, files) ? ["../runtime"] : []),
    ...(needsContract(unit) ? [relativePath(unit.package.path, plan.packages.contract.path)] : []),
  ];
  return { references: references.length === 0 ? undefined : references.map((path) => ({ path: json(path) })) };
}

function readmeSlots(unit: Unit, plan: Plan): Slots {
  const from =
    readmeOf(unit, plan) === "all" ? unit.package.name : entryOf(plan.packages[unit.kinds.at(-1) ?? "contract"]);
  return {
    title: code(unit.package.name),
    interfaces: enumerated(plan.interfaces.map((source) => code(source.interface.name))),
    entries: plan.interfaces.map((source) => entrySlots(source, from)),
  };
}

function entrySlots(plan: InterfacePlan, from: string): Slots {
  const example = exampleOf(plan);
  return {
    entry: code(`${from}/${plan.folder}`),
    module: json(`${from}/${plan.folder}`),
    clientModule: json(`${from}/client/${plan.folder}`),
    serverModule: json(`${from}/server/${plan.folder}`),
    client: plan.client,
    handlers: plan.handlers,
    routes: plan.routes,
    variable: variableOf(plan),
    handlersVariable: lowerFirst(plan.handlers),
    options: optionsOf(plan),
    input: example?.input,
    example: example && `const answer = await ${variableOf(plan)}.${example.path.join(".")}(input);`,
  };
}

function optionsOf(plan: InterfacePlan): string {
  if (plan.kind === "rest") {
    return '{ siteUrl: "https://site.example" }';
  }
  return plan.hasAddresses ? "" : '{ baseUrl: "http://127.0.0.1:8080" }';
}

/** A variable for the example that does not conflict with its imports. */
function variableOf(plan: InterfacePlan): string {
  return lowerFirst(plan.client);
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A call for the README: its path from the client, and the type of its input. */
interface Example {
  readonly path: readonly string[];
  readonly input: string;
}

/** The first call whose input has a named type. */
function exampleOf(plan: InterfacePlan): Example | undefined {
  return plan.kind === "soap" ? operationExample(plan) : endpointExample(plan);
}

function operationExample(plan: SoapPlan): Example | undefined {
  for (const { member, operations } of plan.services) {
    for (const { operation, method } of operations) {
      const { body } = operation.input;
      const id = body.kind === "parts" ? body.record : body.type.kind === "named" ? body.type.id : undefined;
      const type = id === undefined ? undefined : plan.types.get(id);
      if (type !== undefined && !type.inline) {
        return { path: plan.hasFacade ? [member, method] : [method], input: type.name };
      }
    }
  }
  return undefined;
}

function endpointExample({ groups }: RestPlan): Example | undefined {
  const group = groups.find((candidate) => candidate.member !== undefined) ?? groups[0];
  const endpoint = group?.endpoints.find(({ path }) => path.at(-1) !== "index") ?? group?.endpoints[0];
  if (group === undefined || endpoint === undefined) {
    return undefined;
  }
  const path = [...(group.member === undefined ? [] : [group.member]), ...endpoint.path];
  return { path, input: endpoint.input };
}

/** Templates by their path below `templates/`: `package/package.json.hbs`. */
export type Templates = ReadonlyMap<string, Template>;

/** The text of a template, or its compiled form: the published command line contains no texts. */
export type Template = string | CompiledTemplate;
export type CompiledTemplate = (slots: Slots, options: Handlebars.RuntimeOptions) => string;

/** A value for a template, already encoded for its position. */
export type Slot = string | readonly Slots[] | undefined;
export interface Slots {
  readonly [name: string]: Slot;
}

/** Fills a template. Throws for a slot without a value. */
export function fill(path: string, slots: Slots, templates: Templates): string {
  const template = templates.get(path);
  if (template === undefined) {
    throw new Error(`No template ${path}.`);
  }
  const compiled = typeof template === "string" ? compile(template) : template;
  return compiled(slots, { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false });
}

/** Loads Handlebars with the first template that is a text, because importing it takes 40 ms. */
function compile(text: string): CompiledTemplate {
  const handlebars: typeof Handlebars = createRequire(import.meta.url)("handlebars");
  // The same options as for the compiled templates of the published package.
  return handlebars.compile<Slots>(text, { noEscape: true, strict: true, knownHelpersOnly: true });
}

/** Text as a JSON string, which is also valid in TypeScript. */
export function json(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Text as code in a line of Markdown. */
export function code(text: string): string {
  return `\`${text.replace(/[`|\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")}\``;
}

/** Joins texts: `a`, `b` and `c`. */
export function enumerated(texts: readonly string[]): string {
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} and ${last}`;
}

/** The relative path from one folder of the tree to another. */
export function relativePath(from: string, to: string): string {
  const start = from.split("/").filter((step) => step !== "" && step !== ".");
  const end = to.split("/").filter((step) => step !== "" && step !== ".");
  let shared = 0;
  while (shared < start.length && shared < end.length && start[shared] === end[shared]) {
    shared += 1;
  }
  return [...start.slice(shared).map(() => ".."), ...end.slice(shared)].join("/") || ".";
}
