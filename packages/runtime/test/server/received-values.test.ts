import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { RestClient, ServiceClient } from "../../src/client/index.js";
import { formatIncident } from "../../src/observe/incident-lines.js";
import { consoleLogger, pinoLogger } from "../../src/observe/index.js";
import type { ServerIncident } from "../../src/server/index.js";
import { always, localServer } from "../client/local-server.js";
import { envelope, find as findOperation, found, itemXml, lookup } from "../client/lookup.js";
import { content, endpoint } from "../rest/site.js";
import { findBody, message, served } from "./fixture.js";

// The log of a server whose handler calls another service has no values of that service's answers.

const listItems = endpoint("items.list", ["GET"], ["/items"]);
const input = { Key: "a", user: "u" };

/** Calls another service with SOAP, which answers with this status, media type and body. */
async function callSoap(status: number, type: string, body: string, value: object = input): Promise<unknown> {
  const { url } = await localServer(always(status, type, body));
  return new ServiceClient(lookup, { baseUrl: url }).call(findOperation, value as never);
}

async function callRest(status: number, type: string, body: string): Promise<unknown> {
  const { url } = await localServer(always(status, type, body));
  return new RestClient(content, { siteUrl: url }).call(listItems, {});
}

const fault = "<s:Fault><faultcode>s:Client</faultcode><faultstring>SECRET</faultstring></s:Fault>";
const json = "application/json";
const calls: readonly (readonly [name: string, call: () => Promise<unknown>, text: string])[] = [
  ["SoapFault", () => callSoap(500, "text/xml", envelope(fault)), "Find: The server answered with Client."],
  ["DecodeError", () => callSoap(200, "text/xml", envelope(found(itemXml.replace(">3<", ">SECRET<")))), "status 200]"],
  ["DecodeError", () => callSoap(200, "text/xml", "SECRET & <a"), "status 200]"],
  ["EncodeError", () => callSoap(200, "text/xml", "", { ...input, Count: "SECRET" }), "/Find/Count: "],
  ["HttpStatusError", () => callSoap(503, "text/plain", "SECRET"), "The server answered with status 503."],
  ["ProtocolError", () => callSoap(200, "text/html", "<title>SECRET</title>"), "status 200]"],
  ["RestError", () => callRest(403, json, '{"code":"no_SECRET x","message":"SECRET"}'), "answered with an error."],
  ["RestError", () => callRest(404, json, '{"code":"no_post","message":"SECRET"}'), "answered with no_post."],
  ["DecodeError", () => callRest(200, json, '{"a":SECRET}'), "status 200]"],
  ["HttpStatusError", () => callRest(500, "text/html", "<h1>SECRET</h1>"), "status 500"],
];

const ways: Readonly<Record<string, (error: unknown) => unknown>> = {
  "that a handler lets through": (error) => error,
  "that is the cause of another one": (error) => new Error("outer", { cause: error }),
  "that is a cause of a cause": (error) => new Error("outer", { cause: new TypeError("inner", { cause: error }) }),
  "in an AggregateError": (error) => new AggregateError([new Error("other"), error], "all failed"),
};

/** Returns all that a logger such as pino can read of a record. */
function readAll(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null || depth > 8) {
    return String(value);
  }
  const names: string[] = ["message", "stack", "cause", "errors"];
  for (const name in value) {
    names.push(name);
  }
  return names.map((name) => `${name}: ${readAll(Reflect.get(value, name), depth + 1)}`).join("\n");
}

describe.each(calls)("a %s of another service (%#)", (name, call, text) => {
  test.each(Object.entries(ways))("%s is logged without values", async (_, wrap) => {
    const incidents: ServerIncident[] = [];
    const find = async () => {
      throw wrap(await call().catch((error: unknown) => error));
    };
    await served({ find } as never, { onError: (incident) => void incidents.push(incident) }).send(
      message("soap11", findBody),
    );
    const [incident] = incidents;
    expect(incidents).toHaveLength(1);
    if (incident === undefined) {
      return;
    }
    const records: string[] = (["text", "json"] as const).map((format) => formatIncident(incident, { format }));
    const write = (record: object | string) =>
      void records.push(typeof record === "string" ? record : readAll(record) + inspect(record, { depth: 9 }));
    consoleLogger({ info: write, warn: write, error: write }).onError(incident);
    pinoLogger({ info: write, warn: write, error: write }).onError(incident);
    expect(records).toHaveLength(4);
    for (const record of records) {
      expect(record).not.toContain("SECRET");
      expect(record).toContain(text);
      expect(record).toContain(name);
    }
    // The hooks of the program receive the whole error, except the value of an input that is not valid.
    expect(readAll(incident.error).includes("SECRET") || name === "EncodeError").toBe(true);
  });
});

/** Ways in which libraries keep the error of another service, or parts of it, in an error of their own. */
const hiddenWays: Readonly<Record<string, (error: object) => unknown>> = {
  "is in another member": (error) => Object.assign(new Error("outer"), { originalError: error }),
  "is in a member of a cause": (error) =>
    new Error("outer", { cause: Object.assign(new Error("b"), { inner: error }) }),
  "is in a member of an error in an AggregateError": (error) =>
    new AggregateError([Object.assign(new Error("b"), { inner: error })], "all failed"),
  "is in a list": (error) => Object.assign(new Error("outer"), { failures: [error] }),
  "is in the member errors": (error) => Object.assign(new Error("outer"), { errors: [error] }),
  "is in an object": (error) => Object.assign(new Error("outer"), { response: { error } }),
  "is a cause that is not an error": (error) => new Error("outer", { cause: { ...error } }),
  "has a cycle": (error) => {
    const outer = Object.assign(new Error("outer", { cause: error }), { self: {} });
    outer.self = outer;
    return outer;
  },
  "was copied with a spread": (error) => ({ ...error }),
  "was copied to a member": (error) => Object.assign(new Error("outer"), { inner: { ...error } }),
  "was copied to another error": (error) => Object.assign(new Error("outer"), { ...error }),
};

describe.each(calls)("a %s of another service (%#)", (_, call) => {
  test.each(Object.entries(hiddenWays))("that %s is logged without values", async (_way, wrap) => {
    const error = wrap((await call().catch((thrown: unknown) => thrown)) as object);
    const incident: ServerIncident = { kind: "handler", message: "m", error };
    const records: string[] = (["text", "json"] as const).map((format) => formatIncident(incident, { format }));
    const write = (record: object | string) =>
      void records.push(typeof record === "string" ? record : readAll(record) + inspect(record, { depth: 9 }));
    consoleLogger({ info: write, warn: write, error: write }).onError(incident);
    pinoLogger({ info: write, warn: write, error: write }).onError(incident);
    // A code that looks like an identifier is not a value.
    for (const record of records.map((text) => text.replaceAll("no_SECRET x", ""))) {
      expect(record).not.toContain("SECRET");
    }
  });
});

test("pino gets the members of an error that identify the failure, and the errors in it", () => {
  const records: { readonly err: Record<string, Record<string, unknown>> }[] = [];
  const write = (record: object) => void records.push(record as never);
  const known = { code: "ER_DUP", errno: -104, syscall: "connect", address: "10.0.0.1", port: 5432, fatal: true };
  const driverError = Object.assign(new TypeError("inner"), known, { sql: "SELECT * FROM a WHERE b = 'SECRET'" });
  class QueryError extends Error {}
  const error = Object.assign(new QueryError("outer"), { driverError, query: { text: "SECRET" }, sqlState: "42P01" });
  pinoLogger({ info: write, warn: write, error: write }).onError({ kind: "handler", message: "m", error });
  const { err } = records[0] ?? { err: {} };
  expect(err).toBeInstanceOf(QueryError);
  expect({ ...err }).toEqual({ driverError: expect.any(TypeError), sqlState: "42P01" });
  expect({ ...err["driverError"] }).toEqual(known);
  expect([err["message"], err["stack"], err["driverError"]?.["message"], err["driverError"]?.["stack"]]).toEqual(
    [error, driverError].flatMap(({ message, stack }) => [message, stack]),
  );
  expect(error.query.text).toBe("SECRET");
});

test("an error without received values is logged as it is", () => {
  const error = new Error("a", { cause: new AggregateError([new Error("b")]) });
  const records: unknown[] = [];
  const write = ({ err }: { readonly err?: unknown }) => void records.push(err);
  pinoLogger({ info: write, warn: write, error: write }).onError({ kind: "handler", message: "m", error });
  expect(records[0]).toBe(error);
});

test.each([
  ["the text of a fault", () => callSoap(500, "text/xml", envelope(fault)), "SECRET"],
  ["the text of a REST error", () => callRest(404, json, '{"code":"no_post","message":"SECRET"}'), "SECRET"],
])("with the option reasons, %s is logged", async (_, call, reason) => {
  const error = await call().catch((thrown: unknown) => thrown);
  const line = formatIncident({ kind: "handler", message: "m", error }, { format: "text", reasons: true });
  expect(line).toContain(reason);
});
