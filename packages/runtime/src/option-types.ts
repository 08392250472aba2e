// The types of options. Contains no checks, because clients load this module at their start.

/** A type of options: whether a value has it, and its description in messages. */
export interface OptionType {
  readonly accepts: (value: unknown) => boolean;
  readonly description: string;
  /** Whether the option must be set. Default false. */
  readonly isRequired?: boolean;
}

/** The types of the options of a function, by name. */
export type OptionTypes<Options extends object> = { readonly [Name in keyof Options]-?: OptionType };

export const functionType: OptionType = {
  accepts: (value) => typeof value === "function",
  description: "a function",
};
export const booleanType: OptionType = {
  accepts: (value) => typeof value === "boolean",
  description: "true or false",
};
export const stringType: OptionType = { accepts: (value) => typeof value === "string", description: "a string" };
export const objectType: OptionType = {
  accepts: (value) => typeof value === "object" && value !== null,
  description: "an object",
};
export const namesType: OptionType = {
  accepts: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  description: "a list of strings",
};
const isNotNegative = (value: unknown): boolean => typeof value === "number" && value >= 0;
export const notNegativeType: OptionType = {
  accepts: isNotNegative,
  description: "a number, 0 or more",
};
export const positiveMillisecondsType: OptionType = {
  accepts: (value) => typeof value === "number" && value > 0,
  description: "a positive number of milliseconds",
};
export const secondsType: OptionType = {
  accepts: isNotNegative,
  description: "a number of seconds, 0 or more",
};

/** Returns the type of an option that must be set. */
export function required(type: OptionType): OptionType {
  return { ...type, isRequired: true };
}

/** Returns the type of an option whose value is one of several texts. */
export function createChoice(...texts: readonly string[]): OptionType {
  return {
    accepts: (value) => texts.includes(value as string),
    description: texts.map((text) => `"${text}"`).join(" or "),
  };
}

/** Returns the type of an object with certain functions, such as a logger. */
export function createInterface(...names: readonly [string, ...string[]]): OptionType {
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return {
    accepts: (value) => names.every((name) => typeof Object(value)[name] === "function"),
    description: `an object with the function${names.length === 1 ? "" : "s"} ${list}`,
  };
}

/** Returns the type of an object whose members have a type. Their names may be any names. */
export function createRecord(acceptsMember: OptionType["accepts"], description: string): OptionType {
  return {
    accepts: (value) =>
      objectType.accepts(value) && !Array.isArray(value) && Object.values(Object(value)).every(acceptsMember),
    description,
  };
}

/** Returns the first option that has another type, or is required and missing. Returns undefined if there is none. */
export function findWrongOption(
  options: object,
  types: Readonly<Record<string, OptionType>>,
): { readonly name: string; readonly value: unknown; readonly description: string } | undefined {
  for (const [name, { accepts, description, isRequired = false }] of Object.entries(types)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined ? isRequired : !accepts(value)) {
      return { name, value, description };
    }
  }
  return undefined;
}
