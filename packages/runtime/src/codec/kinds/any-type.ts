import type { XmlReader } from "@bothends/xml";
import { END, TEXT } from "@bothends/xml/reader";
import type { AnyElement, AnyTypeDescriptor, AnyValue, KindCodec } from "../../descriptor.js";
import type { ValueReader } from "../decode-table.js";
import { typeNameOf } from "../element-attributes.js";
import type { EncodeContext, EncodeTypeContext, ValueWriter } from "../encode-table.js";
import { instanceNamespace, schemaNamespace } from "../names.js";
import { openTag, type Tag } from "../start-tag.js";
import {
  checkedMembers,
  readAnyAttributes,
  readAnyElement,
  splitName,
  writeAttributes,
  writeContent,
} from "./any-element.js";

const codec: KindCodec<"anyType"> = {
  kind: "anyType",
  decode: (): ValueReader => ({ kind: "other", read: ({ reader }) => readAnyValue(reader) }),
  encode: (_: AnyTypeDescriptor, { tables }: EncodeTypeContext): ValueWriter => ({
    kind: "other",
    write: (context, tag, value) =>
      writeAnyValue(context, value, { tag, declaresType: tables.declaredTypes !== undefined }),
  }),
};

/** The any type: `xs.anyType`. */
export const anyType: AnyTypeDescriptor = { kind: "anyType", by: codec };

/** Reads the element at the reader's START as a value of `xs:anyType`; leaves the reader at its END. */
function readAnyValue(reader: XmlReader): AnyValue {
  const text = reader.attribute(instanceNamespace, "type");
  const type = text === undefined ? undefined : typeNameOf(reader, text);
  const attributes = readAnyAttributes(reader, (localName) => localName !== "type" && localName !== "nil");
  const content: (string | AnyElement)[] = [];
  for (let event = reader.next(); event !== END; event = reader.next()) {
    content.push(event === TEXT ? reader.text : readAnyElement(reader));
  }
  const [first = ""] = content;
  if (type === undefined && attributes.length === 0 && content.length < 2 && typeof first === "string") {
    return first;
  }
  return {
    ...(type === undefined ? {} : { type }),
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(content.length === 0 ? {} : { content }),
  };
}

const valueKeys: ReadonlySet<string> = new Set(["type", "attributes", "content"]);
const typeAndNil = ["type", "nil"].map((local) => ({ namespace: instanceNamespace, local }));

/** Writes an `AnyValue`. */
function writeAnyValue(
  context: EncodeContext,
  value: unknown,
  { tag, declaresType }: { readonly tag: Tag; readonly declaresType: boolean },
): string {
  if (typeof value === "string") {
    const typeName = declaresType ? { namespace: schemaNamespace, local: "string" } : undefined;
    const { start, close } = openTag(context.prefixes, tag, { attributes: "", typeName });
    return value === "" ? `${start} />` : `${start}>${context.text(value)}${close}`;
  }
  context.enter();
  const { type, attributes: anyAttributes, content } = checkedMembers(value, valueKeys, "AnyValue");
  const typeName = type === undefined ? undefined : splitName(type);
  const attributes = writeAttributes(context, anyAttributes, typeAndNil);
  const { start, close, noDefault } = openTag(context.prefixes, tag, { attributes, typeName });
  const inner = writeContent(context, content, noDefault ? "" : tag.name.namespace);
  context.leave();
  return inner === "" ? `${start} />` : `${start}>${inner}${close}`;
}
