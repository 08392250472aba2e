import { builtInTypes } from "@bothends/datatypes/definitions";
import { clark, splitClark } from "@bothends/xml";
import type {
  BuiltinName,
  MappedType,
  ModulePath,
  ModuleType,
  SoapInterface,
  SoapInterfaceConfig,
  TypeDefinition,
  TypeId,
} from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { nearestQName } from "../source/names.js";
import type { Span } from "../source/span.js";
import { camel, type Scope } from "./names.js";

/** The JavaScript representation of a simple type; `lexical` is a string in the type's own notation. */
export type ValueKind =
  | "string"
  | "lexical"
  | "number"
  | "bigint"
  | "boolean"
  | "bytes"
  | "strings"
  | "date"
  | "any"
  | "module";

/** How a built-in type appears in code: its value, and the runtime's constant. */
export interface BuiltinPlan {
  readonly value: ValueKind;
  /** The name in `xs`. */
  readonly descriptor: string;
  /** The alias that types use instead of `string`, or instead of a module's type. */
  readonly alias: string | undefined;
  /** Present if the values have a module's type. */
  readonly mapping?: Mapping | undefined;
}

/** A module's type, and the functions that convert it. */
export interface Mapping extends ModuleType {
  /** The name under which files import the module. */
  readonly namespace: string;
  /** The descriptor of a built-in type with this type: `decimalType`. Named types have their own descriptors. */
  readonly descriptor: string;
}

/** Aliases for types whose values are strings in their own notation. `Date` is JavaScript's name. */
export const aliasNames: ReadonlyMap<string, string> = new Map([
  ["decimal", "Decimal"],
  ["duration", "Duration"],
  ["dateTime", "DateTime"],
  ["time", "Time"],
  ["date", "DateOnly"],
  ["gYearMonth", "YearMonth"],
  ["gYear", "Year"],
  ["gMonthDay", "MonthDay"],
  ["gDay", "Day"],
  ["gMonth", "Month"],
  ["anyURI", "AnyURI"],
  ["QName", "QName"],
  ["NOTATION", "Notation"],
]);

const wideIntegers: readonly string[] = builtInTypes.flatMap(({ name, value }) => (value === "bigint" ? [name] : []));

/** The allowed entries of `typeMap`: for each built-in type, its TypeScript types and the runtime's constants. */
export const mappings: ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly value: ValueKind; readonly descriptor: string }>
> = new Map([
  ["dateTime", new Map([["Date", { value: "date", descriptor: "dateTimeAsDate" }]])],
  ["date", new Map([["Date", { value: "date", descriptor: "dateAsDate" }]])],
  ["decimal", new Map([["number", { value: "number", descriptor: "decimalAsNumber" }]])],
  ...wideIntegers.map(
    (name) =>
      [
        name,
        new Map<string, { readonly value: ValueKind; readonly descriptor: string }>([
          ["number", { value: "number", descriptor: `${name}AsNumber` }],
          ["string", { value: "string", descriptor: `${name}AsString` }],
        ]),
      ] as const,
  ),
]);

/** Every built-in type before `typeMap`; the alias is not yet compared with other names. */
export const ordinaryBuiltins: ReadonlyMap<BuiltinName, BuiltinPlan> = new Map<BuiltinName, BuiltinPlan>([
  ...builtInTypes.map(({ name, value }) => {
    const alias = aliasNames.get(name);
    return [name, { value: alias === undefined ? value : "lexical", descriptor: name, alias }] as const;
  }),
  ["anySimpleType", { value: "string", descriptor: "anySimpleType", alias: undefined }],
  ["anyType", { value: "any", descriptor: "anyType", alias: undefined }],
]);

/** The types that `typeMap` changes. */
export interface TypeMapPlan {
  /** How every built-in type appears in code, with aliases that differ from the schema's types. */
  readonly builtins: ReadonlyMap<BuiltinName, BuiltinPlan>;
  /** The named types with a module's type; equal types share it. */
  readonly named: ReadonlyMap<TypeId, Mapping>;
  /** The named types with another representation of their built-in type: `{urn:shop}Price` as `number`. Equal types share it. */
  readonly represented: ReadonlyMap<TypeId, BuiltinPlan>;
}

export interface TypeMapInputs {
  readonly config: SoapInterfaceConfig | undefined;
  readonly scope: Scope;
  readonly diagnostics: Diagnostics;
  /** The first of the equal types, for each type. */
  readonly representatives: ReadonlyMap<TypeId, TypeId>;
}

/** Plans the TypeScript types of built-in types, and of the named types in `typeMap`. */
export function planTypeMap({ types }: SoapInterface, inputs: TypeMapInputs): TypeMapPlan {
  const { config, scope, diagnostics } = inputs;
  const typeMap = config?.typeMap ?? new Map<string, MappedType>();
  const words = new Map<string, BuiltinPlan>();
  const modules = new Map<string, Mapping>();
  const namespaces = new Map<string, string>();
  const mappingOf = (type: ModuleType, word: string): Mapping => {
    const key = JSON.stringify(type.module);
    const namespace = namespaces.get(key) ?? scope.take(moduleWord(type.module), `${moduleWord(type.module)}Module`);
    namespaces.set(key, namespace);
    return { ...type, namespace, descriptor: scope.take(`${word}Type`, `${word}Mapping`) };
  };
  const named = new Map<TypeId, Mapping>();
  const represented = new Map<TypeId, BuiltinPlan>();
  const byId = new Map(types.map((type) => [type.id, type]));
  const equalTo = (definition: TypeDefinition): readonly TypeDefinition[] => {
    const first = inputs.representatives.get(definition.id);
    return types.filter(({ id, exact }) => inputs.representatives.get(exact ?? id) === first);
  };
  for (const [name, { type, span, keySpan }] of usableEntries(typeMap, { ...inputs, byId })) {
    const definition = byId.get(name);
    if (typeof type === "string") {
      const plan = readWord(name, type, { definition, byId, span, diagnostics });
      if (plan !== undefined && definition === undefined) {
        words.set(name, plan);
      } else if (plan !== undefined && definition !== undefined) {
        for (const each of equalTo(definition)) {
          represented.set(each.id, plan);
        }
      }
      continue;
    }
    if (canBeMapped(name)) {
      modules.set(name, mappingOf(type, camel(name)));
    } else if (definition !== undefined && isSimple(definition)) {
      const mapping = mappingOf(type, camel(name));
      for (const each of equalTo(definition)) {
        named.set(each.id, mapping);
      }
    } else {
      diagnostics.error("NAM005", keySpan, {
        message: `"typeMap" cannot map ${JSON.stringify(name)} to a module, because it is not a simple type of the schema.`,
        help: "Write a built-in type as decimal, and a named type of the schema as {namespace}local.",
      });
    }
  }
  const builtins = [...ordinaryBuiltins].map(([name, plan]): readonly [BuiltinName, BuiltinPlan] => {
    const mapping = modules.get(name);
    if (mapping !== undefined) {
      const alias = scope.take(mapping.type, `${mapping.type}Value`);
      return [name, { ...plan, value: "module", alias, mapping }];
    }
    const configured = words.get(name);
    if (configured !== undefined) {
      return [name, configured];
    }
    return [name, plan.alias === undefined ? plan : { ...plan, alias: scope.take(plan.alias, `${plan.alias}Text`) }];
  });
  return { builtins: new Map(builtins), named, represented };
}

interface EntryContext extends Pick<TypeMapInputs, "diagnostics" | "representatives"> {
  readonly byId: ReadonlyMap<TypeId, TypeDefinition>;
}

/**
 * The entries of `typeMap` for types that exist. Equal types share a declaration, so only the first entry for them is returned, and
 * a different one is reported.
 */
function usableEntries(
  typeMap: ReadonlyMap<string, MappedType>,
  { byId, representatives, diagnostics }: EntryContext,
): readonly (readonly [string, MappedType])[] {
  const earlier = new Map<TypeId, { readonly name: string; readonly type: string }>();
  return [...typeMap].filter(([name, entry]) => {
    if (name.startsWith("{") && !byId.has(name)) {
      reportUnknownType(name, entry, { byId, diagnostics });
      return false;
    }
    const representative = representatives.get(name);
    if (representative === undefined) {
      return true;
    }
    const equal = earlier.get(representative);
    if (equal === undefined) {
      earlier.set(representative, { name, type: JSON.stringify(entry.type) });
      return true;
    }
    if (equal.type !== JSON.stringify(entry.type)) {
      diagnostics.error("NAM005", entry.keySpan, {
        message: `"typeMap" maps ${JSON.stringify(equal.name)} and ${JSON.stringify(name)} differently, but they are the same declaration.`,
        help: "Remove one of the entries, or make them equal.",
      });
    }
    return false;
  });
}

function reportUnknownType(
  name: string,
  { keySpan }: MappedType,
  { byId, diagnostics }: Pick<EntryContext, "byId" | "diagnostics">,
): void {
  const simpleTypes = [...byId.values()].filter((type) => isSimple(type) && type.exact === undefined);
  const { namespace, localName: local } = splitClark(name);
  const nearest = nearestQName(
    { namespace, local },
    simpleTypes.map(({ id }) => id),
  );
  diagnostics.error("NAM005", keySpan, {
    message: `"typeMap" names the type ${JSON.stringify(name)}, which the schema does not have.`,
    help:
      nearest === undefined
        ? "Write a named type of the schema as {namespace}local."
        : `Did you mean ${JSON.stringify(clark(nearest.namespace, nearest.local))}?`,
  });
}

/** Whether a built-in type can be mapped to a module's type. QNames cannot, because they need the document's prefixes. */
function canBeMapped(name: string): boolean {
  return builtInTypes.some((type) => type.name === name) && name !== "QName" && name !== "NOTATION";
}

function isSimple({ kind, name }: TypeDefinition): boolean {
  return name !== undefined && ["restriction", "enumeration", "list", "union"].includes(kind);
}

/** A word for the imported module, from its file or package. */
function moduleWord(module: ModulePath): string {
  const text = "file" in module ? module.file : module.package;
  const word = camel((text.split("/").at(-1) ?? "").replace(/\.m?js$/, ""));
  return /^[A-Za-z]/.test(word) ? word : "values";
}

interface WordContext {
  readonly definition: TypeDefinition | undefined;
  readonly byId: ReadonlyMap<string, TypeDefinition>;
  readonly span: Span;
  readonly diagnostics: Diagnostics;
}

/** Reads a word of `typeMap`, such as `number`, for a built-in type or for a named type that restricts one. */
function readWord(name: string, word: string, context: WordContext): BuiltinPlan | undefined {
  const { definition, byId, span, diagnostics } = context;
  const builtin = definition === undefined ? name : restrictedBuiltin(definition, byId);
  const known = mappings.get(builtin ?? "");
  const mapping = known?.get(word);
  if (mapping !== undefined) {
    return { ...mapping, alias: undefined };
  }
  const ordinary = [...ordinaryBuiltins].find(([each]) => each === builtin)?.[1];
  if (ordinary?.value === word || (ordinary?.value === "lexical" && word === "string")) {
    return ordinary;
  }
  diagnostics.error("NAM005", span, {
    message: `"typeMap" cannot make ${JSON.stringify(name)} a ${JSON.stringify(word)}.`,
    help:
      known !== undefined
        ? `It can make it ${[...known.keys()].join(" or ")}.`
        : name.startsWith("{")
          ? 'A named type can have a type of a module: { "module": "./prices.js", "type": "Price", "read": "parsePrice", "write": "formatPrice" }.'
          : `It can change ${[...mappings.keys()].join(", ")}.`,
  });
  return undefined;
}

/** The built-in type that a type restricts; undefined for enumerations, lists and unions. */
function restrictedBuiltin(type: TypeDefinition, byId: WordContext["byId"]): BuiltinName | undefined {
  if (type.kind !== "restriction") {
    return undefined;
  }
  if (type.base.kind === "builtin") {
    return type.base.name;
  }
  const base = byId.get(type.base.id);
  return base === undefined ? undefined : restrictedBuiltin(base, byId);
}
