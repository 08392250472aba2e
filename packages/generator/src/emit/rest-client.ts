import type { EndpointPlan, GroupPlan } from "../plan/index.js";
import {
  type ClassMember,
  type CodeSymbol,
  type Declaration,
  type Expression,
  type Parameter,
  runtimeType,
  runtimeValue,
  type TypeNode,
  type TypeScriptFile,
} from "../print/index.js";
import { clientErrors } from "./client-errors.js";
import { documentation } from "./documentation.js";
import { emptyObjectFits } from "./empty-object.js";
import { reexportsOf } from "./index-file.js";
import { entry, keyword, literalType, local, objectOf, property, symbolOf, typeOf, union } from "./nodes.js";
import { descriptorsFile, indexFile, optionsFile } from "./places.js";
import { answerNode } from "./rest-answers.js";
import {
  type Branch,
  branchOf,
  endpointSymbol,
  groupPlace,
  type InGroup,
  inputSymbol,
  type RestContext,
} from "./rest-context.js";
import { contractFiles, type RestContractFiles } from "./rest-contract.js";
import { wireNamesProperty } from "./wire-names.js";

const runtime = "@bothends/runtime/client";

/** The client package's files of one REST interface. */
export function emitRestClient(contract: RestContractFiles, context: RestContext): readonly TypeScriptFile[] {
  const { client } = context.places;
  const options = client.file(optionsFile);
  options.add(optionsDeclaration(context));
  const groups = context.plan.groups
    .filter((group) => group.member !== undefined)
    .map((group) => {
      const file = client.file(clientFile(group));
      file.add(groupClass(group, context));
      return file;
    });
  const index = client.file(indexFile);
  index.add(...reexports(contract, context), facadeClass(context));
  return [options, ...groups, index];
}

function clientFile(group: GroupPlan): string {
  return `${group.file}-client.ts`;
}

function optionsDeclaration({ plan }: RestContext): Declaration {
  const { base, segments } = plan.interface;
  return {
    kind: "interface",
    name: plan.clientOptions,
    extends: [typeOf(runtimeType(runtime, "RestClientOptions"))],
    members: [
      ...base.values
        .filter(({ values }) => values.length > 0)
        .map(({ variable, values }) =>
          property(variable, union(...values.map((value) => literalType(value))), {
            optional: true,
            readonly: true,
            documentation: `In the path of every request. Default: ${values[0]}`,
          }),
        ),
      ...wireNamesProperty({ segments }, "Segments of routes that are called otherwise on the wire."),
    ],
    documentation: `What a ${plan.client} needs to know.`,
  };
}

function groupClass(group: GroupPlan, context: RestContext): Declaration {
  return {
    kind: "class",
    name: group.client,
    typeParameters: [],
    members: [...plumbing(context, []), ...branchMembers(branchOf(group.endpoints), { group, context })],
    documentation: `Calls the endpoints below ${groupPlace(group)}.`,
  };
}

/** The private client of a class, and the constructor that makes it. */
function plumbing(
  { plan, places }: RestContext,
  fields: readonly { readonly name: string; readonly symbol: CodeSymbol }[],
): readonly ClassMember[] {
  const client = runtimeValue(runtime, "RestClient");
  const descriptor = places.contract.value(plan.constant, descriptorsFile(undefined));
  const options = local("options");
  return [
    { kind: "private", name: "client", type: typeOf(client) },
    ...fields.map(({ name, symbol }): ClassMember => ({ kind: "field", name, type: typeOf(symbol) })),
    {
      kind: "constructor",
      parameters: [{ name: "options", type: typeOf(places.client.type(plan.clientOptions, optionsFile)) }],
      body: [
        { kind: "assign", name: "client", private: true, value: newOf(client, symbolOf(descriptor), options) },
        ...fields.map(({ name, symbol }) => ({ kind: "assign", name, value: newOf(symbol, options) }) as const),
      ],
    },
  ];
}

/** Endpoints as methods, deeper ones in objects of functions. */
function branchMembers(branch: Branch, place: InGroup): readonly ClassMember[] {
  return [
    ...branch.endpoints.map(
      ({ word, endpoint }): ClassMember => ({
        kind: "method",
        name: word,
        ...signatureOf(endpoint, place),
        documentation: endpointText(endpoint),
        body: [{ kind: "return", value: callOf(endpoint, place) }],
      }),
    ),
    ...[...branch.branches].map(
      ([name, below]): ClassMember => ({ kind: "field", name, value: branchObject(below, place) }),
    ),
  ];
}

function branchObject(branch: Branch, place: InGroup): Expression {
  return objectOf([
    ...branch.endpoints.map(({ word, endpoint }) =>
      entry(
        word,
        { kind: "arrow", ...signatureOf(endpoint, place), value: callOf(endpoint, place) },
        endpointText(endpoint),
      ),
    ),
    ...[...branch.branches].map(([word, below]) => entry(word, branchObject(below, place))),
  ]);
}

/** An answer with a type depends on the options: they may choose `fields`. */
function signatureOf(endpoint: EndpointPlan, place: InGroup) {
  const options = typeOf(runtimeType(runtime, "RestCallOptions"));
  const answer = answerNode(endpoint, place.context);
  if (answer === undefined) {
    const json = typeOf(runtimeType("@bothends/runtime", "JsonValue"));
    return { parameters: parametersOf(endpoint, options, place), returns: keyword("Promise", json) };
  }
  const chosen: TypeNode = { kind: "parameter", name: "Options" };
  return {
    typeParameters: [{ name: "Options", extends: options }],
    parameters: parametersOf(endpoint, chosen, place),
    returns: keyword("Promise", typeOf(runtimeType(runtime, "Selected"), answer, chosen)),
  };
}

function parametersOf(endpoint: EndpointPlan, options: TypeNode, place: InGroup): readonly Parameter[] {
  const input = typeOf(inputSymbol(endpoint, place));
  const { args } = endpoint.endpoint;
  const optional = !args.some((arg) => arg.required) && emptyObjectFits(args.map((arg) => arg.name));
  return [
    { name: "input", type: input, ...(optional ? { default: objectOf([]) } : {}) },
    { name: "options", type: options, optional: true },
  ];
}

function callOf(endpoint: EndpointPlan, place: InGroup): Expression {
  return {
    kind: "call",
    callee: { kind: "member", of: { kind: "private", name: "client" }, name: "call" },
    arguments: [symbolOf(endpointSymbol(endpoint, place)), local("input"), local("options")],
  };
}

/** The schema's text, the methods and the route. */
export function endpointText({ endpoint }: EndpointPlan): string {
  return documentation(endpoint.documentation, [`${endpoint.methods.join(", ")} ${endpoint.route}`]) ?? "";
}

function facadeClass(context: RestContext): Declaration {
  const { plan, places } = context;
  const fields = plan.groups.flatMap((group) =>
    group.member === undefined
      ? []
      : [{ name: group.member, symbol: places.client.value(group.client, clientFile(group)) }],
  );
  const own = plan.groups
    .filter((group) => group.member === undefined)
    .flatMap((group) => branchMembers(branchOf(group.endpoints), { group, context }));
  return {
    kind: "class",
    name: plan.client,
    typeParameters: [],
    members: [...(own.length === 0 ? withoutClient(plumbing(context, fields)) : plumbing(context, fields)), ...own],
    documentation: documentation(plan.interface.documentation, [`Calls the endpoints of ${plan.interface.name}.`]),
  };
}

/** A facade that calls nothing itself has no client of its own. */
function withoutClient(members: readonly ClassMember[]): readonly ClassMember[] {
  return members
    .filter((member) => member.kind !== "private")
    .map((member) =>
      member.kind === "constructor"
        ? { ...member, body: member.body.filter((each) => each.kind !== "assign" || each.private !== true) }
        : member,
    );
}

/** What a user of the client needs beside the classes, so that one package is imported: inputs, endpoints, errors. */
function reexports(files: RestContractFiles, { plan, places }: RestContext): readonly Declaration[] {
  const inContract = contractFiles(files).flatMap((file) =>
    reexportsOf(file.declarations, places.contract, indexFile).flatMap((each) =>
      each.kind === "reexport" ? each.symbols : [],
    ),
  );
  return [
    {
      kind: "reexport",
      symbols: [
        ...inContract,
        places.client.type(plan.clientOptions, optionsFile),
        ...plan.groups
          .filter((group) => group.member !== undefined)
          .map((group) => places.client.value(group.client, clientFile(group))),
        runtimeType(runtime, "RestCallOptions"),
        runtimeValue(runtime, "RestClient"),
        runtimeType("@bothends/runtime", "JsonValue"),
        ...clientErrors("RestError"),
      ],
    },
  ];
}

function newOf(symbol: CodeSymbol, ...values: readonly Expression[]): Expression {
  return { kind: "new", callee: symbolOf(symbol), arguments: values };
}
