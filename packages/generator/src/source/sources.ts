import { decodeXml, readTree, type XmlElement } from "@bothends/xml";
import type { Code } from "./catalogue/index.js";
import type { Diagnostics } from "./diagnostics.js";
import { rootWithoutCredentials } from "./document-credentials.js";
import { foundInsteadOfJson, foundInsteadOfXml } from "./found.js";
import { resolveLocation } from "./location.js";
import type { FileRead, ReadFile } from "./read-file.js";
import { limitHelp, type SourceLimits, sourceLimits } from "./source-limits.js";
import type { SourceText, Span } from "./span.js";
import { isDoctype, reportReplaced, reportXmlProblem } from "./xml-problem.js";

/** A document that was read whole. */
export interface XmlDocument {
  readonly source: SourceText;
  readonly root: XmlElement;
}

/** Who asks for a file: the place that names it, and what it says the file is (`a WSDL 1.1 document`). */
export interface Asked {
  readonly from: Span;
  readonly expected: string;
  /** What takes the file's place where there is none, or none that may be read: that is no problem. */
  readonly standIn?: string | undefined;
}

interface Loaded<T> {
  readonly value: T | undefined;
  /** Files on the chain of imports that first led here. */
  readonly depth: number;
}

/** Characters of a file that cannot be read, beyond which its excerpt is not worth decoding. */
const mostShown = 1024 * 1024;

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
  xml(path: string, asked: Asked): XmlDocument | undefined {
    return this.#load(this.#xml, path, { asked, decode: (bytes) => this.#decodeXml(path, bytes, asked) });
  }

  /** The JSON text at a path relative to the root; undefined once its problem is reported. */
  text(path: string, asked: Asked): SourceText | undefined {
    return this.#load(this.#texts, path, { asked, decode: (bytes) => this.#decodeText(path, bytes, asked) });
  }

  /** The XML document that a location in another document leads to; `asked.from` is the span of the location. */
  follow(location: string, asked: Asked): XmlDocument | undefined {
    if (asked.standIn !== undefined && resolveLocation(location, asked.from.source.path).kind !== "path")
      return undefined;
    const path = this.pathOf(location, asked.from);
    return path === undefined ? undefined : this.xml(path, asked);
  }

  /** The path that a location leads to, reported where it leads out of the root or onto the network. */
  pathOf(location: string, from: Span): string | undefined {
    const resolved = resolveLocation(location, from.source.path);
    if (resolved.kind === "path") return resolved.path;
    const beside = from.source.path.replace(/[^/]*$/, resolved.suggestion);
    if (resolved.kind === "remote") {
      this.#diagnostics.error("SRC006", from, {
        message: `Remote import refused: "${location}" (${resolved.message}); put the file at ${beside}.`,
        help: `Save the document as ${beside}, and write "${resolved.suggestion}" here.`,
      });
    } else {
      this.#diagnostics.error("SRC007", from, {
        message: `${resolved.message}: "${location}".`,
        help: "Use a location inside the root; --root names a folder that holds all documents.",
      });
    }
    return undefined;
  }

  #load<T>(
    known: Map<string, Loaded<T>>,
    path: string,
    how: { readonly asked: Asked; readonly decode: (bytes: Uint8Array) => T | undefined },
  ): T | undefined {
    const before = known.get(path);
    if (before !== undefined && (how.asked.standIn !== undefined || !this.#replaced.has(path))) return before.value;
    const { from } = how.asked;
    const depth = (this.#xml.get(from.source.path)?.depth ?? 0) + 1;
    if (depth > this.limits.imports) return this.#overLimit("SRC011", "imports", from);
    if (this.#files >= this.limits.inputFiles) return this.#overLimit("SRC010", "inputFiles", from);
    const file = this.#readFile(path);
    if (file.kind === "problem")
      return how.asked.standIn !== undefined ? undefined : this.#reportFile(path, file, from);
    this.#files += 1;
    this.#bytes += file.bytes.length;
    if (file.bytes.length > this.limits.fileBytes) return this.#overLimit("SRC008", "fileBytes", from);
    if (this.#bytes > this.limits.inputBytes) return this.#overLimit("SRC009", "inputBytes", from);
    const value = how.decode(file.bytes);
    known.set(path, { value, depth });
    return value;
  }

  #decodeXml(path: string, bytes: Uint8Array, asked: Asked): XmlDocument | undefined {
    const found = foundInsteadOfXml(bytes);
    if (found !== undefined) return this.#reportFound(found, { path, bytes, asked });
    let source: SourceText = { path, text: textToShow(bytes) };
    try {
      source = { path, text: decodeXml(bytes) };
      const root = readTree(source.text, this.limits);
      return { source, root: rootWithoutCredentials(root, source, this.#diagnostics) };
    } catch (problem) {
      if (asked.standIn !== undefined && isDoctype(problem)) {
        this.#replaced.add(path);
        reportReplaced(problem, { source, standIn: asked.standIn }, this.#diagnostics);
      } else {
        this.#replaced.delete(path);
        reportXmlProblem(problem, source, this.#diagnostics);
      }
      return undefined;
    }
  }

  #reportFound(
    found: string,
    { path, bytes, asked }: { readonly path: string; readonly bytes: Uint8Array; readonly asked: Asked },
  ): undefined {
    this.#diagnostics.error("SRC004", startOf({ path, text: textToShow(bytes) }), {
      message: `Not ${asked.expected} (found ${found}).`,
    });
  }

  #decodeText(path: string, bytes: Uint8Array, asked: Asked): SourceText | undefined {
    const found = foundInsteadOfJson(bytes);
    if (found !== undefined) return this.#reportFound(found, { path, bytes, asked });
    try {
      return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
    } catch {
      const text = textToShow(bytes);
      const start = Math.max(0, text.indexOf("\ufffd"));
      this.#diagnostics.error(
        "SRC005",
        { source: { path, text }, start, end: start + 1 },
        {
          message: `Not ${asked.expected}: the bytes are not UTF-8.`,
          help: "Save the file as UTF-8.",
        },
      );
      return undefined;
    }
  }

  #reportFile(path: string, file: Extract<FileRead, { kind: "problem" }>, from: Span): undefined {
    switch (file.problem) {
      case "missing":
        this.#diagnostics.error("SRC001", from, { message: `There is no file ${path}.` });
        return;
      case "outside":
        this.#diagnostics.error("SRC007", from, {
          message: `The file ${path} lies outside the root.`,
          help: "--root names a folder that holds all documents.",
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
      message: `Over the limit ${name}, which is ${limit}.`,
      help: limitHelp(name, this.limits),
    });
  }
}

function startOf(source: SourceText): Span {
  return { source, start: 0, end: 0 };
}

/** What bytes look like that cannot be read, for an excerpt; nothing where they are no text at all. */
function textToShow(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, mostShown));
  return /[\0-\x08\x0e-\x1a]/.test(text) ? "" : text;
}
