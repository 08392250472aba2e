import type { SoapDescriptors } from "../../describe/describe.js";
import type { BuiltinName, SoapInterface, TypeDefinition, TypeId } from "../../model/index.js";
import type { BuiltinPlan, Mapping, SoapPlan, TypePlan } from "../../plan/index.js";
import type { CodeSymbol } from "../../print/index.js";
import { type InterfaceFolders, operationsFile } from "../files.js";

/** The state shared by all emitters of one SOAP interface. */
export interface SoapContext {
  readonly plan: SoapPlan;
  readonly soap: SoapInterface;
  readonly descriptors: SoapDescriptors;
  readonly folders: InterfaceFolders;
  readonly definitions: ReadonlyMap<TypeId, TypeDefinition>;
  readonly symbols: ReadonlyMap<TypeId, TypeSymbols>;
}

/** The symbols of a type: its TypeScript type, the array of an enumeration's values, and its descriptor. */
interface TypeSymbols {
  readonly type: CodeSymbol;
  readonly values: CodeSymbol;
  readonly descriptor: CodeSymbol;
}

export function soapContext(plan: SoapPlan, descriptors: SoapDescriptors, folders: InterfaceFolders): SoapContext {
  const soap = plan.interface;
  const symbols = [...plan.types].map(([id, type]) => [id, symbolsOf(type, folders)] as const);
  const definitions = new Map(soap.types.map((type) => [type.id, type]));
  return { plan, soap, descriptors, folders, definitions, symbols: new Map(symbols) };
}

function symbolsOf({ name, values, descriptor, typesFile }: TypePlan, { contract }: InterfaceFolders): TypeSymbols {
  return {
    type: contract.type(name, typesFile),
    values: contract.value(values, typesFile),
    descriptor: contract.value(descriptor, operationsFile),
  };
}

/** The definition of a type. A missing definition is a bug: `lower` reports types that the schema lacks. */
export function definitionOf(id: TypeId, { definitions }: SoapContext): TypeDefinition {
  const definition = definitions.get(id);
  if (definition === undefined) {
    throw new Error(`No type ${id} in the contract.`);
  }
  return definition;
}

export function planOf(id: TypeId, { plan }: SoapContext): TypePlan {
  const found = plan.types.get(id);
  if (found === undefined) {
    throw new Error(`No type ${id} in the plan.`);
  }
  return found;
}

export function builtinOf(name: BuiltinName, { plan }: SoapContext): BuiltinPlan {
  const found = plan.builtins.get(name);
  if (found === undefined) {
    throw new Error(`No built-in type ${name}.`);
  }
  return found;
}

/** An export of a mapping's module. */
export function mappedSymbol(mapping: Mapping, name: "type" | "read" | "write", { folders }: SoapContext): CodeSymbol {
  const module = folders.contract.programModule(mapping.module);
  const kind = name === "type" ? "type" : "value";
  return { name: mapping[name], module, kind, namespace: mapping.namespace };
}

export function typeSymbol(id: TypeId, context: SoapContext): CodeSymbol {
  return symbolsOfType(id, context).type;
}

export function valuesSymbol(id: TypeId, context: SoapContext): CodeSymbol {
  return symbolsOfType(id, context).values;
}

export function descriptorSymbol(id: TypeId, context: SoapContext): CodeSymbol {
  return symbolsOfType(id, context).descriptor;
}

function symbolsOfType(id: TypeId, { symbols }: SoapContext): TypeSymbols {
  const found = symbols.get(id);
  if (found === undefined) {
    throw new Error(`No type ${id} in the plan.`);
  }
  return found;
}
