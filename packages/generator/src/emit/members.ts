import type { Reference, Value } from "../describe/describe.js";
import {
  array,
  arrayType,
  type CodeSymbol,
  code,
  comment,
  type Declaration,
  documented,
  entry,
  type Fragment,
  identifier,
  key,
  literal,
  literalUnion,
  object,
  objectType,
  typeBody,
  union,
} from "../print/index.js";

interface PropertyOptions {
  readonly optional?: boolean;
  readonly readonly?: boolean;
  readonly documentation?: string | undefined;
}

/**
 * Makes a property of a type. An optional property gets `?: T | undefined`, so that programs can pass a value that may
 * be undefined.
 */
export function property(name: string, type: Fragment, options: PropertyOptions = {}): Fragment {
  const { optional = false, readonly = false, documentation } = options;
  const head = readonly ? code`readonly ${key(name)}` : key(name);
  return documented(documentation, optional ? code`${head}?: ${orUndefined(type)}` : code`${head}: ${type}`);
}

function orUndefined(type: Fragment): Fragment {
  return type === unknownType ? type : union(type, code`undefined`);
}

/** The type `unknown`, which includes undefined. */
export const unknownType: Fragment = code`unknown`;

/** Makes the type `T | null`; returns T unchanged if `isNullable` is false. */
export function orNull(type: Fragment, isNullable = true): Fragment {
  return isNullable ? union(type, code`null`) : type;
}

/**
 * Makes the option `wireNames?: { namespaces?: { reg?: string }, … }`; returns no member if no name can be replaced at
 * run time.
 */
export function createWireNamesProperty(
  slots: Readonly<Record<string, readonly string[]>>,
  documentation: string,
): readonly Fragment[] {
  const options = { optional: true, readonly: true };
  const kindProperties = Object.entries(slots)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => {
      const members = [...new Set(names)].map((name) => property(name, code`string`, options));
      return property(kind, objectType(members), options);
    });
  return kindProperties.length === 0
    ? []
    : [property("wireNames", objectType(kindProperties), { ...options, documentation })];
}

/**
 * Declares the interface for the options of a function that creates routes. `base` contains the options of all servers.
 */
export function declareServerOptions(
  { serverOptions, routes }: { readonly serverOptions: string; readonly routes: string },
  base: CodeSymbol,
  members: readonly Fragment[],
): Declaration {
  return {
    kind: "interface",
    name: serverOptions,
    code: code`
      ${comment(`Options for ${routes}.`)}
      export interface ${identifier(serverOptions)}<Principal = unknown> extends ${base}<Principal> ${typeBody(members)}`,
  };
}

/**
 * Makes the option `safeOperations`, whose type lists the operations that a client may send with a method other than
 * GET, so that the compiler refuses misspelled names, and names for which the option has no effect.
 */
export function createSafeOperationsProperty(
  operations: readonly string[],
  documentation: string,
): readonly Fragment[] {
  if (operations.length === 0) {
    return [];
  }
  return [
    property("safeOperations", arrayType(literalUnion([...new Set(operations)])), {
      optional: true,
      readonly: true,
      documentation,
    }),
  ];
}

/** Makes the text of a comment from the documentation of a schema and from notes; undefined if both are empty. */
export function documentation(text: string | undefined, notes: readonly string[]): string | undefined {
  const parts = [
    ...(text === undefined || text.trim() === "" ? [] : [text]),
    ...(notes.length === 0 ? [] : [notes.join("\n")]),
  ];
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** Converts a descriptor value to code. `getReferenceCode` returns the code for a reference. */
export function getValueCode(value: Value, getReferenceCode: (reference: Reference) => Fragment): Fragment {
  if (typeof value !== "object" || value === null) {
    return literal(value);
  }
  if (isList(value)) {
    return array(value.map((item) => getValueCode(item, getReferenceCode)));
  }
  if (value.kind !== "object") {
    return getReferenceCode(value);
  }
  const { members } = value;
  const entries: Fragment[] = [];
  for (let index = 0; index < members.length; index += 1) {
    const member = members[index];
    if (member !== undefined) {
      entries.push(entry(member[0], getValueCode(member[1], getReferenceCode)));
    }
  }
  return object(entries);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
