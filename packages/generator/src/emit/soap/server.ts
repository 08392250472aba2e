import type { Service } from "../../model/index.js";
import type { OperationPlan, ServicePlan, SharedDefinitions } from "../../plan/index.js";
import {
  array,
  type CodeSymbol,
  code,
  comment,
  type Declaration,
  documented,
  entry,
  type Fragment,
  identifier,
  key,
  lineItems,
  literal,
  member,
  object,
  runtimeType,
  runtimeValue,
  type TypeScriptFile,
  typeBody,
  use,
} from "../../print/index.js";
import type { Piece, ServiceDocument, Slot } from "../../publish/slots.js";
import { faultsFile, getFileName, indexFile, listDeclaredSymbols, operationsFile, optionsFile } from "../files.js";
import { createWireNamesProperty, declareServerOptions, documentation, property } from "../members.js";
import type { SoapContext } from "./context.js";
import {
  formatFaultSentence,
  getInputType,
  getOperationComment,
  getOutputType,
  listHeaderTypes,
  type SoapContractFiles,
} from "./contract.js";

const runtime = "@bothends/runtime/soap-server";

/**
 * Makes the files of one SOAP interface in the server package. `documents` contains the WSDLs that the server
 * publishes.
 */
export function emitSoapServer(
  contract: SoapContractFiles,
  { context, documents }: { context: SoapContext; documents: ReadonlyMap<Service, ServiceDocument> },
): readonly TypeScriptFile[] {
  const { server } = context.folders;
  const { services, hasFacade } = context.plan;
  // Puts all route functions into one module, because Node takes time to load each module.
  const routes = services.map((service) =>
    declareRoutesFunction(service, { context, isPublished: documents.has(service.service) }),
  );
  const facadeDeclarations = hasFacade ? [declareFacadeHandlers(context), declareFacadeRoutes(context)] : [];
  return [
    server.createFile(optionsFile, [declareOptions(context)]),
    ...services.flatMap((service) =>
      createServiceFiles(service, { context, published: documents.get(service.service) }),
    ),
    ...createSharedDefinitions(context, documents),
    server.createFile(indexFile, [declareReexports(contract, context), ...routes, ...facadeDeclarations]),
  ];
}

function createServiceFiles(
  service: ServicePlan,
  { context, published }: { context: SoapContext; published: ServiceDocument | undefined },
): readonly TypeScriptFile[] {
  const { server } = context.folders;
  const handlers = server.createFile(getHandlersFile(service), [declareHandlers(service, context)]);
  if (published === undefined) {
    return [handlers];
  }
  const { definitions, wsdl } = service;
  const document =
    definitions === undefined
      ? declareDocument(wsdl, [...published.sharedPieces, ...published.specificPieces])
      : declareDocument(
          wsdl,
          published.specificPieces,
          server.getValue(definitions.constant, getDefinitionsFile(definitions)),
        );
  return [handlers, server.createFile(getWsdlFile(service), [document])];
}

/**
 * Makes a file for each WSDL with several services. The file contains the parts that the documents published for these
 * services share.
 */
function createSharedDefinitions(
  { plan, folders }: SoapContext,
  documents: ReadonlyMap<Service, ServiceDocument>,
): readonly TypeScriptFile[] {
  const piecesByDefinitions = new Map<SharedDefinitions, readonly Piece[]>();
  for (const { service, definitions } of plan.services) {
    const document = documents.get(service);
    if (definitions !== undefined && document !== undefined) {
      piecesByDefinitions.set(definitions, document.sharedPieces);
    }
  }
  return [...piecesByDefinitions].map(([definitions, pieces]) =>
    folders.server.createFile(getDefinitionsFile(definitions), [declareSharedParts(definitions.constant, pieces)]),
  );
}

function getDefinitionsFile({ file }: SharedDefinitions): string {
  return `wsdl/shared/${file}.ts`;
}

function getHandlersFile(service: ServicePlan): string {
  return `${service.file}-handlers.ts`;
}

function getWsdlFile(service: ServicePlan): string {
  return `wsdl/${service.file}.ts`;
}

function declareOptions({ plan, soap }: SoapContext): Declaration {
  const members = createWireNamesProperty(
    { namespaces: soap.slots.namespaces.map(({ slot }) => slot), operations: soap.slots.operations },
    "Replacements for names of the schema, used in messages and in the published WSDL.",
  );
  return declareServerOptions(plan, runtimeType(runtime, "SoapServerOptions"), members);
}

function declareHandlers(service: ServicePlan, context: SoapContext): Declaration {
  const handlers = service.operations.map((operation) => createHandlerMember(operation, context));
  return {
    kind: "interface",
    name: service.handlers,
    code: code`
      ${comment(documentation(service.service.documentation, [`Handlers for the operations of ${service.service.name}.`]))}
      export interface ${identifier(service.handlers)}<Principal = unknown> ${typeBody(handlers)}`,
  };
}

function createHandlerMember({ operation, method }: OperationPlan, context: SoapContext): Fragment {
  const input = getInputType(operation, context);
  const callContext = code`${runtimeType(runtime, "OperationContext")}<${[code`Principal`, ...listHeaderTypes(operation, context)]}>`;
  const answer = code`${runtimeType(runtime, "Answer")}<${getOutputType(operation, context)}>`;
  return documented(
    documentation(getOperationComment(operation, "server"), formatFaultSentence("May throw", operation, context)),
    code`${key(method)}(input: ${input}, context: ${callContext}): ${answer}`,
  );
}

function declareRoutesFunction(
  service: ServicePlan,
  { context, isPublished }: { readonly context: SoapContext; readonly isPublished: boolean },
): Declaration {
  const { plan, folders } = context;
  const { contract, server } = folders;
  const operations = service.operations.map(({ method, constant }) =>
    entry(method, use(contract.getValue(constant, operationsFile))),
  );
  const definition = object([
    entry("service", use(contract.getValue(service.constant, operationsFile))),
    entry("operations", object(operations)),
    entry("handlers", code`handlers`),
    isPublished ? entry("wsdl", getLoadingCode(service)) : undefined,
    entry("settings", use(contract.getValue(plan.settings, operationsFile))),
    context.soap.conventions === "asmx"
      ? entry("conventions", use(runtimeValue(runtime, "asmxConventions")))
      : undefined,
  ]);
  const handlers = server.getType(service.handlers, getHandlersFile(service));
  return {
    kind: "function",
    name: service.routes,
    code: code`
      ${comment(`Creates the routes that serve ${service.service.name}.`)}
      export function ${identifier(service.routes)}<Principal = unknown, Missing extends "fault" = never>(handlers: ${runtimeType(runtime, "HandlersOf")}<${handlers}<Principal>, Missing>, options: ${getOptionsType(context)} = {}): ${runtimeType(runtime, "Routes")} {
        return ${runtimeValue(runtime, "soapRoutes")}(${definition}, options);
      }`,
  };
}

/**
 * Returns the code of a function that loads the WSDL of a service on first use. Loading a large document earlier would
 * delay the start of a server.
 */
function getLoadingCode(service: ServicePlan): Fragment {
  const specifier = `./${getWsdlFile(service).replace(/\.ts$/, ".js")}`;
  return code`() => import(${literal(specifier)}).then((document) => document.${identifier(service.wsdl)})`;
}

/**
 * Returns the type of the parameter `options` of a route function, which declares the type parameters `Principal` and
 * `Missing`.
 */
function getOptionsType({ plan, folders }: SoapContext): Fragment {
  return code`${folders.server.getType(plan.serverOptions, optionsFile)}<Principal> & ${runtimeType(runtime, "MissingOption")}<Missing>`;
}

function declareFacadeHandlers({ plan, folders }: SoapContext): Declaration {
  const members = plan.services.map((service) =>
    property(service.member, code`${folders.server.getType(service.handlers, getHandlersFile(service))}<Principal>`, {
      readonly: true,
    }),
  );
  return {
    kind: "interface",
    name: plan.handlers,
    code: code`
      ${comment(`Handlers for all services of ${plan.interface.name}.`)}
      export interface ${identifier(plan.handlers)}<Principal = unknown> ${typeBody(members)}`,
  };
}

function declareFacadeRoutes(context: SoapContext): Declaration {
  const { plan, folders } = context;
  const routes = plan.services.map(
    (service) =>
      code`${folders.server.getValue(service.routes, indexFile)}<Principal, Missing>(handlers.${member(service.member)}, options)`,
  );
  const handlers = folders.server.getType(plan.handlers, indexFile);
  return {
    kind: "function",
    name: plan.routes,
    code: code`
      ${comment(`Creates the routes that serve all services of ${plan.interface.name}.`)}
      export function ${identifier(plan.routes)}<Principal = unknown, Missing extends "fault" = never>(handlers: ${runtimeType(runtime, "HandlersOfServices")}<${handlers}<Principal>, Missing>, options: ${getOptionsType(context)} = {}): ${runtimeType(runtime, "Routes")} {
        return ${runtimeValue(runtime, "combineRoutes")}(${literal(plan.interface.name)}, [${routes}]);
      }`,
  };
}

/**
 * Makes the re-exports of types and errors in the server's entry, so that a program with handlers needs no other
 * import.
 */
function declareReexports(files: SoapContractFiles, { plan, folders }: SoapContext): Declaration {
  const { contract, server } = folders;
  return {
    kind: "reexport",
    symbols: [
      ...files.types.flatMap((file) => listDeclaredSymbols(file.declarations, contract, getFileName(file))),
      ...listDeclaredSymbols(files.faults.declarations, contract, faultsFile),
      server.getType(plan.serverOptions, optionsFile),
      ...plan.services.map((service) => server.getType(service.handlers, getHandlersFile(service))),
      runtimeType(runtime, "Answer"),
      runtimeType(runtime, "OperationContext"),
      runtimeType(runtime, "Routes"),
      runtimeValue(runtime, "SoapFault"),
    ],
  };
}

/** Declares the WSDL of a service as a constant. Each line of the document is a line of code. */
function declareDocument(name: string, pieces: readonly Piece[], sharedSymbol?: CodeSymbol): Declaration {
  const sharedFragments = sharedSymbol === undefined ? [] : [use(sharedSymbol)];
  return declarePublishedConstant(name, [...sharedFragments, ...listPiecesCode(pieces)], {
    text: "The WSDL that the server publishes, with slots for its address and for configurable names.",
  });
}

/** Declares a constant that contains the parts that several WSDLs share. */
function declareSharedParts(name: string, pieces: readonly Piece[]): Declaration {
  return declarePublishedConstant(name, listPiecesCode(pieces), {
    text: "The parts that the WSDLs of several services share.",
  });
}

function declarePublishedConstant(
  name: string,
  pieces: readonly Fragment[],
  { text }: { readonly text: string },
): Declaration {
  const type = runtimeType(runtime, "PublishedDocument");
  return {
    kind: "constant",
    name,
    code: code`
      ${comment(text)}
      export const ${identifier(name)}: ${type} = ${array(pieces)};`,
  };
}

function listPiecesCode(pieces: readonly Piece[]): readonly Fragment[] {
  return pieces
    .filter((piece) => piece !== "")
    .map((piece) => (typeof piece === "string" ? lineItems(piece) : getSlotCode(piece)));
}

function getSlotCode({ slot, name, port, separator, escape: form }: Slot): Fragment {
  return object([
    entry("slot", literal(slot)),
    name === undefined ? undefined : entry("name", literal(name)),
    port === undefined ? undefined : entry("port", literal(port)),
    separator === undefined ? undefined : entry("separator", literal(separator)),
    entry("escape", literal(form)),
  ]);
}
