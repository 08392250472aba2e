import { emptyContext } from "@bothends/datatypes";
import { LexicalError } from "../errors.js";
import { writeAnyAttributes } from "./encode-any.js";
import type { EncodeRun } from "./encode-run.js";
import type { EncodeAttribute, EncodeTable } from "./encode-table.js";
import { type Members, memberOf } from "./encode-value.js";
import { checkFixed } from "./fixed.js";
import { misfitOf } from "./misfit.js";

/** Attributes as they stand in a tag, and how many members they are. */
export interface WrittenAttributes {
  readonly xml: string;
  readonly written: number;
}

/** Writes the attributes of a record, those of a wildcard last. */
export function writeAttributes(run: EncodeRun, table: EncodeTable, members: Members): WrittenAttributes {
  let xml = "";
  let written = 0;
  const write = (
    member: { readonly key: string; readonly shadowed: boolean },
    text: (held: unknown) => string,
  ): void => {
    try {
      const held = memberOf(members, member);
      if (held !== undefined) written += 1;
      xml += text(held);
    } catch (error) {
      throw misfitOf(error).within(member.key);
    }
  };
  for (const member of table.attributes) write(member, (held) => attribute(run, held, member));
  const { anyAttribute, attributes: taken } = table;
  if (anyAttribute !== undefined) {
    const { namespaces } = anyAttribute;
    write(anyAttribute, (held) => writeAnyAttributes(run, held ?? undefined, { namespaces, taken }));
  }
  return { xml, written };
}

function attribute(run: EncodeRun, value: unknown, member: EncodeAttribute): string {
  if (value === undefined || value === null) {
    if (member.required) throw new LexicalError("The attribute is required.");
    return "";
  }
  const type = member.simple();
  const { prefixes } = run;
  const text = run.attribute(type.write(value, prefixes));
  if (member.fixed !== undefined) checkFixed(type, { value, fixed: member.fixed, context: emptyContext });
  return ` ${prefixes.attributeName(member.namespace, member.local)}="${text}"`;
}
