import type { SoapDescriptors } from "../../describe/describe.js";
import type { BuiltinName, SoapInterface, TypeDefinition, TypeId } from "../../model/index.js";
import type { BuiltinPlan, Mapping, SoapPlan, TypePlan } from "../../plan/index.js";
import type { CodeSymbol } from "../../print/index.js";
import { type InterfaceFolders, operationsFile } from "../files.js";

/** The inputs for all files of one SOAP interface. */
export interface SoapContext {
  readonly plan: SoapPlan;
  readonly soap: SoapInterface;
  readonly descriptors: SoapDescriptors;
  readonly folders: InterfaceFolders;
  readonly definitions: ReadonlyMap<TypeId, TypeDefinition>;
  readonly symbols: ReadonlyMap<TypeId, TypeSymbols>;
}

/** The symbols of a type: its TypeScript type, the constant with an enumeration's values, and its descriptor. */
interface TypeSymbols {
  readonly type: CodeSymbol;
  readonly values: CodeSymbol;
  readonly descriptor: CodeSymbol;
}

export function createSoapContext(
  plan: SoapPlan,
  descriptors: SoapDescriptors,
  folders: InterfaceFolders,
): SoapContext {
  const soap = plan.interface;
  const symbols = [...plan.types].map(([id, type]) => [id, getSymbols(type, folders)] as const);
  const definitions = new Map(soap.types.map((type) => [type.id, type]));
  return { plan, soap, descriptors, folders, definitions, symbols: new Map(symbols) };
}

function getSymbols({ name, values, descriptor, typesFile }: TypePlan, { contract }: InterfaceFolders): TypeSymbols {
  return {
    type: contract.getType(name, typesFile),
    values: contract.getValue(values, typesFile),
    descriptor: contract.getValue(descriptor, operationsFile),
  };
}

/**
 * Returns the definition of a type. Throws if there is none, because reading the schema would have reported a missing
 * type.
 */
export function getDefinition(id: TypeId, { definitions }: SoapContext): TypeDefinition {
  const definition = definitions.get(id);
  if (definition === undefined) {
    throw new Error(`The contract has no type ${id}.`);
  }
  return definition;
}

/** Returns the names of a type. Throws if the plan has no such type. */
export function getTypePlan(id: TypeId, { plan }: SoapContext): TypePlan {
  const typePlan = plan.types.get(id);
  if (typePlan === undefined) {
    throw new Error(`The plan has no type ${id}.`);
  }
  return typePlan;
}

/** Returns the TypeScript type of a built-in type. Throws if the plan has none. */
export function getBuiltin(name: BuiltinName, { plan }: SoapContext): BuiltinPlan {
  const builtinPlan = plan.builtins.get(name);
  if (builtinPlan === undefined) {
    throw new Error(`The plan has no built-in type ${name}.`);
  }
  return builtinPlan;
}

/** Returns the symbol of an export of the module to which a type is mapped: the type, or one of its functions. */
export function getMappedSymbol(
  mapping: Mapping,
  name: "type" | "read" | "write",
  { folders }: SoapContext,
): CodeSymbol {
  const module = folders.contract.getProgramModule(mapping.module);
  const kind = name === "type" ? "type" : "value";
  return { name: mapping[name], module, kind, namespace: mapping.namespace };
}

/** Returns the symbol of a type's TypeScript type. */
export function getTypeSymbol(id: TypeId, context: SoapContext): CodeSymbol {
  return getSymbolsOfType(id, context).type;
}

/** Returns the symbol of the constant with an enumeration's values. */
export function getValuesSymbol(id: TypeId, context: SoapContext): CodeSymbol {
  return getSymbolsOfType(id, context).values;
}

/** Returns the symbol of a type's descriptor. */
export function getDescriptorSymbol(id: TypeId, context: SoapContext): CodeSymbol {
  return getSymbolsOfType(id, context).descriptor;
}

function getSymbolsOfType(id: TypeId, { symbols }: SoapContext): TypeSymbols {
  const typeSymbols = symbols.get(id);
  if (typeSymbols === undefined) {
    throw new Error(`The plan has no type ${id}.`);
  }
  return typeSymbols;
}
