import type { Random } from "@bothends/dynamic/random";

/** An element or attribute of a random type. */
interface Member {
  readonly name: string;
  readonly kind: "element" | "attribute";
  readonly base: string;
  /** Facets of the base, as `maxLength=5`; without facets, the member has the base itself as its type. */
  readonly facets: readonly string[];
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly isNillable: boolean;
}

/** A random complex type. */
export interface RandomType {
  readonly model: "sequence" | "choice" | "all";
  readonly members: readonly Member[];
  readonly hasWildcard: boolean;
}

const bases = ["string", "int", "decimal", "boolean", "date", "token"];

const facetsOfBase: Readonly<Record<string, readonly (readonly string[])[]>> = {
  string: [[], ["maxLength=6"], ["enumeration=red", "enumeration=blue"], ["minLength=1", "maxLength=9"]],
  token: [[], ["pattern=[a-d]+"], ["enumeration=one", "enumeration=two", "enumeration=three"]],
  int: [[], ["minInclusive=0"], ["minInclusive=1", "maxInclusive=90"]],
  decimal: [[], ["totalDigits=6"], ["fractionDigits=2"]],
};

function randomMember(random: Random, name: string): Member {
  const base = random.pick(bases) ?? "string";
  const kind = random.drawBoolean(25) ? "attribute" : "element";
  const isList = kind === "element" && random.drawBoolean(20);
  return {
    name,
    kind,
    base,
    facets: random.pick(facetsOfBase[base] ?? [[]]) ?? [],
    isRequired: random.drawBoolean(60),
    isList,
    isNillable: kind === "element" && !isList && random.drawBoolean(15),
  };
}

export function randomType(random: Random): RandomType {
  const model = random.pick(["sequence", "sequence", "choice", "all"] as const) ?? "sequence";
  const names = ["alpha", "size", "colour", "weight"].slice(0, 2 + random.drawIntegerBelow(3));
  const members = names.map((name) => fitting(randomMember(random, name), model));
  return { model, members, hasWildcard: false };
}

/** Changes a member so that its group allows it: members of a choice or an all-group occur at most once. */
function fitting(member: Member, model: RandomType["model"]): Member {
  if (member.kind === "attribute" || model === "sequence") {
    return member;
  }
  return { ...member, isList: false, isRequired: model === "choice" || member.isRequired, isNillable: false };
}

type TypeEdit = (type: RandomType, random: Random) => RandomType;

function editedMember(edit: (member: Member, random: Random) => Member): TypeEdit {
  return (type, random) => {
    const index = random.drawIntegerBelow(type.members.length);
    const members = type.members.map((each, at) => (at === index ? fitting(edit(each, random), type.model) : each));
    return { ...type, members };
  };
}

const facetEdits: TypeEdit = editedMember((member, random) => ({
  ...member,
  facets: random.pick(facetsOfBase[member.base] ?? [[]]) ?? [],
}));

/** Edits that each change at most one thing. */
export const typeEdits: Readonly<Record<string, TypeEdit>> = {
  "a member more": (type, random) => ({
    ...type,
    members: [...type.members, fitting(randomMember(random, "extra"), type.model)],
  }),
  "a member less": (type) => ({ ...type, members: type.members.slice(0, -1) }),
  "another presence": editedMember((member) => ({ ...member, isRequired: !member.isRequired })),
  "a list": editedMember((member) =>
    member.kind === "attribute" ? member : { ...member, isList: !member.isList, isNillable: false },
  ),
  nil: editedMember((member) =>
    member.kind === "attribute" || member.isList ? member : { ...member, isNillable: !member.isNillable },
  ),
  "another type": editedMember((member, random) => ({ ...member, base: random.pick(bases) ?? "string", facets: [] })),
  "other facets": facetEdits,
  "another placement": editedMember((member) =>
    member.kind === "attribute"
      ? { ...member, kind: "element" }
      : { ...member, kind: "attribute", isList: false, isNillable: false },
  ),
  "another order": (type) => ({ ...type, members: [...type.members].reverse() }),
  "another group": (type, random) => {
    const model = random.pick(["sequence", "choice", "all"] as const) ?? "sequence";
    return { ...type, model, members: type.members.map((each) => fitting(each, model)) };
  },
  "a wildcard": (type) => ({ ...type, hasWildcard: type.model === "sequence" }),
};

/**
 * A text that is equal for types with the same meaning: the order of attributes, facets, branches and all-groups
 * changes nothing.
 */
export function meaningOf({ model, members, hasWildcard }: RandomType): string {
  const text = (member: Member) => JSON.stringify({ ...member, facets: [...member.facets].sort() });
  const elements = members.filter(({ kind }) => kind === "element").map(text);
  const attributes = members.filter(({ kind }) => kind === "attribute").map(text);
  const group = elements.length < 2 && hasWildcard === false ? "single" : model;
  return JSON.stringify([group, model === "sequence" ? elements : elements.sort(), attributes.sort(), hasWildcard]);
}

/** The declaration of `T`. With `rewrite`, its text differs, but not its meaning. */
export function typeText({ model, members, hasWildcard }: RandomType, rewrite = false): string {
  const inOrder = <Item>(items: readonly Item[]) => (rewrite ? [...items].reverse() : items);
  const elements = members.filter(({ kind }) => kind === "element");
  const attributes = members.filter(({ kind }) => kind === "attribute");
  const particles = (model === "sequence" ? elements : inOrder(elements)).map((each) => memberText(each, rewrite));
  const wildcard = hasWildcard ? '<any namespace="##other" processContents="lax" minOccurs="0"/>' : "";
  const space = rewrite ? "\n  <!-- note -->\n  " : "";
  return `<complexType name="T"><${model}>${particles.join(space)}${wildcard}</${model}>${inOrder(attributes)
    .map((each) => memberText(each, rewrite))
    .join(space)}</complexType>`;
}

function memberText(member: Member, rewrite: boolean): string {
  const { name, kind, base, facets, isRequired, isList, isNillable } = member;
  const presence =
    kind === "attribute"
      ? [isRequired ? 'use="required"' : rewrite ? 'use="optional"' : ""]
      : [
          isRequired ? (rewrite ? 'minOccurs="1"' : "") : 'minOccurs="0"',
          isList ? 'maxOccurs="unbounded"' : "",
          isNillable ? 'nillable="true"' : rewrite ? 'nillable="false"' : "",
        ];
  const type = facets.length === 0 ? [`type="${base}"`] : [];
  const attributes = [`name="${name}"`, ...type, ...presence].filter((each) => each !== "");
  const start = `<${kind} ${(rewrite ? attributes.reverse() : attributes).join(" ")}`;
  if (facets.length === 0) {
    return `${start}/>`;
  }
  const texts = (rewrite ? [...facets].reverse() : facets).map((facet) => {
    const [facetName = "", value = ""] = facet.split("=");
    return `<${facetName} value="${value}"/>`;
  });
  return `${start}><simpleType><restriction base="${base}">${texts.join("")}</restriction></simpleType></${kind}>`;
}
