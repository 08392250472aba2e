import { END, TEXT } from "@bothends/xml/reader-events";
import type { KindCodec, MixedField } from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import { type DecodeFieldContext, type ReadRecord, setMember, type TextReader } from "../decode-table.js";
import {
  type EncodeContext,
  type EncodeFieldContext,
  type EncodeRepeated,
  type EncodeTable,
  getMembersOfValue,
  listItems,
  refuseUnknownMembers,
  unlimitedBounds,
  writeItems,
  writeMember,
} from "../encode-table.js";
import { resolveRecord } from "../resolve-type.js";
import { createOnFirstUse, getMemberAt, listMembers } from "../resolved-types.js";
import { findFixedMismatch } from "../schema-mismatch.js";

/** Reads and writes mixed content. Exported as `xs.mixed`. */
export const mixed: KindCodec<"mixed"> = { kind: "mixed", decode: createMixedReader, encode: createMixedWriter };

function createMixedReader({ record }: MixedField<unknown>, fieldContext: DecodeFieldContext): TextReader {
  const member = getMemberAt(fieldContext);
  const itemTable = createOnFirstUse(() => fieldContext.tables.table(resolveRecord(record)));
  return {
    kind: "text",
    read(context, result, { default: byDefault, fixed }) {
      const { reader } = context;
      const table = itemTable();
      const content: unknown[] = [];
      for (let event = reader.next(); event !== END; event = reader.next()) {
        if (event === TEXT) {
          content.push(reader.text);
          continue;
        }
        const item: ReadRecord = {};
        context.addElement(table, item);
        if (Object.keys(item).length > 0) {
          content.push(item);
        }
      }
      const declaredText = byDefault ?? fixed;
      if (content.length === 0 && declaredText !== undefined) {
        content.push(declaredText);
      }
      if (context.strict && fixed !== undefined && (content.length > 1 || content[0] !== fixed)) {
        throw findFixedMismatch(fixed);
      }
      setMember(result, member, content);
    },
  };
}

function createMixedWriter({ record }: MixedField<unknown>, fieldContext: EncodeFieldContext): EncodeRepeated {
  const member = getMemberAt(fieldContext);
  const { tables, defaultNamespace } = fieldContext;
  const itemTable = createOnFirstUse(() => tables.table(resolveRecord(record), defaultNamespace));
  return {
    kind: "mixed",
    ...member,
    ...unlimitedBounds,
    array: true,
    nillable: false,
    write: (context, members) =>
      writeMember(
        context,
        { member, members, requiredReason: undefined, siblings: fieldContext.record.fields },
        (value) =>
          writeItems(listItems(value, unlimitedBounds), (item) =>
            typeof item === "string" ? context.escapeText(item) : writeMixedElement(context, itemTable(), item),
          ),
      ),
  };
}

/** Writes an element in mixed content. The value is an object with one member. */
function writeMixedElement(context: EncodeContext, table: EncodeTable, item: unknown): string {
  const members = getMembersOfValue(item, table.keys, table.name);
  refuseUnknownMembers(members, table, context);
  const [key, ...otherKeys] = Object.keys(members).filter((name) => members[name] !== undefined);
  const step = table.steps.flatMap(listMembers).find((member) => member.key === key);
  if (step === undefined || otherKeys.length > 0) {
    throw new LexicalError("An item of mixed content must be a string or an object with one member.");
  }
  const outerWrittenMembers = context.writtenMembers;
  const xml = context.writeSteps([step], members);
  context.writtenMembers = outerWrittenMembers;
  return xml;
}
