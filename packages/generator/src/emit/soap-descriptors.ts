import type { Reference, Value } from "../describe/index.js";
import type { TypeDefinition } from "../model/index.js";
import type { OperationPlan, ServicePlan } from "../plan/index.js";
import { type Declaration, type Expression, runtimeType, type TypeNode, unreachable, xs } from "../print/index.js";
import { protocolFact } from "./documentation.js";
import { enumerationLiterals } from "./enumeration-values.js";
import { expressionOf } from "./expression-of.js";
import { literal, symbolOf, typeOf } from "./nodes.js";
import { descriptorsFile, faultsFile } from "./places.js";
import {
  builtinOf,
  definitionOf,
  descriptorSymbol,
  planOf,
  type SoapContext,
  typeSymbol,
  valuesSymbol,
} from "./soap-context.js";
import { inputNode, outputNode } from "./soap-messages.js";
import { inlineNode } from "./type-of.js";

/** The descriptors of a service and its operations, then of the types that only it reaches. */
export function serviceDescriptors(service: ServicePlan, context: SoapContext): readonly Declaration[] {
  const own = context.soap.types.filter((type) => planOf(type.id, context).file === service.file);
  return [
    {
      kind: "constant",
      name: service.constant,
      type: typeOf(runtimeType("@bothends/runtime", "ServiceDescriptor")),
      value: toExpression(context.descriptors.services.get(service.service), context),
      documentation: service.service.documentation,
    },
    ...service.operations.map((operation) => operationDescriptor(operation, context)),
    ...own.map((type) => typeDescriptor(type, context)),
  ];
}

/** What `bothends.json` says of the interface, then the descriptors of types that several services reach. */
export function sharedDescriptors(context: SoapContext): readonly Declaration[] {
  const shared = context.soap.types.filter((type) => planOf(type.id, context).file === undefined);
  return [
    {
      kind: "constant",
      name: context.plan.facts,
      type: typeOf(runtimeType("@bothends/runtime", "ServiceFacts")),
      value: toExpression(context.descriptors.facts, context),
      documentation: "What the configuration says of the services of this interface.",
    },
    ...shared.map((type) => typeDescriptor(type, context)),
  ];
}

function operationDescriptor({ operation, constant }: OperationPlan, context: SoapContext): Declaration {
  const runtime = runtimeType("@bothends/runtime", "OperationDescriptor");
  return {
    kind: "constant",
    name: constant,
    type: typeOf(runtime, inputNode(operation, context), outputNode(operation, context)),
    value: toExpression(context.descriptors.operations.get(operation), context),
    documentation: [operation.documentation, protocolFact(operation)].filter((text) => text !== undefined).join("\n\n"),
  };
}

function typeDescriptor(type: TypeDefinition, context: SoapContext): Declaration {
  return {
    kind: "constant",
    name: planOf(type.id, context).descriptor,
    type: descriptorNode(type, context),
    value: toExpression(context.descriptors.types.get(type.id), context),
  };
}

function descriptorNode(type: TypeDefinition, context: SoapContext): TypeNode {
  const { inline } = planOf(type.id, context);
  const described = inline ? inlineNode(type.id, context) : typeOf(typeSymbol(type.id, context));
  switch (type.kind) {
    case "record":
      return typeOf(runtimeType("@bothends/runtime", "RecordDescriptor"), described);
    case "array":
      return typeOf(runtimeType("@bothends/runtime", "ArrayDescriptor"), described);
    case "polymorphic":
      return typeOf(runtimeType("@bothends/runtime", "PolymorphicDescriptor"), described);
    default:
      return typeOf(runtimeType("@bothends/runtime", "DerivedSimpleType"), described);
  }
}

function toExpression(value: Value | undefined, context: SoapContext): Expression {
  if (value === undefined) throw new Error("A descriptor is missing.");
  return expressionOf(value, (reference) => referred(reference, context));
}

function referred(reference: Reference, context: SoapContext): Expression {
  const { places, plan } = context;
  switch (reference.kind) {
    case "builtin":
      return symbolOf(xs(builtinOf(reference.name, context).descriptor));
    case "xs":
      return symbolOf(xs(reference.name));
    case "type":
      return { kind: "lazy", value: symbolOf(descriptorSymbol(reference.id, context)) };
    case "values":
      return enumerationValues(reference.id, context);
    case "service": {
      const service = plan.services.find((each) => each.service === reference.service);
      if (service === undefined) throw new Error(`No service ${reference.service.name} in the plan.`);
      return symbolOf(places.contract.value(service.constant, descriptorsFile(service.file)));
    }
    case "fault": {
      const fault = plan.faultOf.get(reference.fault);
      if (fault === undefined) throw new Error(`No fault ${reference.fault.name} in the plan.`);
      return { kind: "lazy", value: symbolOf(places.contract.value(fault.name, faultsFile)) };
    }
    case "interface":
    case "answer":
      throw new Error(`A SOAP descriptor refers to a REST ${reference.kind}.`);
    default:
      return unreachable(reference);
  }
}

function enumerationValues(id: string, context: SoapContext): Expression {
  const definition = definitionOf(id, context);
  if (definition.kind !== "enumeration") throw new Error(`${id} is not an enumeration.`);
  if (enumerationLiterals(definition, context) !== undefined) return symbolOf(valuesSymbol(id, context));
  return { kind: "array", items: definition.values.map((value) => literal(value.text)) };
}
