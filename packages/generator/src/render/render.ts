import type { Config, FileTree } from "../model/index.js";
import {
  entryOf,
  type InterfacePlan,
  type PackagePlan,
  type Plan,
  type RestPlan,
  type SoapPlan,
} from "../plan/index.js";
import { code, enumerated, fill, json, relativePath, type Slots, type Templates } from "./template.js";

export interface RenderInputs {
  readonly plan: Plan;
  readonly config: Config;
  readonly templates: Templates;
}

type Kind = keyof Plan["packages"];

const kinds: readonly Kind[] = ["contract", "client", "server"];
const runtimeName = "@bothends/runtime";
/** Generated packages have no version of their own life: whoever publishes them sets it. */
const version = "0.1.0";
const typescriptRange = "^7.0.2";
const nouns: Readonly<Record<Kind, string>> = {
  contract: "Types and descriptors",
  client: "Typed clients",
  server: "Typed server stubs",
};

/** The project files of the generated packages. */
export function render({ plan, config, templates }: RenderInputs): FileTree {
  const tree = new Map<string, string>();
  for (const each of unitsOf(plan)) {
    const { path } = each.own;
    const write = (file: string, template: string, slots: Slots) =>
      tree.set(`${path}/${file}`, fill(`package/${template}.hbs`, slots, templates));
    write("package.json", "package.json", manifestSlots(each, { plan, config }));
    write("tsconfig.json", "tsconfig.json", tsconfigSlots(each, { plan, config }));
    write("README.md", `${each.kinds.length > 1 ? "all" : each.kinds.join()}.README.md`, readmeSlots(each, plan));
  }
  return tree;
}

/** One package, and what it holds. */
interface Unit {
  readonly own: PackagePlan;
  readonly kinds: readonly Kind[];
}

function unitsOf({ packages }: Plan): readonly Unit[] {
  if (packages.contract.part !== undefined) return [{ own: packages.contract, kinds }];
  return kinds.map((kind) => ({ own: packages[kind], kinds: [kind] }));
}

function manifestSlots(of: Unit, { plan, config }: Omit<RenderInputs, "templates">): Slots {
  const what = of.kinds.length > 1 ? "Types, clients and server stubs" : of.kinds.map((kind) => nouns[kind]).join();
  return {
    name: json(of.own.name),
    version: json(version),
    description: json(`${what} of ${enumerated(plan.interfaces.map((each) => each.interface.name))}`),
    entries: entriesOf(of, plan).map(({ subpath, file }) => ({
      subpath: json(`./${subpath}`),
      source: json(`./src/${file}.ts`),
      types: json(`./dist/${file}.d.ts`),
      code: json(`./dist/${file}.js`),
    })),
    dependencies: dependenciesOf(of, { plan, config }).map(({ name, range }) => ({
      name: json(name),
      range: json(range),
    })),
    // In a workspace the compiler is the root's.
    typescript: inWorkspace(config) ? undefined : json(typescriptRange),
  };
}

/** What can be imported of a package: each interface, and the operations of its contract and its client. */
function entriesOf({ kinds: parts }: Unit, plan: Plan): readonly { readonly subpath: string; readonly file: string }[] {
  return parts.flatMap((kind) => {
    const { part } = plan.packages[kind];
    return plan.interfaces.flatMap(({ folder }) => {
      const path = part === undefined ? folder : `${part}/${folder}`;
      const main = { subpath: path, file: `${path}/index` };
      const operations = { subpath: `${path}/operations`, file: `${path}/operations` };
      return kind === "server" ? [main] : [main, operations];
    });
  });
}

function inWorkspace({ runtime }: Config): boolean {
  return runtime.startsWith("workspace:");
}

function dependenciesOf(
  of: Unit,
  { plan, config }: Omit<RenderInputs, "templates">,
): readonly { readonly name: string; readonly range: string }[] {
  const { contract } = plan.packages;
  const beside = inWorkspace(config) ? config.runtime : `file:${relativePath(of.own.path, contract.path)}`;
  const dependencies = [
    ...(needsContract(of) ? [{ name: contract.name, range: beside }] : []),
    { name: runtimeName, range: config.runtime },
  ];
  return dependencies.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A client or a server alone is built on the contract's package. */
function needsContract({ kinds: own }: Unit): boolean {
  return !own.includes("contract");
}

/** Project references: the contract's package, the runtime where it is a package of the same workspace. */
function tsconfigSlots(of: Unit, { plan, config }: Omit<RenderInputs, "templates">): Slots {
  const references = [
    ...(inWorkspace(config) ? ["../runtime"] : []),
    ...(needsContract(of) ? [relativePath(of.own.path, plan.packages.contract.path)] : []),
  ];
  return { references: references.length === 0 ? undefined : references.map((path) => ({ path: json(path) })) };
}

function readmeSlots({ own, kinds: held }: Unit, plan: Plan): Slots {
  const [only] = held;
  const from = only === undefined || held.length > 1 ? own.name : entryOf(plan.packages[only]);
  return {
    title: code(own.name),
    interfaces: enumerated(plan.interfaces.map((each) => code(each.interface.name))),
    entries: plan.interfaces.map((each) => entrySlots(each, from)),
  };
}

function entrySlots(plan: InterfacePlan, from: string): Slots {
  const option = plan.kind === "soap" ? "baseUrl" : "siteUrl";
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
    options: `{ ${option}: "http://127.0.0.1:8080" }`,
    input: example?.input,
    example: example && `const answer = await ${variableOf(plan)}.${example.path.join(".")}(input);`,
  };
}

/** A name that the example's imports do not use. */
function variableOf(plan: InterfacePlan): string {
  return lowerFirst(plan.client);
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A call to show: where it is, and the type of what it takes. */
interface Example {
  readonly path: readonly string[];
  readonly input: string;
}

/** The first call whose input has a name. */
function exampleOf(plan: InterfacePlan): Example | undefined {
  return plan.kind === "soap" ? operationExample(plan) : endpointExample(plan);
}

function operationExample(plan: SoapPlan): Example | undefined {
  for (const { member, operations } of plan.services) {
    for (const { operation, method } of operations) {
      const { body } = operation.input;
      const id = body.kind === "parts" ? body.record : body.type.kind === "named" ? body.type.id : undefined;
      const type = id === undefined ? undefined : plan.types.get(id);
      if (type !== undefined && !type.inline)
        return { path: plan.hasFacade ? [member, method] : [method], input: type.name };
    }
  }
  return undefined;
}

function endpointExample({ groups }: RestPlan): Example | undefined {
  const group = groups.find((each) => each.member !== undefined) ?? groups[0];
  const endpoint = group?.endpoints.find(({ path }) => path.at(-1) !== "index") ?? group?.endpoints[0];
  if (group === undefined || endpoint === undefined) return undefined;
  const path = [...(group.member === undefined ? [] : [group.member]), ...endpoint.path];
  return { path, input: endpoint.input };
}
