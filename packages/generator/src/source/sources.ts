import { decodeXml, readTree, type XmlElement, XmlError } from "@bothends/xml";
import { resolveLocation } from "./addresses.js";
import type { Code } from "./catalogue/index.js";
import { rootWithoutCredentials } from "./credentials.js";
import type { Diagnostics } from "./diagnostics.js";
import { limitHelp, type SourceLimits, sourceLimits } from "./source-limits.js";
import type { SourceText, Span } from "./span.js";

/** Gives the bytes of a source, by its path relative to the root with `/`. Injected: the generator itself touches no disk. */
export type ReadFile = (path: string) => FileRead;

export type FileRead =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  /** `missing`; `outside` the root once links are followed; `irregular`: a folder, device or pipe; `large`: over the limit. */
  | {
      readonly kind: "problem";
      readonly problem: "missing" | "outside" | "irregular" | "large" | "unreadable";
      readonly message: string;
    };

/** Says what bytes are that ought to be XML: undefined where they may well be. */
function describeNonXml(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return "an empty file";
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip data";
  const start = latin1(bytes.subarray(0, 1024));
  if (start.startsWith("%PDF")) return "a PDF document";
  if (start.startsWith("PK\u0003\u0004")) return "a zip archive";
  if (/^(?:\u00fe\u00ff|\u00ff\u00fe)/.test(start)) return undefined;
  const text = start.replace(/^\u00ef\u00bb\u00bf/, "").trimStart();
  if (text === "") return bytes.length > 1024 ? undefined : "only white space";
  if (/^<(?:!doctype\s+html|html)\b/i.test(text)) return "an HTML page";
  if (/^(?:\{|\[)/.test(text)) return "JSON";
  if (!text.startsWith("<") && !text.includes("\0")) return "text that is not XML";
  return undefined;
}

/** Says what bytes are that ought to be JSON: undefined where they may well be, or are a text with a mistake in it. */
function describeNonJson(bytes: Uint8Array): string | undefined {
  const description = bytes.length === 0 ? undefined : describeNonXml(bytes);
  if (description !== undefined) return /^(?:JSON|white space|text)/.test(description) ? undefined : description;
  return /^(?:\u00ef\u00bb\u00bf)?\s*</.test(latin1(bytes.subarray(0, 1024))) ? "XML" : undefined;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
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
  ["limit.name", "XML017"],
  ["limit.comments", "XML018"],
]);

/** Reports what the XML reader threw, at its place. Anything else than an `XmlError` is a mistake of ours and thrown on. */
function reportXmlProblem(problem: unknown, source: SourceText, diagnostics: Diagnostics): void {
  if (!(problem instanceof XmlError)) throw problem;
  diagnostics.error(xmlCodes.get(problem.code) ?? "XML001", spanOfProblem(problem, source), {
    message:
      problem.limit === undefined
        ? sentence(problem.message)
        : `The limit ${problem.limit.name}, which is ${problem.limit.value}, is exceeded.`,
    help: problem.limit && `Raise the limit with --limit ${problem.limit.name}=<number>.`,
  });
}

/** The document has a document type declaration: nothing in it was read, and nothing of it is. */
function hasDoctype(problem: unknown): problem is XmlError {
  return problem instanceof XmlError && problem.code === "xml.dtd";
}

/** Reports that a document was not read, and what stands in for it. */
function reportFallback(
  problem: XmlError,
  { source, fallback }: { readonly source: SourceText; readonly fallback: string },
  diagnostics: Diagnostics,
): void {
  diagnostics.warning("XML019", spanOfProblem(problem, source), {
    message: `The document has a document type declaration and is not read. Instead, ${fallback} is used.`,
    help: "To have this document read, remove the declaration.",
  });
}

function spanOfProblem(problem: XmlError, source: SourceText): Span {
  const start = Math.min(problem.offset, source.text.length);
  return { source, start, end: Math.min(start + 1, source.text.length) };
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** A document that was read whole. */
export interface XmlDocument {
  readonly source: SourceText;
  readonly root: XmlElement;
}

/** Who asks for a file: the place that names it, and what it says the file is (`a WSDL 1.1 document`). */
interface SourceRequest {
  readonly from: Span;
  readonly expected: string;
  /** What takes the file's place where there is none, or none that may be read: that is no problem. */
  readonly fallback?: string | undefined;
}

interface Loaded<T> {
  readonly value: T | undefined;
  /** Files on the chain of imports that first led here. */
  readonly depth: number;
}

/** Characters of a file that cannot be read, beyond which its excerpt is not worth decoding. */
const maxShownBytes = 1024 * 1024;

/** Every document that a run reads, each read once through the given `ReadFile`. Problems become diagnostics at the asking place. */
export class Sources {
  readonly #readFile: ReadFile;
  readonly #diagnostics: Diagnostics;
  readonly limits: SourceLimits;
  readonly #xml = new Map<string, Loaded<XmlDocument>>();
  readonly #texts = new Map<string, Loaded<SourceText>>();
  /** Documents that others stand in for: a problem where they themselves are asked for. */
  readonly #replaced = new Set<string>();
  #bytes = 0;
  #files = 0;

  constructor(inputs: {
    readonly readFile: ReadFile;
    readonly diagnostics: Diagnostics;
    readonly limits?: Partial<SourceLimits>;
  }) {
    this.#readFile = inputs.readFile;
    this.#diagnostics = inputs.diagnostics;
    this.limits = { ...sourceLimits, ...inputs.limits };
  }

  /** The XML document at a path relative to the root; undefined once its problem is reported. */
  readXml(path: string, request: SourceRequest): XmlDocument | undefined {
    return this.#load(this.#xml, path, { request, decode: (bytes) => this.#decodeXml(path, bytes, request) });
  }

  /** The JSON text at a path relative to the root; undefined once its problem is reported. */
  readText(path: string, request: SourceRequest): SourceText | undefined {
    return this.#load(this.#texts, path, { request, decode: (bytes) => this.#decodeText(path, bytes, request) });
  }

  /** The XML document that a location in another document leads to; `asked.from` is the span of the location. */
  readLocation(location: string, request: SourceRequest): XmlDocument | undefined {
    if (request.fallback !== undefined && resolveLocation(location, request.from.source.path).kind !== "path")
      return undefined;
    const path = this.resolvePath(location, request.from);
    return path === undefined ? undefined : this.readXml(path, request);
  }

  /** The path that a location leads to, reported where it leads out of the root or onto the network. */
  resolvePath(location: string, from: Span): string | undefined {
    const resolved = resolveLocation(location, from.source.path);
    if (resolved.kind === "path") return resolved.path;
    const suggestedPath = from.source.path.replace(/[^/]*$/, resolved.suggestion);
    if (resolved.kind === "remote") {
      this.#diagnostics.error("SRC006", from, {
        message: `The location "${location}" is on the network. Documents are never downloaded.`,
        help: `Save a copy of the document as ${suggestedPath}, and change the location to "${resolved.suggestion}".`,
      });
    } else {
      this.#diagnostics.error("SRC007", from, {
        message: `${resolved.message}: "${location}".`,
        help: "Use a location inside the root, or set a wider root with --root.",
      });
    }
    return undefined;
  }

  #load<T>(
    known: Map<string, Loaded<T>>,
    path: string,
    { request, decode }: { readonly request: SourceRequest; readonly decode: (bytes: Uint8Array) => T | undefined },
  ): T | undefined {
    const previous = known.get(path);
    if (previous !== undefined && (request.fallback !== undefined || !this.#replaced.has(path))) return previous.value;
    const { from } = request;
    const depth = (this.#xml.get(from.source.path)?.depth ?? 0) + 1;
    if (depth > this.limits.imports) return this.#overLimit("SRC011", "imports", from);
    if (this.#files >= this.limits.inputFiles) return this.#overLimit("SRC010", "inputFiles", from);
    const file = this.#readFile(path);
    if (file.kind === "problem") return request.fallback !== undefined ? undefined : this.#reportFile(path, file, from);
    this.#files += 1;
    this.#bytes += file.bytes.length;
    if (file.bytes.length > this.limits.fileBytes) return this.#overLimit("SRC008", "fileBytes", from);
    if (this.#bytes > this.limits.inputBytes) return this.#overLimit("SRC009", "inputBytes", from);
    const value = decode(file.bytes);
    known.set(path, { value, depth });
    return value;
  }

  #decodeXml(path: string, bytes: Uint8Array, request: SourceRequest): XmlDocument | undefined {
    const description = describeNonXml(bytes);
    if (description !== undefined) return this.#reportUnexpected(description, { path, bytes, request });
    let source: SourceText = { path, text: readableText(bytes) };
    try {
      source = { path, text: decodeXml(bytes) };
      const root = readTree(source.text, this.limits);
      return { source, root: rootWithoutCredentials(root, source, this.#diagnostics) };
    } catch (problem) {
      if (request.fallback !== undefined && hasDoctype(problem)) {
        this.#replaced.add(path);
        reportFallback(problem, { source, fallback: request.fallback }, this.#diagnostics);
      } else {
        this.#replaced.delete(path);
        reportXmlProblem(problem, source, this.#diagnostics);
      }
      return undefined;
    }
  }

  #reportUnexpected(
    description: string,
    { path, bytes, request }: { readonly path: string; readonly bytes: Uint8Array; readonly request: SourceRequest },
  ): undefined {
    this.#diagnostics.error("SRC004", startOf({ path, text: readableText(bytes) }), {
      message: `Expected ${request.expected}, but found ${description}.`,
    });
  }

  #decodeText(path: string, bytes: Uint8Array, request: SourceRequest): SourceText | undefined {
    const description = describeNonJson(bytes);
    if (description !== undefined) return this.#reportUnexpected(description, { path, bytes, request });
    try {
      return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
    } catch {
      const text = readableText(bytes);
      const start = Math.max(0, text.indexOf("\ufffd"));
      this.#diagnostics.error(
        "SRC005",
        { source: { path, text }, start, end: start + 1 },
        {
          message: `Expected ${request.expected} in UTF-8, but some bytes are not UTF-8.`,
          help: "Save the file as UTF-8.",
        },
      );
      return undefined;
    }
  }

  #reportFile(path: string, file: Extract<FileRead, { kind: "problem" }>, from: Span): undefined {
    switch (file.problem) {
      case "missing":
        this.#diagnostics.error("SRC001", from, { message: `The file ${path} does not exist.` });
        return;
      case "outside":
        this.#diagnostics.error("SRC007", from, {
          message: `The file ${path} is outside the root.`,
          help: "Set a wider root with --root.",
        });
        return;
      case "irregular":
        this.#diagnostics.error("SRC002", from, { message: `${path} is not a regular file.` });
        return;
      case "large":
        this.#overLimit("SRC008", "fileBytes", from);
        return;
      case "unreadable":
        this.#diagnostics.error("SRC003", from, { message: `${path} cannot be read: ${file.message}.` });
        return;
    }
  }

  #overLimit(code: Code, name: "fileBytes" | "inputBytes" | "inputFiles" | "imports", from: Span): undefined {
    const limit = this.limits[name];
    this.#diagnostics.error(code, from, {
      message: `The limit ${name}, which is ${limit}, is exceeded.`,
      help: limitHelp(name, this.limits),
    });
  }
}

function startOf(source: SourceText): Span {
  return { source, start: 0, end: 0 };
}

/** What bytes look like that cannot be read, for an excerpt; nothing where they are no text at all. */
function readableText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, maxShownBytes));
  return /[\0-\x08\x0e-\x1a]/.test(text) ? "" : text;
}
