import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fetched, Network } from "./network.js";

/** Documents of an interrupted fetch are used for this time, in milliseconds. */
const maxAge = 60 * 60 * 1000;

/** A network that keeps what it receives until the fetch is complete, so that an interrupted one can be resumed. */
export interface ResumableNetwork extends Network {
  /** How many documents came from an interrupted fetch. */
  readonly resumed: () => number;
  /** Removes what was kept. */
  complete(): void;
}

/** Adds memory to a network. The folder is in a cache of the project; only the user may read it. */
export function resumable(
  network: Network,
  { folder, key }: { readonly folder: string; readonly key: string },
): ResumableNetwork {
  const kept = join(folder, "node_modules", ".cache", "bothends", "fetch", digest(key));
  let resumed = 0;
  return {
    isAllowed: (address) => network.isAllowed(address),
    async get(address, accept) {
      const file = join(kept, digest(address.href));
      const known = network.isAllowed(address) ? readKept(file) : undefined;
      if (known !== undefined) {
        resumed += 1;
        return known;
      }
      const fetched = await network.get(address, accept);
      keep(kept, file, fetched);
      return fetched;
    },
    resumed: () => resumed,
    complete: () => rmSync(kept, { recursive: true, force: true }),
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function readKept(file: string): Fetched | undefined {
  try {
    if (Date.now() - statSync(file).mtimeMs > maxAge) {
      return undefined;
    }
    const text = readFileSync(file, "latin1");
    const end = text.indexOf("\n");
    const head: unknown = JSON.parse(text.slice(0, end));
    if (!isHead(head)) {
      return undefined;
    }
    return { ...head, address: new URL(head.address), bytes: Buffer.from(text.slice(end + 1), "latin1") };
  } catch {
    return undefined;
  }
}

function keep(folder: string, file: string, { address, contentType, link, bytes }: Fetched): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const head = Buffer.from(`${JSON.stringify({ address: address.href, contentType, link })}\n`, "latin1");
    writeFileSync(file, Buffer.concat([head, bytes]), { mode: 0o600 });
  } catch {
    // It is fetched again after an interruption.
  }
}

function isHead(
  value: unknown,
): value is { readonly address: string; readonly contentType: string; readonly link: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "address" in value &&
    typeof value.address === "string" &&
    "contentType" in value &&
    typeof value.contentType === "string" &&
    "link" in value &&
    typeof value.link === "string"
  );
}
