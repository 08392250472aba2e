import { counted, Problem } from "./problem.js";
import type { Schema } from "./schema.js";

/** What is wrong with a text by its length and pattern. */
export function textProblem(text: string, schema: Schema, name: string): Problem | undefined {
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    const length = lengthOf(text);
    if (schema.minLength !== undefined && length < schema.minLength) {
      return new Problem(
        name,
        "rest_too_short",
        `${name} must be at least ${counted(schema.minLength, "character")} long.`,
      );
    }
    if (schema.maxLength !== undefined && length > schema.maxLength) {
      return new Problem(
        name,
        "rest_too_long",
        `${name} must be at most ${counted(schema.maxLength, "character")} long.`,
      );
    }
  }
  if (schema.pattern?.matcher?.test(text) === false) {
    return new Problem(name, "rest_invalid_pattern", `${name} does not match pattern ${schema.pattern.text}.`);
  }
  return undefined;
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** What is wrong with a number by its bounds. */
export function boundsProblem(number: number, schema: Schema, name: string): Problem | undefined {
  const { minimum, maximum, multipleOf } = schema;
  if (multipleOf !== undefined && multipleOf !== 0 && number % multipleOf !== 0) {
    return new Problem(name, "rest_invalid_multiple", `${name} must be a multiple of ${multipleOf}.`);
  }
  const low = minimum !== undefined && (schema.exclusiveMinimum ? number <= minimum : number < minimum);
  const high = maximum !== undefined && (schema.exclusiveMaximum ? number >= maximum : number > maximum);
  return low || high ? new Problem(name, "rest_out_of_bounds", `${name} must be ${boundsText(schema)}`) : undefined;
}

function boundsText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) {
    const kind = (exclusive: boolean) => (exclusive ? "(exclusive)" : "(inclusive)");
    return `between ${whole(minimum)} ${kind(exclusiveMinimum)} and ${whole(maximum)} ${kind(exclusiveMaximum)}`;
  }
  if (minimum !== undefined) return `greater than ${exclusiveMinimum ? "" : "or equal to "}${whole(minimum)}`;
  return `less than ${exclusiveMaximum ? "" : "or equal to "}${whole(maximum ?? 0)}`;
}

/** Bounds are told as whole numbers. */
function whole(number: number): string {
  return String(Math.trunc(number));
}
