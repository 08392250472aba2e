import { describe, expect, onTestFinished, test } from "vitest";
import { type Hooks, ServiceClient } from "../../src/client/index.js";
import { ConfigError, SoapFault } from "../../src/index.js";
import type { ServerIncident } from "../../src/observe/index.js";
import { listen } from "../../src/server/adapters/node/listen.js";
import {
  memoryReplayCache,
  type ReplayCache,
  securityHeader,
  usernameToken,
  verifyUsernameToken,
} from "../../src/ws/index.js";
import { failureOf } from "../client/local-server.js";
import { find, served, service } from "../server/fixture.js";

/** Adds messages of a user until the cache refuses one. Returns the number of accepted messages. */
function fill(cache: ReplayCache, username: string, lifetime = 10): number {
  for (let count = 0; ; count += 1) {
    try {
      if (cache.add(`${username} ${count}`, lifetime, username) !== true) {
        throw new Error("The message is known.");
      }
    } catch (error) {
      expect(String(error)).toMatch(/^RefusalCause: The replay cache remembers at most \d+ messages/);
      return count;
    }
  }
}

describe("a replay cache in memory", () => {
  test("forgets messages after their lifetime", () => {
    let time = 0;
    const cache = memoryReplayCache({ now: () => time });
    expect([cache.add("a", 10, "u"), cache.add("a", 10, "u")]).toEqual([true, false]);
    time = 10;
    expect(cache.add("a", 10, "u")).toBe(true);
  });

  test("remembers each message while it grows and shrinks", () => {
    let time = 0;
    const cache = memoryReplayCache({ now: () => time });
    for (const count of [3_000, 40_000, 10, 9_000]) {
      const keys = Array.from({ length: count }, (_, index) => `${time} ${index}`);
      expect(keys.every((key) => cache.add(key, 10, "u") === true)).toBe(true);
      expect(keys.some((key) => cache.add(key, 10, "u") === true)).toBe(false);
      time += 5;
      expect(keys.some((key) => cache.add(key, 10, "u") === true)).toBe(false);
      expect(cache.add(`later ${time}`, 10, "u")).toBe(true);
      time += 5;
    }
  });

  test("gives a user at most as many places as are free", () => {
    let time = 0;
    const cache = memoryReplayCache({ maxMessages: 1_200, now: () => time });
    expect(fill(cache, "mallory")).toBe(600);
    // The names of one user share their places.
    expect(fill(cache, "MALLORY")).toBe(0);
    expect(cache.add("1", 10, "ada")).toBe(true);
    expect(fill(cache, "eve")).toBe(300);
    expect(fill(cache, "ada")).toBe(149);
    expect(cache.add("mallory 7", 10, "ada")).toBe(false);
    time = 10;
    expect(fill(cache, "mallory")).toBe(600);
  });

  test("uses all places for messages without a user", () => {
    const cache = memoryReplayCache({ maxMessages: 2 });
    expect([cache.add("a", 1_000), cache.add("b", 1_000)]).toEqual([true, true]);
    expect(() => cache.add("c", 1_000)).toThrow("at most 2 messages");
  });

  test("carries 1,300 messages of one user per second by default", () => {
    const cache = memoryReplayCache({ now: () => 0 });
    expect(fill(cache, "ada", 361_000)).toBeGreaterThan(1_300 * 361);
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("has no maxMessages %s", (maxMessages) => {
    expect(() => memoryReplayCache({ maxMessages })).toThrow(ConfigError);
  });
});

test("a user whose messages fill the replay cache gets 503, and other users are answered", async () => {
  const incidents: ServerIncident[] = [];
  const replayCache = memoryReplayCache({ maxMessages: 10 });
  const { routes } = served(
    {},
    {
      understands: [securityHeader],
      authenticate: verifyUsernameToken({ password: () => "p", replayCache }),
      onError: (incident) => void incidents.push(incident),
    },
  );
  const running = await listen([routes], { host: "127.0.0.1" });
  onTestFinished(async () => void (await running.close()));
  const call = (username: string) => {
    const hooks: Hooks[] = [usernameToken({ username, password: "p", type: "digest" })];
    const client = new ServiceClient(service, { baseUrl: running.url, protocol: "soap11", hooks, retries: 0 });
    return client.call(find, { Key: "a", Count: 1, username: "u" });
  };
  for (let count = 0; count < 5; count += 1) {
    await call("mallory");
  }
  const refused = await failureOf(call("mallory"));
  expect(refused).toBeInstanceOf(SoapFault);
  expect(refused).toMatchObject({ status: 503, code: "Server", reason: expect.stringContaining("Try again later") });
  expect(await call("ada")).toMatchObject({ Name: "a & b" });
  expect(incidents).toHaveLength(1);
  expect(incidents[0]).toMatchObject({
    kind: "limit.replayCache",
    operation: "Find",
    limit: { name: "replayCache", value: 10 },
    message: expect.stringMatching(/"maxMessages" of memoryReplayCache.*The user name in the request is "mallory"\./),
  });
});
