import { findNearestName, splitClark } from "@bothends/xml";

export { xmlNamespace } from "@bothends/xml";

// Names in sources: namespaces, expanded names, and the words in names from which identifiers are made.

export const xsdNamespace = "http://www.w3.org/2001/XMLSchema";
export const xsiNamespace = "http://www.w3.org/2001/XMLSchema-instance";

/**
 * The namespaces of XSD's working drafts. Schemas in them are read as XSD 1.0, because the examples in WSDL 1.1 use
 * them.
 */
const draftNamespaces: ReadonlySet<string> = new Set([
  "http://www.w3.org/1999/XMLSchema",
  "http://www.w3.org/2000/08/XMLSchema",
  "http://www.w3.org/2000/10/XMLSchema",
]);

/** Whether a namespace is that of XSD or of one of its working drafts. */
export function isXsdNamespace(namespace: string): boolean {
  return namespace === xsdNamespace || draftNamespaces.has(namespace);
}

/** The namespaces of WSDL 1.1 and its bindings, and of SOAP encoding. */
export const wsdlNamespace = "http://schemas.xmlsoap.org/wsdl/";
export const soap11Namespace = "http://schemas.xmlsoap.org/wsdl/soap/";
export const soap12Namespace = "http://schemas.xmlsoap.org/wsdl/soap12/";
export const httpNamespace = "http://schemas.xmlsoap.org/wsdl/http/";
export const mimeNamespace = "http://schemas.xmlsoap.org/wsdl/mime/";
export const soap11EncodingNamespace = "http://schemas.xmlsoap.org/soap/encoding/";
export const soap12EncodingNamespace = "http://www.w3.org/2003/05/soap-encoding";

/** Whether a name belongs to SOAP encoding (SOAP 1.1 §5, SOAP 1.2 Part 2 §3). */
export function isSoapEncoding(name: QName | undefined): boolean {
  return name?.namespace === soap11EncodingNamespace || name?.namespace === soap12EncodingNamespace;
}

/**
 * An expanded name. `namespace` is "" for a name without a namespace. Maps use names in Clark notation as keys:
 * `{namespace}local`.
 */
export interface QName {
  readonly namespace: string;
  readonly local: string;
}

/**
 * Suggests a known name to replace an unknown one: the same local name in another namespace, or a similar name in the
 * same namespace.
 */
export function findNearestQName(name: QName, clarkNames: Iterable<string>): QName | undefined {
  const namesInNamespace: string[] = [];
  let nameInOtherNamespace: QName | undefined;
  for (const clarkName of clarkNames) {
    const { namespace, localName: local } = splitClark(clarkName);
    if (namespace === name.namespace) {
      namesInNamespace.push(local);
    } else if (local === name.local) {
      nameInOtherNamespace ??= { namespace, local };
    }
  }
  if (nameInOtherNamespace !== undefined) {
    return nameInOtherNamespace;
  }
  const local = findNearestName(name.local, namesInNamespace);
  return local === undefined ? undefined : { namespace: name.namespace, local };
}

/** The letters added in Unicode 16 and 17, which some tools and Node versions do not support. */
const unicode16And17Letters =
  "\\u088f\\u0897\\u0c5c\\u0cdc\\u1acf-\\u1aeb\\u1c89\\u1c8a\\ua7cb-\\ua7cf\\ua7d2\\ua7d4\\ua7da-\\ua7dc\\ua7f1";

/**
 * Matches letters, digits and marks that identifiers may contain. Excludes connectors, invisible characters and code
 * points above U+FFFF.
 */
const identifierWord = new RegExp(
  `(?:(?![\\p{Pc}\\p{Default_Ignorable_Code_Point}\\u{10000}-\\u{10ffff}${unicode16And17Letters}])\\p{ID_Continue})+`,
  "gu",
);

/** Splits a name into words, and removes all characters that an identifier cannot contain on every platform. */
export function listNameWords(text: string): readonly string[] {
  return text.normalize("NFC").match(identifierWord) ?? [];
}

/** The ASCII letters that replace Latin letters which Unicode does not decompose. */
const latinLetters: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ł", "l"],
  ["ħ", "h"],
  ["ı", "i"],
]);

/**
 * Converts Latin letters to ASCII: `größe é` becomes `grosse e`. Letters in `latinLetters` become lower case.
 */
export function withAsciiLetters(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{ASCII}]/gu, (character) => latinLetters.get(character.toLowerCase()) ?? character);
}

/** Converts a name to lower-case words with hyphens between them: `GDSQueue` becomes `gds-queue`. */
export function hyphenate(text: string): string {
  return text
    .normalize("NFC")
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, "$1-$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1-$2")
    .toLowerCase();
}
