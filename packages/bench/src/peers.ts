import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Hosted } from "./hosts/protocol.js";
import {
  items,
  lookupAnswer,
  lookupElement,
  namespace,
  question,
  soapHeaders,
  soapPath,
  soapRequest,
  vehicle,
} from "./payload.js";

const folder = join(import.meta.dirname, "..", "peers");
/** The WSDL of the lookup, whose schemas are in a separate file. */
const wsdl = join(import.meta.dirname, "..", "..", "..", "schemas", "vehicle", "reg.wsdl");

/** Whether the other projects are installed. `pnpm bench` installs them, the tests do not. */
export const hasPeers = existsSync(join(folder, "node_modules"));

/** Loads the servers and clients of other projects, by name; none if the projects are not installed. */
export async function loadPeerHosts(): Promise<Readonly<Record<string, (origin: string) => Promise<Hosted>>>> {
  if (!hasPeers) {
    return {};
  }
  const { peerHosts: hosts } = await importPeers("hosts.js");
  const payload = { items, question, soapHeaders, soapPath, soapRequest, vehicle, wsdl };
  return Object.fromEntries(
    Object.keys(hosts).map((name) => [name, async (origin: string) => hosts[name](origin, payload)]),
  );
}

/** Encoders and decoders of other projects, by name. */
export interface PeerCodecs {
  /** Functions that encode the answer of a lookup to bytes. */
  readonly encode: Readonly<Record<string, () => unknown>>;
  /** Functions that decode the text of a SOAP message. */
  readonly decode: Readonly<Record<string, (xml: string) => unknown>>;
}

/** Loads the codecs of other projects; none if the projects are not installed. */
export async function loadPeerCodecs(): Promise<PeerCodecs> {
  if (!hasPeers) {
    return { encode: {}, decode: {} };
  }
  const { peerCodecs: codecs } = await importPeers("codecs.js");
  return codecs({ wsdl, answer: lookupAnswer, element: lookupElement, namespace });
}

/** Returns the URL of another project's module, for code that imports the module in a separate process. */
export function getPeerModule(name: string): string {
  return pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href;
}

/** Returns the path of a file in another project's package, even if the package does not export it. */
export function getPeerFile(path: string): string {
  return join(folder, "node_modules", path);
}

/** Returns the versions of the other projects, by package name. */
export function readPeerVersions(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).dependencies;
}

// The modules of other projects have no types here, because these projects are outside the workspace and may be absent.
function importPeers(file: string) {
  return import(pathToFileURL(join(folder, file)).href);
}
