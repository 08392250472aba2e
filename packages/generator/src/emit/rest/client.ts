import type { EndpointPlan, GroupPlan } from "../../plan/index.js";
import {
  apart,
  code,
  comment,
  type Declaration,
  documented,
  entry,
  type Fragment,
  hanging,
  identifier,
  literalUnion,
  member,
  object,
  runtimeType,
  runtimeValue,
  type TypeScriptFile,
  typeBody,
} from "../../print/index.js";
import { clientErrors, declaredSymbols, indexFile, operationsFile, optionsFile } from "../files.js";
import { documentation, emptyObjectFits, property, wireNamesProperty } from "../members.js";
import {
  type Branch,
  branchOf,
  endpointSymbol,
  endpointText,
  type GroupContext,
  groupPath,
  inputSymbol,
  interfaceSymbol,
  memberGroups,
  type RestContext,
} from "./context.js";
import type { RestContractFiles } from "./contract.js";
import { endpointAnswer } from "./types.js";

const runtime = "@bothends/runtime/rest-client";

/** The client package's files of one REST interface. */
export function emitRestClient(contract: RestContractFiles, context: RestContext): readonly TypeScriptFile[] {
  const { client } = context.folders;
  return [
    client.file(optionsFile, [optionsDeclaration(context)]),
    ...memberGroups(context.plan).map((group) => client.file(clientFile(group), [groupClass(group, context)])),
    client.file(indexFile, [reexports(contract, context), facadeClass(context)]),
    client.file(operationsFile, [operationReexports(contract, context)]),
  ];
}

function clientFile(group: GroupPlan): string {
  return `${group.file}-client.ts`;
}

function optionsDeclaration({ plan }: RestContext): Declaration {
  const { base, segments } = plan.interface;
  const variables = base.values
    .filter(({ values }) => values.length > 0)
    .map(({ variable, values }) =>
      property(variable, literalUnion(values), {
        optional: true,
        readonly: true,
        documentation: `In the path of every request. Default: ${values[0]}`,
      }),
    );
  const wireNames = wireNamesProperty({ segments }, "Route segments that have another name on the wire.");
  return {
    kind: "interface",
    name: plan.clientOptions,
    code: code`
      ${comment(`Options for ${plan.client}.`)}
      export interface ${identifier(plan.clientOptions)} extends ${runtimeType(runtime, "RestClientOptions")} ${typeBody([...variables, ...wireNames])}`,
  };
}

function groupClass(group: GroupPlan, context: RestContext): Declaration {
  const { plan, folders } = context;
  const client = runtimeValue(runtime, "RestClient");
  return {
    kind: "class",
    name: group.client,
    code: code`
      ${comment(`Calls the endpoints below ${groupPath(group)}.`)}
      export class ${identifier(group.client)} {
        readonly #client: ${client};

        constructor(options: ${folders.client.type(plan.clientOptions, optionsFile)}) {
          this.#client = new ${client}(${interfaceSymbol(context)}, options);
        }

        ${apart(branchMembers(branchOf(group.endpoints), { group, context }))}
      }`,
  };
}

/** Endpoints as methods, deeper ones in objects of functions. */
function branchMembers({ endpoints, branches }: Branch, place: GroupContext): readonly Fragment[] {
  return [
    ...endpoints.map(({ word, endpoint }) => {
      const { typeParameter, parameters, returns } = signatureOf(endpoint, place);
      return code`
        ${comment(endpointText(endpoint, place.context))}
        ${member(word)}${typeParameter}(${parameters}): Promise<${returns}> {
          return ${callCode(endpoint, place)};
        }`;
    }),
    ...[...branches].map(([word, below]) => code`readonly ${member(word)} = ${branchObject(below, place)};`),
  ];
}

function branchObject({ endpoints, branches }: Branch, place: GroupContext): Fragment {
  return object([
    ...endpoints.map(({ word, endpoint }) => {
      const { typeParameter, parameters, returns } = signatureOf(endpoint, place);
      const call = hanging(callCode(endpoint, place));
      const method = code`${typeParameter}(${parameters}): Promise<${returns}> =>${call}`;
      return documented(endpointText(endpoint, place.context), entry(word, method));
    }),
    ...[...branches].map(([word, below]) => entry(word, branchObject(below, place))),
  ]);
}

interface Signature {
  readonly typeParameter: Fragment | undefined;
  readonly parameters: readonly Fragment[];
  /** The type of the answer, without its promise. */
  readonly returns: Fragment;
}

/** An answer with a type depends on the options: they may choose `fields`. */
function signatureOf(endpoint: EndpointPlan, place: GroupContext): Signature {
  const options = runtimeType(runtime, "RestCallOptions");
  const answer = endpointAnswer(endpoint, place.context);
  if (answer === undefined) {
    const parameters = [inputParameter(endpoint, place), code`options?: ${options}`];
    return { typeParameter: undefined, parameters, returns: code`${runtimeType("@bothends/runtime", "JsonValue")}` };
  }
  return {
    typeParameter: code`<Options extends ${options}>`,
    parameters: [inputParameter(endpoint, place), code`options?: Options`],
    returns: code`${runtimeType(runtime, "Selected")}<${answer}, Options>`,
  };
}

function inputParameter(endpoint: EndpointPlan, place: GroupContext): Fragment {
  const { args } = endpoint.endpoint;
  const isOptional = !args.some((arg) => arg.required) && emptyObjectFits(args.map((arg) => arg.name));
  const input = inputSymbol(endpoint, place);
  return isOptional ? code`input: ${input} = {}` : code`input: ${input}`;
}

function callCode(endpoint: EndpointPlan, place: GroupContext): Fragment {
  return code`this.#client.call(${endpointSymbol(endpoint, place)}, input, options)`;
}

/** The class of the interface: a member for each group, and the endpoints that belong to none. */
function facadeClass(context: RestContext): Declaration {
  const { plan, folders } = context;
  const fields = memberGroups(plan).map((group) => ({
    name: member(group.member),
    client: folders.client.value(group.client, clientFile(group)),
  }));
  const methods = plan.groups
    .filter((group) => group.member === undefined)
    .flatMap((group) => branchMembers(branchOf(group.endpoints), { group, context }));
  const client = runtimeValue(runtime, "RestClient");
  const callsItself = methods.length > 0;
  return {
    kind: "class",
    name: plan.client,
    code: code`
      ${comment(documentation(plan.interface.documentation, [`Calls the endpoints of ${plan.interface.name}.`]))}
      export class ${identifier(plan.client)} {
        ${callsItself ? code`readonly #client: ${client};` : undefined}
        ${fields.map(({ name, client: groupClient }) => code`readonly ${name}: ${groupClient};`)}

        constructor(options: ${folders.client.type(plan.clientOptions, optionsFile)}) {
          ${callsItself ? code`this.#client = new ${client}(${interfaceSymbol(context)}, options);` : undefined}
          ${fields.map(({ name, client: groupClient }) => code`this.${name} = new ${groupClient}(options);`)}
        }

        ${apart(methods)}
      }`,
  };
}

/** What a user of the client needs beside the classes, so that one package is imported: inputs, answers, errors. */
function reexports(files: RestContractFiles, { plan, folders }: RestContext): Declaration {
  return {
    kind: "reexport",
    symbols: [
      ...[...files.types, ...files.answers].flatMap((file) =>
        declaredSymbols(file.declarations, folders.contract, indexFile),
      ),
      folders.client.type(plan.clientOptions, optionsFile),
      ...memberGroups(plan).map((group) => folders.client.value(group.client, clientFile(group))),
      runtimeType(runtime, "RestCallOptions"),
      runtimeValue(runtime, "RestClient"),
      runtimeType("@bothends/runtime", "JsonValue"),
      ...clientErrors("RestError"),
    ],
  };
}

/** What calls without the classes need: the descriptors of the interface and of its endpoints. */
function operationReexports(files: RestContractFiles, { folders }: RestContext): Declaration {
  const symbols = [files.shared, ...files.descriptors].flatMap((file) =>
    declaredSymbols(file.declarations, folders.contract, operationsFile),
  );
  return { kind: "reexport", symbols };
}
