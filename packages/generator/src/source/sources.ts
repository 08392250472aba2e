import { decodeXml, readTree } from "@bothends/xml";
import type { Code } from "./catalogue/index.js";
import { removeRootCredentials } from "./credentials.js";
import type { Diagnostics, DiagnosticText } from "./diagnostics.js";
import { joinFolders, quoteShellWord, resolveLocation } from "./document-addresses.js";
import { areEqualBytes, type KnownDocuments, type XmlDocument } from "./known-documents.js";
import { describeLimitRemedy, type SourceLimits, sourceLimits } from "./source-limits.js";
import type { SourceText, Span } from "./span.js";
import {
  describeNonJson,
  describeNonXml,
  isDoctypeProblem,
  reportFallback,
  reportXmlProblem,
  type UnexpectedFile,
} from "./unexpected-files.js";

/**
 * Returns the bytes of a file, whose path is relative to the root and uses `/`. The caller provides this function, so
 * that the generator has no I/O.
 */
export type ReadFile = (path: string) => FileRead;

/** The result of reading a file: its bytes, or the reason why it cannot be read. */
export type FileRead =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  // `outside`: the file is outside the root after following links. `irregular`: it is a folder, device or pipe.
  // `large`: its size exceeds the limit.
  | {
      readonly kind: "problem";
      readonly problem: "missing" | "outside" | "irregular" | "large" | "unreadable";
      readonly message: string;
      /** For `outside`: the nearest folder that contains both the root and the file, relative to the root. */
      readonly root?: string;
    };

/**
 * A request for a file: the span that refers to the file, and the expected kind of document, such as `a WSDL 1.1
 * document`.
 */
interface SourceRequest {
  readonly reference: Span;
  readonly expected: string;
  /**
   * A description of the fallback for a file that is missing or has a document type declaration. With a fallback, such
   * a file is not an error.
   */
  readonly fallback?: string | undefined;
}

interface LoadedFile<T> {
  readonly value: T | undefined;
  /** The number of files in the chain of imports through which this file was first read. */
  readonly depth: number;
}

/**
 * The files that one interface requested, in order. `isExclusive` is false if an earlier interface had requested one of
 * these files, or if one of them is unreadable.
 */
export class SourceRecord {
  readonly files = new Map<string, FileRead>();
  readonly xml = new Map<string, LoadedFile<XmlDocument>>();
  readonly texts = new Map<string, LoadedFile<SourceText>>();
  isExclusive = true;
}

/** The maximum number of bytes of an unreadable file that are decoded for an excerpt. */
const maxShownBytes = 1024 * 1024;

/** Reads each document once per run. Reports a problem at the span that refers to the document. */
export class Sources {
  readonly #readFile: ReadFile;
  readonly #onFileParsed: (() => void) | undefined;
  readonly #diagnostics: Diagnostics;
  readonly limits: SourceLimits;
  readonly #rootFolder: string;
  readonly #xml = new Map<string, LoadedFile<XmlDocument>>();
  readonly #texts = new Map<string, LoadedFile<SourceText>>();
  /** Documents that were replaced by a fallback. A later request without a fallback reports their problem. */
  readonly #replacedPaths = new Set<string>();
  readonly #knownDocuments: KnownDocuments | undefined;
  /** Files that `reuseRun` has already read to compare them with the files of an earlier run. */
  readonly #filesToCompare = new Map<string, FileRead>();
  #record = new SourceRecord();
  #byteCount = 0;
  #fileCount = 0;

  constructor(inputs: {
    readonly readFile: ReadFile;
    /** Called after each file is read, and parsed if it is XML. */
    readonly onFileParsed?: (() => void) | undefined;
    readonly diagnostics: Diagnostics;
    readonly limits?: Partial<SourceLimits>;
    readonly rootFolder?: string | undefined;
    /** The documents of earlier runs. */
    readonly knownDocuments?: KnownDocuments | undefined;
  }) {
    this.#readFile = inputs.readFile;
    this.#onFileParsed = inputs.onFileParsed;
    this.#knownDocuments = inputs.knownDocuments;
    this.#diagnostics = inputs.diagnostics;
    this.limits = { ...sourceLimits, ...inputs.limits };
    this.#rootFolder = inputs.rootFolder ?? ".";
  }

  /** Starts a record of the files that one interface requests, and returns it. */
  startRecord(): SourceRecord {
    this.#record = new SourceRecord();
    return this.#record;
  }

  /** Adds the files that are read from now on to the record of an interface. */
  continueRecord(record: SourceRecord): void {
    this.#record = record;
  }

  /**
   * Reuses the documents of an earlier run if their files are unchanged and no other interface has requested them.
   * Returns whether the documents were reused.
   */
  reuseRun(record: SourceRecord): boolean {
    const fileSizes = [...record.files.values()].flatMap((file) => (file.kind === "file" ? [file.bytes.length] : []));
    const fileCount = this.#fileCount + fileSizes.length;
    const byteCount = fileSizes.reduce((sum, size) => sum + size, this.#byteCount);
    if (fileCount > this.limits.inputFiles || byteCount > this.limits.inputBytes) {
      return false;
    }
    for (const [path, earlierFile] of record.files) {
      const file = this.#readFile(path);
      this.#filesToCompare.set(path, file);
      if (this.#xml.has(path) || this.#texts.has(path) || !isSameFile(file, earlierFile)) {
        return false;
      }
    }
    for (const [path, document] of record.xml) {
      this.#xml.set(path, document);
    }
    for (const [path, text] of record.texts) {
      this.#texts.set(path, text);
    }
    this.#filesToCompare.clear();
    this.#fileCount = fileCount;
    this.#byteCount = byteCount;
    this.#record = record;
    return true;
  }

  /**
   * Reads the XML document at a path relative to the root. If the document cannot be read, reports the problem and
   * returns undefined.
   */
  readXml(path: string, request: SourceRequest): XmlDocument | undefined {
    const recordedDocument = this.#record.xml;
    return this.#load({ knownFiles: this.#xml, recordedFiles: recordedDocument }, path, {
      request,
      decode: (bytes) => this.#decodeXml(path, bytes, request),
    });
  }

  /**
   * Reads the text at a path relative to the root. If the text cannot be read, reports the problem and returns
   * undefined.
   */
  readText(path: string, request: SourceRequest): SourceText | undefined {
    const recordedTexts = this.#record.texts;
    return this.#load({ knownFiles: this.#texts, recordedFiles: recordedTexts }, path, {
      request,
      decode: (bytes) => this.#decodeText(path, bytes, request),
    });
  }

  /** Reads the XML document at a location in another document; `request.reference` is the span of the location. */
  readLocation(location: string, request: SourceRequest): XmlDocument | undefined {
    if (request.fallback !== undefined && resolveLocation(location, request.reference.source.path).kind !== "path") {
      return undefined;
    }
    const path = this.resolvePath(location, request.reference);
    return path === undefined ? undefined : this.readXml(path, request);
  }

  /** Resolves a location to a path. Reports a location outside the root or on the network, and returns undefined. */
  resolvePath(location: string, reference: Span): string | undefined {
    const resolvedLocation = resolveLocation(location, reference.source.path);
    if (resolvedLocation.kind === "path") {
      return resolvedLocation.path;
    }
    const suggestedPath = reference.source.path.replace(/[^/]*$/, resolvedLocation.suggestion);
    if (resolvedLocation.kind === "remote") {
      this.#diagnostics.error("SRC006", reference, {
        message: /^(?:https?|ftps?):|^[\\/]{2}/i.test(location.trim())
          ? `The location "${location}" is on the network. Documents are never downloaded.`
          : `The location "${location}" is not the path of a file.`,
        help: `Save a copy of the document as ${suggestedPath}, and change the location to "${resolvedLocation.suggestion}".`,
      });
    } else {
      this.#diagnostics.error("SRC007", reference, {
        message: `${resolvedLocation.message}: "${location}".`,
        ...(resolvedLocation.root === undefined
          ? { help: "Use a relative location inside the root folder of the sources (--root)." }
          : this.#widenRoot(resolvedLocation.root)),
      });
    }
    return undefined;
  }

  /** Returns the help and the remedy that suggest a wider root. `folder` is relative to the current root. */
  #widenRoot(folder: string): Pick<DiagnosticText, "help" | "remedy"> {
    return {
      help: `Add --root ${quoteShellWord(joinFolders(this.#rootFolder, folder))} to read it.`,
      remedy: { kind: "root", folder },
    };
  }

  #load<T>(
    {
      knownFiles,
      recordedFiles,
    }: { readonly knownFiles: Map<string, LoadedFile<T>>; readonly recordedFiles: Map<string, LoadedFile<T>> },
    path: string,
    { request, decode }: { readonly request: SourceRequest; readonly decode: (bytes: Uint8Array) => T | undefined },
  ): T | undefined {
    const previousFile = knownFiles.get(path);
    const record = this.#record;
    if (previousFile !== undefined && !recordedFiles.has(path)) {
      record.isExclusive = false;
    }
    if (previousFile !== undefined && (request.fallback !== undefined || !this.#replacedPaths.has(path))) {
      return previousFile.value;
    }
    const { reference } = request;
    const depth = (this.#xml.get(reference.source.path)?.depth ?? 0) + 1;
    if (depth > this.limits.imports) {
      return this.#reportOverLimit("SRC011", "imports", reference);
    }
    if (this.#fileCount >= this.limits.inputFiles) {
      return this.#reportOverLimit("SRC010", "inputFiles", reference);
    }
    const file = this.#filesToCompare.get(path) ?? this.#readFile(path);
    this.#filesToCompare.delete(path);
    record.files.set(path, file);
    if (file.kind === "problem") {
      return request.fallback !== undefined ? undefined : this.#reportFile(path, file, reference);
    }
    this.#fileCount += 1;
    this.#byteCount += file.bytes.length;
    if (file.bytes.length > this.limits.fileBytes) {
      return this.#reportOverLimit("SRC008", "fileBytes", reference);
    }
    if (this.#byteCount > this.limits.inputBytes) {
      return this.#reportOverLimit("SRC009", "inputBytes", reference);
    }
    const value = decode(file.bytes);
    this.#onFileParsed?.();
    const loadedFile = { value, depth };
    knownFiles.set(path, loadedFile);
    recordedFiles.set(path, loadedFile);
    if (value === undefined) {
      record.isExclusive = false;
    }
    return value;
  }

  #decodeXml(path: string, bytes: Uint8Array, request: SourceRequest): XmlDocument | undefined {
    const knownDocument = this.#knownDocuments?.find(path, bytes);
    if (knownDocument !== undefined) {
      return knownDocument;
    }
    const description = describeNonXml(bytes);
    if (description !== undefined) {
      return this.#reportUnexpected(description, { path, bytes, request });
    }
    let source: SourceText | undefined;
    try {
      source = { path, text: decodeXml(bytes, undefined, "platform") };
      const diagnosticCount = this.#diagnostics.all.length;
      const tree =
        this.#knownDocuments?.readEdited(path, source.text, this.limits) ?? readTree(source.text, this.limits);
      const root = removeRootCredentials(tree, source, this.#diagnostics);
      const document = { source, root };
      // A document with problems is not stored, so that the next run reads it again and reports the problems again.
      if (this.#diagnostics.all.length === diagnosticCount) {
        this.#knownDocuments?.keep(path, bytes, document);
      }
      return document;
    } catch (problem) {
      source ??= { path, text: decodeReadable(bytes) };
      if (request.fallback !== undefined && isDoctypeProblem(problem)) {
        this.#replacedPaths.add(path);
        reportFallback(problem, { source, fallback: request.fallback }, this.#diagnostics);
      } else {
        this.#replacedPaths.delete(path);
        reportXmlProblem(problem, source, this.#diagnostics);
      }
      return undefined;
    }
  }

  #reportUnexpected(
    { description, help }: UnexpectedFile,
    { path, bytes, request }: { readonly path: string; readonly bytes: Uint8Array; readonly request: SourceRequest },
  ): undefined {
    this.#diagnostics.error("SRC004", createStartSpan({ path, text: decodeReadable(bytes) }), {
      message: `Expected ${request.expected}, but found ${description}.`,
      help,
    });
  }

  #decodeText(path: string, bytes: Uint8Array, request: SourceRequest): SourceText | undefined {
    const description = describeNonJson(bytes);
    if (description !== undefined) {
      return this.#reportUnexpected(description, { path, bytes, request });
    }
    try {
      return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
    } catch {
      const text = decodeReadable(bytes);
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

  #reportFile(path: string, file: Extract<FileRead, { kind: "problem" }>, referenceSpan: Span): undefined {
    switch (file.problem) {
      case "missing":
        this.#diagnostics.error("SRC001", referenceSpan, { message: `The file ${path} does not exist.` });
        return;
      case "outside":
        this.#diagnostics.error("SRC007", referenceSpan, {
          message: `The file ${path} is outside the root.`,
          ...this.#widenRoot(file.root ?? ".."),
        });
        return;
      case "irregular":
        this.#diagnostics.error("SRC002", referenceSpan, {
          message: `The path ${path} does not lead to a regular file.`,
        });
        return;
      case "large":
        this.#reportOverLimit("SRC008", "fileBytes", referenceSpan);
        return;
      case "unreadable":
        this.#diagnostics.error("SRC003", referenceSpan, {
          message: `The file ${path} cannot be read: ${file.message}.`,
        });
        return;
    }
  }

  #reportOverLimit(
    code: Code,
    name: "fileBytes" | "inputBytes" | "inputFiles" | "imports",
    referenceSpan: Span,
  ): undefined {
    const limit = this.limits[name];
    this.#diagnostics.error(code, referenceSpan, {
      message: `The limit ${name} (${limit}) is exceeded.`,
      ...describeLimitRemedy(name, this.limits),
    });
  }
}

function isSameFile(a: FileRead, b: FileRead): boolean {
  if (a.kind === "file" && b.kind === "file") {
    return areEqualBytes(a.bytes, b.bytes);
  }
  return a.kind === "problem" && b.kind === "problem" && a.problem === b.problem && a.message === b.message;
}

function createStartSpan(source: SourceText): Span {
  return { source, start: 0, end: 0 };
}

/** Decodes the bytes of a file that could not be read, for an excerpt; "" if they are not text. */
function decodeReadable(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, maxShownBytes));
  return /[\0-\x08\x0e-\x1a]/.test(text) ? "" : text;
}
