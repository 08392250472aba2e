import type { Endpoint } from "@bothends/generator";
import { type Endpoints, listVariables } from "../json-values.js";

// Describes the paths of routes without the names and patterns of their variables.

type Path = Endpoint["path"];

/** Returns the path of an endpoint without the names and patterns of its variables: `/core/v2/blocks/{}`. */
export function getShape(endpoint: Endpoint | undefined): string {
  const formatPath = (path: Path): string =>
    path
      .map((piece) =>
        typeof piece === "string" ? piece : "optional" in piece ? `[${formatPath(piece.optional)}]` : "{}",
      )
      .join("");
  return endpoint === undefined ? "" : formatPath(endpoint.path);
}

/** A path with some of its optional parts, and without the others. */
interface PathForm {
  readonly shape: string;
  /** The name of the variable at each `{}` of the shape; undefined for a place that has no name. */
  readonly variables: readonly (string | undefined)[];
}

/** The number of forms of a path that are compared. Paths with more optional parts have no forms. */
const maxForms = 64;

/** Lists the forms of a path: with each of its optional parts and without it. */
function listForms(path: Path): readonly PathForm[] {
  const forms = path.reduce(
    (starts: readonly PathForm[], piece): readonly PathForm[] => {
      const endings = starts.length > maxForms ? [] : listFormsOfPiece(piece);
      return starts.flatMap(({ shape, variables }) =>
        endings.map((ending) => ({
          shape: shape + ending.shape,
          variables: [...variables, ...ending.variables],
        })),
      );
    },
    [{ shape: "", variables: [] }],
  );
  return forms.length > maxForms ? [] : forms;
}

function listFormsOfPiece(piece: Path[number]): readonly PathForm[] {
  if (typeof piece === "string") {
    return [{ shape: piece, variables: [] }];
  }
  if ("optional" in piece) {
    return [...listForms(piece.optional), { shape: "", variables: [] }];
  }
  return [{ shape: "{}", variables: ["variable" in piece ? piece.variable : undefined] }];
}

/** Lists the shapes of the forms of an endpoint's path. Paths that share one differ only in optional parts. */
export function listShapes(endpoint: Endpoint | undefined): ReadonlySet<string> {
  return new Set(endpoint === undefined ? [] : listForms(endpoint.path).map(({ shape }) => shape));
}

/**
 * Returns the forms of both paths with the same shape that have the most variables, and the most variables with the
 * same name; undefined if no forms have the same shape.
 */
function findLongestSharedForms(left: Path, right: Path): readonly [PathForm, PathForm] | undefined {
  const rightForms = listForms(right);
  const pairs = listForms(left).flatMap((form) =>
    rightForms.filter(({ shape }) => shape === form.shape).map((other): readonly [PathForm, PathForm] => [form, other]),
  );
  const countSameNames = ([form, other]: readonly [PathForm, PathForm]) =>
    form.variables.filter((variable, index) => variable === other.variables[index]).length;
  return pairs.toSorted(
    (first, second) =>
      second[0].variables.length - first[0].variables.length || countSameNames(second) - countSameNames(first),
  )[0];
}

/**
 * Maps the old name of each path variable to the new name of the variable at the same position. Variables in optional
 * parts that only one version has are omitted.
 */
export function matchVariableNames({ before, after }: Endpoints): ReadonlyMap<string, string> {
  const [oldVariables, newVariables] = findSharedVariables(before, after) ?? [
    listVariables(before.path).map(({ variable }) => variable),
    listVariables(after.path).map(({ variable }) => variable),
  ];
  return new Map(
    oldVariables.flatMap((variable, index) => {
      const counterpart = newVariables[index];
      return variable === undefined || counterpart === undefined ? [] : [[variable, counterpart] as const];
    }),
  );
}

/** Returns the variables of both paths in the parts that both have; undefined if both paths have the same parts. */
function findSharedVariables(before: Endpoint, after: Endpoint) {
  const haveSameParts = omitOptionalBrackets(getShape(before)) === omitOptionalBrackets(getShape(after));
  const forms = haveSameParts ? undefined : findLongestSharedForms(before.path, after.path);
  return forms && ([forms[0].variables, forms[1].variables] as const);
}

/** Returns a path without the brackets around its optional parts. */
export function omitOptionalBrackets(shape: string): string {
  return shape.replace(/[[\]]/g, "");
}
