import type { ImportedFeature, JsonValue, PathPiece, PathVariable, RestInterfaceDescriptor } from "../../descriptor.js";
import { ConfigError, EncodeError } from "../../errors.js";
import { encodePart } from "../../protocol/http/form-encoding.js";
import type { PathPatternFeature } from "../../rest/path-pattern.js";
import { type BasePath, compileBase } from "../../rest/route-paths.js";
import type { SegmentsFeature } from "../../rest/segment-names.js";
import { type Address, readAddress } from "../address.js";
import type { RestClientOptions } from "../options.js";
import { argumentError } from "./arguments.js";

/** Builds the addresses of an interface's endpoints. */
export class RestAddress {
  readonly site: Address;
  readonly #base: string;
  readonly #isPlain: boolean;
  readonly #rename: ((path: readonly PathPiece[]) => readonly PathPiece[]) | undefined;

  constructor(descriptor: RestInterfaceDescriptor, options: RestClientOptions) {
    this.site = readAddress(options.siteUrl, 'option "siteUrl"');
    this.#isPlain = options.plainPermalinks === true;
    this.#base = basePath(compileBase(descriptor), options, this.#isPlain);
    this.#rename = segmentRenaming(descriptor, options.wireNames?.segments);
  }

  /** Replaces the segments of an endpoint's path that the option `wireNames` renames. */
  renamePath(path: readonly PathPiece[]): readonly PathPiece[] {
    return this.#rename?.(path) ?? path;
  }

  /** Returns the address of a route and a query, both encoded. */
  url(route: string, query: string): string {
    const { origin, path, query: siteQuery } = this.site;
    const baseUrl = `${origin}${path}${this.#base}`;
    // Slashes in the parameter `rest_route` need no encoding.
    const items = [siteQuery.slice(1), this.#isPlain ? `rest_route=${route || "/"}` : "", query].filter(
      (item) => item !== "",
    );
    return `${baseUrl}${this.#isPlain ? "/" : route}${items.length === 0 ? "" : `?${items.join("&")}`}`;
  }
}

/** Without pretty permalinks, the query replaces the last segment of the base path. */
function basePath(base: BasePath, options: RestClientOptions, isPlain: boolean): string {
  const segments = isPlain ? base.segments.slice(0, -1) : base.segments;
  return segments
    .map((segment) => `/${"literal" in segment ? segment.literal : variableValue(segment.variable, base, options)}`)
    .join("");
}

function variableValue(variable: string, base: BasePath, options: RestClientOptions): string {
  const allowedValues = base.values.get(variable);
  const option: unknown = Object.hasOwn(options, variable) ? Reflect.get(options, variable) : undefined;
  const value = option ?? allowedValues?.[0];
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw new ConfigError(`The option "${variable}" must be a non-empty string: it is a segment of the address.`);
  }
  if (allowedValues !== undefined && !allowedValues.includes(value)) {
    throw new ConfigError(
      `The option "${variable}" must be one of ${allowedValues.map((text) => JSON.stringify(text)).join(", ")}.`,
    );
  }
  return encodePart(value);
}

/** Returns the names of the variables in the base path of an interface. Each is an option of the client. */
export function baseVariables(descriptor: RestInterfaceDescriptor): readonly string[] {
  return compileBase(descriptor).segments.flatMap((segment) => ("variable" in segment ? [segment.variable] : []));
}

/** Writes the path of an endpoint with the values of its variables. Removes these values from `values`. */
export function endpointPath(path: readonly PathPiece[], values: Map<string, JsonValue>): string {
  const usedVariables = new Set<string>();
  const text = writePath(path, { values, usedVariables, textBefore: "" });
  // The complete path is checked, because a segment may consist of a variable and literal text beside it.
  const dotSegment = text
    .split("/")
    .slice(1)
    .find((segment) => segment === "." || segment === "..");
  if (dotSegment !== undefined) {
    throw new EncodeError(
      'With these arguments, the path has a segment "." or "..", which an address cannot contain. Change the arguments.',
      {
        path: "/",
      },
    );
  }
  for (const name of usedVariables) {
    values.delete(name);
  }
  return text;
}

interface PathContext {
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly usedVariables: Set<string>;
  /** The text of the path before the current piece. */
  readonly textBefore: string;
}

function writePath(path: readonly PathPiece[], { values, usedVariables, textBefore }: PathContext): string {
  return path.reduce((text: string, piece) => {
    if (typeof piece === "string") {
      return text + piece.split("/").map(encodePart).join("/");
    }
    const context: PathContext = { values, usedVariables, textBefore: textBefore + text };
    if ("variable" in piece) {
      return text + variableText(piece, context);
    }
    const optionalPieces = piece.optional;
    return hasValue(optionalPieces, context) ? text + writePath(optionalPieces, context) : text;
  }, "");
}

/** Whether any variable in an optional part of a path has a non-empty value. */
function hasValue(pieces: readonly PathPiece[], context: PathContext): boolean {
  return pieces.some((piece) => {
    if (typeof piece === "string") {
      return false;
    }
    if ("optional" in piece) {
      return hasValue(piece.optional, context);
    }
    context.usedVariables.add(piece.variable);
    return (context.values.get(piece.variable) ?? "") !== "";
  });
}

function variableText(pathVariable: PathVariable, { values, usedVariables, textBefore }: PathContext): string {
  const { variable } = pathVariable;
  usedVariables.add(variable);
  const path = `/${variable}`;
  const value = values.get(variable);
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text === "") {
    throw argumentError(path, "The value must be a non-empty string or a number: it is part of the path.");
  }
  const segments = text.includes("/") && allowsSlashes(pathVariable, text) ? text.split("/") : [text];
  for (const [index, segment] of segments.entries()) {
    // A slash at the start of the value is allowed if it ends a segment. Two slashes inside a value are valid:
    // `twentytwentyfive//single`.
    const isEmptyEnd = segment === "" && (index > 0 ? index === segments.length - 1 : textBefore.endsWith("/"));
    if (isEmptyEnd || segment === "." || segment === "..") {
      throw argumentError(path, 'A segment must not be "." or "..", and the value must not begin or end with a slash.');
    }
  }
  return segments.map(encodePart).join("/");
}

/** Whether the variable's pattern matches `text`, which contains slashes. */
function allowsSlashes({ pattern, by }: PathVariable, text: string): boolean {
  return pattern !== undefined && by !== undefined && isPathPatternFeature(by) && by.matches(pattern, text);
}

function isPathPatternFeature(feature: ImportedFeature<"pathPattern">): feature is PathPatternFeature {
  return "matches" in feature;
}

/** Returns a function that renames the segments of a path; undefined if no names change. */
function segmentRenaming(
  { segments = [], by }: RestInterfaceDescriptor,
  names: Readonly<Record<string, string | undefined>> | undefined,
): ((path: readonly PathPiece[]) => readonly PathPiece[]) | undefined {
  if (names === undefined) {
    return undefined;
  }
  if (by !== undefined && isSegmentsFeature(by)) {
    return by.renaming(names, segments);
  }
  throw new ConfigError(
    'The option "wireNames" has no effect, because no segment of the interface can be renamed. Remove the option.',
  );
}

function isSegmentsFeature(feature: ImportedFeature<"segments">): feature is SegmentsFeature {
  return "renaming" in feature;
}
