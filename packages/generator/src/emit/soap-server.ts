import type { Operation } from "../model/index.js";
import type { OperationPlan, ServicePlan } from "../plan/index.js";
import {
  type Declaration,
  type MemberNode,
  type Parameter,
  runtimeType,
  runtimeValue,
  type TypeNode,
  type TypeScriptFile,
} from "../print/index.js";
import { documentation, faultFact } from "./documentation.js";
import { reexportsOf } from "./index-file.js";
import { call, entry, local, objectOf, property, symbolOf, typeOf } from "./nodes.js";
import { descriptorsFile, faultsFile, indexFile, optionsFile } from "./places.js";
import { type Document, documentDeclaration } from "./published-document.js";
import type { SoapContext } from "./soap-context.js";
import { nameOf, type SoapContractFiles } from "./soap-contract.js";
import { headerNodes, inputNode, outputNode } from "./soap-messages.js";
import { wireNamesProperty } from "./wire-names.js";

const runtime = "@bothends/runtime/server";

/** The server package's files of one SOAP interface. `documents` are the WSDLs to serve, by the service's file word. */
export function emitSoapServer(
  contract: SoapContractFiles,
  { context, documents }: { context: SoapContext; documents: ReadonlyMap<string, Document> },
): readonly TypeScriptFile[] {
  const { server } = context.places;
  const options = server.file(optionsFile);
  options.add(optionsDeclaration(context));
  const services = context.plan.services.flatMap((service) => {
    const published = documents.get(service.file);
    const file = server.file(serverFile(service));
    file.add(handlersDeclaration(service, context), routesFunction(service, { context, published }));
    if (published === undefined) return [file];
    const wsdl = server.file(wsdlFile(service));
    wsdl.add(documentDeclaration(service.wsdl, published));
    return [file, wsdl];
  });
  const index = server.file(indexFile);
  index.add(...reexports(contract, context), facadeHandlers(context), facadeRoutes(context));
  return [options, ...services, index];
}

function serverFile(service: ServicePlan): string {
  return `${service.file}-server.ts`;
}

function wsdlFile(service: ServicePlan): string {
  return `wsdl/${service.file}.ts`;
}

function optionsDeclaration({ plan, soap }: SoapContext): Declaration {
  return {
    kind: "interface",
    name: plan.serverOptions,
    extends: [typeOf(runtimeType(runtime, "SoapServerOptions"))],
    members: wireNamesProperty(
      { namespaces: soap.slots.namespaces.map(({ slot }) => slot), operations: soap.slots.operations },
      "Names on the wire that differ from the schema's; the served WSDL follows.",
    ),
    documentation: `How ${plan.routes} behaves.`,
  };
}

function handlersDeclaration(service: ServicePlan, context: SoapContext): Declaration {
  return {
    kind: "interface",
    name: service.handlers,
    extends: [],
    members: service.operations.map((operation) => handlerNode(operation, context)),
    documentation: documentation(service.service.documentation, [`Answers the operations of ${service.service.name}.`]),
  };
}

function handlerNode({ operation, method }: OperationPlan, context: SoapContext): MemberNode {
  return {
    kind: "method",
    name: method,
    parameters: [
      { name: "input", type: inputNode(operation, context) },
      { name: "context", type: contextNode(operation, context) },
    ],
    returns: typeOf(runtimeType(runtime, "Answer"), outputNode(operation, context)),
    documentation: documentation(operation.documentation, faultFact("May throw", operation, context)),
  };
}

/** The call's context; header blocks that the operation declares have their types there. */
function contextNode(operation: Operation, context: SoapContext): TypeNode {
  return typeOf(runtimeType(runtime, "OperationContext"), ...headerNodes(operation, context));
}

function routesFunction(
  service: ServicePlan,
  { context, published }: { context: SoapContext; published: Document | undefined },
): Declaration {
  const { contract, server } = context.places;
  const file = descriptorsFile(service.file);
  const operations = service.operations.map(({ method, constant }) =>
    entry(method, symbolOf(contract.value(constant, file))),
  );
  return {
    kind: "function",
    name: service.routes,
    parameters: [
      { name: "handlers", type: typeOf(server.type(service.handlers, serverFile(service))) },
      optionsParameter(context),
    ],
    returns: typeOf(runtimeType(runtime, "Routes")),
    documentation: `Serves ${service.service.name} with the handlers.`,
    body: [
      {
        kind: "return",
        value: call(
          symbolOf(runtimeValue(runtime, "soapRoutes")),
          objectOf([
            entry("service", symbolOf(contract.value(service.constant, file))),
            entry("operations", objectOf(operations)),
            entry("handlers", local("handlers")),
            published && entry("wsdl", symbolOf(server.value(service.wsdl, wsdlFile(service)))),
            entry("facts", symbolOf(contract.value(context.plan.facts, descriptorsFile(undefined)))),
          ]),
          local("options"),
        ),
      },
    ],
  };
}

function optionsParameter({ places, plan }: SoapContext): Parameter {
  const type: TypeNode = typeOf(places.server.type(plan.serverOptions, optionsFile));
  return { name: "options", type, default: objectOf([]) };
}

function facadeHandlers({ plan, places }: SoapContext): Declaration {
  return {
    kind: "interface",
    name: plan.handlers,
    extends: [],
    members: plan.services.map((service) =>
      property(service.member, typeOf(places.server.type(service.handlers, serverFile(service))), { readonly: true }),
    ),
    documentation: `The handlers of every service of ${plan.interface.name}.`,
  };
}

function facadeRoutes(context: SoapContext): Declaration {
  const { plan, places } = context;
  const routes = plan.services.map((service) =>
    call(
      symbolOf(places.server.value(service.routes, serverFile(service))),
      { kind: "member", of: local("handlers"), name: service.member },
      local("options"),
    ),
  );
  return {
    kind: "function",
    name: plan.routes,
    parameters: [
      { name: "handlers", type: typeOf(places.server.type(plan.handlers, indexFile)) },
      optionsParameter(context),
    ],
    returns: typeOf(runtimeType(runtime, "Routes")),
    documentation: `Serves ${plan.interface.name}: all its services side by side.`,
    body: [
      {
        kind: "return",
        value: call(
          symbolOf(runtimeValue(runtime, "combineRoutes")),
          { kind: "literal", value: plan.interface.name },
          { kind: "array", items: routes },
        ),
      },
    ],
  };
}

/** What a handler's author needs beside the handlers, so that one package is imported. */
function reexports(files: SoapContractFiles, { plan, places }: SoapContext): readonly Declaration[] {
  const inContract = [
    ...files.types.flatMap((file) => reexportsOf(file.declarations, places.contract, nameOf(file))),
    ...reexportsOf(files.faults.declarations, places.contract, faultsFile),
  ].flatMap((each) => (each.kind === "reexport" ? each.symbols : []));
  return [
    {
      kind: "reexport",
      symbols: [
        ...inContract,
        places.server.type(plan.serverOptions, optionsFile),
        ...plan.services.flatMap((service) => [
          places.server.type(service.handlers, serverFile(service)),
          places.server.value(service.routes, serverFile(service)),
        ]),
        runtimeType(runtime, "Answer"),
        runtimeType(runtime, "OperationContext"),
        runtimeType(runtime, "Routes"),
        runtimeValue("@bothends/runtime", "SoapFault"),
      ],
    },
  ];
}
