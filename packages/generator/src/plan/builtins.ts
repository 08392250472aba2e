import { findProblem, type SimpleType } from "@bothends/datatypes";
import { builtinDatatypes, facets as constrainingFacets } from "@bothends/datatypes/definitions";
import { findPatternText } from "@bothends/datatypes/pattern/example-text";
import { restriction } from "@bothends/datatypes/xs";
import { clark, splitClark } from "@bothends/xml";
import type {
  BuiltinName,
  FacetValue,
  MappedType,
  ModulePath,
  ModuleType,
  SoapInterface,
  SoapInterfaceConfig,
  TypeDefinition,
  TypeId,
} from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import type { Span } from "../source/span.js";
import { findNearestQName } from "../source/xml-names.js";
import { type Scope, toCamelCase } from "./typescript-names.js";

/**
 * The JavaScript values of a simple type. "lexical" means a string in the notation of XML Schema: `P1D` for a duration.
 */
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

/** How generated code represents a built-in type: the TypeScript type and the descriptor. */
export interface BuiltinPlan {
  readonly value: ValueKind;
  /** The name of the type's descriptor in the runtime's `xs`: `dateTimeAsDate`. */
  readonly descriptor: string;
  /** The alias that generated types use instead of `string` or of a module's type: `Duration`. */
  readonly alias: string | undefined;
  /** The type of a module, if `typeMap` maps the built-in type to one. */
  readonly mapping?: Mapping | undefined;
}

/** A type that a module of the project exports, with the functions that convert its values. */
export interface Mapping extends ModuleType {
  /** The name under which generated files import the module. */
  readonly namespace: string;
  /**
   * The descriptor of a built-in type that is mapped to the module's type: `decimalType`. Named types have separate
   * descriptors.
   */
  readonly descriptor: string;
}

/**
 * Aliases for built-in types whose values are strings. The alias of `date` is `DateOnly`, because `Date` is a class of
 * JavaScript.
 */
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

/** Examples of the built-in types whose values are strings with a syntax. */
export const exampleTexts: ReadonlyMap<string, string> = new Map([
  ["decimal", "12.50"],
  ["duration", "P1D"],
  ["dateTime", "2026-01-31T12:00:00Z"],
  ["time", "12:00:00"],
  ["date", "2026-01-31"],
  ["gYearMonth", "2026-01"],
  ["gYear", "2026"],
  ["gMonthDay", "--01-31"],
  ["gDay", "---31"],
  ["gMonth", "--01"],
  ["anyURI", "https://site.example/"],
  ["QName", "{urn:example}name"],
  ["language", "en"],
  ["NMTOKEN", "name"],
  ["Name", "name"],
  ["NCName", "name"],
  ["ID", "name"],
  ["IDREF", "name"],
  ["ENTITY", "name"],
]);

/** The maximum number of patterns of a type for which a text is made. */
const maxTriedPatterns = 8;

/** A built-in type with the facets of each restriction, the first restriction first. */
export interface RestrictedBuiltin {
  readonly builtin: BuiltinName;
  readonly restrictions: readonly (readonly FacetValue[])[];
}

/**
 * Returns the preferred text if it is a value of a type with patterns, and otherwise another value, which is made for
 * one of the first patterns. Returns undefined if no value is found, or if the type has no patterns.
 */
export function findMatchingText(
  { builtin, restrictions }: RestrictedBuiltin,
  { preferredText, isUsable }: { readonly preferredText: string; isUsable(text: string): boolean },
): string | undefined {
  const patterns = restrictions.flat().flatMap((facet) => (facet.facet === "pattern" ? facet.value : []));
  let type: SimpleType<unknown> | undefined = builtinDatatypes.find(({ name }) => name === builtin)?.type;
  if (type === undefined || patterns.length === 0) {
    return undefined;
  }
  for (const facets of restrictions) {
    type = restriction(
      [type],
      facets.map(({ facet, value }) => [constrainingFacets[facet], value] as const),
      builtin,
    );
  }
  const restrictedType = type;
  const isValid = (text: string) => isUsable(text) && findProblem(restrictedType, text) === undefined;
  if (isValid(preferredText)) {
    return preferredText;
  }
  for (const pattern of patterns.slice(0, maxTriedPatterns)) {
    const text = findPatternText(pattern, isValid);
    if (text !== undefined) {
      return text;
    }
  }
  return undefined;
}

const wideIntegerNames: readonly string[] = builtinDatatypes.flatMap(({ name, value }) =>
  value === "bigint" ? [name] : [],
);

/**
 * For each built-in type, the TypeScript types to which `typeMap` may map it, with the names of the runtime's
 * descriptors.
 */
export const mappings: ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly value: ValueKind; readonly descriptor: string }>
> = new Map([
  ["dateTime", new Map([["Date", { value: "date", descriptor: "dateTimeAsDate" }]])],
  ["date", new Map([["Date", { value: "date", descriptor: "dateAsDate" }]])],
  ["decimal", new Map([["number", { value: "number", descriptor: "decimalAsNumber" }]])],
  ...wideIntegerNames.map(
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

/** The TypeScript type of each built-in type without `typeMap`. An alias may change if another type has its name. */
export const defaultBuiltins: ReadonlyMap<BuiltinName, BuiltinPlan> = new Map<BuiltinName, BuiltinPlan>([
  ...builtinDatatypes.map(({ name, value }) => {
    const alias = aliasNames.get(name);
    return [name, { value: alias === undefined ? value : "lexical", descriptor: name, alias }] as const;
  }),
  ["anySimpleType", { value: "string", descriptor: "anySimpleType", alias: undefined }],
  ["anyType", { value: "any", descriptor: "anyType", alias: undefined }],
]);

/** The TypeScript types of built-in and named types according to `typeMap`. */
export interface TypeMapPlan {
  /**
   * The TypeScript type of each built-in type. The alias of a type differs from the names of all types in the schema.
   */
  readonly builtins: ReadonlyMap<BuiltinName, BuiltinPlan>;
  /** The named types that are mapped to the type of a module. */
  readonly mappedTypes: ReadonlyMap<TypeId, Mapping>;
  /**
   * The named types whose values have a different representation from the values of their built-in type:
   * `{urn:shop}Price` as `number`.
   */
  readonly representedTypes: ReadonlyMap<TypeId, BuiltinPlan>;
}

/** The inputs of `planTypeMap`. */
export interface TypeMapInputs {
  readonly config: SoapInterfaceConfig | undefined;
  readonly scope: Scope;
  readonly diagnostics: Diagnostics;
  /** For each type, the first type in the schema that is equal to it. */
  readonly representatives: ReadonlyMap<TypeId, TypeId>;
}

/**
 * Decides on the TypeScript types of built-in types, and of the named types in `typeMap`. Reports entries of `typeMap`
 * that are not allowed.
 */
export function planTypeMap({ types }: SoapInterface, inputs: TypeMapInputs): TypeMapPlan {
  const { config, scope, diagnostics } = inputs;
  const typeMap = config?.typeMap ?? new Map<string, MappedType>();
  const plansByKeyword = new Map<string, BuiltinPlan>();
  const modules = new Map<string, Mapping>();
  const namespaces = new Map<string, string>();
  const createMapping = (type: ModuleType, word: string): Mapping => {
    const key = JSON.stringify(type.module);
    const namespace =
      namespaces.get(key) ?? scope.takeName(chooseModuleName(type.module), `${chooseModuleName(type.module)}Module`);
    namespaces.set(key, namespace);
    return { ...type, namespace, descriptor: scope.takeName(`${word}Type`, `${word}Mapping`) };
  };
  const mappedTypes = new Map<TypeId, Mapping>();
  const representedTypes = new Map<TypeId, BuiltinPlan>();
  const typesById = new Map(types.map((type) => [type.id, type]));
  const listEqualTypes = (definition: TypeDefinition): readonly TypeDefinition[] => {
    const first = inputs.representatives.get(definition.id);
    return types.filter(({ id, exact }) => inputs.representatives.get(exact ?? id) === first);
  };
  for (const [name, { type, span, keySpan }] of listUsableEntries(typeMap, { ...inputs, typesById })) {
    const definition = typesById.get(name);
    if (typeof type === "string") {
      const plan = readTypeKeyword(name, type, { definition, typesById, span, diagnostics });
      if (plan !== undefined && definition === undefined) {
        plansByKeyword.set(name, plan);
      } else if (plan !== undefined && definition !== undefined) {
        for (const equalType of listEqualTypes(definition)) {
          representedTypes.set(equalType.id, plan);
        }
      }
      continue;
    }
    if (canBeMapped(name)) {
      modules.set(name, createMapping(type, toCamelCase(name)));
    } else if (definition !== undefined && isSimple(definition)) {
      const mapping = createMapping(type, toCamelCase(name));
      for (const equalType of listEqualTypes(definition)) {
        mappedTypes.set(equalType.id, mapping);
      }
    } else {
      diagnostics.error("NAM005", keySpan, {
        message: `\`typeMap\` cannot map ${JSON.stringify(name)} to a module, because it is neither a simple type of the schema nor a built-in type that can be mapped.`,
        help: 'Write a built-in type by its name, such as "decimal", and a named type of the schema as {namespace}local.',
      });
    }
  }
  return { builtins: planBuiltins(modules, plansByKeyword, scope), mappedTypes, representedTypes };
}

/** Decides on the TypeScript type of each built-in type: the type of a module, a keyword, or the default. */
function planBuiltins(
  modules: ReadonlyMap<string, Mapping>,
  plansByKeyword: ReadonlyMap<string, BuiltinPlan>,
  scope: Scope,
): ReadonlyMap<BuiltinName, BuiltinPlan> {
  const planBuiltin = (name: BuiltinName, plan: BuiltinPlan): BuiltinPlan => {
    const mapping = modules.get(name);
    if (mapping !== undefined) {
      const alias = scope.takeName(mapping.type, `${mapping.type}Value`);
      return { ...plan, value: "module", alias, mapping };
    }
    const configuredPlan = plansByKeyword.get(name);
    if (configuredPlan !== undefined) {
      return configuredPlan;
    }
    return plan.alias === undefined ? plan : { ...plan, alias: scope.takeName(plan.alias, `${plan.alias}Text`) };
  };
  return new Map([...defaultBuiltins].map(([name, plan]) => [name, planBuiltin(name, plan)]));
}

interface EntryContext extends Pick<TypeMapInputs, "diagnostics" | "representatives"> {
  readonly typesById: ReadonlyMap<TypeId, TypeDefinition>;
}

/**
 * Returns the entries of `typeMap` whose types exist, one for each declaration, because equal types share a
 * declaration. Reports an entry that maps a type differently from an equal type.
 */
function listUsableEntries(
  typeMap: ReadonlyMap<string, MappedType>,
  { typesById, representatives, diagnostics }: EntryContext,
): readonly (readonly [string, MappedType])[] {
  const earlierEntries = new Map<TypeId, { readonly name: string; readonly type: string }>();
  return [...typeMap].filter(([name, entry]) => {
    if (name.startsWith("{") && !typesById.has(name)) {
      reportUnknownType(name, entry, { typesById, diagnostics });
      return false;
    }
    const representative = representatives.get(name);
    if (representative === undefined) {
      return true;
    }
    const earlierEntry = earlierEntries.get(representative);
    if (earlierEntry === undefined) {
      earlierEntries.set(representative, { name, type: JSON.stringify(entry.type) });
      return true;
    }
    if (earlierEntry.type !== JSON.stringify(entry.type)) {
      diagnostics.error("NAM005", entry.keySpan, {
        message: `\`typeMap\` maps the types ${JSON.stringify(earlierEntry.name)} and ${JSON.stringify(name)} differently, but one declaration defines both.`,
        help: "Remove one of the entries, or make them equal.",
      });
    }
    return false;
  });
}

function reportUnknownType(
  name: string,
  { keySpan }: MappedType,
  { typesById, diagnostics }: Pick<EntryContext, "typesById" | "diagnostics">,
): void {
  const simpleTypes = [...typesById.values()].filter((type) => isSimple(type) && type.exact === undefined);
  const { namespace, localName: local } = splitClark(name);
  const nearestName = findNearestQName(
    { namespace, local },
    simpleTypes.map(({ id }) => id),
  );
  diagnostics.error("NAM005", keySpan, {
    message: `\`typeMap\` names the type ${JSON.stringify(name)}, which the schema does not have.`,
    help:
      nearestName === undefined
        ? "Write a simple type of the schema as {namespace}local."
        : `Did you mean ${JSON.stringify(clark(nearestName.namespace, nearestName.local))}?`,
  });
}

/**
 * Whether a built-in type can be mapped to a module's type. QName and NOTATION cannot: they depend on the prefixes of
 * the document.
 */
function canBeMapped(name: string): boolean {
  return builtinDatatypes.some((type) => type.name === name) && name !== "QName" && name !== "NOTATION";
}

function isSimple({ kind, name }: TypeDefinition): boolean {
  return name !== undefined && ["restriction", "enumeration", "list", "union"].includes(kind);
}

/** Derives the name for an imported module from its file or package: `./lib/prices.js` becomes `prices`. */
function chooseModuleName(module: ModulePath): string {
  const text = "file" in module ? module.file : module.package;
  const name = toCamelCase((text.split("/").at(-1) ?? "").replace(/\.m?js$/, ""));
  return /^[A-Za-z]/.test(name) ? name : "values";
}

interface TypeKeywordContext {
  readonly definition: TypeDefinition | undefined;
  readonly typesById: ReadonlyMap<string, TypeDefinition>;
  readonly span: Span;
  readonly diagnostics: Diagnostics;
}

/**
 * Reads an entry of `typeMap` with a TypeScript type, such as `number`, for a built-in type or for a named type that
 * restricts one.
 */
function readTypeKeyword(name: string, keyword: string, context: TypeKeywordContext): BuiltinPlan | undefined {
  const { definition, typesById, span, diagnostics } = context;
  const builtin = definition === undefined ? name : findRestrictedBuiltin(definition, typesById);
  const allowedTypes = mappings.get(builtin ?? "");
  const mapping = allowedTypes?.get(keyword);
  if (mapping !== undefined) {
    return { ...mapping, alias: undefined };
  }
  const defaultPlan = [...defaultBuiltins].find(([definition]) => definition === builtin)?.[1];
  if (defaultPlan?.value === keyword || (defaultPlan?.value === "lexical" && keyword === "string")) {
    return defaultPlan;
  }
  diagnostics.error("NAM005", span, {
    message: `\`typeMap\` cannot map the type ${JSON.stringify(name)} to ${JSON.stringify(keyword)}.`,
    help:
      allowedTypes !== undefined
        ? `This type can be mapped to ${[...allowedTypes.keys()].join(" or ")}.`
        : name.startsWith("{")
          ? 'A named type can be mapped to a type from a module: { "module": "./prices.js", "type": "Price", "read": "parsePrice", "write": "formatPrice" }.'
          : `Without a module, only these types can be mapped: ${[...mappings.keys()].join(", ")}.`,
  });
  return undefined;
}

/** Returns the built-in type that a type restricts; undefined for enumerations, lists and unions. */
function findRestrictedBuiltin(
  type: TypeDefinition,
  typesById: TypeKeywordContext["typesById"],
): BuiltinName | undefined {
  if (type.kind !== "restriction") {
    return undefined;
  }
  if (type.base.kind === "builtin") {
    return type.base.name;
  }
  const base = typesById.get(type.base.id);
  return base === undefined ? undefined : findRestrictedBuiltin(base, typesById);
}
