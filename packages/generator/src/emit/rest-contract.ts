import { argsInOrder, type Reference, type Value } from "../describe/index.js";
import type { Arg } from "../model/index.js";
import type { EndpointPlan } from "../plan/index.js";
import {
  type Declaration,
  type Expression,
  type PropertyNode,
  runtimeType,
  type TypeScriptFile,
} from "../print/index.js";
import { documentation } from "./documentation.js";
import { expressionOf } from "./expression-of.js";
import { reexportsOf } from "./index-file.js";
import { jsonTypeNode } from "./json-type-of.js";
import { property, symbolOf, typeOf } from "./nodes.js";
import { descriptorsFile, indexFile } from "./places.js";
import { answerNode, emitAnswers } from "./rest-answers.js";
import { groupTypesFile, type InGroup, inputSymbol, type RestContext } from "./rest-context.js";

const runtime = "@bothends/runtime";

/** The contract package's files of one REST interface; `types` and `descriptors` have one file per group. */
export interface RestContractFiles {
  readonly shared: TypeScriptFile;
  readonly types: readonly TypeScriptFile[];
  readonly descriptors: readonly TypeScriptFile[];
  /** The types of answers; empty where no schema says any. */
  readonly answers: readonly TypeScriptFile[];
}

export function emitRestContract(context: RestContext): RestContractFiles {
  const { contract } = context.places;
  const { plan, descriptors } = context;
  const shared = contract.file(descriptorsFile(undefined));
  shared.add({
    kind: "constant",
    name: plan.constant,
    type: typeOf(runtimeType(runtime, "RestInterfaceDescriptor")),
    value: toExpression(descriptors.interface, context),
    documentation: plan.interface.documentation,
  });
  return {
    shared,
    types: plan.groups.map((group) => {
      const file = contract.file(groupTypesFile(group));
      file.add(...group.endpoints.map(inputDeclaration));
      return file;
    }),
    descriptors: plan.groups.map((group) => {
      const file = contract.file(descriptorsFile(group.file));
      file.add(...group.endpoints.map((endpoint) => endpointDescriptor(endpoint, { group, context })));
      return file;
    }),
    answers: emitAnswers(context),
  };
}

/** All files of the contract. */
export function contractFiles(files: RestContractFiles): readonly TypeScriptFile[] {
  return [files.shared, ...files.types, ...files.answers, ...files.descriptors];
}

/** The entry of the contract: everything, by name. */
export function emitRestContractIndex(files: RestContractFiles, context: RestContext): TypeScriptFile {
  const { contract } = context.places;
  const index = contract.file(indexFile);
  for (const file of contractFiles(files)) {
    index.add(...reexportsOf(file.declarations, contract, file.path.slice(file.path.lastIndexOf("/") + 1)));
  }
  return index;
}

function inputDeclaration({ endpoint, input }: EndpointPlan): Declaration {
  return {
    kind: "interface",
    name: input,
    extends: [],
    members: argsInOrder(endpoint).map(argNode),
    documentation: `The arguments of ${endpoint.methods.join(", ")} ${endpoint.route}`,
  };
}

function argNode(arg: Arg): PropertyNode {
  const facts = [
    ...(arg.inPath ? ["In the path."] : []),
    ...(arg.default === undefined ? [] : [`Default: ${JSON.stringify(arg.default)}`]),
  ];
  return property(arg.name, jsonTypeNode(arg.type), {
    optional: !arg.required,
    documentation: documentation(arg.documentation, facts),
  });
}

function endpointDescriptor(endpoint: EndpointPlan, { group, context }: InGroup): Declaration {
  const descriptor = runtimeType(runtime, "EndpointDescriptor");
  const answer = answerNode(endpoint, context);
  return {
    kind: "constant",
    name: endpoint.constant,
    type: typeOf(
      descriptor,
      typeOf(inputSymbol(endpoint, { group, context })),
      ...(answer === undefined ? [] : [answer]),
    ),
    value: toExpression(context.descriptors.endpoints.get(endpoint.endpoint), context),
    documentation: endpoint.endpoint.documentation,
  };
}

function toExpression(value: Value | undefined, context: RestContext): Expression {
  if (value === undefined) throw new Error("A descriptor is missing.");
  return expressionOf(value, (reference) => referred(reference, context));
}

function referred(reference: Reference, { places, plan }: RestContext): Expression {
  if (reference.kind !== "interface") throw new Error(`A REST descriptor refers to a ${reference.kind}.`);
  return symbolOf(places.contract.value(plan.constant, descriptorsFile(undefined)));
}
