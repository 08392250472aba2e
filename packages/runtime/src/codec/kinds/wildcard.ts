import { clark } from "@bothends/xml/names";
import type { AnyAttributeField, AnyElement, AnyField, KindCodec } from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import { type AttributeReader, appendItem, type DecodeAny, setMember } from "../decode-table.js";
import type { AttributeWriter, EncodeFieldContext, EncodeRepeated } from "../encode-table.js";
import { type FieldContext, memberAt, occurrencesOf } from "../members.js";
import { admits, instanceNamespace, wildcardOnWire } from "../names.js";
import { itemsOf, requiredMember, writeItems, writeMember } from "../values.js";
import { readAnyElement, writeAttributes, writeElement } from "./any-element.js";

/** Reads and writes the elements of a wildcard: `xs.any`. */
export const any: KindCodec<"any"> = {
  kind: "any",
  decode(field: AnyField, fieldContext: FieldContext): DecodeAny {
    const member = anyMember(field, fieldContext);
    const namespaces = wildcardOnWire(field.namespaces, fieldContext.names);
    return {
      ...member,
      accepts: (namespace) => admits(namespaces, namespace),
      add({ reader }, result) {
        const element: AnyElement = readAnyElement(reader);
        if (member.array) {
          appendItem(result, member, element);
        } else {
          setMember(result, member, element);
        }
      },
    };
  },
  encode(field: AnyField, fieldContext: EncodeFieldContext): EncodeRepeated {
    const member = anyMember(field, fieldContext);
    const wildcardContext = {
      scope: fieldContext.scope,
      namespaces: wildcardOnWire(field.namespaces, fieldContext.names),
    };
    return {
      ...member,
      write: (context, members) =>
        writeMember(context, { member, members, required: requiredMember(member) }, (value) =>
          member.array
            ? writeItems(itemsOf(value, member), (item) => writeElement(context, item, wildcardContext))
            : writeElement(context, value, wildcardContext),
        ),
    };
  },
};

function anyMember(field: AnyField, fieldContext: FieldContext) {
  const occurrences = occurrencesOf(field);
  const array = occurrences.max !== 1;
  return { kind: "any", ...memberAt(fieldContext), ...occurrences, array, nillable: false } as const;
}

/** Reads and writes the attributes of a wildcard: `xs.anyAttribute`. */
export const anyAttribute: KindCodec<"anyAttribute"> = {
  kind: "anyAttribute",
  decode(field: AnyAttributeField, fieldContext: FieldContext): AttributeReader {
    const member = memberAt(fieldContext);
    const namespaces = wildcardOnWire(field.namespaces, fieldContext.names);
    return {
      kind: "anyAttribute",
      read(_, { namespace, localName, value }, result) {
        if (namespace === instanceNamespace || !admits(namespaces, namespace)) {
          return false;
        }
        appendItem(result, member, { name: clark(namespace, localName), value });
        return true;
      },
      finish() {},
    };
  },
  encode(field: AnyAttributeField, fieldContext: FieldContext): AttributeWriter {
    const member = memberAt(fieldContext);
    const namespaces = wildcardOnWire(field.namespaces, fieldContext.names);
    return {
      kind: "anyAttribute",
      write: (context, members, declared) =>
        writeMember(context, { member, members, required: undefined }, (value) => {
          const reserved = declared.flatMap(({ name }) => name ?? []);
          return writeAttributes(context, value, reserved, ({ namespace }) => {
            if (namespace === instanceNamespace) {
              throw new LexicalError("The attributes of a wildcard must not be in the xsi namespace.");
            }
            if (!admits(namespaces, namespace)) {
              throw new LexicalError(`An attribute of namespace "${namespace}" is not allowed here.`);
            }
          });
        }),
    };
  },
};
