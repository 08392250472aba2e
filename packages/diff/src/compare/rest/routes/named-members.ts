import type { Endpoint, JsonProperty, JsonType, RestInterface, Span } from "@bothends/generator";
import { findWorstLevel, type Level } from "../../../rules/rule.js";
import type { Difference } from "../../difference.js";
import { resolveType } from "../json-comparison.js";
import { mapPropertiesByName } from "../property-differences.js";

// Finds the members of answers whose types have a name in only one version. A type with a name has the members of all
// contexts. A type without a name belongs to the object around it, and has the members of that object's context.

type Pair<Version> = readonly [before: Version, after: Version];

/** Both versions of an object in one context. `schemas` have the members of all contexts. */
export interface ObjectVersions {
  readonly types: Pair<JsonType>;
  readonly schemas: Pair<JsonType>;
  readonly subject: string;
  readonly spans: Pair<Span | undefined>;
  /** Whether only callers use the types, which are those of the answers to a call. */
  readonly isRead: boolean;
  readonly operations: readonly Endpoint[];
}

/** Returns the effects of a changed type on code that writes its values and on code that reads them. */
type CompareTypes = (types: Pair<JsonType>, schemas: Pair<JsonType>) => { readonly write: Level; readonly read: Level };

interface NamedMember extends ObjectVersions {
  /** The version in which the type has a name. */
  readonly version: "old" | "new";
}

/** Reports the members that got or lost the name of their type, if this or its opposite affects code. */
export function findNamedMemberDifferences(
  interfaces: Pair<RestInterface>,
  objects: readonly ObjectVersions[],
  compareTypes: CompareTypes,
): readonly Difference[] {
  const members = new Map<string, NamedMember[]>();
  for (const member of objects.flatMap((object) => listNamedMembers(object))) {
    members.set(member.subject, [...(members.get(member.subject) ?? []), member]);
  }
  return [...members].flatMap(([subject, uses]): readonly Difference[] => {
    const [first] = uses;
    const effects = uses.map(({ types, schemas, isRead }) => {
      const [[oldType, newType], [oldSchema, newSchema]] = [types, schemas].map(([before, after]) => [
        resolveType(interfaces[0], before),
        resolveType(interfaces[1], after),
      ]) as [[JsonType, JsonType], [JsonType, JsonType]];
      const levels = compareTypes([oldType, newType], [oldSchema, newSchema]);
      const opposite = compareTypes([newType, oldType], [newSchema, oldSchema]);
      return {
        read: levels.read,
        write: isRead ? "none" : levels.write,
        isAffected: [...Object.values(levels), ...Object.values(opposite)].some((level) => level !== "none"),
      };
    });
    return first === undefined || !effects.some(({ isAffected }) => isAffected)
      ? []
      : [
          {
            rule: "answer-contexts-changed",
            variant: first.version === "new" ? "named" : "unnamed",
            subject,
            oldSpan: first.spans[0],
            newSpan: first.spans[1],
            codeLevels: [
              findWorstLevel(effects.map(({ read }) => read)),
              findWorstLevel(effects.map(({ write }) => write)),
            ],
            operations: [...new Set(uses.flatMap(({ operations }) => operations))],
          },
        ];
  });
}

function listNamedMembers(versions: ObjectVersions): readonly NamedMember[] {
  const [before, after] = versions.types;
  const [oldSchema, newSchema] = versions.schemas;
  if ((before.kind === "named") !== (after.kind === "named")) {
    return [{ ...versions, version: before.kind === "named" ? "old" : "new" }];
  }
  if (before.kind === "array" && after.kind === "array" && oldSchema.kind === "array" && newSchema.kind === "array") {
    const schemas = [oldSchema.items, newSchema.items] as const;
    return listNamedMembers({
      ...versions,
      types: [before.items, after.items],
      schemas,
      subject: `${versions.subject}[]`,
    });
  }
  const unions = [before, after, oldSchema, newSchema].flatMap((type) => (type.kind === "union" ? [type.members] : []));
  if (unions.length === 4 && unions.every(({ length }) => length === unions[0]?.length)) {
    return (unions[0] ?? []).flatMap((_, index) => {
      const [oldMember, newMember, oldOther, newOther] = unions.map((members) => members[index]);
      return oldMember && newMember && oldOther && newOther
        ? listNamedMembers({ ...versions, types: [oldMember, newMember], schemas: [oldOther, newOther] })
        : [];
    });
  }
  const objects = [before, after, oldSchema, newSchema].filter((type) => type.kind === "object");
  const [oldMembers, newMembers, oldDeclared, newDeclared] = objects.map(mapPropertiesByName);
  if (oldMembers === undefined || newMembers === undefined || oldDeclared === undefined || newDeclared === undefined) {
    return [];
  }
  return [...oldMembers].flatMap(([name, member]) => {
    const found: readonly (JsonProperty | undefined)[] = [newMembers, oldDeclared, newDeclared].map((each) =>
      each.get(name),
    );
    const [newMember, oldProperty, newProperty] = found;
    return newMember === undefined || oldProperty === undefined || newProperty === undefined
      ? []
      : listNamedMembers({
          ...versions,
          types: [member.type, newMember.type],
          schemas: [oldProperty.type, newProperty.type],
          subject: `${versions.subject}.${name}`,
          spans: [oldProperty.annotations?.span, newProperty.annotations?.span],
        });
  });
}
