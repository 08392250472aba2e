import type { ComplexTypeDefinition } from "../components/xsd-model.js";
import type { RecordType } from "../model/schema-types.js";

type Records = ReadonlyMap<ComplexTypeDefinition, RecordType>;

/** Completes records with the members that restrictions took away, once it is known which types the contract has. */
export function withRemovedMembers(records: Records): readonly RecordType[] {
  const completed = new Map<ComplexTypeDefinition, RecordType>();
  const complete = (type: ComplexTypeDefinition, record: RecordType): RecordType => {
    const known = completed.get(type);
    if (known !== undefined) return known;
    const ancestor = nearestAncestor(type, records);
    const result = ancestor === undefined ? record : withoutMembersOf(complete(...ancestor), record);
    completed.set(type, result);
    return result;
  };
  return [...records].map(([type, record]) => complete(type, record));
}

function nearestAncestor(
  type: ComplexTypeDefinition,
  records: Records,
): readonly [ComplexTypeDefinition, RecordType] | undefined {
  let { baseType } = type;
  while (baseType.kind === "complexType" && baseType.builtin === undefined) {
    const record = records.get(baseType);
    if (record !== undefined) return [baseType, record];
    ({ baseType } = baseType);
  }
  return undefined;
}

function withoutMembersOf(ancestor: RecordType, record: RecordType): RecordType {
  const own = new Set(record.fields.map((field) => field.key));
  const keys = [...ancestor.fields.map((field) => field.key), ...ancestor.removed];
  const removed = keys.filter((key) => !own.has(key));
  return ancestor.removed.some((key) => own.has(key)) ? { ...onItsOwn(record), removed } : { ...record, removed };
}

/** An extension may have a member that its base must not have; then it is not a subtype of the base's TypeScript type. */
function onItsOwn(record: RecordType): RecordType {
  return { ...record, base: undefined, fields: record.fields.map((field) => ({ ...field, inherited: false })) };
}
