import type { AnswerProperty, AnswerSchema } from "../../../read/discovery/index.js";
import { integerOrText, type Member, nullable, scalar, text, withValues } from "./answer-notation.js";
import type { ObjectKind } from "./fixed-routes.js";
import { blockRevisionMembers, menuItemMembers, revisionMembers, templateMembers } from "./posts.js";
import { settingOf } from "./site-objects.js";

type Correct = (property: AnswerProperty) => AnswerProperty;

/** A member whose schema on sites differs from their answers. */
export interface Correction {
  readonly kinds: readonly ObjectKind[];
  /** The names that lead to the member; `*` for all members, and for the items of a list. */
  readonly member: readonly string[];
  readonly correct: Correct;
}

/** Answers may lack the member although their context shows it. */
const optional: Correct = (property) => ({
  ...property,
  listed: false,
  marked: false,
  schema: { ...property.schema, contexts: undefined },
});

/** The schema does not say when answers contain the member; they always do. */
const present: Correct = (property) => ({ ...property, listed: true });

const orNull: Correct = (property) => ({ ...property, schema: nullable(property.schema) });

function also(...values: readonly string[]): Correct {
  return (property) => ({ ...property, schema: alsoAllowing(property.schema, values) });
}

function alsoAllowing(schema: AnswerSchema, values: readonly string[]): AnswerSchema {
  return schema.enum === undefined ? schema : withValues(schema, values.map(scalar));
}

/** Another type, in the contexts and with the description of the site. */
function as(member: Pick<Member, "schema"> | undefined): Correct {
  return (property) => {
    const { description, contexts, readOnly, span } = property.schema;
    const schema = member?.schema ?? property.schema;
    return { ...property, schema: { ...schema, description, contexts, readOnly, span } };
  };
}

const revisions = ["revision", "block revision", "menu item revision"] as const;

/** Answers of WordPress 6.1 that contradict the schemas of the site. */
export const contradicted: readonly Correction[] = [
  at(["post", "template"], "status", also("trash")),
  at(["attachment"], "status", also("inherit", "trash")),
  at(["attachment"], "post", orNull),
  at(revisions, "date", orNull),
  at(revisions, "date_gmt", orNull),
  at(revisions, "content.protected", optional),
  at(revisions, "excerpt.protected", optional),
  at(["menu item revision"], "guid", as(revisionMembers["guid"])),
  at(["template"], "origin", orNull),
  at(["global styles"], "id", as({ schema: integerOrText })),
  at(["search result"], "type", as({ schema: text })),
  at(["search result"], "subtype", optional),
  at(["plugin"], "author", as({ schema: text })),
  at(["settings"], "*", setting),
  at(["block type"], "variations.*.*", optional),
  at(["block pattern"], "*", optional),
];

/** What holds for the answers of WordPress 6.1 beyond the schemas of the site: members that a context lacks, or that all answers have. */
export const completed: readonly Correction[] = [
  at(revisions, "content.block_version", optional),
  at(["block revision"], "title", as(blockRevisionMembers["title"])),
  at(["block revision"], "content", as(blockRevisionMembers["content"])),
  at(["menu item", "menu item revision"], "title", as(menuItemMembers["title"])),
  at(["menu item"], "menus", optional),
  at(["template"], "title", as(templateMembers["title"])),
  at(["template"], "content", as(templateMembers["content"])),
  at(["template"], "is_custom", optional),
  at(["global styles"], "title", as(templateMembers["title"])),
  at(["application password"], "password", optional),
  at(["plugin"], "*", present),
  at(["plugin"], "description.*", present),
  at(["theme"], "*", present),
  at(["theme"], "theme_supports", optional),
  at(["theme"], "*.raw", present),
  at(["theme"], "*.rendered", present),
  at(["block type"], "variations.*.name", present),
  at(["block type"], "variations.*.title", present),
  at(["block pattern"], "name", present),
  at(["block pattern"], "title", present),
  at(["block pattern"], "content", present),
];

export const corrections: readonly Correction[] = [...contradicted, ...completed];

function at(kinds: readonly ObjectKind[], path: string, correct: Correct): Correction {
  return { kinds, member: path.split("."), correct };
}

function setting(property: AnswerProperty): AnswerProperty {
  return { ...property, listed: true, schema: settingOf(property.name, property.schema) };
}

/** The schema of a site, corrected where its answers differ. */
export function correctSchema(schema: AnswerSchema, kind: ObjectKind, list = corrections): AnswerSchema {
  return list
    .filter(({ kinds }) => kinds.includes(kind))
    .reduce((corrected, { member, correct }) => correctMember(corrected, member, correct), schema);
}

function correctMember(schema: AnswerSchema, [name, ...rest]: readonly string[], correct: Correct): AnswerSchema {
  if (name === "*" && schema.items !== undefined) {
    return { ...schema, items: correctMember(schema.items, rest, correct) };
  }
  const properties = schema.properties.map((property) => {
    if (name !== "*" && property.name !== name) {
      return property;
    }
    return rest.length === 0
      ? correct(property)
      : { ...property, schema: correctMember(property.schema, rest, correct) };
  });
  return { ...schema, properties };
}
