import type { Reference, Value } from "../../describe/index.js";
import type { TypeDefinition, TypeId } from "../../model/index.js";
import type { OperationPlan, ServicePlan } from "../../plan/index.js";
import {
  array,
  code,
  comment,
  type Declaration,
  type Fragment,
  identifier,
  literal,
  runtimeType,
  use,
  xs,
} from "../../print/index.js";
import { valueCode } from "../descriptor-code.js";
import { descriptorsFile, faultsFile } from "../files.js";
import {
  builtinOf,
  definitionOf,
  descriptorSymbol,
  planOf,
  type SoapContext,
  typeSymbol,
  valuesSymbol,
} from "./context.js";
import { operationText } from "./facts.js";
import { inputType, outputType } from "./messages.js";
import { enumerationLiterals, writtenOutType } from "./types.js";

const runtime = "@bothends/runtime";

/** The descriptors of a service and its operations, then of the types that no other service uses. */
export function serviceDescriptors(service: ServicePlan, context: SoapContext): readonly Declaration[] {
  const types = context.soap.types.filter((type) => planOf(type.id, context).file === service.file);
  return [
    constant(service.constant, {
      type: use(runtimeType(runtime, "ServiceDescriptor")),
      value: descriptorCode(context.descriptors.services.get(service.service), context),
      documentation: service.service.documentation,
    }),
    ...service.operations.map((operation) => operationDescriptor(operation, context)),
    ...types.map((type) => typeDescriptor(type, context)),
  ];
}

/** The settings of the interface, then the descriptors of types that several services use. */
export function sharedDescriptors(context: SoapContext): readonly Declaration[] {
  const types = context.soap.types.filter((type) => planOf(type.id, context).file === undefined);
  return [
    constant(context.plan.facts, {
      type: use(runtimeType(runtime, "ServiceFacts")),
      value: descriptorCode(context.descriptors.facts, context),
      documentation: "Settings of the configuration for all services of this interface.",
    }),
    ...types.map((type) => typeDescriptor(type, context)),
  ];
}

function operationDescriptor({ operation, constant: name }: OperationPlan, context: SoapContext): Declaration {
  const descriptor = runtimeType(runtime, "OperationDescriptor");
  return constant(name, {
    type: code`${descriptor}<${inputType(operation, context)}, ${outputType(operation, context)}>`,
    value: descriptorCode(context.descriptors.operations.get(operation), context),
    documentation: operationText(operation, "client"),
  });
}

function typeDescriptor(type: TypeDefinition, context: SoapContext): Declaration {
  return constant(planOf(type.id, context).descriptor, {
    type: code`${runtimeType(runtime, descriptorTypes[type.kind])}<${describedType(type.id, context)}>`,
    value: descriptorCode(context.descriptors.types.get(type.id), context),
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
  return planOf(id, context).inline ? writtenOutType(id, context) : use(typeSymbol(id, context));
}

interface ConstantParts {
  readonly type: Fragment;
  readonly value: Fragment;
  readonly documentation?: string | undefined;
}

function constant(name: string, { type, value, documentation: text }: ConstantParts): Declaration {
  return {
    kind: "constant",
    name,
    code: code`
      ${comment(text)}
      export const ${identifier(name)}: ${type} = ${value};`,
  };
}

function descriptorCode(value: Value | undefined, context: SoapContext): Fragment {
  if (value === undefined) {
    throw new Error("A descriptor is missing.");
  }
  return valueCode(value, (reference) => referenceCode(reference, context));
}

function referenceCode(reference: Reference, context: SoapContext): Fragment {
  const { folders, plan } = context;
  switch (reference.kind) {
    case "builtin":
      return use(xs(builtinOf(reference.name, context).descriptor));
    case "xs":
      return use(xs(reference.name));
    case "type":
      return code`() => ${descriptorSymbol(reference.id, context)}`;
    case "values":
      return enumerationCode(reference.id, context);
    case "service": {
      const service = plan.services.find((candidate) => candidate.service === reference.service);
      if (service === undefined) {
        throw new Error(`No service ${reference.service.name} in the plan.`);
      }
      return use(folders.contract.value(service.constant, descriptorsFile(service.file)));
    }
    case "fault": {
      const fault = plan.faultOf.get(reference.fault);
      if (fault === undefined) {
        throw new Error(`No fault ${reference.fault.name} in the plan.`);
      }
      return code`() => ${folders.contract.value(fault.name, faultsFile)}`;
    }
    case "interface":
    case "answer":
      throw new Error(`A SOAP descriptor refers to a REST ${reference.kind}.`);
  }
}

/** The values of an enumeration: the constant that has them, or their texts where its type has no literals. */
function enumerationCode(id: TypeId, context: SoapContext): Fragment {
  const definition = definitionOf(id, context);
  if (definition.kind !== "enumeration") {
    throw new Error(`${id} is not an enumeration.`);
  }
  if (enumerationLiterals(definition, context) !== undefined) {
    return use(valuesSymbol(id, context));
  }
  return array(definition.values.map(({ text }) => literal(text)));
}
