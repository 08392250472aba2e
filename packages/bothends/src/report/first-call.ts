import { createExampleCall } from "@bothends/generator";
import type { Generation } from "../generation.js";
import type { Host } from "../host.js";
import { listProjectParameters, type ProjectOptions } from "../project.js";
import { formatInstallSteps, formatLinkCommand, getRunCommand, writeCodeSteps } from "./install-steps.js";

type Plan = Generation["plan"];
type InterfacePlan = Plan["interfaces"][number];

/** The command that generated a new project. */
interface FirstRun {
  readonly options: ProjectOptions;
  readonly host: Host;
  /** The address of the service in the example. Default: the address in the schema. */
  readonly address: string | undefined;
}

/**
 * Returns the next steps for a new project: the commands that install the packages, the first lines of a program, and
 * the command that writes a server.
 */
export function formatNextSteps(generation: Generation, { options, host, address }: FirstRun): string {
  const { plan } = generation;
  const { contract, client, server } = plan.packages;
  const context = { generation, host };
  const [target] = plan.interfaces;
  if (target === undefined) {
    return "";
  }
  const scaffold = ["npx bothends scaffold server my-server", ...listProjectParameters(options)].join(" ");
  if (client.isOmitted !== true) {
    const lines = writeFirstCall(plan, address);
    return [
      formatInstallSteps("client", "client", context),
      lines.length === 0 ? "" : writeCodeSteps(formatCallTitle(host), lines),
      server.isOmitted === true ? "" : writeCodeSteps("To write a server for the same schema:", [scaffold]),
    ].join("");
  }
  if (server.isOmitted !== true) {
    const commands = [
      scaffold,
      formatLinkCommand("server", context),
      "npm install --prefix my-server",
      "npm start --prefix my-server",
    ];
    return writeCodeSteps("Write a server, and start it:", commands);
  }
  const lines = [`import type * as ${toCamelCase(target.interface.name)} from "${getEntry(contract, target.folder)}";`];
  return `${formatInstallSteps("types", "contract", context)}${writeCodeSteps("Import the types:", lines)}`;
}

/** Formats the line that calls a new server with the generated client; empty without a client. */
export function formatServerCallStep({ interfaces: [target], packages }: Plan): string {
  if (target === undefined || packages.client.isOmitted === true) {
    return "";
  }
  const option = target.kind === "rest" ? "siteUrl" : "baseUrl";
  return writeCodeSteps("To call the server, pass its address to the client:", [
    `const ${lowerFirst(target.client)} = new ${target.client}({ ${option}: "http://127.0.0.1:8080" });`,
  ]);
}

function formatCallTitle(host: Host): string {
  const command = getRunCommand(host);
  const alternative = command === "bun" ? "" : ", or with node call.mts from Node 22.18 on";
  return `Call the service from a file call.mts, and run it with ${command} call.mts${alternative}. As call.mjs, it also runs with node call.mjs:`;
}

/** Writes the lines of a first program that calls an interface: import, client, call, output. */
function writeFirstCall(plan: Plan, address: string | undefined): readonly string[] {
  const [target] = plan.interfaces;
  const call = target && createExampleCall(target);
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
    ...`const answer = await ${variable}.${call.path.join(".")}(${call.input ?? "{ /* its members */ }"});`.split("\n"),
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
