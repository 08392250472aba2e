// Content without a type in the schema: wildcards and `xs:anyType`.

import { clark } from "@bothends/xml/clark-names";
import { END, TEXT } from "@bothends/xml/reader-events";
import type {
  AnyAttributeField,
  AnyElement,
  AnyField,
  AnyOperationDescriptor,
  AnyTypeDescriptor,
  AnyValue,
  KindCodec,
} from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import type { DeclaredElement, DeclaredElements } from "../codec-options.js";
import {
  type AttributeReader,
  appendItem,
  type DecodeAny,
  type DecodeContext,
  setMember,
  type ValueReader,
} from "../decode-table.js";
import { getTypeName } from "../element-attributes.js";
import {
  type AttributeWriter,
  type EncodeContext,
  type EncodeFieldContext,
  type EncodeRepeated,
  type EncodeTypeContext,
  findRequiredReason,
  listItems,
  type ValueWriter,
  writeItems,
  writeMember,
} from "../encode-table.js";
import {
  type FieldContext,
  getMemberAt,
  getOccurrences,
  instanceNamespace,
  schemaNamespace,
} from "../resolved-types.js";
import { SchemaMismatch } from "../schema-mismatch.js";
import { openTag } from "../start-tag.js";
import type { Tag } from "../tags.js";
import {
  allowsNamespace,
  checkMembers,
  readAnyAttributes,
  readAnyElement,
  renameWildcard,
  splitName,
  writeAttributes,
  writeContent,
  writeElement,
} from "./any-element.js";

/** Reads and writes the elements that match a wildcard. Exported as `xs.any`. */
export const any: KindCodec<"any"> = {
  kind: "any",
  decode(field: AnyField, fieldContext: FieldContext): DecodeAny {
    const member = createAnyMember(field, fieldContext);
    const namespaces = renameWildcard(field.namespaces, fieldContext.names);
    return {
      ...member,
      accepts: (namespace) => allowsNamespace(namespaces, namespace),
      add(context, result) {
        const element = readChecked(context, field.process);
        if (member.array) {
          appendItem(result, member, element);
        } else {
          setMember(result, member, element);
        }
      },
    };
  },
  encode(field: AnyField, fieldContext: EncodeFieldContext): EncodeRepeated {
    const member = createAnyMember(field, fieldContext);
    const wildcardContext = {
      defaultNamespace: fieldContext.defaultNamespace,
      namespaces: renameWildcard(field.namespaces, fieldContext.names),
    };
    return {
      ...member,
      write: (context, members) =>
        writeMember(
          context,
          { member, members, requiredReason: findRequiredReason(member), siblings: fieldContext.record.fields },
          (value) =>
            member.array
              ? writeItems(listItems(value, member), (item) => writeElement(context, item, wildcardContext))
              : writeElement(context, value, wildcardContext),
        ),
    };
  },
};

/**
 * Reads the current element. Checks the element and its descendants against their declarations (XSD 1.0 Part 1 §3.10.1,
 * processContents).
 */
function readChecked(context: DecodeContext, processContents: AnyField["process"]): AnyElement {
  const { reader } = context;
  const start = reader.offset;
  const element = readAnyElement(reader);
  if (processContents !== "skip") {
    context.checkDeclared(start, processContents);
  }
  return element;
}

function createAnyMember(field: AnyField, fieldContext: FieldContext) {
  const occurrences = getOccurrences(field);
  const array = occurrences.max !== 1;
  return { kind: "any", ...getMemberAt(fieldContext), ...occurrences, array, nillable: false } as const;
}

/** Reads and writes the attributes that match a wildcard. Exported as `xs.anyAttribute`. */
export const anyAttribute: KindCodec<"anyAttribute"> = {
  kind: "anyAttribute",
  decode(field: AnyAttributeField, fieldContext: FieldContext): AttributeReader {
    const member = getMemberAt(fieldContext);
    const namespaces = renameWildcard(field.namespaces, fieldContext.names);
    return {
      kind: "anyAttribute",
      read(_, { namespace, localName, value }, result) {
        if (namespace === instanceNamespace || !allowsNamespace(namespaces, namespace)) {
          return false;
        }
        appendItem(result, member, { name: clark(namespace, localName), value });
        return true;
      },
      finish() {},
    };
  },
  encode(field: AnyAttributeField, fieldContext: FieldContext): AttributeWriter {
    const member = getMemberAt(fieldContext);
    const namespaces = renameWildcard(field.namespaces, fieldContext.names);
    return {
      kind: "anyAttribute",
      write: (context, members, declaredAttributes) =>
        writeMember(
          context,
          { member, members, requiredReason: undefined, siblings: fieldContext.record.fields },
          (value) => {
            const reservedNames = declaredAttributes.flatMap(({ name }) => name ?? []);
            return writeAttributes(context, value, reservedNames, ({ namespace }) => {
              if (namespace === instanceNamespace) {
                throw new LexicalError("The attributes of a wildcard must not be in the xsi namespace.");
              }
              if (!allowsNamespace(namespaces, namespace)) {
                throw new SchemaMismatch(`The wildcard does not allow an attribute in the namespace "${namespace}".`, {
                  reason: "The wildcard does not allow an attribute in this namespace.",
                });
              }
            });
          },
        ),
    };
  },
};

/** Reads and writes values of the XML Schema type `xs:anyType`. Exported as `xs.anyType`. */
export const anyType: AnyTypeDescriptor = {
  kind: "anyType",
  by: {
    kind: "anyType",
    decode: (): ValueReader => ({ kind: "other", read: readAnyValue }),
    encode: (_: AnyTypeDescriptor, { tables }: EncodeTypeContext): ValueWriter => ({
      kind: "other",
      write: (context, tag, value) =>
        writeAnyValue(context, value, { tag, declaresType: tables.declaredTypes !== undefined }),
    }),
  },
};

/** Reads the current element as a value of `xs:anyType`, and leaves the reader at the end tag. */
function readAnyValue(context: DecodeContext): AnyValue {
  const { reader, strict } = context;
  const text = reader.attribute(instanceNamespace, "type");
  const type = text === undefined ? undefined : getTypeName(reader, text);
  const attributes = readAnyAttributes(reader, (localName) => localName !== "type" && localName !== "nil");
  const content: (string | AnyElement)[] = [];
  for (let event = reader.next(); event !== END; event = reader.next()) {
    content.push(event === TEXT ? reader.text : readChecked(context, "lax"));
  }
  if (
    strict &&
    isBuiltInSimpleType(type) &&
    (attributes.length > 0 || content.some((item) => typeof item !== "string"))
  ) {
    throw new SchemaMismatch("A value of a simple type must have neither elements nor attributes.");
  }
  const [firstItem = ""] = content;
  if (type === undefined && attributes.length === 0 && content.length < 2 && typeof firstItem === "string") {
    return firstItem;
  }
  return {
    ...(type === undefined ? {} : { type }),
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(content.length === 0 ? {} : { content }),
  };
}

/** Whether a type name in Clark notation is the name of a built-in simple type. */
function isBuiltInSimpleType(type: string | undefined): boolean {
  return type?.startsWith(`{${schemaNamespace}}`) === true && type !== `{${schemaNamespace}}anyType`;
}

const valueKeys: ReadonlySet<string> = new Set(["type", "attributes", "content"]);
const typeAndNilNames = [
  { namespace: instanceNamespace, localName: "type" },
  { namespace: instanceNamespace, localName: "nil" },
];

/** Writes an `AnyValue`. */
function writeAnyValue(
  context: EncodeContext,
  value: unknown,
  { tag, declaresType }: { readonly tag: Tag; readonly declaresType: boolean },
): string {
  if (typeof value === "string") {
    const typeName = declaresType ? { namespace: schemaNamespace, localName: "string" } : undefined;
    const { start, close } = openTag(context.prefixes, tag, { attributes: "", typeName });
    return value === "" ? `${start} />` : `${start}>${context.escapeText(value)}${close}`;
  }
  context.beginLevel();
  const {
    type,
    attributes: anyAttributes,
    content,
  } = checkMembers(value, { keys: valueKeys, name: "AnyValue" }, context);
  const typeName = type === undefined ? undefined : splitName(type);
  const attributes = writeAttributes(context, anyAttributes, typeAndNilNames);
  const { start, close, hasNoDefault } = openTag(context.prefixes, tag, { attributes, typeName });
  const contentXml = writeContent(context, content, hasNoDefault ? "" : tag.name.namespace);
  context.endLevel();
  return contentXml === "" ? `${start} />` : `${start}>${contentXml}${close}`;
}

/**
 * Returns the elements in the bodies and faults of operations, for the option `validate.wildcards`. Accepts all exports
 * of a module: `import * as operations from "vehicle-client/vehicle/operations"`.
 */
export function messageElements(operations: Readonly<Record<string, object>>): DeclaredElements {
  const declarations = new Map<string, DeclaredElement>();
  for (const { input, output, faults = [] } of Object.values(operations).filter(isOperation)) {
    for (const body of [input.body, output?.body, ...faults]) {
      if (body !== undefined && "element" in body && !("rpc" in body)) {
        declarations.set(body.element, body);
      }
    }
  }
  return { find: (name) => declarations.get(name) };
}

function isOperation(value: object): value is AnyOperationDescriptor {
  return "kind" in value && value.kind === "operation";
}
