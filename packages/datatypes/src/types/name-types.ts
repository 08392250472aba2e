import { clark } from "@bothends/xml/clark-names";
import { isName, isNCName, splitQName } from "@bothends/xml/name-characters";
import { splitClark } from "@bothends/xml/split-clark";
import { createNonEmptyList } from "../derivation.js";
import { createInvalidValueError } from "../lexical-error.js";
import type { Datatype, SimpleType, TextContext } from "../simple-type.js";
import { createTokenType } from "./text.js";

// The types whose values are XML names. Their table of name characters is larger than the code of all other string
// types, so these types are in a separate module.

export const Name: SimpleType<string> = /* @__PURE__ */ createTokenType("xs:Name", isName);
export const NCName: SimpleType<string> = /* @__PURE__ */ createTokenType("xs:NCName", isNCName);
export const NMTOKEN: SimpleType<string> = /* @__PURE__ */ createTokenType("xs:NMTOKEN", isNmtoken);
export const NMTOKENS: SimpleType<readonly string[]> = /* @__PURE__ */ createNonEmptyList(NMTOKEN, "xs:NMTOKENS");
/** xs:ID. Its values identify elements (XSD 1.0 Part 2 §3.3.8). */
export const ID: SimpleType<string> = /* @__PURE__ */ createIdentifierType("ID");
export const IDREF: SimpleType<string> = /* @__PURE__ */ createIdentifierType("IDREF");
export const IDREFS: SimpleType<readonly string[]> = /* @__PURE__ */ createNonEmptyList(IDREF, "xs:IDREFS");
export const ENTITY: SimpleType<string> = /* @__PURE__ */ createTokenType("xs:ENTITY", isNCName);
export const ENTITIES: SimpleType<readonly string[]> = /* @__PURE__ */ createNonEmptyList(ENTITY, "xs:ENTITIES");
/** xs:QName. Its values are in Clark notation: `{namespace}local` (XSD 1.0 Part 2 §3.2.18). */
export const QName: SimpleType<string> = /* @__PURE__ */ createQNameType("xs:QName");
/** xs:NOTATION. Its values are in Clark notation (XSD 1.0 Part 2 §3.2.19). */
export const NOTATION: SimpleType<string> = /* @__PURE__ */ createQNameType("xs:NOTATION");

/** Creates xs:ID, the identifier of an element, or xs:IDREF, a reference to an ID (§3.3.8, §3.3.9). */
function createIdentifierType(kind: "ID" | "IDREF"): Datatype<string> {
  const type = createTokenType(`xs:${kind}`, isNCName);
  return {
    ...type,
    read(text, context) {
      const name = type.read(text, context);
      context.identify?.(kind, name);
      return name;
    },
  };
}

/** Whether a string is an Nmtoken, in which every character may be any name character (XML 1.0 §2.3 [7]). */
function isNmtoken(text: string): boolean {
  return text !== "" && isName(`_${text}`);
}

/**
 * Creates xs:QName or xs:NOTATION (XSD 1.0 Part 2 §3.2.18, §3.2.19). Values and facets are in Clark notation. The
 * length facets are not checked: they are deprecated for these types, because the length would depend on the prefix.
 */
function createQNameType(name: "xs:QName" | "xs:NOTATION"): Datatype<string> {
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: {
      key: (value) => `${name}:${value}`,
      literal(text) {
        if (!isClarkName(text)) {
          throw createInvalidValueError(text, name);
        }
        return text;
      },
    },
    accepts(text, context) {
      const prefix = splitQName(text)?.prefix;
      return prefix === "" || (prefix !== undefined && context.resolve(prefix) !== undefined);
    },
    read: (text, context) => readQName(text, context, name),
    write: (value: unknown, context) => writeQName(value, context, name),
    mayWrite: isClarkName,
  };
}

function isClarkName(value: unknown): boolean {
  return typeof value === "string" && isNCName(splitClark(value).localName);
}

function readQName(text: string, context: TextContext, name: string): string {
  const parts = splitQName(text);
  if (parts === undefined) {
    throw createInvalidValueError(text, name);
  }
  const namespace = context.resolve(parts.prefix);
  if (namespace === undefined && parts.prefix !== "") {
    throw createInvalidValueError(text, name, "its prefix is not declared");
  }
  return clark(namespace ?? "", parts.localName);
}

function writeQName(value: unknown, context: TextContext, name: string): string {
  if (typeof value !== "string") {
    throw createInvalidValueError(value, name);
  }
  const { namespace, localName } = splitClark(value);
  if (!isNCName(localName)) {
    throw createInvalidValueError(value, name);
  }
  if (namespace !== "") {
    return `${context.prefixFor(namespace)}:${localName}`;
  }
  const defaultNamespace = context.resolve("");
  if (defaultNamespace !== undefined && defaultNamespace !== "") {
    throw createInvalidValueError(
      value,
      name,
      "a name without a namespace cannot be written inside a default namespace",
    );
  }
  return localName;
}
