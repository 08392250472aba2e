import type { KindCodec } from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import type { DecodeTable, DecodeTables, ValueReader } from "../decode-table.js";
import { typeNameOf } from "../element-attributes.js";
import { type EncodeAlternative, type EncodeTypeContext, isObject, mustBe, type ValueWriter } from "../encode-table.js";
import { instanceNamespace, wireName } from "../names.js";
import { SchemaMismatch } from "../schema-mismatch.js";
import { type PolymorphicFacts, resolveRecord } from "../types.js";

/** Reads and writes types that other types are derived from: `xs.polymorphic`. */
export const polymorphic: KindCodec<"polymorphic"> = {
  kind: "polymorphic",
  decode: polymorphicReader,
  encode: polymorphicWriter,
};

function polymorphicReader({ name, declared, alternatives }: PolymorphicFacts, tables: DecodeTables): ValueReader {
  /** The alternatives by the real names of their types. */
  const byName = new Map<string, { readonly table: DecodeTable; readonly members: object }>();
  let declaredTable: DecodeTable | undefined;
  for (const [tag, alternative] of Object.entries(alternatives)) {
    const table = tables.table(resolveRecord(alternative));
    if (tag === declared) {
      declaredTable = table;
    }
    byName.set(table.name, { table, members: tag === declared ? {} : { $type: tag } });
  }
  return {
    kind: "other",
    declares: (attribute) => declaredTable?.attributes.some(({ local }) => local === attribute) === true,
    read(context, declaration) {
      const text = context.reader.attribute(instanceNamespace, "type");
      const alternative = text === undefined ? undefined : byName.get(typeNameOf(context.reader, text));
      if (alternative !== undefined) {
        return context.record(alternative.table, { ...alternative.members }, declaration);
      }
      if (text !== undefined && (context.strict || declaredTable === undefined)) {
        throw new SchemaMismatch(`xsi:type must name ${name} or a type derived from it.`, { text });
      }
      if (declaredTable === undefined) {
        throw new SchemaMismatch(`${name} is abstract: the element must have an xsi:type.`);
      }
      return context.record(declaredTable, {}, declaration);
    },
  };
}

function polymorphicWriter(
  { name, declared, alternatives }: PolymorphicFacts,
  { scope, tables }: EncodeTypeContext,
): ValueWriter {
  const byTag = new Map<string, EncodeAlternative>();
  for (const [tag, alternative] of Object.entries(alternatives)) {
    const table = tables.table(resolveRecord(alternative), scope);
    const isDeclared = tag === declared && tables.declaredTypes === undefined;
    byTag.set(tag, { table, typeName: isDeclared ? undefined : wireName(table.name) });
  }
  return {
    kind: "other",
    write(context, elementTag, value) {
      if (!isObject(value)) {
        throw mustBe(`an object of type ${name}`, value);
      }
      const tag = Object.hasOwn(value, "$type") ? (value["$type"] ?? declared) : declared;
      const alternative = typeof tag === "string" ? byTag.get(tag) : undefined;
      if (alternative !== undefined) {
        return context.record(elementTag, alternative, value);
      }
      throw new LexicalError(
        tag === undefined
          ? `${name} is abstract: the value must have a "$type".`
          : `"$type" must name ${name} or a type derived from it.`,
      );
    },
  };
}
