import type { AnswerType, JsonType, RestInterface } from "@bothends/generator";
import type { ReadingLevels } from "./read-values.js";

/** Two versions of a REST interface, and the pairs of named types that have already been compared. */
export interface JsonComparison {
  readonly old: RestInterface;
  readonly new: RestInterface;
  readonly comparedPairs: Set<string>;
  /** The effects of changed arguments on servers, by the definitions of the arguments. Many arguments are equal. */
  readonly argumentLevels: Map<string, ReadingLevels>;
  /** The only version whose servers apply the hidden limits of WordPress; absent if both or neither do. */
  readonly limited?: "old" | "new" | undefined;
  /** The values of the argument `context` that an endpoint accepts in both versions; absent if they are unknown. */
  readonly contexts?: readonly string[];
  /** The values of `context` for which answers of only one version contain the compared object. */
  readonly separateContexts?: SeparateContexts;
  /**
   * The values of `context` for which new answers contain the compared object without any of its declared properties.
   * In generated code, the object may then have any properties.
   */
  readonly emptyContexts?: readonly string[];
  /** Whether some new answers depend on the argument `context`, so that their handlers have looser types. */
  readonly hasLooseHandlers?: boolean;
  /** The names of exported types in both versions, keyed by type id; absent if they are not compared. */
  readonly typeNames?: readonly [before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>];
  /**
   * Whether the types are compared only to estimate how similar they are. Members of unions are then matched without
   * further estimates.
   */
  readonly isEstimate?: boolean;
}

export interface SeparateContexts {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

export type NamedType = Extract<JsonType, { readonly kind: "named" }>;

/** Returns the answer that declares a named type. */
export function findAnswer({ answers }: RestInterface, type: Pick<NamedType, "id">): AnswerType | undefined {
  return answers.find(({ id }) => id === type.id);
}

/** Returns the definition of a named type; any other type itself. */
export function resolveType(side: RestInterface, type: JsonType): JsonType {
  return type.kind === "named" ? (findAnswer(side, type)?.type ?? { kind: "any" }) : type;
}
