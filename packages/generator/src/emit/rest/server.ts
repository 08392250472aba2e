import type { BranchPlan, GroupPlan } from "../../plan/index.js";
import {
  type CodeSymbol,
  code,
  comment,
  type Declaration,
  entry,
  identifier,
  object,
  runtimeType,
  runtimeValue,
  type TypeScriptFile,
  use,
} from "../../print/index.js";
import { indexFile, listDeclaredSymbols, optionsFile } from "../files.js";
import { createWireNamesProperty, declareServerOptions, documentation, getValueCode } from "../members.js";
import {
  getEndpointsSymbol,
  getGroupPath,
  getInterfaceSymbol,
  getTreeSymbol,
  isIndex,
  listGroupsWithMember,
  type RestContext,
} from "./context.js";
import { listTypeFiles, type RestContractFiles } from "./contract.js";

const runtime = "@bothends/runtime/rest-server";
const handlersFile = "handlers.ts";
const documentFile = "index-document.ts";

/** Makes the files of one REST interface in the server package. */
export function emitRestServer(contract: RestContractFiles, context: RestContext): readonly TypeScriptFile[] {
  const { server } = context.folders;
  return [
    server.createFile(optionsFile, [declareOptions(context)]),
    server.createFile(
      handlersFile,
      listGroupsWithMember(context.plan).map((group) => declareGroupHandlers(group, context)),
    ),
    server.createFile(documentFile, [declareDocument(context)]),
    server.createFile(indexFile, [
      declareReexports(contract, context),
      declareFacadeHandlers(context),
      declareRoutesFunction(context),
    ]),
  ];
}

function declareOptions({ plan }: RestContext): Declaration {
  const members = createWireNamesProperty(
    { segments: plan.interface.segments },
    "Replacements for path segments of the routes, used in requests and in the published index.",
  );
  return declareServerOptions(plan, runtimeType(runtime, "RestServerOptions"), members);
}

function declareGroupHandlers(group: GroupPlan, context: RestContext): Declaration {
  return declareHandlersInterface(group.handlers, {
    documentation: `Handlers for the endpoints below ${getGroupPath(group)}.`,
    branch: group.tree,
    tree: getTreeSymbol(group.tree, group, context),
  });
}

/**
 * Declares the type of the interface's handlers, with a member for each group and for each endpoint outside the groups.
 */
function declareFacadeHandlers(context: RestContext): Declaration {
  const { plan } = context;
  return declareHandlersInterface(plan.handlers, {
    documentation: documentation(plan.interface.documentation, [
      `Handlers for the endpoints of ${plan.interface.name}.`,
    ]),
    branch: plan.tree,
    tree: getTreeSymbol(plan.tree, undefined, context),
  });
}

interface HandlersParts {
  readonly documentation: string | undefined;
  readonly branch: BranchPlan;
  readonly tree: CodeSymbol;
}

function declareHandlersInterface(name: string, { documentation: text, branch, tree }: HandlersParts): Declaration {
  const hasIndex = branch.endpoints.some(({ endpoint }) => isIndex(endpoint));
  const handlers = runtimeType(runtime, hasIndex ? "NamespaceHandlers" : "RestHandlers");
  return {
    kind: "interface",
    name,
    code: code`
      ${comment(text)}
      export interface ${identifier(name)}<Principal = unknown> extends ${handlers}<${tree}, Principal> {}`,
  };
}

function declareRoutesFunction(context: RestContext): Declaration {
  const { plan, folders } = context;
  const definition = object([
    entry("interface", use(getInterfaceSymbol(context))),
    entry("endpoints", use(getEndpointsSymbol(undefined, context))),
    entry("handlers", code`handlers`),
    entry("index", use(folders.server.getValue(plan.index, documentFile))),
  ]);
  const handlers = folders.server.getType(plan.handlers, indexFile);
  const options = folders.server.getType(plan.serverOptions, optionsFile);
  return {
    kind: "function",
    name: plan.routes,
    code: code`
      ${comment(`Creates the routes that serve ${plan.interface.name}.`)}
      export function ${identifier(plan.routes)}<Principal = unknown, Missing extends "error" = never>(handlers: ${runtimeType(runtime, "HandlersOf")}<${handlers}<Principal>, Missing>, options: ${options}<Principal> & ${runtimeType(runtime, "MissingOption")}<Missing> = {}): ${runtimeType(runtime, "Routes")} {
        return ${runtimeValue(runtime, "restRoutes")}(${definition}, options);
      }`,
  };
}

function declareDocument({ plan, descriptors }: RestContext): Declaration {
  const document = getValueCode(descriptors.document, (reference) => {
    throw new Error(`The index document contains a reference of the kind "${reference.kind}".`);
  });
  return {
    kind: "constant",
    name: plan.index,
    code: code`
      ${comment("The index document. The server adds the parts that depend on the site.")}
      export const ${identifier(plan.index)}: ${runtimeType("@bothends/runtime", "JsonObject")} = ${document};`,
  };
}

/**
 * Makes the re-exports of types and errors in the server's entry, so that a program with handlers needs no other
 * import.
 */
function declareReexports(files: RestContractFiles, context: RestContext): Declaration {
  const { plan, folders } = context;
  const { contract, server } = folders;
  return {
    kind: "reexport",
    symbols: [
      ...listTypeFiles(files).flatMap((file) => listDeclaredSymbols(file.declarations, contract, indexFile)),
      server.getType(plan.serverOptions, optionsFile),
      ...listGroupsWithMember(plan).map((group) => server.getType(group.handlers, handlersFile)),
      server.getValue(plan.index, documentFile),
      runtimeType(runtime, "Answer"),
      runtimeType(runtime, "RestContext"),
      runtimeType(runtime, "RestResult"),
      runtimeType(runtime, "Routes"),
      runtimeValue(runtime, "restAnswer"),
      runtimeValue(runtime, "RestError"),
    ],
  };
}
