import type { Config } from "../model/index.js";
import type { FileTree, InterfacePlan, PackagePlan, Plan } from "../plan/index.js";
import { code, enumerated, json, relativePath } from "./encode.js";
import { fill, type Slots, type Templates } from "./template.js";

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
const nouns: Readonly<Record<Kind, string>> = {
  contract: "Types and descriptors",
  client: "Typed clients",
  server: "Typed server stubs",
};

/** The project files of the generated packages. */
export function render({ plan, config, templates }: RenderInputs): FileTree {
  const tree = new Map<string, string>();
  for (const kind of kinds) {
    const { path } = plan.packages[kind];
    tree.set(
      `${path}/package.json`,
      fill("package/package.json.hbs", manifestSlots(kind, { plan, config }), templates),
    );
    tree.set(
      `${path}/tsconfig.json`,
      fill("package/tsconfig.json.hbs", tsconfigSlots(kind, { plan, config }), templates),
    );
    tree.set(`${path}/README.md`, fill(`package/${kind}.README.md.hbs`, readmeSlots(kind, plan), templates));
  }
  return tree;
}

function manifestSlots(kind: Kind, { plan, config }: Omit<RenderInputs, "templates">): Slots {
  return {
    name: json(plan.packages[kind].name),
    version: json(version),
    description: json(`${nouns[kind]} of ${enumerated(plan.interfaces.map((each) => each.interface.name))}`),
    entries: plan.interfaces.map(({ folder }) => ({
      subpath: json(`./${folder}`),
      source: json(`./src/${folder}/index.ts`),
      types: json(`./dist/${folder}/index.d.ts`),
      code: json(`./dist/${folder}/index.js`),
    })),
    dependencies: dependenciesOf(kind, { plan, config }).map(({ name, range }) => ({
      name: json(name),
      range: json(range),
    })),
  };
}

function dependenciesOf(
  kind: Kind,
  { plan, config }: Omit<RenderInputs, "templates">,
): readonly { readonly name: string; readonly range: string }[] {
  const { contract } = plan.packages;
  const beside = config.runtime.startsWith("workspace:")
    ? config.runtime
    : `file:${relativePath(plan.packages[kind].path, contract.path)}`;
  const dependencies = [
    ...(kind === "contract" ? [] : [{ name: contract.name, range: beside }]),
    { name: runtimeName, range: config.runtime },
  ];
  return dependencies.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Project references: the contract always, the runtime where it is a package of the same workspace. */
function tsconfigSlots(kind: Kind, { plan, config }: Omit<RenderInputs, "templates">): Slots {
  const references = [
    ...(config.runtime.startsWith("workspace:") ? ["../runtime"] : []),
    ...(kind === "contract" ? [] : [relativePath(plan.packages[kind].path, plan.packages.contract.path)]),
  ];
  return { references: references.length === 0 ? undefined : references.map((path) => ({ path: json(path) })) };
}

function readmeSlots(kind: Kind, plan: Plan): Slots {
  const own = plan.packages[kind];
  return {
    title: code(own.name),
    interfaces: enumerated(plan.interfaces.map((each) => code(each.interface.name))),
    entries: plan.interfaces.map((each) => entrySlots(each, own)),
  };
}

function entrySlots(plan: InterfacePlan, own: PackagePlan): Slots {
  const soap = plan.kind === "soap";
  return {
    entry: code(`${own.name}/${plan.folder}`),
    module: json(`${own.name}/${plan.folder}`),
    client: plan.client,
    handlers: plan.handlers,
    routes: plan.routes,
    variable: variableOf(plan),
    handlersVariable: lowerFirst(plan.handlers),
    options: soap ? "{ baseUrl }" : "{ siteUrl }",
    example: exampleOf(plan),
  };
}

/** A name that the example's imports do not use. */
function variableOf(plan: InterfacePlan): string {
  return lowerFirst(plan.client);
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A call, where there is something to call; what it takes is for its type to say. */
function exampleOf(plan: InterfacePlan): string | undefined {
  const variable = variableOf(plan);
  if (plan.kind === "soap") {
    const [service] = plan.services;
    const operation = service?.operations[0];
    if (service === undefined || operation === undefined) return undefined;
    return `const answer = await ${variable}.${service.member}.${operation.method}(input);`;
  }
  const group = plan.groups.find((each) => each.member !== undefined) ?? plan.groups[0];
  const endpoint = group?.endpoints[0];
  if (group === undefined || endpoint === undefined) return undefined;
  const path = [...(group.member === undefined ? [] : [group.member]), ...endpoint.path];
  return `const answer = await ${variable}.${path.join(".")}(input);`;
}
