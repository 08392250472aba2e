import type { EndpointPlan, GroupPlan } from "../../plan/index.js";
import {
  code,
  comment,
  type Declaration,
  documented,
  entry,
  type Fragment,
  identifier,
  key,
  object,
  objectType,
  runtimeType,
  runtimeValue,
  type TypeScriptFile,
  typeBody,
  use,
} from "../../print/index.js";
import { declaredSymbols, indexFile, optionsFile } from "../files.js";
import { documentation, property, valueCode, wireNamesProperty } from "../members.js";
import {
  type Branch,
  branchOf,
  endpointSymbol,
  endpointText,
  type GroupContext,
  groupPath,
  inputSymbol,
  interfaceSymbol,
  memberGroups,
  type RestContext,
} from "./context.js";
import type { RestContractFiles } from "./contract.js";
import { endpointAnswer } from "./types.js";

const runtime = "@bothends/runtime/server";
const documentFile = "index-document.ts";

/** The server package's files of one REST interface. */
export function emitRestServer(contract: RestContractFiles, context: RestContext): readonly TypeScriptFile[] {
  const { server } = context.folders;
  return [
    server.file(optionsFile, [optionsDeclaration(context)]),
    ...memberGroups(context.plan).map((group) => server.file(serverFile(group), [groupHandlers(group, context)])),
    server.file(documentFile, [documentDeclaration(context)]),
    server.file(indexFile, [reexports(contract, context), facadeHandlers(context), routesFunction(context)]),
  ];
}

function serverFile(group: GroupPlan): string {
  return `${group.file}-server.ts`;
}

function optionsDeclaration({ plan }: RestContext): Declaration {
  const members = wireNamesProperty(
    { segments: plan.interface.segments },
    "Route segments that have another name on the wire, also in the served index.",
  );
  return {
    kind: "interface",
    name: plan.serverOptions,
    code: code`
      ${comment(`Options for ${plan.routes}.`)}
      export interface ${identifier(plan.serverOptions)} extends ${runtimeType(runtime, "RestServerOptions")} ${typeBody(members)}`,
  };
}

function groupHandlers(group: GroupPlan, context: RestContext): Declaration {
  return {
    kind: "interface",
    name: group.handlers,
    code: code`
      ${comment(`Handlers for the endpoints below ${groupPath(group)}.`)}
      export interface ${identifier(group.handlers)} ${typeBody(branchMembers(branchOf(group.endpoints), { group, context }))}`,
  };
}

function branchMembers({ endpoints, branches }: Branch, place: GroupContext): readonly Fragment[] {
  return [
    ...endpoints.map(({ word, endpoint }) => handlerMember(word, endpoint, place)),
    ...[...branches].map(([word, below]) =>
      property(word, objectType(branchMembers(below, place)), { readonly: true }),
    ),
  ];
}

function handlerMember(word: string, endpoint: EndpointPlan, place: GroupContext): Fragment {
  const input = inputSymbol(endpoint, place);
  const answers = [endpointAnswer(endpoint, place.context)].filter((answer) => answer !== undefined);
  const answer = code`${runtimeType(runtime, "Answer")}<${runtimeType(runtime, "RestResult")}<${answers}>>`;
  const signature = code`(input: ${input}, context: ${runtimeType(runtime, "RestContext")}): ${answer}`;
  if (!isIndex(endpoint)) {
    return documented(endpointText(endpoint, place.context), code`${key(word)}${signature}`);
  }
  const facts = [
    endpointText(endpoint, place.context),
    "Optional: without it, the server answers from the index document.",
  ];
  return documented(documentation(undefined, facts), code`${key(word)}?${signature}`);
}

/** Whether an endpoint is that of the index, or of a namespace in it: the runtime can answer it from the document. */
function isIndex({ endpoint }: EndpointPlan): boolean {
  return endpoint.operation.at(-1) === "index" && endpoint.route === `/${endpoint.namespace}`;
}

/** The interface's handlers: one member per group, and the endpoints that belong to none. */
function facadeHandlers(context: RestContext): Declaration {
  const { plan, folders } = context;
  const members = plan.groups.flatMap((group): readonly Fragment[] => {
    if (group.member === undefined) {
      return branchMembers(branchOf(group.endpoints), { group, context });
    }
    const handlers = use(folders.server.type(group.handlers, serverFile(group)));
    return [property(group.member, handlers, { readonly: true })];
  });
  return {
    kind: "interface",
    name: plan.handlers,
    code: code`
      ${comment(documentation(plan.interface.documentation, [`Handlers for the endpoints of ${plan.interface.name}.`]))}
      export interface ${identifier(plan.handlers)} ${typeBody(members)}`,
  };
}

function routesFunction(context: RestContext): Declaration {
  const { plan, folders } = context;
  const endpoints = plan.groups.flatMap((group) => {
    const entries = branchEntries(branchOf(group.endpoints), { group, context });
    return group.member === undefined ? entries : [entry(group.member, object(entries))];
  });
  const definition = object([
    entry("interface", use(interfaceSymbol(context))),
    entry("endpoints", object(endpoints)),
    entry("handlers", code`handlers`),
    entry("index", use(folders.server.value(plan.index, documentFile))),
  ]);
  const handlers = folders.server.type(plan.handlers, indexFile);
  const options = folders.server.type(plan.serverOptions, optionsFile);
  return {
    kind: "function",
    name: plan.routes,
    code: code`
      ${comment(`Creates the routes that serve ${plan.interface.name}.`)}
      export function ${identifier(plan.routes)}<Missing extends "error" = never>(handlers: ${runtimeType(runtime, "HandlersOf")}<${handlers}, Missing>, options: ${options} & ${runtimeType(runtime, "MissingOption")}<Missing> = {}): ${runtimeType(runtime, "Routes")} {
        return ${runtimeValue(runtime, "restRoutes")}(${definition}, options);
      }`,
  };
}

function branchEntries({ endpoints, branches }: Branch, place: GroupContext): readonly Fragment[] {
  return [
    ...endpoints.map(({ word, endpoint }) => entry(word, use(endpointSymbol(endpoint, place)))),
    ...[...branches].map(([word, below]) => entry(word, object(branchEntries(below, place)))),
  ];
}

function documentDeclaration({ plan, descriptors }: RestContext): Declaration {
  const document = valueCode(descriptors.document, (reference) => {
    throw new Error(`An index document refers to a ${reference.kind}.`);
  });
  return {
    kind: "constant",
    name: plan.index,
    code: code`
      ${comment("The index document, without what depends on the site: the server adds that.")}
      export const ${identifier(plan.index)}: ${runtimeType("@bothends/runtime", "JsonObject")} = ${document};`,
  };
}

/** What a handler's author needs beside the handlers, so that one package is imported. */
function reexports(files: RestContractFiles, { plan, folders }: RestContext): Declaration {
  const { contract, server } = folders;
  return {
    kind: "reexport",
    symbols: [
      ...[...files.types, ...files.answers].flatMap((file) => declaredSymbols(file.declarations, contract, indexFile)),
      server.type(plan.serverOptions, optionsFile),
      ...memberGroups(plan).map((group) => server.type(group.handlers, serverFile(group))),
      server.value(plan.index, documentFile),
      runtimeType(runtime, "Answer"),
      runtimeType(runtime, "RestContext"),
      runtimeType(runtime, "RestResult"),
      runtimeType(runtime, "Routes"),
      runtimeValue(runtime, "restAnswer"),
      runtimeValue("@bothends/runtime", "RestError"),
    ],
  };
}
