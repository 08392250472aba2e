import type { GroupPlan } from "../../plan/index.js";
import {
  type CodeSymbol,
  code,
  comment,
  type Declaration,
  type Fragment,
  identifier,
  literal,
  literalUnion,
  runtimeType,
  runtimeValue,
  type TypeScriptFile,
  typeBody,
} from "../../print/index.js";
import { indexFile, listClientErrors, listDeclaredSymbols, operationsFile, optionsFile } from "../files.js";
import { createSafeOperationsProperty, createWireNamesProperty, documentation, property } from "../members.js";
import {
  getEndpointsSymbol,
  getGroupPath,
  getInterfaceSymbol,
  getTreeSymbol,
  listGroupsWithMember,
  type RestContext,
} from "./context.js";
import { listTypeFiles, type RestContractFiles } from "./contract.js";

const runtime = "@bothends/runtime/rest-client";

/** Makes the files of one REST interface in the client package. */
export function emitRestClient(contract: RestContractFiles, context: RestContext): readonly TypeScriptFile[] {
  const { client } = context.folders;
  return [
    client.createFile(optionsFile, [declareOptions(context)]),
    client.createFile(indexFile, [
      declareReexports(contract, context),
      ...listGroupsWithMember(context.plan).flatMap((group) => declareGroupClass(group, context)),
      ...declareFacadeClass(context),
    ]),
    client.createFile(operationsFile, [declareOperationReexports(contract, context)]),
  ];
}

function declareOptions({ plan }: RestContext): Declaration {
  const { base, segments } = plan.interface;
  const variables = base.values
    .filter(({ values }) => values.length > 0)
    .map(({ variable, values }) =>
      property(variable, literalUnion(values), {
        optional: true,
        readonly: true,
        documentation: `Part of the path of every request. Default: ${values[0]}`,
      }),
    );
  const wireNames = createWireNamesProperty(
    { segments },
    "Replacements for path segments of the routes, used in requests.",
  );
  const endpoints = plan.groups.flatMap((group) => group.endpoints.map(({ endpoint }) => endpoint));
  const safeOperationsOption = createSafeOperationsProperty(
    endpoints
      .filter(({ methods }) => methods.some((method) => method !== "GET"))
      .map(({ operation }) => operation.join(".")),
    "Endpoints that only read, although their method is not GET. `retries` applies to them too.",
  );
  const members = [...variables, ...wireNames, ...safeOperationsOption];
  return {
    kind: "interface",
    name: plan.clientOptions,
    code: code`
      ${comment(`Options for ${plan.client}.`)}
      export interface ${identifier(plan.clientOptions)} extends ${runtimeType(runtime, "RestClientOptions")} ${typeBody(members)}`,
  };
}

function declareGroupClass(group: GroupPlan, context: RestContext): readonly Declaration[] {
  return declareClientClass(group.client, {
    documentation: `Calls the endpoints below ${getGroupPath(group)}.`,
    tree: getTreeSymbol(group.tree, group, context),
    // The compiler option noPropertyAccessFromIndexSignature requires brackets.
    calls: code`${getCallsCode(getEndpointsSymbol(group, context), context)}[${literal(group.member ?? "")}]`,
    context,
  });
}

/** Makes the client class of the interface, with a member for each group and for each endpoint outside the groups. */
function declareFacadeClass(context: RestContext): readonly Declaration[] {
  const { plan } = context;
  return declareClientClass(plan.client, {
    documentation: documentation(plan.interface.documentation, [`Calls the endpoints of ${plan.interface.name}.`]),
    tree: getTreeSymbol(plan.tree, undefined, context),
    calls: getCallsCode(getEndpointsSymbol(undefined, context), context),
    context,
  });
}

interface ClassParts {
  readonly documentation: string | undefined;
  /** The TypeScript interface that declares the members of the class. */
  readonly tree: CodeSymbol;
  /** The code of an object that has the members of the class. */
  readonly calls: Fragment;
  readonly context: RestContext;
}

/** Makes a class and a TypeScript interface of the same name. The interface declares the members of the class. */
function declareClientClass(
  name: string,
  { documentation: text, tree, calls, context }: ClassParts,
): readonly Declaration[] {
  const { plan, folders } = context;
  return [
    {
      kind: "class",
      name,
      code: code`
        ${comment(text)}
        export class ${identifier(name)} {
          constructor(options: ${folders.client.getType(plan.clientOptions, optionsFile)}) {
            Object.assign(this, ${calls});
          }
        }`,
    },
    { kind: "interface", name, code: code`export interface ${identifier(name)} extends ${tree} {}` },
  ];
}

function getCallsCode(endpoints: CodeSymbol, context: RestContext): Fragment {
  const client = code`new ${runtimeValue(runtime, "RestClient")}(${getInterfaceSymbol(context)}, options)`;
  return code`${runtimeValue(runtime, "restCalls")}(${client}, ${endpoints})`;
}

/** Makes the re-exports of types and errors in the client's entry, so that a program needs no other import. */
function declareReexports(files: RestContractFiles, context: RestContext): Declaration {
  const { plan, folders } = context;
  return {
    kind: "reexport",
    symbols: [
      ...listTypeFiles(files).flatMap((file) => listDeclaredSymbols(file.declarations, folders.contract, indexFile)),
      folders.client.getType(plan.clientOptions, optionsFile),
      runtimeType(runtime, "RestCallOptions"),
      runtimeValue(runtime, "RestClient"),
      runtimeType("@bothends/runtime", "JsonValue"),
      ...listClientErrors("RestError"),
    ],
  };
}

/**
 * Makes the re-exports of the answer schemas and the descriptors. With these, programs can call endpoints without the
 * client class.
 */
function declareOperationReexports(files: RestContractFiles, { folders }: RestContext): Declaration {
  return {
    kind: "reexport",
    symbols: listDeclaredSymbols(files.descriptors.declarations, folders.contract, operationsFile),
  };
}
