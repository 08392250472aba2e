import type { Field, RecordType, TypeReference } from "@bothends/generator";
import { type Place, type TypeComparison, withoutPair } from "../sides.js";
import { ContentModel, compareContent } from "./content-model.js";
import { compareField, compareNamedFields } from "./fields.js";
import { isNamed, type MatchedField, matchFields } from "./match-fields.js";

/** Two states of a record. */
export interface Records {
  readonly before: RecordType;
  readonly after: RecordType;
}

/** Compares two complex types. Members of a common base are compared at the base. */
export function compareRecords(context: TypeComparison, records: Records, place: Place): void {
  const { before, after } = records;
  const hasBase = !hasMovedMembers(records) && compareBases(context, records, place);
  const fieldsOf = ({ fields }: RecordType) => (hasBase ? fields.filter(({ inherited }) => !inherited) : fields);
  const isSame = (left: TypeReference, right: TypeReference) => isEqualType(context, left, right, place);
  const { matched, removed, added } = matchFields(fieldsOf(before), fieldsOf(after), isSame);
  const [oldModel, newModel] = [new ContentModel(before), new ContentModel(after)];
  const regrouped = regroupedFields(context, { removed, added });
  if (regrouped.size > 0) {
    const isMixed = [...regrouped].some(({ kind }) => kind === "mixed");
    const change = isMixed
      ? { rule: "mixed-changed" as const }
      : { rule: "content-model-changed" as const, variant: "group" };
    place.pair.differences.push({ ...change, ...withoutPair(place) });
  }
  for (const field of removed.filter((each) => !regrouped.has(each))) {
    reportPresence("removed", field, { place, model: oldModel, matched });
  }
  for (const field of added.filter((each) => !regrouped.has(each))) {
    reportPresence("added", field, { place, model: newModel, matched });
  }
  for (const each of matched) {
    const fieldPlace = {
      ...place,
      subject: `${place.subject}.${each.after.key}`,
      oldSpan: each.before.span,
      newSpan: each.after.span,
    };
    if (each.before.documentation !== each.after.documentation) {
      place.pair.differences.push({ rule: "documentation-changed", ...withoutPair(fieldPlace), direction: undefined });
    }
    if (isNamed(each.before) && isNamed(each.after)) {
      compareNamedFields(context, { ...each, before: each.before, after: each.after }, fieldPlace);
    } else {
      compareField(context, each, fieldPlace);
    }
  }
  const ordered = matched.filter((each) => each.before.kind === each.after.kind && !(hasBase && each.after.inherited));
  const kept = new Set(ordered.map(({ after: { key } }) => key));
  const newKeys = new Map(matched.map((each) => [each.before.key, each.after.key]));
  compareContent({ before: oldModel, after: newModel, newKeys, kept }, place);
}

/** Whether a member is inherited in one state and the type's own in the other. On the wire, it is in both. */
function hasMovedMembers({ before, after }: Records): boolean {
  const names = ({ fields }: RecordType, inherited: boolean) =>
    new Set(
      fields.flatMap((field) =>
        isNamed(field) && field.inherited === inherited ? [`${field.kind} ${field.wireName.local}`] : [],
      ),
    );
  const isShared = (left: ReadonlySet<string>, right: ReadonlySet<string>) => [...left].some((name) => right.has(name));
  return isShared(names(before, true), names(after, false)) || isShared(names(before, false), names(after, true));
}

/** Compares the bases of two types; false if they have no common base. */
function compareBases(context: TypeComparison, { before, after }: Records, place: Place): boolean {
  const [old, new_] = [before.base, after.base];
  if (old === undefined || new_ === undefined) {
    return false;
  }
  const sameName = old === new_ || localName(old) === localName(new_);
  if (sameName) {
    const types = { before: { kind: "named", id: old }, after: { kind: "named", id: new_ } } as const;
    context.compare(context, types, place);
  }
  return sameName;
}

function localName(id: string): string {
  return id.slice(id.indexOf("}") + 1);
}

/** Whether two types are equal, without reporting. Recursive types are assumed to be equal. */
function isEqualType(context: TypeComparison, before: TypeReference, after: TypeReference, place: Place): boolean {
  if (before.kind === "builtin" && after.kind === "builtin") {
    return before.name === after.name;
  }
  // A changed type is still the same type.
  if (before.kind === "named" && after.kind === "named" && localName(before.id) === localName(after.id)) {
    return true;
  }
  const pair = { differences: [], uses: new Set<string>() };
  const trial = { ...context, pairs: new Map() };
  context.compare(trial, { before, after }, { ...place, pair });
  const found = [pair, ...trial.pairs.values()].flatMap(({ differences }) => differences);
  return found.every(({ rule }) => rule === "type-renamed");
}

/** Compares a simple type with a complex type that is text with attributes: the text is the same on the wire. */
export function compareWithText(
  context: TypeComparison,
  { record, simple, change }: { readonly record: RecordType; readonly simple: TypeReference; readonly change: Change },
  place: Place,
): boolean {
  const text = record.fields.find(({ kind }) => kind === "text");
  if (text?.kind !== "text") {
    return false;
  }
  const names = { simple: "a value", record: "an object with attributes" };
  const [before, after] = change === "added" ? [names.simple, names.record] : [names.record, names.simple];
  place.pair.differences.push({ rule: "type-in-code-changed", ...withoutPair(place), before, after });
  const types = change === "added" ? { before: simple, after: text.type } : { before: text.type, after: simple };
  context.compare(context, types, place);
  const model = new ContentModel(record);
  for (const field of record.fields.filter((each) => each !== text)) {
    reportPresence(change, field, { place, model, matched: [] });
  }
  return true;
}

type Change = "added" | "removed";

interface Presence {
  readonly place: Place;
  readonly model: ContentModel;
  readonly matched: readonly MatchedField[];
}

function reportPresence(change: Change, field: Field, { place, model, matched }: Presence): void {
  const kept = new Set(matched.map((each) => (change === "added" ? each.after.key : each.before.key)));
  const spans = change === "added" ? { newSpan: field.span } : { oldSpan: field.span };
  const value = change === "added" ? { after: field.key } : { before: field.key };
  const subject = `${place.subject}.${field.key}`;
  const difference = { ...withoutPair(place), ...spans, ...value, subject };
  const { differences } = place.pair;
  if (field.kind === "text" || field.kind === "mixed") {
    differences.push({
      ...difference,
      subject: place.subject,
      rule: field.kind === "text" ? "type-changed" : "mixed-changed",
    });
  } else if ((field.kind === "any" && field.min === 0) || field.kind === "anyAttribute") {
    differences.push({ ...difference, rule: change === "added" ? "wildcard-opened" : "wildcard-closed" });
  } else if (model.isBranch(field.key, kept)) {
    differences.push({ ...difference, rule: `choice-branch-${change}` });
  } else {
    differences.push({ ...difference, rule: `member-${change}-${presenceOf(field, model)}` });
  }
}

function presenceOf(field: Field, model: ContentModel): "required" | "optional" | "nillable" {
  if (field.kind === "attribute") {
    return field.required ? "required" : "optional";
  }
  const isRequired = "min" in field && field.min > 0 && !model.isOptional(field.key);
  if (!isRequired) {
    return "optional";
  }
  return field.kind === "element" && field.nillable && field.max === 1 ? "nillable" : "required";
}

/** Members that moved into or out of a repeated group, and the group. */
function regroupedFields(
  context: TypeComparison,
  { removed, added }: { readonly removed: readonly Field[]; readonly added: readonly Field[] },
): ReadonlySet<Field> {
  const found = new Set<Field>();
  const look = (groups: readonly Field[], members: readonly Field[], side: TypeComparison["old"]) => {
    for (const group of groups) {
      const names = namesInside(group, side);
      const moved = members.filter((field) => names.has(isNamed(field) ? field.wireName.local : field.kind));
      if (moved.length > 0) {
        found.add(group);
        for (const field of moved) {
          found.add(field);
        }
      }
    }
  };
  look(added, removed, context.new);
  look(removed, added, context.old);
  return found;
}

/** The names of the elements inside a group, and "any" for a wildcard. */
function namesInside(field: Field, side: TypeComparison["old"]): ReadonlySet<string> {
  const item = field.kind === "group" || field.kind === "mixed" ? side.types.get(field.item) : undefined;
  const fields = item?.kind === "record" ? item.fields : [];
  return new Set(
    fields.flatMap((each) => (isNamed(each) ? [each.wireName.local] : [each.kind, ...namesInside(each, side)])),
  );
}
