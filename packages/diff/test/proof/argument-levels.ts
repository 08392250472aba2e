import { EncodeError, type JsonValue, RestError } from "@bothends/runtime";
import { RestClient } from "@bothends/runtime/client";
import { expect } from "vitest";
import { type Change, type Level, levels, type Side } from "../../src/index.js";
import { shown } from "./observed.js";
import { MemoryServer, restOf } from "./rest-calls.js";

/**
 * Sends values of a client's type to a server, and compares what it reads with what an equal server reads. Leaves out
 * values that the client's type or its own server does not allow. `format` decides which values are equal.
 */
export async function observeLevel(
  client: Side,
  server: Side,
  values: readonly JsonValue[],
  format: (value: JsonValue | undefined) => string = shown,
): Promise<Level> {
  const rest = restOf(client.contract);
  const [endpoint] = rest.endpoints;
  const [same, other] = [new MemoryServer(rest), new MemoryServer(restOf(server.contract))];
  const read = async (each: MemoryServer, q: JsonValue): Promise<string | undefined> => {
    const api = new RestClient(rest.descriptor, { siteUrl: "http://site.example", transport: each.transport });
    try {
      await (endpoint && api.call(endpoint.descriptor, { q }));
    } catch (error) {
      expect([RestError, EncodeError].some((type) => error instanceof type)).toBe(true);
      return undefined;
    }
    return format(each.received?.input["q"]);
  };
  const found: ("refused" | "same" | "lost")[] = [];
  for (const value of values) {
    const wanted = await read(same, value);
    if (wanted !== undefined) {
      const readValue = await read(other, value);
      found.push(readValue === undefined ? "refused" : readValue === wanted ? "same" : "lost");
    }
  }
  expect(found.length).toBeGreaterThan(0);
  return found.every((outcome) => outcome === "refused")
    ? "breaks"
    : found.includes("refused")
      ? "some"
      : found.includes("lost")
        ? "tolerated"
        : "none";
}

/** The worst level of the changes for old and for new clients. */
export function worstLevels(changes: readonly Change[]) {
  const worstOf = (party: "oldClients" | "newClients") =>
    levels[Math.max(0, ...changes.map(({ consequences }) => levels.indexOf(consequences[party])))];
  return { oldClients: worstOf("oldClients"), newClients: worstOf("newClients") };
}
