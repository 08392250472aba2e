import type { Reference, Value } from "../../describe/describe.js";
import type {
  Attachment,
  Body,
  Operation,
  RecordType,
  TypeDefinition,
  TypeId,
  TypeReference,
} from "../../model/index.js";
import {
  type BuiltinPlan,
  findEnumerationLiterals,
  isOptional,
  type Mapping,
  type OperationPlan,
  type ServicePlan,
} from "../../plan/index.js";
import {
  array,
  code,
  comment,
  type Declaration,
  entry,
  type Fragment,
  identifier,
  intersection,
  literal,
  object,
  objectType,
  runtimeType,
  runtimeValue,
  type TypeScriptFile,
  use,
  xs,
} from "../../print/index.js";
import { joinNames } from "../../text.js";
import { createEntryFile, faultsFile, getFileName, indexFile, operationsFile, typesFile } from "../files.js";
import { documentation, getValueCode, orNull, property } from "../members.js";
import {
  getBuiltin,
  getDefinition,
  getDescriptorSymbol,
  getMappedSymbol,
  getTypePlan,
  getTypeSymbol,
  getValuesSymbol,
  type SoapContext,
} from "./context.js";
import { declareAliases, declareType, getAliasedType, getFieldType, getReferencedType } from "./types.js";

const runtime = "@bothends/runtime";

/** The files of one SOAP interface in the contract package. */
export interface SoapContractFiles {
  /**
   * The files with types. The first file also declares the aliases of built-in types. Each namespace after the first
   * may have a separate file.
   */
  readonly types: readonly TypeScriptFile[];
  readonly faults: TypeScriptFile;
  readonly descriptors: TypeScriptFile;
}

/** Emits the files of a SOAP interface in the contract package. */
export function emitSoapContract(context: SoapContext): SoapContractFiles {
  const { contract } = context.folders;
  const descriptors = contract.createFile(operationsFile, declareDescriptors(context));
  const faults = contract.createFile(faultsFile, declareFaultClasses(context));
  const typeFiles = groupTypesByFile(context).map(([name, list]) =>
    contract.createFile(name, emitDeclarations(list, context)),
  );
  const files = [descriptors, faults, ...typeFiles];
  const usedNames = new Set(files.flatMap((file) => [...file.usedNames]));
  typeFiles.find((file) => getFileName(file) === typesFile)?.addFirst(declareAliases(usedNames, context));
  return { types: typeFiles, faults, descriptors };
}

/** Returns the types that each file declares. The first file also declares the aliases of built-in types. */
function groupTypesByFile(
  context: SoapContext,
): readonly (readonly [file: string, types: readonly TypeDefinition[]])[] {
  const files = new Map<string, TypeDefinition[]>([[typesFile, []]]);
  for (const type of context.soap.types) {
    const file = getTypePlan(type.id, context).typesFile;
    const list = files.get(file) ?? [];
    files.set(file, list);
    list.push(type);
  }
  return [...files];
}

function* emitDeclarations(types: readonly TypeDefinition[], context: SoapContext): Iterable<Declaration> {
  for (const type of types) {
    yield* declareType(type, context);
  }
}

/** Makes the main entry of the contract, which exports types and faults. */
export function emitSoapContractEntry({ types, faults }: SoapContractFiles, context: SoapContext): TypeScriptFile {
  return createEntryFile(context.folders.contract, indexFile, [...types, faults]);
}

function* declareDescriptors(context: SoapContext): Iterable<Declaration> {
  yield* declareSharedDescriptors(context);
  for (const service of context.plan.services) {
    yield* declareServiceDescriptors(service, context);
  }
}

function declareFaultClasses(context: SoapContext): readonly Declaration[] {
  const soapFault = runtimeValue(runtime, "SoapFault");
  return context.plan.faults.map(({ name, fault }) => {
    const detailSentence = `The declared fault ${fault.name}: its detail is the element ${fault.element.local}.`;
    const throwSentence = `A handler throws it: \`new ${name}({ reason, detail })\`.`;
    return {
      kind: "class",
      name,
      code: code`
        ${comment(documentation(fault.documentation, [detailSentence, throwSentence]))}
        export class ${identifier(name)} extends ${soapFault}<${getReferencedType(fault.type, context)}> {
          override readonly name = ${literal(name)};
        }`,
    };
  });
}

/** Declares the descriptors of a service, of its operations, and of the types that only this service uses. */
function* declareServiceDescriptors(service: ServicePlan, context: SoapContext): Iterable<Declaration> {
  yield declareConstant(service.constant, {
    type: use(runtimeType(runtime, "ServiceDescriptor")),
    value: getDescriptorCode(context.descriptors.describeService(service.service), context),
    documentation: service.service.documentation,
  });
  for (const operation of service.operations) {
    yield declareOperationDescriptor(operation, context);
  }
  yield* declareTypeDescriptors(service.file, context);
}

/** Declares the settings of the interface, and the descriptors of types that several services use. */
function* declareSharedDescriptors(context: SoapContext): Iterable<Declaration> {
  yield declareConstant(context.plan.settings, {
    type: use(runtimeType(runtime, "InterfaceSettings")),
    value: getDescriptorCode(context.descriptors.settings, context),
    documentation: "The settings from the configuration that apply to all services of this interface.",
  });
  yield* declareMappedBuiltins(context);
  yield* declareTypeDescriptors(undefined, context);
}

/** Declares the descriptors of built-in types that are mapped to the type of a module. */
function* declareMappedBuiltins(context: SoapContext): Iterable<Declaration> {
  for (const [name, { mapping, descriptor }] of context.plan.builtins) {
    if (mapping === undefined) {
      continue;
    }
    const type = use(getMappedSymbol(mapping, "type", context));
    yield declareConstant(mapping.descriptor, {
      type: code`${runtimeType(runtime, "DerivedSimpleType")}<${type}>`,
      value: object([
        entry("kind", literal("derived")),
        entry("name", literal(`xs:${name}`)),
        entry("by", getMappedDerivation(mapping, undefined, context)),
        entry("types", array([use(xs(descriptor))])),
      ]),
    });
  }
}

/**
 * Returns the code for the member `by` of a mapped type's descriptor, which converts values with the functions `read`
 * and `write` of the user's module. `derive` is the code of the derivation in the schema; undefined for a built-in
 * type.
 */
function getMappedDerivation(mapping: Mapping, derive: Fragment | undefined, context: SoapContext): Fragment {
  const type = use(getMappedSymbol(mapping, "type", context));
  const [read, write] = (["read", "write"] as const).map((name) => use(getMappedSymbol(mapping, name, context)));
  const functions = [read, write, derive].filter((code) => code !== undefined);
  return code`${xs("withConversions")}<${type}>(${functions})`;
}

/**
 * Declares the descriptors of the types that only the service with the file name `file` uses; if `file` is undefined,
 * of the types that several services use.
 */
function* declareTypeDescriptors(file: string | undefined, context: SoapContext): Iterable<Declaration> {
  for (const type of context.soap.types) {
    if (type.exact === undefined && getTypePlan(type.id, context).file === file) {
      yield declareTypeDescriptor(type, context);
    }
  }
}

function declareOperationDescriptor({ operation, constant: name }: OperationPlan, context: SoapContext): Declaration {
  const descriptor = runtimeType(runtime, "OperationDescriptor");
  return declareConstant(name, {
    type: code`${descriptor}<${getInputType(operation, context)}, ${getOutputType(operation, context)}>`,
    value: getDescriptorCode(context.descriptors.describeOperation(operation), context),
    documentation: getOperationComment(operation, "client"),
  });
}

function declareTypeDescriptor(type: TypeDefinition, context: SoapContext): Declaration {
  return declareConstant(getTypePlan(type.id, context).descriptor, {
    type: code`${runtimeType(runtime, descriptorTypes[type.kind])}<${getDescribedType(type.id, context)}>`,
    value: getTypeDescriptorCode(type.id, context),
  });
}

function getTypeDescriptorCode(id: TypeId, context: SoapContext): Fragment {
  const { mapping, represented } = getTypePlan(id, context);
  const value = context.descriptors.describeType(id);
  if (represented !== undefined) {
    return getRepresentedCode(id, represented, context);
  }
  if (mapping === undefined || typeof value !== "object" || value === null || !("members" in value)) {
    return getDescriptorCode(value, context);
  }
  return object(
    value.members.map(([name, member]) => {
      const memberCode = getDescriptorCode(member, context);
      return entry(name, name === "by" ? getMappedDerivation(mapping, memberCode, context) : memberCode);
    }),
  );
}

/**
 * Returns the code of a restriction that `typeMap` maps to another representation, such as `number`. The code includes
 * the code of the base types, because their descriptors use the default representation.
 */
function getRepresentedCode(id: TypeId, represented: BuiltinPlan, context: SoapContext): Fragment {
  return getValueCode(context.descriptors.describeType(id), (reference) => {
    switch (reference.kind) {
      case "builtin":
        return use(xs(represented.descriptor));
      case "type":
        return code`() => (${getRepresentedCode(reference.id, represented, context)})`;
      default:
        return getReferenceCode(reference, context);
    }
  });
}

const descriptorTypes = {
  record: "RecordDescriptor",
  array: "ArrayDescriptor",
  polymorphic: "PolymorphicDescriptor",
  restriction: "DerivedSimpleType",
  enumeration: "DerivedSimpleType",
  list: "DerivedSimpleType",
  union: "DerivedSimpleType",
} as const satisfies Record<TypeDefinition["kind"], string>;

function getDescribedType(id: TypeId, context: SoapContext): Fragment {
  return getTypePlan(id, context).isInline ? getAliasedType(id, context) : use(getTypeSymbol(id, context));
}

interface ConstantParts {
  readonly type: Fragment;
  readonly value: Fragment;
  readonly documentation?: string | undefined;
}

function declareConstant(name: string, { type, value, documentation: text }: ConstantParts): Declaration {
  return {
    kind: "constant",
    name,
    code: code`
      ${comment(text)}
      export const ${identifier(name)}: ${type} = ${value};`,
  };
}

function getDescriptorCode(value: Value, context: SoapContext): Fragment {
  return getValueCode(value, (reference) => getReferenceCode(reference, context));
}

function getReferenceCode(reference: Reference, context: SoapContext): Fragment {
  const { folders, plan } = context;
  switch (reference.kind) {
    case "builtin": {
      const { mapping, descriptor } = getBuiltin(reference.name, context);
      return mapping === undefined
        ? use(xs(descriptor))
        : code`() => ${folders.contract.getValue(mapping.descriptor, operationsFile)}`;
    }
    case "xs":
      return use(xs(reference.name));
    case "type":
      return code`() => ${getDescriptorSymbol(reference.id, context)}`;
    case "values":
      return getEnumerationCode(reference.id, context);
    case "service": {
      const service = plan.services.find((candidate) => candidate.service === reference.service);
      if (service === undefined) {
        throw new Error(`The plan has no service ${reference.service.name}.`);
      }
      return use(folders.contract.getValue(service.constant, operationsFile));
    }
    case "fault": {
      const fault = plan.faultPlans.get(reference.fault);
      if (fault === undefined) {
        throw new Error(`The plan has no fault ${reference.fault.name}.`);
      }
      return code`() => ${folders.contract.getValue(fault.name, faultsFile)}`;
    }
    case "interface":
    case "rest":
    case "answer":
      throw new Error(`A SOAP descriptor contains a reference of the kind "${reference.kind}", which only REST has.`);
  }
}

/**
 * Returns the code of an enumeration's values: the constant with the values or, if there is no constant, a list of the
 * values as strings.
 */
function getEnumerationCode(id: TypeId, context: SoapContext): Fragment {
  const definition = getDefinition(id, context);
  if (definition.kind !== "enumeration") {
    throw new Error(`The type ${id} is not an enumeration.`);
  }
  const { isInline, mapping } = getTypePlan(id, context);
  if (findEnumerationLiterals(definition, context) !== undefined && !isInline && mapping === undefined) {
    return use(getValuesSymbol(id, context));
  }
  return array(definition.values.map(({ text }) => literal(text)));
}

/** Returns the TypeScript type of an operation's input. */
export function getInputType(operation: Operation, context: SoapContext): Fragment {
  const { body, attachments } = operation.input;
  return withAttachments(getBodyType(body, context), attachments);
}

/**
 * Returns the TypeScript type of an operation's answer: `void`, the type of the body, or the type of a wrapper's only
 * member. An optional member may also be null.
 */
export function getOutputType(operation: Operation, context: SoapContext): Fragment {
  const { output, http } = operation;
  if (output === undefined || output.result.kind === "empty") {
    return code`void`;
  }
  if (output.result.kind === "whole") {
    const bodyMayBeNil = context.soap.tolerate.includes("nil") && output.body.kind === "element";
    return withAttachments(orNull(getBodyType(output.body, context), bodyMayBeNil), output.attachments);
  }
  const { key, repeated } = output.result;
  const field = findRecord(output.body, context)?.fields.find((candidate) => candidate.key === key);
  if (field === undefined) {
    throw new Error(
      `The result of the operation ${operation.name} is the member ${key}, which its output does not have.`,
    );
  }
  const rootMayBeNil = http?.answer.kind === "xml" && http.answer.nillable;
  return orNull(getFieldType(field, context), !repeated && (isOptional(field) || rootMayBeNil));
}

/**
 * Returns the type arguments of `CallOptions` and `OperationContext`: the header blocks of an operation's input, then
 * those of its answer and its faults. Empty if the operation declares none.
 */
export function listHeaderTypes({ input, output }: Operation, context: SoapContext): readonly Fragment[] {
  const inputBlocks = findBlocksType([input.headers], context);
  const answerBlocks = findBlocksType([output?.headers, output?.headerFaults], context);
  if (answerBlocks === undefined) {
    return inputBlocks === undefined ? [] : [inputBlocks];
  }
  return [inputBlocks ?? code`object`, answerBlocks];
}

function findBlocksType(records: readonly (TypeId | undefined)[], context: SoapContext): Fragment | undefined {
  const types = records.filter((id) => id !== undefined).map((id) => use(getTypeSymbol(id, context)));
  return types.length === 0 ? undefined : intersection(...types);
}

/** Returns the names of the members in an operation's input; none if the input is not a record. */
export function listInputMembers(operation: Operation, context: SoapContext): ReadonlySet<string> {
  const { body, attachments } = operation.input;
  const bodyFields = findRecord(body, context)?.fields ?? [];
  return new Set([...bodyFields, ...attachments].map((member) => member.key));
}

function withAttachments(body: Fragment, attachments: readonly Attachment[]): Fragment {
  if (attachments.length === 0) {
    return body;
  }
  const members = attachments.map(({ key, types, documentation: text }) =>
    property(key, code`Uint8Array`, { documentation: documentation(text, [`An attachment: ${types.join(" or ")}.`]) }),
  );
  return intersection(body, objectType(members));
}

function getBodyType(body: Body, context: SoapContext): Fragment {
  if (body.kind === "parts") {
    return use(getTypeSymbol(body.record, context));
  }
  return orNull(getReferencedType(body.type, context), body.nillable);
}

function findRecord(body: Body, context: SoapContext): RecordType | undefined {
  const reference: TypeReference = body.kind === "parts" ? { kind: "named", id: body.record } : body.type;
  if (reference.kind === "builtin") {
    return undefined;
  }
  const definition = getDefinition(reference.id, context);
  return definition.kind === "record" ? definition : undefined;
}

/** Returns the comment of an operation in the client or server: its documentation, or a generated sentence. */
export function getOperationComment({ name, documentation, output }: Operation, end: "client" | "server"): string {
  if (documentation !== undefined && documentation.trim() !== "") {
    return documentation;
  }
  if (output === undefined) {
    return `${end === "client" ? "Sends" : "Receives"} the message of the operation ${name}, which has no answer.`;
  }
  return `${end === "client" ? "Calls" : "Answers"} the operation ${name}.`;
}

/**
 * Returns a sentence with the classes of an operation's faults: `May throw NotFound or Busy.` Empty if the operation
 * declares none.
 */
export function formatFaultSentence(verb: string, { faults }: Operation, { plan }: SoapContext): readonly string[] {
  const names = faults.flatMap((fault) => plan.faultPlans.get(fault)?.name ?? []);
  return names.length === 0 ? [] : [`${verb} ${joinNames(names, "or")}.`];
}
