import type { Generation } from "../generation.js";
import { quoteShellWord } from "../paths.js";

type Plan = Generation["plan"];
type InterfacePlan = Plan["interfaces"][number];
type SoapPlan = Extract<InterfacePlan, { kind: "soap" }>;
type RestPlan = Extract<InterfacePlan, { kind: "rest" }>;

/** A method call in the example program. */
interface Call {
  /** The members that lead from the client to the method: `["posts", "list"]`. */
  readonly path: readonly string[];
  /** The code of the input, an object literal; undefined if the input is too large for an example. */
  readonly input: string | undefined;
}

/**
 * Returns the next steps for a new project: the commands that install the packages, and the first lines of a program.
 */
export function formatNextSteps({ plan, formatDisplayPath }: Generation, address: string | undefined): string {
  const { contract, client, server } = plan.packages;
  const [target] = plan.interfaces;
  if (target === undefined) {
    return "";
  }
  if (client.isOmitted !== true) {
    const lines = writeFirstCall(plan, address);
    return `${formatInstallSteps("client", formatDisplayPath(client.path))}${lines.length === 0 ? "" : writeCodeSteps(callTitle, lines)}`;
  }
  if (server.isOmitted !== true) {
    const commands = [
      "npx bothends scaffold server my-server",
      `npm install ${formatFolderArgument(formatDisplayPath(server.path))}`,
      "npm install --prefix my-server",
      "npm start --prefix my-server",
    ];
    return writeCodeSteps("Write a server, and start it:", commands);
  }
  const lines = [`import type * as ${toCamelCase(target.interface.name)} from "${getEntry(contract, target.folder)}";`];
  return `${formatInstallSteps("types", formatDisplayPath(contract.path))}${writeCodeSteps("Import the types:", lines)}`;
}

const callTitle =
  "Call the service from a file call.mts, and run it with npx tsx call.mts, or with node call.mts from Node 22.18 on:";

function formatInstallSteps(product: string, path: string): string {
  const commands = [
    "npm install --save-dev typescript @types/node",
    `npm install ${formatFolderArgument(path)}`,
    `npx tsc -b ${quoteShellWord(path)}`,
  ];
  return writeCodeSteps(`Install and build the ${product}:`, commands);
}

/** Formats a folder as an argument of `npm install`. Without `./`, npm would interpret it as a package name. */
export function formatFolderArgument(path: string): string {
  return quoteShellWord(/^\.{0,2}\//.test(path) ? path : `./${path}`);
}

/** Formats commands or code below a title. */
export function writeCodeSteps(title: string, lines: readonly string[]): string {
  return `\n${title}\n\n${lines.map((line) => (line === "" ? "\n" : `    ${line}\n`)).join("")}`;
}

/** Writes the lines of a first program that calls an interface: import, client, call, output. */
function writeFirstCall(plan: Plan, address: string | undefined): readonly string[] {
  const [target] = plan.interfaces;
  const call =
    target === undefined ? undefined : target.kind === "soap" ? createSoapCall(target) : createRestCall(target);
  if (target === undefined || call === undefined) {
    return [];
  }
  const { client, folder } = target;
  const variable = lowerFirst(client);
  const options = formatOptions(target, address);
  return [
    `import { ${client} } from "${getEntry(plan.packages.client, folder)}";`,
    "",
    `const ${variable} = new ${client}(${options});`,
    `const answer = await ${variable}.${call.path.join(".")}(${call.input ?? "{ /* its members */ }"});`,
    "console.log(answer);",
  ];
}

/**
 * Returns the import path of an interface: `quotes-client/quotes`, or `quotes/client/quotes` if one package contains
 * all parts.
 */
function getEntry({ name, part }: Plan["packages"]["client"], folder: string): string {
  return part === undefined ? `${name}/${folder}` : `${name}/${part}/${folder}`;
}

function toCamelCase(name: string): string {
  return lowerFirst(name.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, letter = "") => letter.toUpperCase()));
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Formats the constructor's options for the example; empty if the schema contains the addresses. */
function formatOptions(plan: InterfacePlan, address: string | undefined): string {
  if (plan.kind === "rest") {
    return `{ siteUrl: ${JSON.stringify(address ?? "https://site.example")} }`;
  }
  return plan.hasAddresses ? "" : '{ baseUrl: "http://127.0.0.1:8080" }';
}

/**
 * Chooses the operation to call: the first with a small input, otherwise the first without input, otherwise the first
 * of all.
 */
function createSoapCall(plan: SoapPlan): Call | undefined {
  const types = { plan, byId: new Map(plan.interface.types.map((type) => [type.id, type])) };
  let callWithoutInput: Call | undefined;
  let fallback: Call | undefined;
  for (const { member, operations } of plan.services) {
    for (const { operation, method } of operations) {
      const { body } = operation.input;
      const id = body.kind === "parts" ? body.record : body.type.kind === "named" ? body.type.id : undefined;
      const input = id === undefined ? "{}" : formatRecord(types, id);
      const call = { path: plan.hasFacade ? [member, method] : [method], input };
      if (input !== undefined && input !== "{}") {
        return call;
      }
      callWithoutInput ??= input === undefined ? undefined : call;
      fallback ??= call;
    }
  }
  return callWithoutInput ?? fallback;
}

type TypeDefinition = SoapPlan["interface"]["types"][number];
type RecordField = Extract<TypeDefinition, { kind: "record" }>["fields"][number];
type TypeReference = Extract<RecordField, { kind: "element" }>["type"];

const maxFields = 6;

/** The types of an interface, by id. */
interface Types {
  readonly plan: SoapPlan;
  readonly byId: ReadonlyMap<string, TypeDefinition>;
}

function formatRecord(types: Types, id: string): string | undefined {
  const type = types.byId.get(id);
  if (type?.kind !== "record" || type.abstract) {
    return undefined;
  }
  const members = type.fields.filter(isRequired).map((field) => {
    const value = "type" in field ? findValueText(types, field.type) : undefined;
    const isList = field.kind === "element" && field.max !== 1;
    return value === undefined ? undefined : `${formatKey(field.key)}: ${isList ? `[${value}]` : value}`;
  });
  const texts = members.filter((member) => member !== undefined);
  if (texts.length !== members.length || texts.length > maxFields) {
    return undefined;
  }
  return texts.length === 0 ? "{}" : `{ ${texts.join(", ")} }`;
}

function isRequired(field: RecordField): boolean {
  switch (field.kind) {
    case "element":
    case "group":
    case "any":
      return field.min > 0;
    case "attribute":
      return field.required;
    case "anyAttribute":
      return false;
    default:
      return true;
  }
}

/** Returns the code of an example value; undefined if the type is not simple. */
function findValueText(types: Types, reference: TypeReference): string | undefined {
  if (reference.kind === "builtin") {
    const examples: Readonly<Record<string, string>> = { string: '"…"', number: "1", bigint: "1n", boolean: "true" };
    return examples[types.plan.builtins.get(reference.name)?.value ?? ""];
  }
  const type = types.byId.get(reference.id);
  switch (type?.kind) {
    case "restriction":
      return findValueText(types, type.base);
    case "enumeration":
      return findValueText(types, type.base) === '"…"' ? JSON.stringify(type.values[0]?.text ?? "") : undefined;
    default:
      return undefined;
  }
}

/**
 * Chooses the endpoint to call: the list of posts, which most readers know; otherwise the first list of WordPress, the
 * first list, or the first endpoint.
 */
function createRestCall(plan: RestPlan): Call | undefined {
  const calls = plan.groups.flatMap(({ member, endpoints }) =>
    endpoints.map(({ endpoint, path }) => ({
      path: member === undefined ? path : [member, ...path],
      input: endpoint.args.some(({ required }) => required) ? undefined : writeExampleArguments(endpoint),
      route: path.at(-1) === "list" ? endpoint.route : "",
    })),
  );
  const callsWithInput = calls.filter(({ input }) => input !== undefined);
  return (
    callsWithInput.find(({ route }) => route === "/wp/v2/posts") ??
    callsWithInput.find(({ route }) => route.startsWith("/wp/v2/")) ??
    callsWithInput.find(({ route }) => route !== "") ??
    callsWithInput[0] ??
    calls[0]
  );
}

/** Writes arguments that limit the first answer to five items. */
function writeExampleArguments({ args }: RestPlan["groups"][number]["endpoints"][number]["endpoint"]): string {
  return args.some(({ name, type }) => name === "per_page" && type.kind === "integer") ? "{ per_page: 5 }" : "{}";
}

function formatKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
