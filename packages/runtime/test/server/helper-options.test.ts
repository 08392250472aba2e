import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordMessages, restNonce } from "../../src/client/index.js";
import { batch, batched } from "../../src/client/rest/batch.js";
import { streamOf } from "../../src/client/streams/stream-of.js";
import { fetchTransport } from "../../src/client/transports/fetch-transport.js";
import { ntlmTransport } from "../../src/client/transports/ntlm.js";
import { ConfigError } from "../../src/errors.js";
import { consoleLogger, lineLogger, pinoLogger } from "../../src/observe/index.js";
import {
  concurrencyLimit,
  healthRoutes,
  rateLimit,
  rateLimitedRoutes,
  recordedRoutes,
  wordpressAuthentication,
} from "../../src/server/index.js";
import {
  addressing,
  memoryReplayCache,
  usernameToken,
  usernameTokenHeader,
  verifyUsernameToken,
} from "../../src/ws/index.js";
import { endpoint } from "../rest/site.js";
import { served } from "./fixture.js";

// Every public function is in one of the two lists below, so that a new function with options gets the same checks.

interface Helper {
  /** Calls the function with options that TypeScript may not allow. */
  readonly create: (options: never) => unknown;
  /** Valid options, with a value for each option of the function. */
  readonly valid: object;
  readonly required?: readonly string[];
  /** Whether clients load the function: its messages are shorter. */
  readonly isOfClients?: boolean;
}

const none = () => {};
const logger = { info: none, warn: none, error: none };
const rate = { requests: 1, window: 1, store: { count: none }, onStoreFailure: "refuse", storeTimeout: 5, by: none };
const token = { username: "a", password: "b", type: "digest", lifetime: 5, nonce: none, clock: none };
const { routes } = served();

const helpers: Readonly<Record<string, Helper>> = {
  addressing: {
    create: (options) => addressing(options),
    valid: { to: "urn:a", action: "urn:b", messageId: none, replyTo: "urn:c", version: "2004/08" },
  },
  batch: {
    isOfClients: true,
    create: (options) => batch(async () => ({ responses: [] }), [], options),
    valid: { allOrNothing: true },
  },
  batched: {
    isOfClients: true,
    create: (options) => batched(endpoint("items.create", ["POST"], ["/items"]), {}, options),
    valid: { method: "POST", fields: ["id"] },
  },
  concurrencyLimit: {
    create: (options) => concurrencyLimit(options),
    valid: { operations: { Find: 1 }, queue: 2 },
    required: ["operations"],
  },
  consoleLogger: { create: (options) => consoleLogger(logger, options), valid: { reasons: true } },
  fetchTransport: {
    isOfClients: true,
    create: (options) => fetchTransport(fetch, options),
    valid: { uploadStream: none },
  },
  healthRoutes: {
    create: (options) => healthRoutes(options),
    valid: { checks: { database: none }, timeout: 5, healthPath: "/live", readyPath: "/up", onError: none },
  },
  lineLogger: { create: (options) => lineLogger(options), valid: { format: "json", write: none, reasons: true } },
  memoryReplayCache: { create: (options) => memoryReplayCache(options), valid: { maxMessages: 5, now: none } },
  ntlmTransport: {
    isOfClients: true,
    create: (options) => ntlmTransport(options),
    valid: { username: "a", password: "b", domain: "c", workstation: "d", tls: {}, maxSockets: 5, maxQueued: 5 },
    required: ["username", "password"],
  },
  pinoLogger: { create: (options) => pinoLogger(logger, options), valid: { reasons: true } },
  rateLimit: { create: (options) => rateLimit(options), valid: rate, required: ["requests", "window", "by"] },
  rateLimitedRoutes: {
    create: (options) => rateLimitedRoutes(routes, options),
    valid: rate,
    required: ["requests", "window"],
  },
  recordedRoutes: {
    create: (options) => recordedRoutes(routes, options),
    valid: { write: none, secrets: ["pin"], maxBytes: 5, when: none },
    required: ["write"],
  },
  recordMessages: {
    isOfClients: true,
    create: (options) => recordMessages(options),
    valid: { write: none, secrets: ["pin"], maxBytes: 5 },
    required: ["write"],
  },
  restNonce: {
    isOfClients: true,
    create: (options) => restNonce(options),
    valid: { nonce: "a", refresh: none },
    required: ["refresh"],
  },
  streamOf: {
    isOfClients: true,
    create: (options) => streamOf(async () => [], options),
    valid: { items: "", idleTimeout: 5 },
  },
  usernameToken: { create: (options) => usernameToken(options), valid: token, required: ["username"] },
  usernameTokenHeader: {
    create: (options) => usernameTokenHeader(options, "soap11"),
    valid: { ...token, type: "text", clock: () => new Date() },
    required: ["username"],
  },
  verifyUsernameToken: {
    create: (options) => verifyUsernameToken(options),
    valid: { password: none, verify: none, maxAge: 5, clockSkew: 5, replayCache: { add: none }, clock: none },
  },
  wordpressAuthentication: {
    create: (options) => wordpressAuthentication(options),
    valid: { applicationPassword: none, session: none, nonce: none },
  },
};

/** The other functions of the package, and the reason why they are not in the list above. */
const otherFunctions: Readonly<Record<string, readonly string[]>> = {
  "has no options": [
    ...["cookies", "results", "createPlatformTransport", "uploadStream", "isRestError", "messageElements", "formatAny"],
    ...["parseAny", "fromDate", "toDate", "fromJson", "toJson", "encodeAny", "decodeAny", "combineRoutes", "isCallOf"],
    ...["memoryStore", "middlewareFor", "resolveRecord", "resolveType"],
  ],
  "its options are those of servers, which option-mistakes.test.ts checks": [
    ...["soapRoutes", "restRoutes", "createRouter", "listen", "webHandler", "webMiddleware", "fastifyPlugin"],
    ...["expressMiddleware", "lambdaHandler"],
  ],
  "its options are those of clients or calls, which call-options.test.ts and options.test.ts check": [
    ...["call", "connect", "restCalls", "pages", "paginate"],
  ],
  "its members are parts of an answer or a message, which are checked when it is sent": [
    "restAnswer",
    "addressingHeaders",
  ],
  "only generated code calls it": [
    ...["checkAnswers", "readSegmentNames", "completePattern", "createValueReader", "findClassEnd", "findJsonType"],
    ...["findStringFormat", "hasLimit", "listHiddenLimits", "listsLimits", "readDefault", "compileRoute"],
    ...[
      "compileRoutePattern",
      "compileValuePattern",
      "findPath",
      "findValueText",
      "lowerCase",
      "shadows",
      "splitRoute",
    ],
    ...["enumeration", "fractionDigits", "length", "list", "maxExclusive", "maxInclusive", "maxLength", "minExclusive"],
    ...["minInclusive", "minLength", "pattern", "restriction", "totalDigits", "union", "whiteSpace", "withConversions"],
  ],
};

test("the lists contain every function that the package exports", async () => {
  const { exports }: { exports: Record<string, Record<string, string>> } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const names = new Set<string>();
  for (const { "@bothends/source": source } of Object.values(exports)) {
    const entry: object = await import(new URL(`../../${source}`, import.meta.url).href);
    for (const [name, value] of Object.entries(entry)) {
      if (typeof value === "function" && !String(value).startsWith("class")) {
        names.add(name);
      }
    }
  }
  expect([...Object.keys(helpers), ...Object.values(otherFunctions).flat()].sort()).toEqual([...names].sort());
});

/** Returns the error that a function throws for some options, synchronously or by its promise. */
async function findError(create: Helper["create"], options: unknown): Promise<unknown> {
  try {
    await create(options as never);
    return undefined;
  } catch (error) {
    return error;
  }
}

const wrongValues: readonly unknown[] = [
  null,
  Symbol("a"),
  Number.NaN,
  -1,
  true,
  "no",
  5,
  {},
  [],
  [5],
  { a: "b" },
  () => new Date(),
];

describe.each(Object.entries(helpers))("%s", (owner, { create, valid, required = [], isOfClients = false }) => {
  const names = Object.keys(valid);

  test("accepts all its options, and undefined for those that are not required", async () => {
    expect(await findError(create, valid)).toBeUndefined();
    const optional = names.filter((name) => !required.includes(name));
    const absent = Object.fromEntries(optional.slice(1).map((name) => [name, undefined]));
    expect(await findError(create, { ...valid, ...absent })).toBeUndefined();
  });

  test("refuses misspelled names, and names the nearest option", async () => {
    const misspelled = fc
      .record({ name: fc.constantFrom(...names), position: fc.nat(20), letter: fc.constantFrom("", "q") })
      .map(({ name, position, letter }) => {
        const index = position % name.length;
        return { name, wrong: name.slice(0, index) + letter + name.slice(index + 1) };
      })
      .filter(({ wrong }) => !names.includes(wrong));
    await fc.assert(
      fc.asyncProperty(misspelled, async ({ name, wrong }) => {
        const { [name]: value, ...others } = valid as Record<string, unknown>;
        const error = await findError(create, { ...others, [wrong]: value });
        expect(error).toBeInstanceOf(ConfigError);
        expect(String(error)).toContain(`${isOfClients ? "There is" : `${owner} has`} no option "${wrong}".`);
        expect(String(error)).toMatch(name.length > 3 ? `Did you mean "${name}"?` : /Did you mean|Use /);
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  test("refuses other names, with the names of its options", async () => {
    const error = await findError(create, { ...valid, somethingElse: 1 });
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(
      isOfClients ? 'There is no option "somethingElse". Use one of ' : `${owner} has no option "somethingElse". Use `,
    );
  });

  test.each(names)("refuses values of another type for %s", async (name) => {
    const accepted: unknown[] = [];
    for (const value of wrongValues) {
      const error = await findError(create, { ...valid, [name]: value });
      if (error === undefined) {
        accepted.push(value);
        continue;
      }
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toMatch(
        owner === "batched" && name === "method" ? "has only the methods POST" : `"${name}"`,
      );
    }
    // The values that an option accepts have one type, except an action, which can also be a function.
    const types = new Set(accepted.map((value) => (value === null ? "null" : typeof value)));
    expect([...types]).toHaveLength(Math.min(types.size, name === "action" ? 2 : 1));
    expect(accepted).not.toContain(null);
    expect(accepted).not.toContain(Number.NaN);
  });

  test.each(required)("requires %s", async (name) => {
    const error = await findError(create, { ...valid, [name]: undefined });
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(`The option "${name}" of ${owner} must be `);
  });

  test.each([null, 5, "a", [5]])("refuses %j in place of its options", async (options) => {
    const error = await findError(create, options);
    expect(error).toBeInstanceOf(ConfigError);
    const isIndex = isOfClients && Array.isArray(options);
    const text = isOfClients
      ? "The options must be an object, not "
      : `The options of ${owner} must be an object, not `;
    expect(String(error)).toContain(isIndex ? 'no option "0". Pass an object, not an array.' : text);
  });
});
