import { type XmlElement, XmlError } from "@bothends/xml";
import { capitalize } from "../text.js";
import type { Code } from "./catalogue/index.js";
import type { Diagnostics } from "./diagnostics.js";
import type { SourceText, Span } from "./span.js";
import { xsdNamespace } from "./xml-names.js";

// Recognizes files that are not the expected document, and reports XML errors.

/** A description of a file that is not the expected document, with the help for messages. */
export interface UnexpectedFile {
  /** The content of the file as named in messages: `an HTML page`. */
  readonly description: string;
  readonly help: string;
  /**
   * The kind of the received document, for `bothends fetch`, which gives different help. Set only if `help` suggests
   * that command.
   */
  readonly receivedKind?: "login page" | "other document";
}

const fetchHelp = "`npx bothends fetch <address>` saves a document with everything that it imports.";

const describeEmptyFile = (description: string): UnexpectedFile => ({
  description,
  help: `The download has probably failed: save the document again. ${fetchHelp}`,
  receivedKind: "other document",
});

const gzipFile: UnexpectedFile = {
  description: "gzip data",
  help: "Unpack the file with gunzip, and use the unpacked document.",
};
const zipArchive: UnexpectedFile = {
  description: "a zip archive",
  help: "Unpack the archive, and use the document inside it.",
};
const pdf: UnexpectedFile = {
  description: "a PDF document",
  help: "Ask the service's provider for the document itself.",
};
const supportedSources = "The sources of bothends are WSDL 1.1 and WordPress REST indexes.";
const openApiHelp = `OpenAPI is not supported; openapi-typescript or @hey-api/openapi-ts generates clients from it. ${supportedSources}`;

/**
 * Unsupported service descriptions that are not JSON, each with the pattern of its first characters. A comment in these
 * patterns extends to the end of its line: if it could end anywhere, matching a line of `#` characters would take
 * exponential time.
 */
const unsupportedLanguages: readonly (UnexpectedFile & { readonly beginningPattern: RegExp })[] = [
  { beginningPattern: /^(?:openapi|swagger)\s*:\s*["']?\d/, description: "an OpenAPI document", help: openApiHelp },
  {
    beginningPattern: /^asyncapi\s*:/,
    description: "an AsyncAPI document",
    help: `AsyncAPI is not supported. ${supportedSources}`,
  },
  { beginningPattern: /^#%RAML\b/, description: "a RAML document", help: `RAML is not supported. ${supportedSources}` },
  {
    beginningPattern: /^FORMAT:\s*1A\b/,
    description: "an API Blueprint",
    help: `API Blueprint is not supported. ${supportedSources}`,
  },
  {
    beginningPattern: /^(?:\/\/[^\n]*\n\s*)*(?:syntax\s*=\s*"proto|package\s+[\w.]+;)/,
    description: "a Protocol Buffers file",
    help: `Protocol Buffers are not supported; buf and ts-proto generate clients from them. ${supportedSources}`,
  },
  {
    beginningPattern:
      /^(?:(?:#[^\n]*\n|"""[^"]*""")\s*)*(?:schema|type|interface|input|enum|scalar|union|directive|extend)\s+@?[\w{]/,
    description: "a GraphQL schema",
    help: `GraphQL is not supported; @graphql-codegen/cli generates clients from it. ${supportedSources}`,
  },
];

const unsupportedJson: readonly (UnexpectedFile & { readonly contentPattern: RegExp })[] = [
  {
    contentPattern: /"asyncapi"\s*:\s*"/,
    description: "an AsyncAPI document",
    help: `AsyncAPI is not supported. ${supportedSources}`,
  },
  {
    contentPattern: /"__schema"\s*:/,
    description: "a GraphQL introspection result",
    help: `GraphQL is not supported; @graphql-codegen/cli generates clients from it. ${supportedSources}`,
  },
  {
    contentPattern: /schema\.getpostman\.com|"_postman_id"\s*:/,
    description: "a Postman collection",
    help: `Postman collections are not supported. Fetch the WSDL or the index from the addresses in it: \`npx bothends fetch <address>\`.`,
  },
  {
    contentPattern: /"\$schema"\s*:\s*"https?:\/\/json-schema\.org/,
    description: "a JSON Schema",
    help: "JSON Schemas describe answers. Name this one under `responses` in bothends.json.",
  },
];

/** The number of bytes at the start of a file that are examined. */
const headBytes = 4096;

/** Describes a file whose bytes are not XML; undefined if they may be XML. */
export function describeNonXml(bytes: Uint8Array): UnexpectedFile | undefined {
  const archive = bytes.length === 0 ? describeEmptyFile("an empty file") : describeBinary(bytes);
  if (archive !== undefined) {
    return archive;
  }
  const text = findStartText(bytes);
  if (text === undefined) {
    return undefined;
  }
  if (text === "") {
    return bytes.length > headBytes ? undefined : describeEmptyFile("only white space");
  }
  if (isHtml(text)) {
    return describeHtml(text, bytes);
  }
  if (/^(?:\{|\[)/.test(text)) {
    return describeJson(text);
  }
  const otherLanguage = unsupportedLanguages.find(({ beginningPattern }) => beginningPattern.test(text));
  if (otherLanguage !== undefined) {
    return otherLanguage;
  }
  if (!text.startsWith("<") && !text.includes("\0")) {
    return {
      description: "text that is not XML",
      help: `Save the document itself. ${fetchHelp}`,
      receivedKind: "other document",
    };
  }
  return undefined;
}

/** Matches the start of an index: the first member that WordPress writes, or a route. */
export const indexStartPattern = /\{\s*"(?:name|namespace|namespaces|routes|\/[^"]*)"\s*:/;

/** Describes a file whose bytes are not JSON; undefined if they may be JSON, possibly with a syntax error. */
export function describeNonJson(bytes: Uint8Array): UnexpectedFile | undefined {
  const archive = describeBinary(bytes);
  const text = findStartText(bytes);
  if (archive !== undefined || text === undefined || text === "") {
    return archive;
  }
  if (isHtml(text)) {
    return describeHtml(text, bytes);
  }
  // An index may begin with other text, because the index reader ignores text before and after the index.
  if (!/^[[{]/.test(text) && indexStartPattern.test(decodeLatin1(bytes))) {
    return undefined;
  }
  const otherLanguage = unsupportedLanguages.find(({ beginningPattern }) => beginningPattern.test(text));
  if (otherLanguage !== undefined) {
    return otherLanguage;
  }
  if (!text.startsWith("<")) {
    return /^(?:[[{"\d/-]|true\b|false\b|null\b)/.test(text)
      ? undefined
      : { description: "text that is not JSON", help: "Save the JSON document that the site's index route returns." };
  }
  return {
    description: "XML",
    help: /<(?:\w+:)?definitions\b/.test(text)
      ? "To use a WSDL, name it with --wsdl, or with `wsdl` in bothends.json."
      : "Save the JSON document that the site's index route returns.",
  };
}

const soapMessage: UnexpectedFile = {
  description: "a SOAP message",
  help: "The service answered a call. Save the WSDL of the service. The address of a WSDL is usually the service's address followed by ?wsdl.",
};

const wadlDescription: UnexpectedFile = {
  description: "a WADL description",
  help: "WADL is not supported; use the service's WSDL.",
};

const odataMetadata: UnexpectedFile = {
  description: "an OData metadata document",
  help: "OData is not supported; use the service's WSDL, if it has one.",
};

/** Documents that are often mistaken for a WSDL, keyed by the names of their root elements. */
const knownRoots: ReadonlyMap<string, UnexpectedFile> = new Map([
  [
    "{http://www.w3.org/ns/wsdl}description",
    {
      description: "a WSDL 2.0 description",
      help: "WSDL 2.0 is not supported. Most services with a WSDL 2.0 also have a WSDL 1.1. Its address is usually the service's address followed by ?wsdl.",
    },
  ],
  [
    `{${xsdNamespace}}schema`,
    {
      description: "an XML Schema",
      help: "A schema has no operations. Name the WSDL that imports the schema; the schema is then read with it.",
    },
  ],
  [
    "{http://schemas.xmlsoap.org/disco/}discovery",
    {
      description: "a DISCO document",
      help: "Save the WSDL: its address is in the element contractRef of this document.",
    },
  ],
  [
    "{http://www.w3.org/1999/xhtml}html",
    {
      description: "an HTML page",
      help: "Save the WSDL. Its address is usually the service's address followed by ?wsdl.",
    },
  ],
  ["{http://schemas.xmlsoap.org/soap/envelope/}Envelope", soapMessage],
  ["{http://www.w3.org/2003/05/soap-envelope}Envelope", soapMessage],
  ["{http://wadl.dev.java.net/2009/02}application", wadlDescription],
  ["{http://research.sun.com/wadl/2006/10}application", wadlDescription],
  ["{http://docs.oasis-open.org/odata/ns/edmx}Edmx", odataMetadata],
  ["{http://schemas.microsoft.com/ado/2007/06/edmx}Edmx", odataMetadata],
]);

/** Describes a document by its root element, which is not the expected one. */
export function describeRoot({ namespace, localName }: XmlElement): Pick<UnexpectedFile, "description"> & {
  readonly help: string | undefined;
} {
  const recognizedRoot = knownRoots.get(`{${namespace}}${localName}`);
  if (recognizedRoot !== undefined) {
    return recognizedRoot;
  }
  const namespacePhrase = namespace === "" ? "without a namespace" : `in the namespace ${namespace}`;
  return { description: `the element <${localName}> ${namespacePhrase}`, help: undefined };
}

/** Describes a JSON document that was found where XML is expected. */
export function describeJson(text: string): UnexpectedFile {
  if (/"(?:openapi|swagger)"\s*:\s*"/.test(text)) {
    return { description: "JSON, an OpenAPI document", help: openApiHelp };
  }
  const otherFormat = unsupportedJson.find(({ contentPattern }) => contentPattern.test(text));
  if (otherFormat !== undefined) {
    return { ...otherFormat, description: `JSON, ${otherFormat.description}` };
  }
  const isIndex = /"(?:routes|namespaces)"\s*:/.test(text);
  return {
    description: "JSON",
    help: isIndex
      ? "To use a REST index, name it with --index, or with `index` in bothends.json."
      : `Save the document itself. ${fetchHelp}`,
  };
}

/** Describes a JSON object by its first members; undefined if it may be an index or is not recognized. */
export function describeNonIndex(text: string): UnexpectedFile | undefined {
  const [, openApi] = /"(?:openapi|swagger)"\s*:\s*"([\d.]{1,10})"/.exec(text.slice(0, headBytes)) ?? [];
  if (openApi !== undefined) {
    return { description: `an OpenAPI document (${openApi})`, help: openApiHelp };
  }
  const otherFormat = unsupportedJson.find(({ contentPattern }) => contentPattern.test(text.slice(0, headBytes)));
  if (otherFormat !== undefined) {
    return otherFormat;
  }
  const [, code] = /^\s*\{\s*"code"\s*:\s*"(\w{1,60})"/.exec(text.slice(0, headBytes)) ?? [];
  if (code !== undefined) {
    return {
      description: `an error answer of the site (${code})`,
      help: "Save the index as a user who may read it: `npx bothends fetch <address> --user <name>` sends a login.",
    };
  }
  return undefined;
}

function describeBinary(bytes: Uint8Array): UnexpectedFile | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    return gzipFile;
  }
  const start = decodeLatin1(bytes.subarray(0, 4));
  if (start === "%PDF") {
    return pdf;
  }
  return start === "PK\u0003\u0004" ? zipArchive : undefined;
}

/** Returns the first characters of a file, without a byte order mark and leading white space; undefined for UTF-16. */
function findStartText(bytes: Uint8Array): string | undefined {
  const start = decodeLatin1(bytes.subarray(0, headBytes));
  return /^(?:\u00fe\u00ff|\u00ff\u00fe)/.test(start)
    ? undefined
    : start.replace(/^\u00ef\u00bb\u00bf/, "").trimStart();
}

function isHtml(text: string): boolean {
  return /^(?:<\?xml[^>]{0,200}\?>\s{0,100})?<(?:!doctype\s+html|html)\b/i.test(text);
}

function describeHtml(text: string, bytes: Uint8Array): UnexpectedFile {
  const words = getTitle(bytes);
  const description = words === "" ? "an HTML page" : `an HTML page with the title "${words}"`;
  if (/type\s*=\s*["']?password|\b(?:log ?in|sign ?in|anmelden|authentication required|proxy)\b/i.test(text)) {
    return {
      description,
      help: "A login page or a proxy answered instead of the service. Run `npx bothends fetch <address> --user <name>`, which sends a login, or save the document in a browser after you have logged in.",
      receivedKind: "login page",
    };
  }
  return {
    description,
    help: `Save the document itself. The address of a WSDL usually ends with ?wsdl, the address of an index with /wp-json/. ${fetchHelp}`,
    receivedKind: "other document",
  };
}

const maxTitleBytes = 320;
const maxTitleCharacters = 80;

/**
 * Returns the title of an HTML page; "" if the page has none. Characters that a terminal could interpret become `?`.
 */
function getTitle(bytes: Uint8Array): string {
  const start = decodeLatin1(bytes.subarray(0, headBytes));
  const match = new RegExp(`<title[^>]{0,200}>([^<]{1,${maxTitleBytes}})`, "i").exec(start);
  if (match === null) {
    return "";
  }
  // The text has one character for each byte, so its offsets are also offsets in `bytes`.
  const end = match.index + match[0].length;
  const titleBytes = bytes.subarray(end - (match[1]?.length ?? 0), end);
  const [, encoding = "utf-8"] = /\bcharset\s*=\s*["']?([\w-]{1,40})/i.exec(start) ?? [];
  const title = decodeText(titleBytes, encoding) ?? decodeText(titleBytes, "utf-8") ?? decodeLatin1(titleBytes);
  const words = decodeCharacterReferences(
    title
      .trim()
      .replace(/\s+/g, " ")
      .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "?"),
  );
  return [...words].slice(0, maxTitleCharacters).join("").trim();
}

/**
 * Decodes the first bytes of a text, whose last character may be incomplete. Returns undefined if the encoding is
 * unknown or the bytes are invalid.
 */
function decodeText(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** The named character references that often occur in the titles of HTML pages. */
const namedCharacters: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["apos", "'"],
  ["gt", ">"],
  ["hellip", "…"],
  ["laquo", "«"],
  ["lsaquo", "‹"],
  ["lt", "<"],
  ["mdash", "—"],
  ["middot", "·"],
  ["nbsp", " "],
  ["ndash", "–"],
  ["quot", '"'],
  ["raquo", "»"],
  ["rsaquo", "›"],
  ["rsquo", "’"],
]);

/** Decodes character references in a title: `Log In &lsaquo; Shop`. */
function decodeCharacterReferences(title: string): string {
  return title.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi, (text, decimal, hex, name) => {
    if (name !== undefined) {
      return namedCharacters.get(String(name)) ?? text;
    }
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : "?";
    return /[\p{L}\p{N}\p{P}\p{S} ]/u.test(character) ? character : "?";
  });
}

/**
 * Returns one character for each byte. Avoids spreading the bytes, because a file may have more bytes than a call may
 * have arguments.
 */
function decodeLatin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

const xmlCodes: ReadonlyMap<string, Code> = new Map<string, Code>([
  ["xml.dtd", "XML002"],
  ["xml.encoding", "XML003"],
  ["limit.depth", "XML010"],
  ["limit.attributes", "XML011"],
  ["limit.namespaces", "XML012"],
  ["limit.attributeChars", "XML013"],
  ["limit.children", "XML014"],
  ["limit.nodes", "XML015"],
  ["limit.textChars", "XML016"],
  ["limit.nameChars", "XML017"],
  ["limit.comments", "XML018"],
  ["limit.namespaceChars", "XML020"],
]);

/** Reports an error of the XML reader at its position. Other errors are bugs and are rethrown. */
export function reportXmlProblem(problem: unknown, source: SourceText, diagnostics: Diagnostics): void {
  if (!(problem instanceof XmlError)) {
    throw problem;
  }
  const code = xmlCodes.get(problem.code) ?? "XML001";
  const span = getProblemSpan(problem, source);
  if (problem.limit === undefined) {
    diagnostics.error(code, span, { message: toSentence(problem.message), help: findTruncationHelp(problem, source) });
    return;
  }
  const { name, value } = problem.limit;
  diagnostics.error(code, span, {
    message: `The limit ${name} (${value}) is exceeded.`,
    help: `Increase the limit with --limit ${name}=<number>.`,
    remedy: { kind: "limit", name, value },
  });
}

/** Returns the help for a document that ends before its root element is closed; undefined for any other error. */
function findTruncationHelp({ code, offset }: XmlError, { text }: SourceText): string | undefined {
  const endsInTag = text.lastIndexOf("<") > text.lastIndexOf(">");
  const isAtEnd = offset >= text.trimEnd().length || (endsInTag && !text.includes(">", offset));
  return code === "xml.not-well-formed" && isAtEnd
    ? "The document ends too early: it was probably saved only in part. Save it again."
    : undefined;
}

/** Whether the document was refused because of its document type declaration. */
export function isDoctypeProblem(problem: unknown): problem is XmlError {
  return problem instanceof XmlError && problem.code === "xml.dtd";
}

/** Reports that a document was not read, and what is used instead. */
export function reportFallback(
  problem: XmlError,
  { source, fallback }: { readonly source: SourceText; readonly fallback: string },
  diagnostics: Diagnostics,
): void {
  diagnostics.warning("XML019", getProblemSpan(problem, source), {
    message: `The document has a document type declaration and is not read. Instead, ${fallback} is used.`,
    help: "To use this document instead, remove the declaration.",
  });
}

function getProblemSpan(problem: XmlError, source: SourceText): Span {
  const start = Math.min(problem.offset, source.text.length);
  return { source, start, end: Math.min(start + 1, source.text.length) };
}

function toSentence(text: string): string {
  const sentence = capitalize(text);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
