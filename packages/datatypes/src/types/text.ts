import { clark, isName, isNCName, splitClark, splitQName } from "@bothends/xml/names";
import { invalid, wrongType } from "../lexical-error.js";
import { type Datatype, normalizeWhiteSpace, type TextContext, type ValueSpace } from "../simple-type.js";

/** The number of characters, which are code points and not UTF-16 units (XSD 1.0 Part 2 §4.3.1). */
function characterCount(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) {
      count--;
    }
  }
  return count;
}

function textSpace(primitive: string): ValueSpace<string> {
  return { key: (value) => `${primitive}:${value}`, length: characterCount };
}

interface TextTypeInit {
  readonly name: string;
  readonly whiteSpace: "preserve" | "replace" | "collapse";
  /** Absent: any text is accepted. */
  readonly accepts?: (text: string) => boolean;
  /** Default: the value space of xs:string. */
  readonly valueSpace?: ValueSpace<string>;
}

/** A type whose JavaScript value is its text: strings, and types whose text preserves more than a number or `Date` would. */
export function textType(init: TextTypeInit): Datatype<string> {
  const { name, whiteSpace, accepts, valueSpace = textSpace("string") } = init;
  return {
    kind: "simple",
    name,
    whiteSpace,
    valueSpace,
    read(text) {
      if (accepts !== undefined && !accepts(text)) {
        throw invalid(text, name);
      }
      return text;
    },
    // The values of a type that normalizes white space are normalized texts.
    write(value: unknown) {
      if (typeof value !== "string") {
        throw wrongType(value, name, "a string");
      }
      if (normalizeWhiteSpace(value, whiteSpace) !== value || (accepts !== undefined && !accepts(value))) {
        throw invalid(value, name);
      }
      return value;
    },
  };
}

/** A type derived from xs:token: names and languages. */
export function tokenType(name: string, accepts: (text: string) => boolean): Datatype<string> {
  return textType({ name, whiteSpace: "collapse", accepts });
}

/** xs:ID and xs:IDREF (§3.3.8, §3.3.9): the identifier of an element, and a reference to one. */
export function identifierType(kind: "ID" | "IDREF"): Datatype<string> {
  const type = tokenType(`xs:${kind}`, isNCName);
  return {
    ...type,
    read(text, context) {
      const name = type.read(text, context);
      context.identify?.(kind, name);
      return name;
    },
  };
}

/** XML 1.0 §2.3 [7] Nmtoken: consists of name characters, without the restriction on the first one. */
export function isNmtoken(text: string): boolean {
  return text !== "" && isName(`_${text}`);
}

/** §3.3.3: a language of RFC 3066. */
export function isLanguage(text: string): boolean {
  return /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/.test(text);
}

/**
 * xs:anyURI (§3.2.17). Characters that a URI must escape are allowed. By RFC 2396 a percent sign begins an escape, a number sign
 * begins the fragment, and a relative reference does not begin with a colon. Nothing else is checked.
 */
export function anyURIType(): Datatype<string> {
  return textType({
    name: "xs:anyURI",
    whiteSpace: "collapse",
    accepts: (text) => !/^:|%(?![0-9A-Fa-f]{2})|#.*#/.test(text),
    valueSpace: textSpace("anyURI"),
  });
}

/** xs:anySimpleType (§4.1.6): any text. */
export function anySimpleTypeType(): Datatype<string> {
  return textType({ name: "xs:anySimpleType", whiteSpace: "preserve", valueSpace: textSpace("anySimpleType") });
}

/**
 * xs:QName and xs:NOTATION (XSD 1.0 Part 2 §3.2.18, §3.2.19). Values and facets are in Clark notation. The length facets, which
 * are deprecated here, are not checked because the length would depend on the prefix.
 */
export function qnameType(name: "xs:QName" | "xs:NOTATION"): Datatype<string> {
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: { key: (value) => `${name}:${value}`, literal: (text) => text },
    read: (text, context) => readQName(text, context, name),
    write: (value: unknown, context) => writeQName(value, context, name),
  };
}

function readQName(text: string, context: TextContext, name: string): string {
  const parts = splitQName(text);
  if (parts === undefined) {
    throw invalid(text, name);
  }
  const namespace = context.resolve(parts.prefix);
  if (namespace === undefined && parts.prefix !== "") {
    throw invalid(text, name, "its prefix is not declared");
  }
  return clark(namespace ?? "", parts.localName);
}

function writeQName(value: unknown, context: TextContext, name: string): string {
  if (typeof value !== "string") {
    throw invalid(value, name);
  }
  const { namespace, localName } = splitClark(value);
  if (!isNCName(localName)) {
    throw invalid(value, name);
  }
  if (namespace !== "") {
    return `${context.prefixFor(namespace)}:${localName}`;
  }
  const inScope = context.resolve("");
  if (inScope !== undefined && inScope !== "") {
    throw invalid(value, name, "a name without a namespace cannot be written inside a default namespace");
  }
  return localName;
}
