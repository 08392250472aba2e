import { clark } from "@bothends/xml";
import type { AnyAttribute } from "../descriptor.js";
import type { DecodeRun } from "./decode-run.js";
import type { DecodeAttribute, DecodeTable } from "./decode-table.js";
import { has, put, type Result } from "./decode-value.js";
import { checkFixed, declaredValue } from "./fixed.js";
import { Misfit, within } from "./misfit.js";
import { instanceNamespace } from "./names.js";
import { isEncodingAttribute, refuseLiteralReference } from "./soap-encoding.js";
import { admits } from "./wildcard.js";

/** XSD 1.0 Part 1 §2.6: these may stand on any element. */
const instanceAttributes: ReadonlySet<string> = new Set(["type", "nil", "schemaLocation", "noNamespaceSchemaLocation"]);

/** Reads the attributes of the element at START into the record. */
export function readAttributes(run: DecodeRun, table: DecodeTable, result: Result): void {
  const { anyAttribute } = table;
  const others: AnyAttribute[] = [];
  for (const { localName, namespace, value } of run.reader.attributes) {
    const member = attributeOf(table, localName, namespace);
    if (member !== undefined) readAttribute(run, member, { text: value, result });
    else if (namespace === instanceNamespace) {
      if (run.strict && !instanceAttributes.has(localName)) refuse(namespace, localName);
    } else if (anyAttribute !== undefined && admits(anyAttribute.namespaces, namespace)) {
      others.push({ name: clark(namespace, localName), value });
    } else {
      if (!run.encoded) refuseLiteralReference({ namespace, localName, value });
      if (run.refuseUnknown && !(run.encoded && isEncodingAttribute({ namespace, localName }))) {
        refuse(namespace, localName);
      }
    }
  }
  if (others.length > 0 && anyAttribute !== undefined) put(result, anyAttribute, others);
  for (const member of table.attributes) if (!has(result, member)) addDefault(run, member, result);
}

/** Checks the attributes of an element whose type has none. */
export function checkSimpleAttributes({ reader, encoded, refuseUnknown }: DecodeRun): void {
  for (const { localName, namespace, value } of reader.attributes) {
    if (!encoded) refuseLiteralReference({ namespace, localName, value });
    if (namespace === instanceNamespace || (encoded && isEncodingAttribute({ namespace, localName }))) continue;
    if (refuseUnknown) refuse(namespace, localName);
  }
}

function refuse(namespace: string, localName: string): never {
  throw new Misfit(`The attribute ${clark(namespace, localName)} is not expected here.`).within(`@${localName}`);
}

function attributeOf(table: DecodeTable, localName: string, namespace: string): DecodeAttribute | undefined {
  let member = table.attributesByName.get(localName);
  while (member !== undefined && member.namespace !== namespace) member = member.next;
  return member;
}

function readAttribute(
  run: DecodeRun,
  member: DecodeAttribute,
  { text, result }: { readonly text: string; readonly result: Result },
): void {
  try {
    const type = member.simple();
    const value = run.read(type, text);
    if (run.strict && member.fixed !== undefined) checkFixed(type, { value, fixed: member.fixed, context: run });
    put(result, member, value);
  } catch (error) {
    throw within(error, `@${member.local}`);
  }
}

/** XSD 1.0 Part 1 §3.4.5: what an absent attribute is by default, or always, is as good as written. */
function addDefault(run: DecodeRun, member: DecodeAttribute, result: Result): void {
  if (member.required) throw new Misfit("The attribute is required.").within(`@${member.local}`);
  const text = member.default ?? member.fixed;
  if (text !== undefined) put(result, member, declaredValue(member.simple(), text, run));
}
