import type { DynamicRestInterface } from "@bothends/dynamic";
import { EncodeError, type JsonValue, RestError } from "@bothends/runtime";
import { RestClient } from "@bothends/runtime/client";
import { expect } from "vitest";
import { type Change, type Level, levels } from "../../src/index.js";
import type { MemoryServer } from "./rest-calls.js";

type Input = Readonly<Record<string, JsonValue>>;

/** What a server of the other version does with a call that a server of the client's version accepts. */
export interface CallOutcome {
  readonly outcome: "refused" | "same" | "lost";
  readonly input: Input;
}

/** The numbers of a list of outcomes by which a claimed level is judged. */
interface Counts {
  readonly total: number;
  readonly refused: number;
  readonly lost: number;
}

/** Returns the worst consequence that changes have for a party. */
export function worstOf(changes: readonly Change[], party: keyof Change["consequences"]): Level {
  return levels[Math.max(0, ...changes.map(({ consequences }) => levels.indexOf(consequences[party])))] ?? "none";
}

/** Calls the first endpoint of an interface, and returns what the server received; undefined if a call is refused. */
export async function callFirstEndpoint(
  { descriptor, endpoints: [endpoint] }: DynamicRestInterface,
  server: MemoryServer,
  input: Input,
): Promise<Input | undefined> {
  server.forgetCall();
  const api = new RestClient(descriptor, { siteUrl: "http://site.example", transport: server.transport });
  try {
    await (endpoint && api.call(endpoint.descriptor, input));
  } catch (error) {
    expect([RestError.name, EncodeError.name]).toContain((error as Error).constructor.name);
    return undefined;
  }
  return server.received?.input ?? {};
}

/** Describes the outcomes if they do not show a claimed level; otherwise returns undefined. */
export function findProblem(
  claim: Level,
  outcomes: readonly CallOutcome[],
  isRight: (counts: Counts) => boolean,
): string | undefined {
  const count = (outcome: CallOutcome["outcome"]) => outcomes.filter((each) => each.outcome === outcome).length;
  const describe = (outcome: CallOutcome["outcome"]) =>
    `${count(outcome)} ${outcome} (${JSON.stringify(outcomes.find((each) => each.outcome === outcome)?.input)})`;
  return outcomes.length === 0 || isRight({ total: outcomes.length, refused: count("refused"), lost: count("lost") })
    ? undefined
    : `${claim}, but ${(["refused", "lost", "same"] as const).map(describe).join(", ")}`;
}

/** Formats changes with their consequences for clients, for the report of a problem. */
export function formatChanges(changes: readonly Change[]): readonly string[] {
  return changes.map(
    ({ message, consequences: { oldClients, newClients } }) => `    ${message} [${oldClients} ${newClients}]`,
  );
}
