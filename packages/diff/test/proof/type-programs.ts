import type { Plan, RecordType, TypeDefinition, TypeReference } from "@bothends/generator";
import type { Side } from "../../src/index.js";

/**
 * Programs that show what a change does to code. Each uses the old types as a caller or a handler would: `write` builds
 * every old type's value from its old members and passes it where the new type is expected; `read` takes a value of the
 * new type and uses every old member as its old type.
 */
export interface TypePrograms {
  readonly write: readonly Program[];
  readonly read: readonly Program[];
}

/** The forms of one use, the strictest first: an object with all members, or the whole value. */
export interface Program {
  readonly strict: string;
  readonly plain: string;
}

/** Programs over the exported types of a state. `Old` and `New` are the namespaces of their modules. */
export function typePrograms({ contract, plan }: Side): TypePrograms {
  const [soap] = contract.interfaces;
  const [planned] = plan?.interfaces ?? [];
  if (soap?.kind !== "soap" || planned?.kind !== "soap") {
    throw new Error("There is no SOAP interface.");
  }
  const unions = soap.types.flatMap((type): readonly Named[] => {
    const found = type.kind === "polymorphic" ? planned.types.get(type.id) : undefined;
    return found === undefined || found.isInline ? [] : [{ name: found.name, type }];
  });
  const uses = unions.flatMap((named) => usePrograms(named, soap.types));
  const types = soap.types.flatMap((type): readonly Named[] => {
    const found = planned.types.get(type.id);
    // Anonymous simple types are named after their members; programs rarely use these names.
    const isUsed = found !== undefined && !found.isInline && (type.name !== undefined || type.kind === "record");
    return isUsed ? [{ name: found.name, type }] : [];
  });
  return {
    write: [
      ...uses,
      ...types.flatMap(({ name, type }) => [
        program(name, { type, from: "Old", to: "New" }, planned),
        ...usePrograms({ name, type }, soap.types),
        ...branchPrograms(name, type),
        ...taggedPrograms("write", { name, type }, soap.types),
      ]),
    ],
    read: types.flatMap(({ name, type }) => [
      program(name, { type, from: "New", to: "Old" }, planned),
      ...usePrograms({ name, type }, soap.types),
      ...unionPrograms(name, type, soap.types),
      ...taggedPrograms("read", { name, type }, soap.types),
      ...nestedPrograms(name, type, soap.types),
    ]),
  };
}

interface Named {
  readonly name: string;
  readonly type: TypeDefinition;
}

interface Use {
  readonly type: TypeDefinition;
  readonly from: "Old" | "New";
  readonly to: "Old" | "New";
}

function program(name: string, { type, from, to }: Use, planned: Plan["interfaces"][number]): Program {
  const head = `declare const v: ${from}.${name};`;
  const plain = `${head} export const w: ${to}.${name} = v;`;
  if (type.kind === "enumeration" && from === "New") {
    const compared = type.values.map(({ text }) => `v === ${JSON.stringify(text)}`).join(" || ");
    return { strict: `${plain} export const c: boolean = ${compared || "true"};`, plain };
  }
  if (type.kind !== "record") {
    const compared = from === "New" ? ` export const c: boolean = v === ${otherText};` : "";
    return { strict: `${plain}${compared}`, plain };
  }
  const members = type.fields.map(({ key }) => `${JSON.stringify(key)}: v[${JSON.stringify(key)}]`).join(", ");
  const compared = from === "New" ? comparisons(type, planned) : "";
  const values = type.fields.map(({ key }) => `v[${JSON.stringify(key)}]`).join(", ");
  const accessed = from === "New" ? ` export const a: readonly unknown[] = [${values}];` : "";
  return {
    strict: `${head} export const w: ${to}.${name} = { ${members} };${compared}`,
    plain: `${plain}${accessed}`,
  };
}

/** Programs that use a type apart from its values: they extend an object type, or list the values of enumerations. */
function usePrograms({ name, type }: Named, types: readonly TypeDefinition[]): readonly Program[] {
  // The values of enumerations are strings, numbers or bigints.
  const listValues = (text: string, { values }: Extract<TypeDefinition, { kind: "enumeration" }>) => {
    const literals = values.map((value) => value.text);
    const forms = [
      literals.map((literal) => JSON.stringify(literal)),
      ...(literals.every((literal) => /^-?\d+$/.test(literal)) ? [literals, literals.map((each) => `${each}n`)] : []),
    ];
    return forms.map((cases) => {
      const branches = cases.map((each) => `case ${each}: return "";`).join(" ");
      return `export function show(v: ${text}): string { switch (v) { ${branches} } }`;
    });
  };
  const findType = (reference: TypeReference | undefined) =>
    reference?.kind === "named" ? types.find(({ id }) => id === reference.id) : undefined;
  const texts =
    type.kind === "enumeration"
      ? listValues(`New.${name}`, type).slice(0, 1)
      : [`export interface Extended extends New.${name} { readonly more?: number }`];
  const fields = type.kind === "record" ? type.fields : [];
  const listings = fields.flatMap((field) => {
    const found = findType(field.kind === "element" || field.kind === "attribute" ? field.type : undefined);
    const item = found?.kind === "list" ? findType(found.item) : found;
    const text = `NonNullable<New.${name}[${JSON.stringify(field.key)}]>${found?.kind === "list" ? "[number]" : ""}`;
    return item?.kind === "enumeration" ? listValues(text, item) : [];
  });
  return [...texts, ...listings].map((text) => ({ strict: text, plain: text }));
}

/**
 * Programs that write one branch of a choice, with the members outside the choice. The members of the other branches
 * are absent.
 */
function branchPrograms(name: string, type: TypeDefinition): readonly Program[] {
  const [choice, ...otherChoices] = type.kind === "record" ? type.content.filter(({ kind }) => kind === "choice") : [];
  if (type.kind !== "record" || choice?.kind !== "choice" || otherChoices.length > 0) {
    return [];
  }
  const branches = choice.particles.map((branch) => (branch.kind === "field" ? [branch] : branch.particles));
  const otherKeys = type.content.flatMap((each) => (each.kind === "field" ? [each.key] : []));
  return branches.map((branch) => {
    const keys = [...otherKeys, ...branch.flatMap((each) => (each.kind === "field" ? [each.key] : []))];
    const members = keys.map((key) => `${JSON.stringify(key)}: v[${JSON.stringify(key)}]!`).join(", ");
    const text = `declare const v: Old.${name}; export const w: New.${name} = { ${members} };`;
    return { strict: text, plain: text };
  });
}

const memberUses = [
  ["string", "value.trim()"],
  ["number", "value.toFixed()"],
  ["boolean", "value.valueOf()"],
  ["object", 'Array.isArray(value) ? value.join("") : undefined'],
  ["object", 'value.map((item) => (typeof item === "string" ? item.trim() : undefined))'],
] as const;

/** Programs that read the values of one member type of a union, or one kind of any value. */
function unionPrograms(name: string, type: TypeDefinition, types: readonly TypeDefinition[]): readonly Program[] {
  const isUnion = (reference: TypeReference) =>
    reference.kind === "builtin"
      ? reference.name === "anyType"
      : types.some((other) => other.id === reference.id && other.kind === "union");
  const fields = type.kind === "record" ? type.fields : [];
  const keys = fields.flatMap((field) =>
    (field.kind === "element" || field.kind === "attribute") && isUnion(field.type) ? [field.key] : [],
  );
  return keys.flatMap((key) =>
    memberUses.map(([kind, use]) => {
      const text = `declare const v: New.${name}; const value = v[${JSON.stringify(key)}]; export const r = typeof value === "${kind}" ? ${use} : undefined;`;
      return { strict: text, plain: text };
    }),
  );
}

/** Programs that write `$type` in values of derived types, or that select such values by it. */
function taggedPrograms(
  use: "write" | "read",
  { name, type }: Named,
  types: readonly TypeDefinition[],
): readonly Program[] {
  return (type.kind === "record" ? type.fields : []).flatMap((field) => {
    const reference = field.kind === "element" && field.max === 1 ? field.type : undefined;
    const found = reference?.kind === "named" ? types.find(({ id }) => id === reference.id) : undefined;
    const alternatives = found?.kind === "polymorphic" ? found.alternatives : [];
    return alternatives.map(({ type: id, tag }) => {
      const [key, tagText] = [JSON.stringify(field.key), JSON.stringify(tag)];
      const record = types.find((each) => each.id === id);
      const isDeclared = found?.kind === "polymorphic" && found.declared === id;
      const written = isDeclared ? "m" : `{ ...m, $type: ${tagText} }`;
      const text =
        use === "read"
          ? `declare const v: New.${name}; export const t: boolean = v[${key}]?.$type === ${tagText};`
          : `declare const m: Old.${record?.name?.local}; export const w: Partial<New.${name}> = { ${key}: ${written} };`;
      return { strict: text, plain: text };
    });
  });
}

/** Programs that read the members of a member. */
function nestedPrograms(name: string, type: TypeDefinition, types: readonly TypeDefinition[]): readonly Program[] {
  return (type.kind === "record" ? type.fields : []).flatMap((field) => {
    const reference = field.kind === "element" && field.max === 1 ? field.type : undefined;
    const record = reference?.kind === "named" ? types.find(({ id }) => id === reference.id) : undefined;
    const keys = record?.kind === "record" ? record.fields.map(({ key }) => JSON.stringify(key)) : [];
    return keys.map((key) => {
      const text = `declare const v: New.${name}; export const r: unknown = v[${JSON.stringify(field.key)}]?.[${key}];`;
      return { strict: text, plain: text };
    });
  });
}

/** A text that is not a value of any enumeration. Code may compare any text with it. */
const otherText = '"another text"';

/**
 * Compares members that are enumerations, and the items of lists, with their old values, and members that are other
 * texts with a text. Uses the numbers among the items of lists.
 */
function comparisons({ fields }: RecordType, planned: Plan["interfaces"][number]): string {
  const types = planned.kind === "soap" ? planned.interface.types : [];
  const findNamed = (id: string) => types.find((type) => type.id === id);
  const compareItems = (key: string, item: TypeReference): readonly string[] => {
    const type = item.kind === "named" ? findNamed(item.id) : undefined;
    const list = `v[${JSON.stringify(key)}]?`;
    switch (type?.kind) {
      case "enumeration":
        return type.values.map(
          ({ text }) =>
            ` export const i${key}_${text}: boolean | undefined = ${list}.includes(${JSON.stringify(text)});`,
        );
      case "union":
        return type.members.some((member) => member.kind === "builtin" && member.name === "int")
          ? [` export const n${key} = ${list}.map((item) => (typeof item === "number" ? item.toFixed() : ""));`]
          : [];
      default:
        return [];
    }
  };
  const isText = (reference: TypeReference): boolean => {
    const type = reference.kind === "named" ? findNamed(reference.id) : undefined;
    return reference.kind === "builtin"
      ? reference.name === "string"
      : type?.kind === "restriction" && isText(type.base);
  };
  return fields
    .flatMap((field) => {
      const reference = field.kind === "element" || field.kind === "attribute" ? field.type : undefined;
      const type = reference?.kind === "named" ? findNamed(reference.id) : undefined;
      const isRepeated = field.kind === "element" && field.max !== 1;
      const value = `v[${JSON.stringify(field.key)}]`;
      if (reference !== undefined && isText(reference) && !isRepeated) {
        return [` export const c${field.key}: boolean = ${value} === ${otherText};`];
      }
      if (type?.kind === "list") {
        return compareItems(field.key, type.item);
      }
      return type?.kind === "enumeration"
        ? type.values.map(
            ({ text }) => ` export const c${field.key}_${text}: boolean = ${value} === ${JSON.stringify(text)};`,
          )
        : [];
    })
    .join("");
}
