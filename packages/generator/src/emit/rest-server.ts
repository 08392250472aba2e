import type { EndpointPlan, GroupPlan } from "../plan/index.js";
import {
  type Declaration,
  type Expression,
  type MemberNode,
  runtimeType,
  runtimeValue,
  type TypeScriptFile,
} from "../print/index.js";
import { documentation } from "./documentation.js";
import { expressionOf } from "./expression-of.js";
import { reexportsOf } from "./index-file.js";
import { call, entry, local, objectOf, property, symbolOf, typeOf } from "./nodes.js";
import { descriptorsFile, indexFile, optionsFile } from "./places.js";
import { answerNode } from "./rest-answers.js";
import { endpointText } from "./rest-client.js";
import {
  type Branch,
  branchOf,
  endpointSymbol,
  groupPlace,
  type InGroup,
  inputSymbol,
  type RestContext,
} from "./rest-context.js";
import type { RestContractFiles } from "./rest-contract.js";
import { wireNamesProperty } from "./wire-names.js";

const runtime = "@bothends/runtime/server";
const documentFile = "index-document.ts";

/** The server package's files of one REST interface. */
export function emitRestServer(contract: RestContractFiles, context: RestContext): readonly TypeScriptFile[] {
  const { server } = context.places;
  const options = server.file(optionsFile);
  options.add(optionsDeclaration(context));
  const groups = context.plan.groups
    .filter((group) => group.member !== undefined)
    .map((group) => {
      const file = server.file(serverFile(group));
      file.add(groupHandlers(group, context));
      return file;
    });
  const document = server.file(documentFile);
  document.add(documentDeclaration(context));
  const index = server.file(indexFile);
  index.add(...reexports(contract, context), facadeHandlers(context), routesFunction(context));
  return [options, ...groups, document, index];
}

function serverFile(group: GroupPlan): string {
  return `${group.file}-server.ts`;
}

function optionsDeclaration({ plan }: RestContext): Declaration {
  return {
    kind: "interface",
    name: plan.serverOptions,
    extends: [typeOf(runtimeType(runtime, "RestServerOptions"))],
    members: wireNamesProperty(
      { segments: plan.interface.segments },
      "Segments of routes that are called otherwise on the wire; the served index follows.",
    ),
    documentation: `How ${plan.routes} behaves.`,
  };
}

function groupHandlers(group: GroupPlan, context: RestContext): Declaration {
  return {
    kind: "interface",
    name: group.handlers,
    extends: [],
    members: branchNodes(branchOf(group.endpoints), { group, context }),
    documentation: `Answers the endpoints below ${groupPlace(group)}.`,
  };
}

function branchNodes(branch: Branch, place: InGroup): readonly MemberNode[] {
  return [
    ...branch.endpoints.map(({ word, endpoint }) => handlerNode(word, endpoint, place)),
    ...[...branch.branches].map(([word, below]) =>
      property(word, { kind: "object", members: branchNodes(below, place) }, { readonly: true }),
    ),
  ];
}

function handlerNode(word: string, endpoint: EndpointPlan, place: InGroup): MemberNode {
  const facts = isIndex(endpoint)
    ? [endpointText(endpoint), "Where it is left out, the server answers from the index document."]
    : [];
  const answer = answerNode(endpoint, place.context);
  const answers = answer === undefined ? [] : [answer];
  return {
    kind: "method",
    name: word,
    optional: isIndex(endpoint),
    parameters: [
      { name: "input", type: typeOf(inputSymbol(endpoint, place)) },
      { name: "context", type: typeOf(runtimeType(runtime, "RestContext")) },
    ],
    returns: typeOf(runtimeType(runtime, "Answer"), typeOf(runtimeType(runtime, "RestResult"), ...answers)),
    documentation: facts.length === 0 ? endpointText(endpoint) : documentation(undefined, facts),
  };
}

/** The route of the index itself, or of a namespace: the runtime can answer it from the document. */
function isIndex({ endpoint }: EndpointPlan): boolean {
  return endpoint.operation.at(-1) === "index" && endpoint.route === `/${endpoint.namespace}`;
}

/** The interface's handlers: one member per group, and the endpoints of the index itself. */
function facadeHandlers(context: RestContext): Declaration {
  const { plan, places } = context;
  const members = plan.groups.flatMap((group): readonly MemberNode[] => {
    if (group.member === undefined) return branchNodes(branchOf(group.endpoints), { group, context });
    const handlers = typeOf(places.server.type(group.handlers, serverFile(group)));
    return [property(group.member, handlers, { readonly: true })];
  });
  return {
    kind: "interface",
    name: plan.handlers,
    extends: [],
    members,
    documentation: documentation(plan.interface.documentation, [`Answers the endpoints of ${plan.interface.name}.`]),
  };
}

function routesFunction(context: RestContext): Declaration {
  const { plan, places } = context;
  const endpoints = plan.groups.flatMap((group) => {
    const branch = branchOf(group.endpoints);
    const object = branchObject(branch, { group, context });
    return group.member === undefined ? object.entries : [entry(group.member, object)];
  });
  return {
    kind: "function",
    name: plan.routes,
    parameters: [
      { name: "handlers", type: typeOf(places.server.type(plan.handlers, indexFile)) },
      { name: "options", type: typeOf(places.server.type(plan.serverOptions, optionsFile)), default: objectOf([]) },
    ],
    returns: typeOf(runtimeType(runtime, "Routes")),
    documentation: `Serves ${plan.interface.name} with the handlers.`,
    body: [
      {
        kind: "return",
        value: call(
          symbolOf(runtimeValue(runtime, "restRoutes")),
          objectOf([
            entry("interface", symbolOf(places.contract.value(plan.constant, descriptorsFile(undefined)))),
            entry("endpoints", objectOf(endpoints)),
            entry("handlers", local("handlers")),
            entry("index", symbolOf(places.server.value(plan.index, documentFile))),
          ]),
          local("options"),
        ),
      },
    ],
  };
}

function branchObject(branch: Branch, place: InGroup): Extract<Expression, { kind: "object" }> {
  return {
    kind: "object",
    entries: [
      ...branch.endpoints.map(({ word, endpoint }) => entry(word, symbolOf(endpointSymbol(endpoint, place)))),
      ...[...branch.branches].map(([word, below]) => entry(word, branchObject(below, place))),
    ],
  };
}

function documentDeclaration({ plan, descriptors }: RestContext): Declaration {
  return {
    kind: "constant",
    name: plan.index,
    type: typeOf(runtimeType("@bothends/runtime", "JsonObject")),
    value: expressionOf(descriptors.document, (reference) => {
      throw new Error(`An index document refers to a ${reference.kind}.`);
    }),
    documentation: "The index document, without the facts of one site: the server adds those.",
  };
}

/** What a handler's author needs beside the handlers, so that one package is imported. */
function reexports(files: RestContractFiles, { plan, places }: RestContext): readonly Declaration[] {
  const types = [...files.types, ...files.answers].flatMap((file) =>
    reexportsOf(file.declarations, places.contract, indexFile).flatMap((each) =>
      each.kind === "reexport" ? each.symbols : [],
    ),
  );
  return [
    {
      kind: "reexport",
      symbols: [
        ...types,
        places.server.type(plan.serverOptions, optionsFile),
        ...plan.groups
          .filter((group) => group.member !== undefined)
          .map((group) => places.server.type(group.handlers, serverFile(group))),
        places.server.value(plan.index, documentFile),
        runtimeType(runtime, "Answer"),
        runtimeType(runtime, "RestContext"),
        runtimeType(runtime, "RestResult"),
        runtimeType(runtime, "Routes"),
        runtimeValue(runtime, "restAnswer"),
        runtimeValue("@bothends/runtime", "RestError"),
      ],
    },
  ];
}
