import type { OperationPlan, ServicePlan } from "../plan/index.js";
import {
  type ClassMember,
  type CodeSymbol,
  type Declaration,
  type Expression,
  runtimeType,
  runtimeValue,
  type TypeNode,
  type TypeParameter,
  type TypeScriptFile,
} from "../print/index.js";
import { clientErrors } from "./client-errors.js";
import { documentation, faultFact, protocolFact } from "./documentation.js";
import { reexportsOf } from "./index-file.js";
import { keyword, local, objectOf, property, symbolOf, typeOf } from "./nodes.js";
import { descriptorsFile, faultsFile, indexFile, optionsFile } from "./places.js";
import type { SoapContext } from "./soap-context.js";
import { nameOf, type SoapContractFiles } from "./soap-contract.js";
import { headerNodes, inputIsOptional, inputMembers, inputNode, outputNode } from "./soap-messages.js";
import { wireNamesProperty } from "./wire-names.js";

const runtime = "@bothends/runtime/client";

/** The client package's files of one SOAP interface. */
export function emitSoapClient(contract: SoapContractFiles, context: SoapContext): readonly TypeScriptFile[] {
  const { client } = context.places;
  const options = client.file(optionsFile);
  options.add(optionsDeclaration(context));
  const services = context.plan.services.map((service) => {
    const file = client.file(clientFile(service));
    file.add(serviceClass(service, context));
    return file;
  });
  const index = client.file(indexFile);
  index.add(...reexports(contract, context), facadeClass(context));
  return [options, ...services, index];
}

function clientFile(service: ServicePlan): string {
  return `${service.file}-client.ts`;
}

function optionsDeclaration({ plan, soap }: SoapContext): Declaration {
  return {
    kind: "interface",
    name: plan.clientOptions,
    extends: [typeOf(runtimeType(runtime, "SoapClientOptions"))],
    members: [
      ...soap.ambient.map((name) =>
        property(name, keyword("string"), {
          optional: true,
          readonly: true,
          documentation: `Sent with every operation that takes ${name}, unless the call says otherwise.`,
        }),
      ),
      ...wireNamesProperty(
        { namespaces: soap.slots.namespaces.map(({ slot }) => slot), operations: soap.slots.operations },
        "Names on the wire that differ from the schema's.",
      ),
    ],
    documentation: `What a ${plan.client} needs to know.`,
  };
}

/** The type parameter that remembers which ambient arguments the options hold; none when there are no such arguments. */
function optionsParameter(context: SoapContext): {
  readonly parameters: readonly TypeParameter[];
  readonly type: TypeNode;
} {
  const options = typeOf(context.places.client.type(context.plan.clientOptions, optionsFile));
  if (context.soap.ambient.length === 0) return { parameters: [], type: options };
  return {
    parameters: [{ name: "Options", extends: options, default: options }],
    type: { kind: "parameter", name: "Options" },
  };
}

function serviceClass(service: ServicePlan, context: SoapContext): Declaration {
  const { parameters, type } = optionsParameter(context);
  const { contract } = context.places;
  const descriptor = contract.value(service.constant, descriptorsFile(service.file));
  const facts = contract.value(context.plan.facts, descriptorsFile(undefined));
  const client = runtimeValue(runtime, "ServiceClient");
  return {
    kind: "class",
    name: service.client,
    typeParameters: parameters,
    documentation: documentation(service.service.documentation, [`Calls the operations of ${service.service.name}.`]),
    members: [
      { kind: "private", name: "client", type: parameters.length === 0 ? typeOf(client) : typeOf(client, type) },
      {
        kind: "constructor",
        parameters: [{ name: "options", type }],
        body: [
          {
            kind: "assign",
            name: "client",
            private: true,
            value: newOf(client, symbolOf(descriptor), local("options"), symbolOf(facts)),
          },
        ],
      },
      ...service.operations.map((operation) => operationMethod(operation, { service, context, optionsType: type })),
    ],
  };
}

function operationMethod(
  { operation, method, constant }: OperationPlan,
  { service, context, optionsType }: { service: ServicePlan; context: SoapContext; optionsType: TypeNode },
): ClassMember {
  const members = inputMembers(operation, context);
  const input = inputNode(operation, context);
  const supplied = context.soap.ambient.some((name) => members.has(name));
  const descriptor = context.places.contract.value(constant, descriptorsFile(service.file));
  const options = typeOf(runtimeType(runtime, "CallOptions"), ...headerNodes(operation, context));
  return {
    kind: "method",
    name: method,
    parameters: [
      {
        name: "input",
        type: supplied ? typeOf(runtimeType(runtime, "Supplied"), input, optionsType) : input,
        ...(!supplied && inputIsOptional(operation, context) ? { default: objectOf([]) } : {}),
      },
      { name: "options", type: options, optional: true },
    ],
    returns: keyword("Promise", outputNode(operation, context)),
    documentation: documentation(operation.documentation, [
      protocolFact(operation),
      ...faultFact("Fails with", operation, context),
    ]),
    body: [
      {
        kind: "return",
        value: {
          kind: "call",
          callee: { kind: "member", of: { kind: "private", name: "client" }, name: "call" },
          arguments: [symbolOf(descriptor), local("input"), local("options")],
        },
      },
    ],
  };
}

function facadeClass(context: SoapContext): Declaration {
  const { parameters, type } = optionsParameter(context);
  const { plan, places } = context;
  const services = plan.services.map((service) => ({
    service,
    symbol: places.client.value(service.client, clientFile(service)),
  }));
  return {
    kind: "class",
    name: plan.client,
    typeParameters: parameters,
    documentation: `Calls the services of ${plan.interface.name}.`,
    members: [
      ...services.map(
        ({ service, symbol }): ClassMember => ({
          kind: "field",
          name: service.member,
          type: parameters.length === 0 ? typeOf(symbol) : typeOf(symbol, type),
        }),
      ),
      {
        kind: "constructor",
        parameters: [{ name: "options", type }],
        body: services.map(({ service, symbol }) => ({
          kind: "assign",
          name: service.member,
          value: newOf(symbol, local("options")),
        })),
      },
    ],
  };
}

/** What a user of the client needs beside the classes, so that one package is imported: types, faults, operations, errors. */
function reexports(files: SoapContractFiles, context: SoapContext): readonly Declaration[] {
  const { plan, places } = context;
  const operations = new Set(plan.services.flatMap((service) => service.operations.map((each) => each.constant)));
  const services = new Set(plan.services.map((service) => service.constant));
  const inContract = [
    ...files.types.flatMap((file) => reexportsOf(file.declarations, places.contract, nameOf(file))),
    ...reexportsOf(files.faults.declarations, places.contract, faultsFile),
    ...files.services.flatMap((file) =>
      reexportsOf(file.declarations, places.contract, indexFile, (each) => {
        return each.kind === "constant" && (operations.has(each.name) || services.has(each.name));
      }),
    ),
  ];
  // What `connect` needs to know beside an operation.
  const facts = reexportsOf(files.shared.declarations, places.contract, indexFile, (each) => {
    return each.kind === "constant" && each.name === plan.facts;
  });
  const symbols = [...inContract, ...facts].flatMap((each) => (each.kind === "reexport" ? each.symbols : []));
  const own: readonly CodeSymbol[] = [
    places.client.type(plan.clientOptions, optionsFile),
    ...plan.services.map((service) => places.client.value(service.client, clientFile(service))),
  ];
  return [
    {
      kind: "reexport",
      symbols: [
        ...symbols,
        ...own,
        runtimeType(runtime, "CallOptions"),
        runtimeValue(runtime, "ServiceClient"),
        ...clientErrors("SoapFault"),
      ],
    },
  ];
}

function newOf(symbol: CodeSymbol, ...values: readonly Expression[]): Expression {
  return { kind: "new", callee: symbolOf(symbol), arguments: values };
}
