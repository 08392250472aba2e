import { sortArgs, type Value } from "../../describe/describe.js";
import type { Arg } from "../../model/index.js";
import type { BranchPlan, EndpointPlan, GroupPlan } from "../../plan/index.js";
import {
  array,
  arrayType,
  type CodeSymbol,
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
import { createEntryFile, indexFile, operationsFile } from "../files.js";
import { documentation, getValueCode, property } from "../members.js";
import {
  type GroupContext,
  getEndpointSymbol,
  getEndpointsFile,
  getEndpointsSymbol,
  getEndpointText,
  getGroupPath,
  getGroupTypesFile,
  getInputSymbol,
  getInterfaceSymbol,
  getTreeSymbol,
  isIndex,
  listGroupsWithMember,
  type RestContext,
} from "./context.js";
import {
  declareAnswerSchemas,
  emitAnswers,
  emitEnumerations,
  getArgumentType,
  listAnswerTypeArguments,
} from "./types.js";

const runtime = "@bothends/runtime";

/** The files of one REST interface in the contract package. */
export interface RestContractFiles {
  /** The descriptors of the interface and its endpoints, the lists of endpoints, and the answer schemas. */
  readonly descriptors: TypeScriptFile;
  /** The argument types: one file per group. */
  readonly types: readonly TypeScriptFile[];
  /** The endpoint tree: one file per group, and one for the whole interface. */
  readonly endpoints: readonly TypeScriptFile[];
  /** The answer types; empty if no schema describes an answer. */
  readonly answers: readonly TypeScriptFile[];
}

/** Emits the files of a REST interface in the contract package. */
export function emitRestContract(context: RestContext): RestContractFiles {
  const { contract } = context.folders;
  const { groups } = context.plan;
  return {
    descriptors: contract.createFile(operationsFile, [
      declareInterfaceDescriptor(context),
      ...groups.flatMap((group) => declareGroupDescriptors(group, context)),
      declareInterfaceEndpoints(context),
      ...declareAnswerSchemas(context),
    ]),
    types: [
      ...emitEnumerations(context),
      ...groups.map((group) =>
        contract.createFile(
          getGroupTypesFile(group),
          group.endpoints.map((endpoint) => declareInput(endpoint, context)),
        ),
      ),
    ],
    endpoints: emitTrees(context),
    answers: emitAnswers(context),
  };
}

/** Returns all files of the interface in the contract package, except the entry. */
export function listContractFiles(files: RestContractFiles): readonly TypeScriptFile[] {
  return [files.descriptors, ...listTypeFiles(files)];
}

/** Returns the files whose declarations the main entry of the contract exports. */
export function listTypeFiles({ endpoints, types, answers }: RestContractFiles): readonly TypeScriptFile[] {
  return [...endpoints, ...types, ...answers];
}

/** Makes the main entry of the contract, which exports types. */
export function emitRestContractEntry(files: RestContractFiles, { folders }: RestContext): TypeScriptFile {
  return createEntryFile(folders.contract, indexFile, listTypeFiles(files));
}

function declareGroupDescriptors(group: GroupPlan, context: RestContext): readonly Declaration[] {
  return [
    ...group.endpoints.map((endpoint) => declareEndpointDescriptor(endpoint, { group, context })),
    ...(group.member === undefined ? [] : [declareGroupEndpoints(group, context)]),
  ];
}

function declareInterfaceDescriptor(context: RestContext): Declaration {
  const { plan, descriptors } = context;
  return {
    kind: "constant",
    name: plan.constant,
    code: code`
      ${comment(plan.interface.documentation)}
      export const ${identifier(plan.constant)}: ${runtimeType(runtime, "RestInterfaceDescriptor")} = ${getDescriptorCode(descriptors.interface, context)};`,
  };
}

function declareInput({ endpoint, input }: EndpointPlan, context: RestContext): Declaration {
  return {
    kind: "interface",
    name: input,
    code: code`
      ${comment(`The arguments of ${endpoint.methods.join(", ")} ${endpoint.route}`)}
      export interface ${identifier(input)} ${typeBody(sortArgs(endpoint).map((arg) => createArgMember(arg, context)))}`,
  };
}

function createArgMember(arg: Arg, context: RestContext): Fragment {
  const notes = [
    ...(arg.inPath ? ["A path variable."] : []),
    ...(arg.format === undefined ? [] : [`Format: ${arg.format}`]),
    ...(arg.default === undefined ? [] : [`Default: ${JSON.stringify(arg.default)}`]),
  ];
  return property(arg.name, getArgumentType(arg, context), {
    optional: !arg.required,
    documentation: documentation(arg.documentation, notes),
  });
}

function declareEndpointDescriptor(endpoint: EndpointPlan, { group, context }: GroupContext): Declaration {
  const types = [use(getInputSymbol(endpoint, { group, context })), ...listAnswerTypeArguments(endpoint, context)];
  const value = getDescriptorCode(context.descriptors.describeEndpoint(endpoint.endpoint), context);
  return {
    kind: "constant",
    name: endpoint.constant,
    code: code`
      ${comment(formatDescriptorComment(endpoint))}
      export const ${identifier(endpoint.constant)}: ${runtimeType(runtime, "EndpointDescriptor")}<${types}> = ${value};`,
  };
}

/** Returns the comment of an endpoint's descriptor. The endpoint's documentation is in the endpoint tree. */
function formatDescriptorComment({ endpoint: { operation, methods, route } }: EndpointPlan): string {
  return `Describes \`${operation.join(".")}\`: ${methods.join(", ")} ${route}`;
}

function declareGroupEndpoints(group: GroupPlan, context: RestContext): Declaration {
  const endpoints = group.endpoints.map((endpoint) => use(getEndpointSymbol(endpoint, context)));
  const type = arrayType(use(runtimeType(runtime, "AnyEndpointDescriptor")));
  return declareEndpoints(group.endpointsConstant, {
    documentation: `The endpoints below ${getGroupPath(group)}.`,
    type,
    endpoints,
  });
}

function declareInterfaceEndpoints(context: RestContext): Declaration {
  const { plan } = context;
  const endpoints = plan.groups.flatMap((group) =>
    group.member === undefined
      ? group.endpoints.map((endpoint) => use(getEndpointSymbol(endpoint, context)))
      : [use(getEndpointsSymbol(group, context))],
  );
  const type = use(runtimeType(runtime, "RestEndpointList"));
  return declareEndpoints(plan.endpointsConstant, {
    documentation: `The endpoints of ${plan.interface.name}.`,
    type,
    endpoints,
  });
}

interface EndpointsConstant {
  readonly documentation: string;
  readonly type: Fragment;
  readonly endpoints: readonly Fragment[];
}

function declareEndpoints(name: string, { documentation: text, type, endpoints }: EndpointsConstant): Declaration {
  return {
    kind: "constant",
    name,
    code: code`
      ${comment(text)}
      export const ${identifier(name)}: ${type} = ${array(endpoints)};`,
  };
}

/** Makes the files with the endpoint tree. Clients implement the tree, and the handler types are derived from it. */
function emitTrees(context: RestContext): readonly TypeScriptFile[] {
  const { plan, folders } = context;
  const groups = listGroupsWithMember(plan).map((group) =>
    folders.contract.createFile(getEndpointsFile(group), declareBranches(group.tree, { group, context })),
  );
  return [folders.contract.createFile(getEndpointsFile(undefined), [declareInterfaceTree(context)]), ...groups];
}

/** Declares the TypeScript interface of a branch, then the interfaces of the branches below it. */
function declareBranches(branch: BranchPlan, groupContext: GroupContext): readonly Declaration[] {
  const { group, context } = groupContext;
  const { name, words, endpoints, branches } = branch;
  const members = [
    ...endpoints.map(({ word, endpoint }) => createEndpointMember(word, endpoint, groupContext)),
    ...branches.map(({ word, branch: childBranch }) =>
      createBranchMember(word, getTreeSymbol(childBranch, group, context)),
    ),
  ];
  const text = branch === group.tree ? `below ${getGroupPath(group)}` : `of ${words.join(".")}`;
  return [
    declareTree(name, `The endpoints ${text}.`, members),
    ...branches.flatMap(({ branch: childBranch }) => declareBranches(childBranch, groupContext)),
  ];
}

function declareInterfaceTree(context: RestContext): Declaration {
  const { plan } = context;
  const members = plan.groups.flatMap((group) =>
    group.member === undefined
      ? group.tree.endpoints.map(({ word, endpoint }) => createEndpointMember(word, endpoint, { group, context }))
      : [createBranchMember(group.member, getTreeSymbol(group.tree, group, context))],
  );
  const text = documentation(plan.interface.documentation, [`The endpoints of ${plan.interface.name}.`]);
  return declareTree(plan.tree.name, text, members);
}

function declareTree(name: string, text: string | undefined, members: readonly Fragment[]): Declaration {
  return {
    kind: "interface",
    name,
    code: code`
      ${comment(text)}
      export interface ${identifier(name)} ${typeBody(members)}`,
  };
}

function createBranchMember(word: string, tree: CodeSymbol): Fragment {
  return property(word, use(tree), { readonly: true });
}

function createEndpointMember(word: string, endpoint: EndpointPlan, groupContext: GroupContext): Fragment {
  const { context } = groupContext;
  const types = [use(getInputSymbol(endpoint, groupContext)), ...listAnswerTypeArguments(endpoint, context)];
  const text = getEndpointText(endpoint, context);
  if (isIndex(endpoint)) {
    const notes = [text, "Servers answer it from the index document, unless they have a handler for it."];
    return property(word, code`${runtimeType(runtime, "RestIndexEndpoint")}<${types}>`, {
      readonly: true,
      documentation: documentation(undefined, notes),
    });
  }
  const type = code`${runtimeType(runtime, "RestEndpoint")}<${types}>`;
  return property(word, type, { readonly: true, documentation: text });
}

function getDescriptorCode(value: Value, context: RestContext): Fragment {
  return getValueCode(value, (reference) => {
    if (reference.kind === "rest") {
      // `segmentNames` is imported from the entry `segment-names`, which loads less code than `rest`: `rest` also
      // contains path patterns, clients and servers.
      return use(
        reference.name === "segmentNames"
          ? runtimeValue("@bothends/runtime/segment-names", reference.name)
          : runtimeValue("@bothends/runtime/rest", reference.name),
      );
    }
    if (reference.kind !== "interface") {
      throw new Error(`A REST descriptor contains a reference of the kind "${reference.kind}", which only SOAP has.`);
    }
    return use(getInterfaceSymbol(context));
  });
}
