import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { replaceFile } from "../run-record.js";
import type { Fetched, Network } from "./network.js";

// Stores received documents until the fetch is complete, so that an interrupted fetch can be resumed.

/** The folder in the project that contains the documents. It has a file that excludes it from version control. */
const cacheName = ".bothends-fetch";
const ignoreFile = ".gitignore";

/** The time in milliseconds for which documents of an interrupted fetch are reused. */
const maxAge = 60 * 60 * 1000;

/** A network that stores received documents until the fetch is complete. */
interface ResumableNetwork extends Network {
  /** The number of documents reused from an interrupted fetch. */
  readonly reusedDocumentCount: () => number;
  /** Removes the stored documents. */
  complete(): void;
}

/**
 * Wraps a network so that it stores received documents in a folder of the project. Only the user can read the stored
 * files. They contain no queries of addresses, which may contain passwords.
 */
export function makeResumable(
  network: Network,
  { folder, key }: { readonly folder: string; readonly key: string },
): ResumableNetwork {
  const cacheFolder = join(folder, cacheName, computeDigest(key));
  let resumedDocuments = 0;
  return {
    isAllowed: (address) => network.isAllowed(address),
    async get(address, accept, importer) {
      const file = join(cacheFolder, computeDigest(address.href));
      const storedDocument = network.isAllowed(address) ? readStoredDocument(file, address) : undefined;
      if (storedDocument !== undefined) {
        resumedDocuments += 1;
        return storedDocument;
      }
      const fetchedDocument = await network.get(address, accept, importer);
      store(cacheFolder, file, { document: fetchedDocument, requestedAddress: address });
      return fetchedDocument;
    },
    reusedDocumentCount: () => resumedDocuments,
    complete() {
      rmSync(cacheFolder, { recursive: true, force: true });
      removeIfEmpty(dirname(cacheFolder));
    },
  };
}

/** Removes the folder of all interrupted fetches, unless it contains the documents of another one. */
function removeIfEmpty(folder: string): void {
  try {
    if (readdirSync(folder).every((name) => name === ignoreFile)) {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // There is no such folder, or it cannot be removed. The next fetch tries again.
  }
}

function computeDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function readStoredDocument(file: string, requestedAddress: URL): Fetched | undefined {
  try {
    if (Date.now() - statSync(file).mtimeMs > maxAge) {
      return undefined;
    }
    const text = readFileSync(file, "latin1");
    const end = text.indexOf("\n");
    const head: unknown = JSON.parse(text.slice(0, end));
    // If the run was killed or the disk was full, the file may contain only a part of the document. Such a file is
    // ignored.
    if (!isHead(head) || head.length !== text.length - end - 1) {
      return undefined;
    }
    const { redirect, ...headers } = head;
    return {
      ...headers,
      address: new URL(redirect ?? requestedAddress),
      bytes: Buffer.from(text.slice(end + 1), "latin1"),
    };
  } catch {
    return undefined;
  }
}

interface ReceivedDocument {
  readonly document: Fetched;
  readonly requestedAddress: URL;
}

/** Stores a document, unless a redirect led to an address with a query. */
function store(folder: string, file: string, { document, requestedAddress }: ReceivedDocument): void {
  const { address, contentType, link, cacheControl, bytes } = document;
  const redirect = address.href === requestedAddress.href ? undefined : address;
  if (redirect !== undefined && redirect.search !== "") {
    return;
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    replaceFile(join(dirname(folder), ignoreFile), "*\n");
    const head = Buffer.from(
      `${JSON.stringify({ redirect, contentType, link, cacheControl, length: bytes.length })}\n`,
      "latin1",
    );
    replaceFile(file, Buffer.concat([head, bytes]), { mode: 0o600 });
  } catch {
    // Ignores the failure. Its only consequence is that, after an interruption, the next run fetches this document
    // again.
  }
}

function isHead(value: unknown): value is {
  /** The address to which a redirect led. */
  readonly redirect?: string;
  readonly contentType: string;
  readonly link: string;
  readonly cacheControl: string;
  readonly length: number;
} {
  return (
    typeof value === "object" &&
    value !== null &&
    !("redirect" in value && typeof value.redirect !== "string") &&
    "contentType" in value &&
    typeof value.contentType === "string" &&
    "link" in value &&
    typeof value.link === "string" &&
    "cacheControl" in value &&
    typeof value.cacheControl === "string" &&
    "length" in value &&
    typeof value.length === "number"
  );
}
