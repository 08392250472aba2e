import { builtInTypes } from "@bothends/datatypes/definitions";
import type { BuiltinName, SoapInterfaceConfig } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import type { Scope } from "./scope.js";

/** What a value of a simple type is in JavaScript; `lexical` is a string in the type's own notation. */
export type ValueKind = "string" | "lexical" | "number" | "bigint" | "boolean" | "bytes" | "strings" | "date" | "any";

/** How a built-in type appears in code: its value, and the runtime's constant. */
export interface BuiltinPlan {
  readonly value: ValueKind;
  /** The name in `xs`. */
  readonly descriptor: string;
  /** The alias that types use instead of `string`. */
  readonly alias: string | undefined;
}

/** Aliases for types whose values are strings in a notation of their own. `Date` is JavaScript's name. */
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

/** The entries that `typeMap` may have: for each built-in type, its values in TypeScript and the runtime's constant. */
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

/** Every built-in type before `typeMap`; the alias is not yet checked against other names. */
export const ordinaryBuiltins: ReadonlyMap<BuiltinName, BuiltinPlan> = new Map<BuiltinName, BuiltinPlan>([
  ...builtInTypes.map(({ name, value }) => {
    const alias = aliasNames.get(name);
    return [name, { value: alias === undefined ? value : "lexical", descriptor: name, alias }] as const;
  }),
  ["anySimpleType", { value: "string", descriptor: "anySimpleType", alias: undefined }],
  ["anyType", { value: "any", descriptor: "anyType", alias: undefined }],
]);

/** How every built-in type appears in code, as `typeMap` says, with aliases that differ from the types of the schema. */
export function planBuiltins(
  config: SoapInterfaceConfig | undefined,
  scope: Scope,
  diagnostics: Diagnostics,
): ReadonlyMap<BuiltinName, BuiltinPlan> {
  const mapped = config === undefined ? new Map<string, BuiltinPlan>() : readTypeMap(config, diagnostics);
  return new Map(
    [...ordinaryBuiltins].map(([name, plan]) => {
      const configured = mapped.get(name);
      if (configured !== undefined) {
        return [name, configured];
      }
      return [name, plan.alias === undefined ? plan : { ...plan, alias: scope.take(plan.alias, `${plan.alias}Text`) }];
    }),
  );
}

function readTypeMap(config: SoapInterfaceConfig, diagnostics: Diagnostics): ReadonlyMap<string, BuiltinPlan> {
  const plans = new Map<string, BuiltinPlan>();
  for (const [name, { type, span }] of config.typeMap) {
    const known = mappings.get(name);
    const mapping = known?.get(type);
    if (mapping !== undefined) {
      plans.set(name, { ...mapping, alias: undefined });
      continue;
    }
    if (isOrdinary(name, type)) {
      continue;
    }
    diagnostics.error("NAM005", span, {
      message: `"typeMap" cannot make ${JSON.stringify(name)} a ${JSON.stringify(type)}.`,
      help:
        known === undefined
          ? `It can change ${[...mappings.keys()].join(", ")}.`
          : `It can make it ${[...known.keys()].join(" or ")}.`,
    });
  }
  return plans;
}

/** Whether an entry of `typeMap` states the default, which is allowed. */
function isOrdinary(name: string, type: string): boolean {
  const value = [...ordinaryBuiltins].find(([builtin]) => builtin === name)?.[1].value;
  return value === type || (value === "lexical" && type === "string");
}
