import type { Arg, PathVariable } from "../model/rest.js";
import { type Endpoint, jsonValue, type Route } from "../read/discovery/index.js";
import { shortened } from "../source/limits.js";
import { variablesOf } from "./discovery-segments.js";
import { lowerSchema, type TypeLowering } from "./discovery-types.js";

/** Patterns that digits alone match: `\d+`, `[\d]{1,5}`, `[0-9]+`. */
const digitsOnly = /^(?:\\d|\[\\d\]|\[0-9\])(?:\+|\{\d+(?:,\d*)?\})?$/;

/** The arguments of an endpoint: path variables that none declares first, then the declared ones in order. */
export function lowerArgs(route: Route, endpoint: Endpoint, lowering: TypeLowering): readonly Arg[] {
  const variables = new Map(variablesOf(route.path).map((each) => [each.variable.variable, each]));
  const declared = new Set(endpoint.args.map((arg) => arg.name));
  const undeclared = [...variables.values()].filter(({ variable }) => !declared.has(variable.variable));
  return [
    ...undeclared.map(({ variable, required }): Arg => {
      const type = { kind: variableKind(variable) };
      return {
        name: variable.variable,
        inPath: true,
        required,
        type,
        default: undefined,
        span: route.span,
        documentation: undefined,
      };
    }),
    ...endpoint.args.map((arg): Arg => {
      const variable = variables.get(arg.name);
      const type = lowerSchema(arg.schema, lowering);
      return {
        name: arg.name,
        inPath: variable !== undefined,
        required: arg.required || variable?.required === true,
        // Text in a path is never just anything: where the argument has no type, the pattern tells.
        type: variable !== undefined && type.kind === "any" ? { kind: variableKind(variable.variable) } : type,
        default: arg.schema.default === undefined ? undefined : jsonValue(arg.schema.default),
        span: arg.span,
        documentation: shortened(arg.schema.description, lowering.limits.descriptionChars),
      };
    }),
  ];
}

function variableKind(variable: PathVariable): "integer" | "string" {
  return digitsOnly.test(variable.pattern) ? "integer" : "string";
}
