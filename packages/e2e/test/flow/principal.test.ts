import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createRouter, type OperationContext, type RestContext } from "@bothends/runtime/server";
import { contentRoutes } from "@bothends/server/content";
import { regRoutes } from "@bothends/server/vehicle";
import { expect, test } from "vitest";

const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

test("the type tests of this folder compile: principals, middleware, safeOperations, names of services", {
  timeout: 60_000,
}, () => {
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", import.meta.dirname], { encoding: "utf8" });
  expect(stdout).toBe("");
});

interface User {
  readonly name: string;
}
const authenticate = (): User => ({ name: "Ada" });

/**
 * Returns the members of a context with their values. Members with the value undefined are left out, as in a copy of
 * plain data.
 */
function membersOf(context: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...context }).filter(([, value]) => value !== undefined));
}

const soapRequest = {
  method: "POST",
  target: "/api/reg.asmx",
  headers: [
    ["Host", "h.example"],
    ["Content-Type", "text/xml"],
    ["SOAPAction", '"http://vehicle.example/reg/CheckUSA"'],
    ["X-Request-Id", "r1"],
  ],
  body: new TextEncoder().encode(
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><CheckUSA xmlns="http://vehicle.example/reg"><RegistrationNumber>A</RegistrationNumber><State>NY</State><username>u</username></CheckUSA></s:Body></s:Envelope>`,
  ),
} as const;

test("a copy of a SOAP context has all members, and the original keeps them", async () => {
  const contexts: OperationContext<User>[] = [];
  const routes = regRoutes(
    {
      // The context is a rest parameter, which the handler's `length` does not count.
      checkUSA(_, ...[context]) {
        contexts.push(context, { ...context });
        return null;
      },
    },
    { missing: "fault", authenticate, path: "/api/reg.asmx" },
  );
  await createRouter([routes])({ ...soapRequest, signal: new AbortController().signal });
  const [original, copy] = contexts;
  expect(copy).toMatchObject({
    operation: "CheckUSA",
    principal: { name: "Ada" },
    requestId: "r1",
    method: "POST",
    protocol: "soap11",
    ambient: { username: "u" },
    address: "http://h.example/api/reg.asmx",
    signal: expect.any(AbortSignal),
  });
  expect(copy?.headers.get("host")).toBe("h.example");
  expect(membersOf(original ?? {})).toEqual(membersOf(copy ?? {}));
  expect(original?.principal.name).toBe("Ada");
});

test("a copy of a REST context has all members, in handlers, authorize and middleware", async () => {
  const contexts: RestContext<User>[] = [];
  const routes = contentRoutes(
    {
      core: {
        blocks: {
          get(_, context) {
            contexts.push({ ...context });
            return null as never;
          },
        },
      },
    },
    {
      missing: "error",
      authenticate,
      authorize: (call) => contexts.push({ ...call }) > 0,
      use({ context }, next) {
        contexts.push({ ...context });
        return next();
      },
    },
  );
  await createRouter([routes])({
    method: "GET",
    target: "/en/api/core/v2/blocks/7",
    headers: [["Host", "h.example"]],
    body: new Uint8Array(),
    signal: new AbortController().signal,
  });
  expect(contexts.length).toBeGreaterThanOrEqual(3);
  for (const context of contexts) {
    expect(context).toMatchObject({
      principal: { name: "Ada" },
      params: { id: "7" },
      route: expect.stringContaining("blocks"),
      requestId: expect.any(String),
      baseUrl: expect.stringContaining("h.example"),
      signal: expect.any(AbortSignal),
      files: [],
    });
    expect(context.headers.get("host")).toBe("h.example");
  }
});
