import { expect, test } from "vitest";
import { ConfigError } from "../../src/errors.js";
import { type RestServerOptions, type ServerIncident, wordpressAuthentication } from "../../src/server/index.js";
import { send, site } from "./site.js";

interface User {
  readonly name: string;
}
const ada: User = { name: "ada" };

const options = wordpressAuthentication<User>({
  applicationPassword: async (login, password) => (login === "ada" && password === "abcd1234é:x" ? ada : undefined),
  session: (cookies) => (cookies.get("session") === "s1" ? ada : undefined),
  nonce: async (nonce, user) => nonce === `nonce of ${user?.name ?? "nobody"}`,
});

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

/** The status, and the code of an error or the name of the user. */
async function outcomeOf(
  headers: Readonly<Record<string, string>>,
  {
    path = "/core/v2/items",
    method = "GET",
    others = {},
  }: { path?: string; method?: string; others?: RestServerOptions } = {},
): Promise<string> {
  const routes = site({ ...(options as RestServerOptions), ...others }, (_, { principal }) => ({
    by: (principal as User | undefined)?.name ?? "nobody",
  }));
  const { status, json } = await send(routes, `${method} ${path}`, { headers });
  const { code, by } = json as { code?: string; by?: string };
  return `${status} ${code ?? by}`;
}

const cookie = { Cookie: "a=b; session=s1" };

test.each([
  ["nothing", {}, "200 nobody"],
  ["an application password", { Authorization: basic("ada:abcd1234é:x") }, "200 ada"],
  ["an application password with spaces", { Authorization: basic("ada:abcd 1234 é:x ") }, "200 ada"],
  ["a wrong password", { Authorization: basic("ada:wrong") }, "401 incorrect_password"],
  ["an unknown user", { Authorization: basic("bob:abcd1234é:x") }, "401 incorrect_password"],
  ["another scheme", { Authorization: "Bearer abc" }, "200 nobody"],
  ["credentials without a colon", { Authorization: basic("ada") }, "200 nobody"],
  ["credentials that are not base64", { Authorization: "Basic %%%" }, "200 nobody"],
  ["a cookie without a nonce", cookie, "200 nobody"],
  ["a cookie with a nonce", { ...cookie, "X-WP-Nonce": "nonce of ada" }, "200 ada"],
  ["a cookie with a wrong nonce", { ...cookie, "X-WP-Nonce": "old" }, "403 rest_cookie_invalid_nonce"],
  ["a wrong nonce without a cookie", { "X-WP-Nonce": "old" }, "403 rest_cookie_invalid_nonce"],
  ["the nonce of a user without a cookie", { "X-WP-Nonce": "nonce of ada" }, "403 rest_cookie_invalid_nonce"],
  [
    "another session with a nonce",
    { Cookie: "session=s2", "X-WP-Nonce": "nonce of ada" },
    "403 rest_cookie_invalid_nonce",
  ],
  ["a password and a cookie without a nonce", { ...cookie, Authorization: basic("ada:abcd1234é:x") }, "200 ada"],
  ["a password and a wrong nonce", { Authorization: basic("ada:abcd1234é:x"), "X-WP-Nonce": "old" }, "200 ada"],
])("a request with %s", async (_, headers, outcome) => {
  expect(await outcomeOf(headers as Record<string, string>)).toBe(outcome);
});

test("a nonce in the query is used before that of the header", async () => {
  const path = "/core/v2/items?_wpnonce=nonce%20of%20ada";
  expect(await outcomeOf({ ...cookie, "X-WP-Nonce": "old" }, { path })).toBe("200 ada");
});

test("a change with a cookie and a valid nonce needs no allowed origin", async () => {
  const foreign = { ...cookie, Origin: "https://other.example" };
  expect(await outcomeOf(foreign, { method: "POST" })).toBe("403 rest_cookie_invalid_nonce");
  expect(await outcomeOf({ ...foreign, "X-WP-Nonce": "nonce of ada" }, { method: "POST" })).toMatch(/^20[01] /);
});

test("with WordPress's CORS, a change with a cookie and without a nonce is anonymous", async () => {
  const others = {
    cors: "wordpress",
    authorize: ({ principal }) => principal !== undefined,
  } satisfies RestServerOptions;
  expect(await outcomeOf(cookie, { method: "POST", others })).toBe("401 rest_forbidden");
});

test("without one of the functions, passwords or cookies are ignored", async () => {
  const sessions = wordpressAuthentication<User>({ session: () => ada, nonce: () => false }) as RestServerOptions;
  const passwords = wordpressAuthentication<User>({ applicationPassword: () => ada }) as RestServerOptions;
  const headers = { ...cookie, Authorization: basic("ada:abcd1234é:x") };
  expect(await outcomeOf(headers, { others: sessions })).toBe("200 nobody");
  expect(await outcomeOf(cookie, { others: passwords })).toBe("200 nobody");
  expect(await outcomeOf({ ...cookie, "X-WP-Nonce": "nonce of ada" }, { others: passwords })).toBe(
    "403 rest_cookie_invalid_nonce",
  );
});

test.each([
  [
    {},
    'wordpressAuthentication requires the option "applicationPassword" or "session": without it, no caller is known.',
  ],
  [{ nonce: () => true }, 'requires the option "applicationPassword" or "session"'],
  [{ session: () => ada }, 'wordpressAuthentication requires the option "nonce": without it, no session is accepted.'],
])("wordpressAuthentication refuses %o, with which no caller could be known", (users, message) => {
  const create = () => wordpressAuthentication<User>(users);
  expect(create).toThrow(ConfigError);
  expect(create).toThrow(message);
});

test.each([
  [
    "the user name of a wrong password",
    { Authorization: basic("ada:s3cret") },
    'The user is unknown, or the application password is wrong. The user name in the request is "ada".',
  ],
  [
    "the escaped name of an unknown user",
    { Authorization: basic("a\n\u202e:s3cret") },
    'The user is unknown, or the application password is wrong. The user name in the request is "a\\n\\u202e".',
  ],
  [
    "the reason of a wrong nonce",
    { ...cookie, "X-WP-Nonce": "s3cret" },
    'The function in the option "verifyNonce" refused the nonce. It may have expired, or belong to another session: the page must get a new one.',
  ],
])("an incident has %s", async (_, headers, reason) => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  await outcomeOf(headers as Record<string, string>, { others: { onError } });
  expect(incidents).toHaveLength(1);
  expect(incidents[0]?.message).toContain(reason);
  expect(incidents[0]?.error).toBeUndefined();
  expect(JSON.stringify(incidents)).not.toContain("s3cret");
});

test.each([undefined, null, false])(
  "a password or a session for which the function returns %j has no user",
  async (user) => {
    const others = wordpressAuthentication({
      applicationPassword: async () => user as undefined,
      session: () => user as undefined,
      nonce: (_, found) => found === undefined,
    }) as RestServerOptions;
    expect(await outcomeOf({ Authorization: basic("ada:wrong") }, { others })).toBe("401 incorrect_password");
    expect(await outcomeOf({ ...cookie, "X-WP-Nonce": "n" }, { others })).toBe("200 nobody");
  },
);

test.each([
  ["applicationPassword", { Authorization: basic("ada:x") }, "GET"],
  ["session", { ...cookie, "X-WP-Nonce": "n" }, "GET"],
  ["nonce", { ...cookie, "X-WP-Nonce": "n" }, "GET"],
  ["session", { ...cookie, "X-WP-Nonce": "n", Origin: "https://other.example" }, "POST"],
] as const)("if the function %s fails, the incident names it", async (name, headers, method) => {
  const incidents: ServerIncident[] = [];
  const functions = { applicationPassword: async () => ada, session: () => ada, nonce: () => true };
  const fail = () => {
    throw new Error("redis down");
  };
  const users = wordpressAuthentication<User>({ ...functions, [name]: fail });
  const routes = site({ ...(users as RestServerOptions), onError: (incident) => void incidents.push(incident) });
  expect((await send(routes, `${method} /core/v2/items`, { headers })).status).toBeGreaterThanOrEqual(403);
  const message = `The function "${name}" of wordpressAuthentication threw an exception.`;
  expect(incidents[0]).toMatchObject({ error: { message, cause: { message: "redis down" } } });
});
