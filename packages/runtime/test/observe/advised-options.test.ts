import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { clientLimits } from "../../src/client/options.js";
import { describeUnusedLimits, LimitError, type ServerLimits, serverLimits } from "../../src/server-limits.js";

// Messages advise options, such as `increase the option "limits.bodyBytes" of the routes`. Each of them must be an
// option of the object that the text names, and must have an effect there.

const sources = fileURLToPath(new URL("../../src", import.meta.url));
const files = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(join(sources, path), "utf8") }));

/** The text of each interface, and of each type up to its first semicolon, by its name. */
const declarations = new Map(
  files.flatMap(({ text }) =>
    [/^(?:export )?interface (\w+)(.*\{\}|[\s\S]*?\n\})/gm, /^(?:export )?type (\w+)([^;]*);/gm].flatMap((pattern) =>
      [...text.matchAll(pattern)].map(([, name = "", body = ""]) => [name, body] as const),
    ),
  ),
);

/** Lists the members of an interface, of those that it extends, and of those from which it picks members. */
function listMembers(name: string): readonly string[] {
  const body = declarations.get(name) ?? expect.unreachable(`There is no type ${name}.`);
  const [head = ""] = body.split(/ \{$/m);
  const bases = [...head.matchAll(/\b[A-Z]\w+/g)].map(([base]) => base).filter((base) => declarations.has(base));
  const declaredMembers = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]|^ {2}\| "(\w+)"/gm)];
  return [...declaredMembers.map(([, member = "", picked = ""]) => member || picked), ...bases.flatMap(listMembers)];
}

/** The types of the options of each object that a message can name after an option: `of the server`. */
const typesByOwner: Readonly<Record<string, readonly string[]>> = {
  "the server": ["ListenOptions", "FastifyOptions", "WebHandlerOptions"],
  "the routes": ["SoapServerOptions", "RestServerOptions", "MissingOption"],
  routes: ["SoapServerOptions", "RestServerOptions"],
  "SOAP routes": ["SoapServerOptions"],
  "REST routes": ["RestServerOptions"],
  "the handler": ["WebHandlerOptions"],
  rateLimit: ["RequestRate", "CallRate"],
  "a rate limit": ["RequestRate", "CallRate"],
  "the rate limit": ["RequestRate", "CallRate"],
  concurrencyLimit: ["ConcurrencyLimit"],
  healthRoutes: ["HealthOptions"],
  recordedRoutes: ["RecordedRoutesOptions"],
  recordMessages: ["RecordOptions"],
  memoryReplayCache: ["MemoryReplayCacheOptions"],
  verifyUsernameToken: ["UsernameTokenVerification"],
};
const serverOwners = ["the server", "the routes", "rateLimit", "concurrencyLimit", "healthRoutes"];
const clientTypes = [
  ...["SoapClientOptions", "RestClientOptions", "CallOptions", "RestCallOptions", "PageOptions", "StreamOptions"],
  ...["FetchOptions", "NtlmOptions", "BatchOptions", "BatchedOptions"],
];

/** Returns the types of the options that a message in a file can name without their object. */
function listTypesOfFile(path: string): readonly string[] {
  if (path.startsWith("client/")) {
    return clientTypes;
  }
  const serverTypes = serverOwners.flatMap((owner) => typesByOwner[owner] ?? []);
  if (path.startsWith("ws/")) {
    return ["UsernameTokenOptions", "AddressingOptions", "UsernameTokenVerification", ...clientTypes];
  }
  return path.startsWith("server/") ? serverTypes : [...serverTypes, ...clientTypes];
}

/** The types of the members of options, by the name of the option. */
const memberTypes: Readonly<Record<string, readonly string[]>> = {
  tls: ["TlsOptions", "ServerTlsOptions"],
  wireNames: ["WireNameOptions"],
  trustedProxies: ["TrustedProxies"],
  requestIds: ["RequestIdOptions"],
};

const names = String.raw`(?:\\?"[\w.]+\\?"(?:,? (?:and|or) |, )?)+`;
const owners = Object.keys(typesByOwner)
  .sort((a, b) => b.length - a.length)
  .join("|");
const adviceText = new RegExp(String.raw`\boptions? (${names})(?:\s*of (${owners})\b)?`, "g");

const advised = files.flatMap(({ path, text }) => {
  // An option of bothends.json.
  const code = text.replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, "").replace('option "responses" in bothends.json', "");
  return [...code.matchAll(adviceText)].flatMap(([, list = "", owner]) =>
    [...list.matchAll(/"([\w.]+?)\\?"/g)].map(([, option = ""]) => ({ path, option, owner })),
  );
});

/** Whether a limit of a server has an effect in the options of the server or of the routes. */
function isUsed(limit: string, owner: string): boolean {
  const increased = { ...serverLimits, [limit]: serverLimits[limit as keyof ServerLimits] + 1 };
  const unused =
    owner === "the server"
      ? describeUnusedLimits({ [limit]: increased[limit as keyof ServerLimits] }, [serverLimits])
      : describeUnusedLimits({}, [increased]);
  return unused.length === 0;
}

describe("each advised option exists", () => {
  test("in enough messages, with and without an object", () => {
    expect(advised.length).toBeGreaterThan(150);
    expect(advised.filter(({ owner }) => owner !== undefined).length).toBeGreaterThan(25);
  });

  test.each(advised)("$option of $owner in $path", ({ path, option, owner }) => {
    const [name = "", member] = option.split(".");
    const types = owner === undefined ? listTypesOfFile(path) : (typesByOwner[owner] ?? []);
    expect(types.flatMap(listMembers)).toContain(name);
    if (name === "limits" && member !== undefined) {
      expect(Object.keys(path.startsWith("client/") ? clientLimits : serverLimits)).toContain(member);
      // A limit of a server must be advised with the object, because it has no effect in the other.
      expect(path.startsWith("client/") || isUsed(member, owner ?? "")).toBe(true);
      expect(path.startsWith("client/") || owner !== undefined).toBe(true);
    } else if (member !== undefined) {
      const isInline = types.some((type) => declarations.get(type)?.includes(`${name}?: { readonly ${member}?:`));
      expect(isInline || memberTypes[name]?.flatMap(listMembers).includes(member)).toBe(true);
    }
  });
});

test.each(Object.keys(serverLimits) as (keyof ServerLimits)[])(
  "the limit %s is advised where it has an effect",
  (limit) => {
    const advice = new RegExp(`the option "limits\\.${limit}" of (the server|the routes)\\.`);
    const [, owner = ""] = advice.exec(new LimitError(limit, 5).message) ?? [];
    expect(owner).not.toBe("");
    expect(isUsed(limit, owner)).toBe(true);
  },
);
