import { argsInOrder, type Value } from "../../describe/index.js";
import type { Arg } from "../../model/index.js";
import type { EndpointPlan } from "../../plan/index.js";
import {
  code,
  comment,
  type Declaration,
  type Fragment,
  identifier,
  runtimeType,
  runtimeValue,
  type TypeScriptFile,
  typeBody,
  use,
} from "../../print/index.js";
import { descriptorsFile, entryFile, indexFile, operationsFile } from "../files.js";
import { documentation, property, valueCode } from "../members.js";
import {
  endpointText,
  type GroupContext,
  groupTypesFile,
  inputSymbol,
  interfaceSymbol,
  type RestContext,
} from "./context.js";
import { argumentType, emitAnswers, emitEnumerations, endpointAnswer } from "./types.js";

const runtime = "@bothends/runtime";

/** The contract package's files of one REST interface; `types` and `descriptors` have one file per group. */
export interface RestContractFiles {
  readonly shared: TypeScriptFile;
  readonly types: readonly TypeScriptFile[];
  readonly descriptors: readonly TypeScriptFile[];
  /** The types of answers; empty where no schema declares any. */
  readonly answers: readonly TypeScriptFile[];
}

export function emitRestContract(context: RestContext): RestContractFiles {
  const { contract } = context.folders;
  const { groups } = context.plan;
  return {
    shared: contract.file(descriptorsFile(undefined), [interfaceDescriptor(context)]),
    types: [
      ...emitEnumerations(context),
      ...groups.map((group) =>
        contract.file(
          groupTypesFile(group),
          group.endpoints.map((endpoint) => inputDeclaration(endpoint, context)),
        ),
      ),
    ],
    descriptors: groups.map((group) =>
      contract.file(
        descriptorsFile(group.file),
        group.endpoints.map((endpoint) => endpointDescriptor(endpoint, { group, context })),
      ),
    ),
    answers: emitAnswers(context),
  };
}

/** All files of the contract. */
export function contractFiles(files: RestContractFiles): readonly TypeScriptFile[] {
  return [files.shared, ...files.types, ...files.answers, ...files.descriptors];
}

/** The entries of the contract: types and the schemas of answers, and the descriptors apart from them. */
export function emitRestContractEntries(files: RestContractFiles, context: RestContext): readonly TypeScriptFile[] {
  const { contract } = context.folders;
  return [
    entryFile(contract, indexFile, [...files.types, ...files.answers]),
    entryFile(contract, operationsFile, [files.shared, ...files.descriptors]),
  ];
}

function interfaceDescriptor(context: RestContext): Declaration {
  const { plan, descriptors } = context;
  return {
    kind: "constant",
    name: plan.constant,
    code: code`
      ${comment(plan.interface.documentation)}
      export const ${identifier(plan.constant)}: ${runtimeType(runtime, "RestInterfaceDescriptor")} = ${descriptorCode(descriptors.interface, context)};`,
  };
}

function inputDeclaration({ endpoint, input }: EndpointPlan, context: RestContext): Declaration {
  return {
    kind: "interface",
    name: input,
    code: code`
      ${comment(`The arguments of ${endpoint.methods.join(", ")} ${endpoint.route}`)}
      export interface ${identifier(input)} ${typeBody(argsInOrder(endpoint).map((arg) => argMember(arg, context)))}`,
  };
}

function argMember(arg: Arg, context: RestContext): Fragment {
  const facts = [
    ...(arg.inPath ? ["In the path."] : []),
    ...(arg.default === undefined ? [] : [`Default: ${JSON.stringify(arg.default)}`]),
  ];
  return property(arg.name, argumentType(arg, context), {
    optional: !arg.required,
    documentation: documentation(arg.documentation, facts),
  });
}

function endpointDescriptor(endpoint: EndpointPlan, { group, context }: GroupContext): Declaration {
  const answer = endpointAnswer(endpoint, context);
  const input = use(inputSymbol(endpoint, { group, context }));
  const types = answer === undefined ? [input] : [input, answer];
  const value = descriptorCode(context.descriptors.endpoint(endpoint.endpoint), context);
  return {
    kind: "constant",
    name: endpoint.constant,
    code: code`
      ${comment(endpointText(endpoint, context))}
      export const ${identifier(endpoint.constant)}: ${runtimeType(runtime, "EndpointDescriptor")}<${types}> = ${value};`,
  };
}

function descriptorCode(value: Value, context: RestContext): Fragment {
  return valueCode(value, (reference) => {
    if (reference.kind === "rest") {
      return use(runtimeValue("@bothends/runtime/rest", reference.name));
    }
    if (reference.kind !== "interface") {
      throw new Error(`A REST descriptor refers to a ${reference.kind}.`);
    }
    return use(interfaceSymbol(context));
  });
}
