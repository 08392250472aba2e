import type { BuiltinName, SoapInterfaceConfig } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { type BuiltinPlan, mappings, ordinaryBuiltins } from "./builtins.js";
import type { Scope } from "./scope.js";

/** The TypeScript side of every built-in, as `typeMap` wants it, with aliases that no type of the schema has taken. */
export function planBuiltins(
  config: SoapInterfaceConfig | undefined,
  scope: Scope,
  diagnostics: Diagnostics,
): ReadonlyMap<BuiltinName, BuiltinPlan> {
  const mapped = config === undefined ? new Map<string, BuiltinPlan>() : readTypeMap(config, diagnostics);
  return new Map(
    [...ordinaryBuiltins].map(([name, plan]) => {
      const other = mapped.get(name);
      if (other !== undefined) return [name, other];
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
    if (isOrdinary(name, type)) continue;
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

/** Saying what holds anyway is no mistake. */
function isOrdinary(name: string, type: string): boolean {
  const value = [...ordinaryBuiltins].find(([builtin]) => builtin === name)?.[1].value;
  return value === type || (value === "lexical" && type === "string");
}
