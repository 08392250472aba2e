import { createRequire } from "node:module";
import type Handlebars from "handlebars";
import type { ExampleCall } from "../emit/example-call.js";
import type { Config, FileTree } from "../model/index.js";
import { getEntry, hasOnlyTypes, type InterfacePlan, type PackagePlan, type Plan } from "../plan/index.js";
import { formatJson, joinNames } from "../text.js";

/** The results of earlier stages, from which files of fixed shape are rendered. */
export interface RenderInputs {
  readonly plan: Plan;
  readonly config: Config;
  readonly templates: Templates;
  /** The generated TypeScript files. */
  readonly code: FileTree;
  /** The calls that the READMEs of clients show. */
  readonly exampleCalls: ReadonlyMap<InterfacePlan, ExampleCall>;
}

type PackageKind = keyof Plan["packages"];

const kinds: readonly PackageKind[] = ["contract", "client", "server"];
const runtimeName = "@bothends/runtime";
/** The version of generated packages. Users who publish the packages replace this version. */
const version = "0.1.0";
const typescriptRange = "^7.0.2";
const nouns: Readonly<Record<PackageKind, string>> = {
  contract: "Types and descriptors",
  client: "Typed clients",
  server: "Typed server stubs",
};

/** Makes the files of the generated packages that are not code: package.json, tsconfig.json and README.md. */
export function render({ plan, config, templates, code: files, exampleCalls }: RenderInputs): FileTree {
  const tree = new Map<string, string>();
  for (const generatedPackage of listPackages(plan)) {
    const { path } = generatedPackage.package;
    const write = (file: string, template: string, slots: Slots) =>
      tree.set(`${path}/${file}`, fill(`package/${template}.hbs`, slots, templates));
    write("package.json", "package.json", createManifestSlots(generatedPackage, { plan, config, code: files }));
    write("tsconfig.json", "tsconfig.json", createTsconfigSlots(generatedPackage, { plan, config, code: files }));
    const readmeSlots = createReadmeSlots(generatedPackage, plan, exampleCalls);
    write("README.md", `${renderReadme(generatedPackage, plan)}.README.md`, readmeSlots);
  }
  return tree;
}

/** A package and the kinds of code in it: one of contract, client and server, or several in a combined package. */
interface GeneratedPackage {
  readonly package: PackagePlan;
  readonly kinds: readonly PackageKind[];
}

function listPackages({ packages }: Plan): readonly GeneratedPackage[] {
  const writtenKinds = kinds.filter((kind) => packages[kind].isOmitted !== true);
  if (packages.contract.part !== undefined) {
    return [{ package: packages.contract, kinds: writtenKinds }];
  }
  return writtenKinds.map((kind) => ({ package: packages[kind], kinds: [kind] }));
}

/** Formats the README, with a template that depends on the content of the package. */
function renderReadme({ kinds: parts }: GeneratedPackage, plan: Plan): string {
  if (hasOnlyTypes(plan.packages)) {
    return "types";
  }
  return parts.includes("client") && parts.includes("server") ? "all" : (parts.at(-1) ?? "contract");
}

function createManifestSlots(
  generatedPackage: GeneratedPackage,
  { plan, config, code: files }: Pick<RenderInputs, "plan" | "config" | "code">,
): Slots {
  const peerPackages = generatedPackage.kinds.includes("contract") ? listMappedPackages(plan) : [];
  const dependencies = listDependencies(generatedPackage, { plan, config, code: files });
  return {
    name: formatJson(generatedPackage.package.name),
    version: formatJson(version),
    description: formatJson(
      `${renderContents(generatedPackage, plan)} of ${joinNames(
        plan.interfaces.map((source) => source.interface.name),
        "and",
      )}`,
    ),
    entries: listEntries(generatedPackage, plan).map(({ subpath, file }) => ({
      subpath: formatJson(`./${subpath}`),
      source: formatJson(`./src/${file}.ts`),
      types: formatJson(`./dist/${file}.d.ts`),
      code: formatJson(`./dist/${file}.js`),
    })),
    dependencies:
      dependencies.length === 0
        ? undefined
        : dependencies.map(({ name, range }) => ({ name: formatJson(name), range: formatJson(range) })),
    peers: peerPackages.length === 0 ? undefined : peerPackages.map((name) => ({ name: formatJson(name) })),
    // In a workspace, the root package provides the compiler.
    typescript: isInWorkspace(config) ? undefined : formatJson(typescriptRange),
  };
}

function renderContents({ kinds: parts }: GeneratedPackage, plan: Plan): string {
  if (hasOnlyTypes(plan.packages)) {
    return "Types";
  }
  return parts.length === kinds.length ? "Types, clients and server stubs" : nouns[parts.at(-1) ?? "contract"];
}

/**
 * Returns the entry points that other packages can import: one for each interface, and `operations` in the contract and
 * the client.
 */
function listEntries(
  { kinds: parts }: GeneratedPackage,
  plan: Plan,
): readonly { readonly subpath: string; readonly file: string }[] {
  return parts.flatMap((kind) => {
    const { part } = plan.packages[kind];
    return plan.interfaces.flatMap(({ folder }) => {
      const path = part === undefined ? folder : `${part}/${folder}`;
      const mainEntry = { subpath: path, file: `${path}/index` };
      const operations = { subpath: `${path}/operations`, file: `${path}/operations` };
      return kind === "server" || hasOnlyTypes(plan.packages) ? [mainEntry] : [mainEntry, operations];
    });
  });
}

function isInWorkspace({ runtime }: Config): boolean {
  return runtime.startsWith("workspace:");
}

function listDependencies(
  generatedPackage: GeneratedPackage,
  { plan, config, code: files }: Pick<RenderInputs, "plan" | "config" | "code">,
): readonly { readonly name: string; readonly range: string }[] {
  const { contract } = plan.packages;
  const contractRange = isInWorkspace(config)
    ? config.runtime
    : `file:${getRelativePath(generatedPackage.package.path, contract.path)}`;
  const dependencies = [
    ...(needsContract(generatedPackage) ? [{ name: contract.name, range: contractRange }] : []),
    ...(usesRuntime(generatedPackage, files) ? [{ name: runtimeName, range: config.runtime }] : []),
  ];
  return dependencies.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the packages whose types `typeMap` uses in place of schema types. */
function listMappedPackages({ interfaces }: Plan): readonly string[] {
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

/** Whether a file of the package imports the runtime. A package with only types may not need it. */
function usesRuntime(generatedPackage: GeneratedPackage, files: FileTree): boolean {
  const folder = `${generatedPackage.package.path}/`;
  return [...files].some(([path, text]) => path.startsWith(folder) && text.includes(`from "${runtimeName}`));
}

/** Whether a package depends on a separate package that contains the contract. */
function needsContract(generatedPackage: GeneratedPackage): boolean {
  return !generatedPackage.kinds.includes("contract");
}

/**
 * Returns the values of slots in the template of tsconfig.json: references to the contract's package, and to the
 * runtime if the workspace contains it.
 */
function createTsconfigSlots(
  generatedPackage: GeneratedPackage,
  { plan, config, code: files }: Pick<RenderInputs, "plan" | "config" | "code">,
): Slots {
  const references = [
    ...(isInWorkspace(config) && usesRuntime(generatedPackage, files) ? ["../runtime"] : []),
    ...(needsContract(generatedPackage)
      ? [getRelativePath(generatedPackage.package.path, plan.packages.contract.path)]
      : []),
  ];
  return { references: references.length === 0 ? undefined : references.map((path) => ({ path: formatJson(path) })) };
}

function createReadmeSlots(
  generatedPackage: GeneratedPackage,
  plan: Plan,
  exampleCalls: RenderInputs["exampleCalls"],
): Slots {
  const importName =
    renderReadme(generatedPackage, plan) === "all"
      ? generatedPackage.package.name
      : getEntry(plan.packages[generatedPackage.kinds.at(-1) ?? "contract"]);
  return {
    title: formatCode(generatedPackage.package.name),
    interfaces: joinNames(
      plan.interfaces.map((source) => formatCode(source.interface.name)),
      "and",
    ),
    entries: plan.interfaces.map((source) => {
      const call = generatedPackage.kinds.includes("client") ? exampleCalls.get(source) : undefined;
      return createEntrySlots(source, importName, call);
    }),
  };
}

function createEntrySlots(plan: InterfacePlan, importName: string, call: ExampleCall | undefined): Slots {
  const needsInput = call !== undefined && call.input === undefined && call.inputType !== undefined;
  const input = needsInput ? "input" : (call?.input ?? "{ /* its members */ }");
  return {
    entry: formatCode(`${importName}/${plan.folder}`),
    module: formatJson(`${importName}/${plan.folder}`),
    clientModule: formatJson(`${importName}/client/${plan.folder}`),
    serverModule: formatJson(`${importName}/server/${plan.folder}`),
    client: plan.client,
    handlers: plan.handlers,
    routes: plan.routes,
    variable: getVariable(plan),
    handlersVariable: lowerFirst(plan.handlers),
    options: writeOptionsCode(plan),
    inputType: needsInput ? call.inputType : undefined,
    example: call && `const answer = await ${getVariable(plan)}.${call.path.join(".")}(${input});`,
  };
}

function writeOptionsCode(plan: InterfacePlan): string {
  if (plan.kind === "rest") {
    return '{ siteUrl: "https://site.example" }';
  }
  return plan.hasAddresses ? "" : '{ baseUrl: "http://127.0.0.1:8080" }';
}

/** Returns the name of the client variable in examples: `vehicleClient`. The name differs from all imported names. */
function getVariable(plan: InterfacePlan): string {
  return lowerFirst(plan.client);
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Templates, keyed by their path below `templates/`: `package/package.json.hbs`. */
export type Templates = ReadonlyMap<string, Template>;

/** The text of a template, or the compiled template. The published command line has only compiled templates. */
export type Template = string | CompiledTemplate;
export type CompiledTemplate = (slots: Slots, options: Handlebars.RuntimeOptions) => string;

/** A value for a slot of a template, already encoded for the language at the slot's position. */
export type Slot = string | readonly Slots[] | undefined;
export interface Slots {
  readonly [name: string]: Slot;
}

/** Fills the slots of a template. Throws for a slot without a value. */
export function fill(path: string, slots: Slots, templates: Templates): string {
  const template = templates.get(path);
  if (template === undefined) {
    throw new Error(`The template ${path} does not exist.`);
  }
  const compiledTemplate = typeof template === "string" ? compile(template) : template;
  return compiledTemplate(slots, { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false });
}

/**
 * The compiled templates, keyed by template text. Compiling them takes a third of the time of a run with a small
 * source.
 */
const compiledTemplates = new Map<string, CompiledTemplate>();

/**
 * Compiles a template. Handlebars is loaded only when a template must be compiled, because importing it takes 40 ms.
 */
function compile(text: string): CompiledTemplate {
  const knownTemplate = compiledTemplates.get(text);
  if (knownTemplate !== undefined) {
    return knownTemplate;
  }
  const handlebars: typeof Handlebars = createRequire(import.meta.url)("handlebars");
  // These options must be the same as in `bundle-libraries.ts`, which compiles the templates of the published package.
  const template = handlebars.compile<Slots>(text, { noEscape: true, strict: true, knownHelpersOnly: true });
  compiledTemplates.set(text, template);
  return template;
}

/** Returns the relative path from one folder of the tree to another. */
export function getRelativePath(fromPath: string, toPath: string): string {
  const fromSteps = fromPath.split("/").filter((segment) => segment !== "" && segment !== ".");
  const toSteps = toPath.split("/").filter((segment) => segment !== "" && segment !== ".");
  let sharedCount = 0;
  while (
    sharedCount < fromSteps.length &&
    sharedCount < toSteps.length &&
    fromSteps[sharedCount] === toSteps[sharedCount]
  ) {
    sharedCount += 1;
  }
  return [...fromSteps.slice(sharedCount).map(() => ".."), ...toSteps.slice(sharedCount)].join("/") || ".";
}

/** Writes a string as inline code for a line of Markdown. */
function formatCode(text: string): string {
  return `\`${text.replace(/[`|\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")}\``;
}
