import type { Reference, Value } from "../../describe/describe.js";
import type { TypeDefinition, TypeId } from "../../model/index.js";
import type { BuiltinPlan, Mapping, OperationPlan, ServicePlan } from "../../plan/index.js";
import {
  array,
  code,
  comment,
  type Declaration,
  entry,
  type Fragment,
  identifier,
  literal,
  object,
  runtimeType,
  runtimeValue,
  type TypeScriptFile,
  use,
  xs,
} from "../../print/index.js";
import { entryFile, faultsFile, fileName, indexFile, operationsFile, typesFile } from "../files.js";
import { documentation, valueCode } from "../members.js";
import {
  descriptorSymbol,
  getBuiltin,
  getDefinition,
  mappedSymbol,
  planOf,
  type SoapContext,
  typeSymbol,
  valuesSymbol,
} from "./context.js";
import { inputType, operationText, outputType } from "./operations.js";
import { aliasDeclarations, enumerationLiterals, referencedType, typeDeclarations, writtenOutType } from "./types.js";

const runtime = "@bothends/runtime";

/** The files of one SOAP interface in the contract package. */
export interface SoapContractFiles {
  /** The files with types. The first also declares the aliases of built-in types. Each further namespace may have another file. */
  readonly types: readonly TypeScriptFile[];
  readonly faults: TypeScriptFile;
  readonly descriptors: TypeScriptFile;
}

export function emitSoapContract(context: SoapContext): SoapContractFiles {
  const { contract } = context.folders;
  const descriptors = contract.file(operationsFile, descriptorDeclarations(context));
  const faults = contract.file(faultsFile, faultClasses(context));
  const typeFiles = groupTypesByFile(context).map(([name, list]) =>
    contract.file(name, emitDeclarations(list, context)),
  );
  const files = [descriptors, faults, ...typeFiles];
  const usedNames = new Set(files.flatMap((file) => [...file.usedNames]));
  typeFiles.find((file) => fileName(file) === typesFile)?.addFirst(aliasDeclarations(usedNames, context));
  return { types: typeFiles, faults, descriptors };
}

/** The types that each file declares. The first file also declares the aliases of built-in types. */
function groupTypesByFile(
  context: SoapContext,
): readonly (readonly [file: string, types: readonly TypeDefinition[]])[] {
  const files = new Map<string, TypeDefinition[]>([[typesFile, []]]);
  for (const type of context.soap.types) {
    const file = planOf(type.id, context).typesFile;
    const list = files.get(file) ?? [];
    files.set(file, list);
    list.push(type);
  }
  return [...files];
}

function* emitDeclarations(types: readonly TypeDefinition[], context: SoapContext): Iterable<Declaration> {
  for (const type of types) {
    yield* typeDeclarations(type, context);
  }
}

/** Makes the main entry of the contract, which exports types and faults. */
export function emitSoapContractEntry({ types, faults }: SoapContractFiles, context: SoapContext): TypeScriptFile {
  return entryFile(context.folders.contract, indexFile, [...types, faults]);
}

function* descriptorDeclarations(context: SoapContext): Iterable<Declaration> {
  yield* sharedDescriptors(context);
  for (const service of context.plan.services) {
    yield* serviceDescriptors(service, context);
  }
}

function faultClasses(context: SoapContext): readonly Declaration[] {
  const soapFault = runtimeValue(runtime, "SoapFault");
  return context.plan.faults.map(({ name, fault }) => {
    const detailSentence = `The declared fault ${fault.name}: its detail is the element ${fault.element.local}.`;
    const throwSentence = `A handler throws it: \`new ${name}({ reason, detail })\`.`;
    return {
      kind: "class",
      name,
      code: code`
        ${comment(documentation(fault.documentation, [detailSentence, throwSentence]))}
        export class ${identifier(name)} extends ${soapFault}<${referencedType(fault.type, context)}> {
          override readonly name = ${literal(name)};
        }`,
    };
  });
}

/** Declares the descriptors of a service, of its operations, and of the types that no other service uses. */
function* serviceDescriptors(service: ServicePlan, context: SoapContext): Iterable<Declaration> {
  yield declareConstant(service.constant, {
    type: use(runtimeType(runtime, "ServiceDescriptor")),
    value: descriptorCode(context.descriptors.service(service.service), context),
    documentation: service.service.documentation,
  });
  for (const operation of service.operations) {
    yield operationDescriptor(operation, context);
  }
  yield* typeDescriptors(service.file, context);
}

/** Declares the settings of the interface, and the descriptors of types that several services use. */
function* sharedDescriptors(context: SoapContext): Iterable<Declaration> {
  yield declareConstant(context.plan.settings, {
    type: use(runtimeType(runtime, "InterfaceSettings")),
    value: descriptorCode(context.descriptors.settings, context),
    documentation: "The settings from the configuration that apply to all services of this interface.",
  });
  yield* mappedBuiltins(context);
  yield* typeDescriptors(undefined, context);
}

/** Declares the descriptors of built-in types that are mapped to a module's type. */
function* mappedBuiltins(context: SoapContext): Iterable<Declaration> {
  for (const [name, { mapping, descriptor }] of context.plan.builtins) {
    if (mapping === undefined) {
      continue;
    }
    const type = use(mappedSymbol(mapping, "type", context));
    yield declareConstant(mapping.descriptor, {
      type: code`${runtimeType(runtime, "DerivedSimpleType")}<${type}>`,
      value: object([
        entry("kind", literal("derived")),
        entry("name", literal(`xs:${name}`)),
        entry("by", mappedDerivation(mapping, undefined, context)),
        entry("types", array([use(xs(descriptor))])),
      ]),
    });
  }
}

/** The code of a type that is mapped to a module's type. `derive` is the code of its derivation in the schema. */
function mappedDerivation(mapping: Mapping, derive: Fragment | undefined, context: SoapContext): Fragment {
  const type = use(mappedSymbol(mapping, "type", context));
  const [read, write] = (["read", "write"] as const).map((name) => use(mappedSymbol(mapping, name, context)));
  const functions = [read, write, derive].filter((code) => code !== undefined);
  return code`${xs("withConversions")}<${type}>(${functions})`;
}

/**
 * Declares the descriptors of the types that only the service with this file name uses. If `file` is undefined, declares those of the types
 * that several services use.
 */
function* typeDescriptors(file: string | undefined, context: SoapContext): Iterable<Declaration> {
  for (const type of context.soap.types) {
    if (type.exact === undefined && planOf(type.id, context).file === file) {
      yield typeDescriptor(type, context);
    }
  }
}

function operationDescriptor({ operation, constant: name }: OperationPlan, context: SoapContext): Declaration {
  const descriptor = runtimeType(runtime, "OperationDescriptor");
  return declareConstant(name, {
    type: code`${descriptor}<${inputType(operation, context)}, ${outputType(operation, context)}>`,
    value: descriptorCode(context.descriptors.operation(operation), context),
    documentation: operationText(operation, "client"),
  });
}

function typeDescriptor(type: TypeDefinition, context: SoapContext): Declaration {
  return declareConstant(planOf(type.id, context).descriptor, {
    type: code`${runtimeType(runtime, descriptorTypes[type.kind])}<${describedType(type.id, context)}>`,
    value: typeDescriptorCode(type.id, context),
  });
}

function typeDescriptorCode(id: TypeId, context: SoapContext): Fragment {
  const { mapping, represented } = planOf(id, context);
  const value = context.descriptors.type(id);
  if (represented !== undefined) {
    return representedCode(id, represented, context);
  }
  if (mapping === undefined || typeof value !== "object" || value === null || !("members" in value)) {
    return descriptorCode(value, context);
  }
  return object(
    value.members.map(([name, member]) => {
      const memberCode = descriptorCode(member, context);
      return entry(name, name === "by" ? mappedDerivation(mapping, memberCode, context) : memberCode);
    }),
  );
}

/**
 * The code of a restriction that `typeMap` maps to another representation, such as `number`. It contains the code of its base types,
 * because the descriptors of the base types use the default representation.
 */
function representedCode(id: TypeId, represented: BuiltinPlan, context: SoapContext): Fragment {
  return valueCode(context.descriptors.type(id), (reference) => {
    switch (reference.kind) {
      case "builtin":
        return use(xs(represented.descriptor));
      case "type":
        return code`() => (${representedCode(reference.id, represented, context)})`;
      default:
        return referenceCode(reference, context);
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

function describedType(id: TypeId, context: SoapContext): Fragment {
  return planOf(id, context).isInline ? writtenOutType(id, context) : use(typeSymbol(id, context));
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

function descriptorCode(value: Value, context: SoapContext): Fragment {
  return valueCode(value, (reference) => referenceCode(reference, context));
}

function referenceCode(reference: Reference, context: SoapContext): Fragment {
  const { folders, plan } = context;
  switch (reference.kind) {
    case "builtin": {
      const { mapping, descriptor } = getBuiltin(reference.name, context);
      return mapping === undefined
        ? use(xs(descriptor))
        : code`() => ${folders.contract.value(mapping.descriptor, operationsFile)}`;
    }
    case "xs":
      return use(xs(reference.name));
    case "type":
      return code`() => ${descriptorSymbol(reference.id, context)}`;
    case "values":
      return enumerationCode(reference.id, context);
    case "service": {
      const service = plan.services.find((candidate) => candidate.service === reference.service);
      if (service === undefined) {
        throw new Error(`The plan has no service ${reference.service.name}.`);
      }
      return use(folders.contract.value(service.constant, operationsFile));
    }
    case "fault": {
      const fault = plan.faultPlans.get(reference.fault);
      if (fault === undefined) {
        throw new Error(`The plan has no fault ${reference.fault.name}.`);
      }
      return code`() => ${folders.contract.value(fault.name, faultsFile)}`;
    }
    case "interface":
    case "rest":
    case "answer":
      throw new Error(`A SOAP descriptor contains a reference of the kind "${reference.kind}", which only REST has.`);
  }
}

/** The code of an enumeration's values: the constant that contains them, or a list of their texts if there is no constant. */
function enumerationCode(id: TypeId, context: SoapContext): Fragment {
  const definition = getDefinition(id, context);
  if (definition.kind !== "enumeration") {
    throw new Error(`The type ${id} is not an enumeration.`);
  }
  const { isInline, mapping } = planOf(id, context);
  if (enumerationLiterals(definition, context) !== undefined && !isInline && mapping === undefined) {
    return use(valuesSymbol(id, context));
  }
  return array(definition.values.map(({ text }) => literal(text)));
}
