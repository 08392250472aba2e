import { emptyContext } from "@bothends/datatypes/value-space";
import type { AttributeField, KindCodec, TextField } from "../../descriptor.js";
import { type AttributeReader, hasMember, setMember, type TextReader } from "../decode-table.js";
import { checkFixedRead } from "../element-attributes.js";
import { type AttributeWriter, type TextWriter, writeMember } from "../encode-table.js";
import { resolveSimpleTypeOnFirstUse } from "../resolve-type.js";
import { type FieldContext, getMemberAt } from "../resolved-types.js";
import {
  addStep,
  checkFixed,
  missingAttributeReason,
  readDeclaredValue,
  SchemaMismatch,
  writeSimpleValue,
} from "../schema-mismatch.js";

/** Reads and writes attributes. Exported as `xs.attribute`. */
export const attribute: KindCodec<"attribute"> = {
  kind: "attribute",
  decode: createAttributeReader,
  encode: createAttributeWriter,
};

function getNameOnWire({ name, namespace = "" }: AttributeField<unknown>, { key, names }: FieldContext) {
  return { localName: name ?? key, namespace: names.namespace(namespace) };
}

function createAttributeReader(field: AttributeField<unknown>, fieldContext: FieldContext): AttributeReader {
  const member = getMemberAt(fieldContext);
  const { localName, namespace } = getNameOnWire(field, fieldContext);
  const { required, fixed, default: byDefault = fixed } = field;
  const simpleType = resolveSimpleTypeOnFirstUse(field.type);
  return {
    kind: "attribute",
    localName: namespace === "" ? localName : undefined,
    read(context, xmlAttribute, result) {
      if (xmlAttribute.localName !== localName || xmlAttribute.namespace !== namespace) {
        return false;
      }
      try {
        const value = context.readText(simpleType(), xmlAttribute.value, localName);
        if (fixed !== undefined) {
          checkFixedRead(context, { type: simpleType(), value, fixed, attribute: localName });
        }
        setMember(result, member, value);
        return true;
      } catch (error) {
        throw addStep(error, `@${localName}`);
      }
    },
    /** Sets an absent attribute to its default or fixed value (XSD 1.0 Part 1 §3.4.5). */
    finish(context, result) {
      if (hasMember(result, member)) {
        return;
      }
      if (required) {
        throw new SchemaMismatch(missingAttributeReason).prependStep(`@${localName}`);
      }
      if (byDefault !== undefined) {
        setMember(result, member, readDeclaredValue(simpleType(), byDefault, context));
      }
    },
  };
}

function createAttributeWriter(field: AttributeField<unknown>, fieldContext: FieldContext): AttributeWriter {
  const member = getMemberAt(fieldContext);
  const name = getNameOnWire(field, fieldContext);
  const { required, fixed } = field;
  const simpleType = resolveSimpleTypeOnFirstUse(field.type);
  return {
    kind: "attribute",
    name,
    write: (context, members) =>
      writeMember(
        context,
        {
          member,
          members,
          requiredReason: required ? missingAttributeReason : undefined,
          siblings: fieldContext.record.fields,
        },
        (value) => {
          const { prefixes } = context;
          const text = context.escapeAttribute(writeSimpleValue(simpleType(), value, prefixes));
          if (fixed !== undefined) {
            checkFixed(simpleType(), { value, fixed, context: emptyContext });
          }
          return ` ${prefixes.formatAttributeName(name.namespace, name.localName)}="${text}"`;
        },
      ),
  };
}

/** Reads and writes the text of a type with simple content. Exported as `xs.text`. */
export const text: KindCodec<"text"> = {
  kind: "text",
  decode({ type }: TextField<unknown>, fieldContext: FieldContext): TextReader {
    const member = getMemberAt(fieldContext);
    const simpleType = resolveSimpleTypeOnFirstUse(type);
    return {
      kind: "text",
      read: (context, result, declaration) =>
        setMember(result, member, context.readSimpleValue(simpleType(), declaration)),
    };
  },
  encode({ type }: TextField<unknown>, fieldContext: FieldContext): TextWriter {
    const member = getMemberAt(fieldContext);
    const simpleType = resolveSimpleTypeOnFirstUse(type);
    return {
      kind: "text",
      write: (context, members) =>
        writeMember(
          context,
          { member, members, requiredReason: "The text is required.", siblings: fieldContext.record.fields },
          (value) => context.escapeText(writeSimpleValue(simpleType(), value, context.prefixes)),
        ),
    };
  },
};
