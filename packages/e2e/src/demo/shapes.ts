import { isDeepStrictEqual } from "node:util";
import type { Call } from "./call.js";

/**
 * The expected form of an answer. A function checks the value, an object lists required members, and a list has a shape
 * for each item. Any other shape is the expected value.
 */
export type Shape = ((value: unknown) => boolean) | string | number | boolean | null | ShapeList | ShapeObject;
type ShapeList = readonly Shape[];
interface ShapeObject {
  readonly [name: string]: Shape;
}

/** Describes the first difference between an answer and its shape, with its position; undefined if there is none. */
export function findShapeProblem(value: unknown, shape: Shape, path = "the answer"): string | undefined {
  if (typeof shape === "function") {
    return shape(value) ? undefined : `${path} is ${formatText(value)}`;
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length !== shape.length) {
      return `${path} is ${formatText(value)}, expected a list of ${shape.length}`;
    }
    return findFirstProblem(
      shape.map((item: Shape, index) => findShapeProblem(value[index], item, `${path}[${index}]`)),
    );
  }
  if (typeof shape === "object" && shape !== null) {
    if (typeof value !== "object" || value === null) {
      return `${path} is ${formatText(value)}, expected an object`;
    }
    return findFirstProblem(
      Object.entries(shape).map(([name, member]) =>
        findShapeProblem(Reflect.get(value, name), member, `${path}.${name}`),
      ),
    );
  }
  return isDeepStrictEqual(value, shape) ? undefined : `${path} is ${formatText(value)}, expected ${formatText(shape)}`;
}

function findFirstProblem(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

function formatText(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** The methods that update an object. */
export const updates = ["POST", "PUT", "PATCH"] as const;

/**
 * Returns a call with the expected form of its answer. The form is created after the call, because it may depend on
 * earlier answers.
 */
export function createShapedCall(
  operation: string,
  protocol: Method,
  run: () => Promise<unknown>,
  shape: () => Shape,
): Call {
  return { operation, protocol, run, expected: { check: (answer) => findShapeProblem(answer, shape()) } };
}
