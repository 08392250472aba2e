import { isDeepStrictEqual } from "node:util";

/** The outcome of one call between two peers. */
export interface Outcome {
  readonly peer: string;
  readonly call: string;
  /** The protocol of the call; for a site, the form of its address. */
  readonly over: string;
  readonly milliseconds: number;
  /** Why the call failed; undefined if it succeeded. */
  readonly problem?: string | undefined;
  /** Why the peer cannot make the call. */
  readonly skipReason?: string | undefined;
}

/** All calls to or from one peer. */
export interface Suite {
  readonly peer: string;
  /** The Debian packages that the suite needs. */
  readonly packages: readonly DebianPackage[];
  run(): Promise<readonly Outcome[]>;
}

/** A Debian package, and a check whether it is installed. */
export interface DebianPackage {
  readonly name: string;
  readonly isInstalled: () => boolean;
}

/**
 * Makes one call. `run` resolves to undefined if the answer is correct; otherwise it resolves to the difference or
 * throws.
 */
export async function tryCall(
  { peer, call, over }: Pick<Outcome, "peer" | "call" | "over">,
  run: () => Promise<string | undefined>,
): Promise<Outcome> {
  const start = performance.now();
  const problem = await run().catch(getText);
  return { peer, call, over, milliseconds: performance.now() - start, problem };
}

/** Describes the first difference between an answer and the expected one; undefined if there is none. */
export function describeDifference(answer: unknown, expected: unknown, path = ""): string | undefined {
  if (isDeepStrictEqual(answer, expected)) {
    return undefined;
  }
  if (isObject(answer) && isObject(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(answer)])) {
      const memberDifference = describeDifference(answer[key], expected[key], `${path}/${key}`);
      if (memberDifference !== undefined) {
        return memberDifference;
      }
    }
  }
  return `${path === "" ? "" : `${path}: `}expected ${shortenText(expected)}, got ${shortenText(answer)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Formats an error in one line, without its stack. */
export function getText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function shortenText(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200);
}

/** Formats the outcomes as a table with a line for each peer and protocol, followed by a line for each failed call. */
export function formatOutcomes(outcomes: readonly Outcome[]): string {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes.filter(({ skipReason }) => skipReason === undefined)) {
    const key = `${outcome.peer}\n${outcome.over}`;
    groups.set(key, [...(groups.get(key) ?? []), outcome]);
  }
  const rows = [...groups.values()].map((group) => {
    const failedCount = group.filter(({ problem }) => problem !== undefined).length;
    const milliseconds = group.reduce((sum, outcome) => sum + outcome.milliseconds, 0);
    const { peer = "", over = "" } = group[0] ?? {};
    return [peer, over, `${group.length - failedCount}`, `${failedCount}`, milliseconds.toFixed(0)];
  });
  const head = ["peer", "over", "passed", "failed", "ms"];
  const widths = head.map((cell, index) => Math.max(cell.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => (index > 1 ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join("  ");
  const failureLines = outcomes.flatMap(({ peer, over, call, problem }) =>
    problem === undefined ? [] : [`failed: ${peer}, ${over}, ${call}: ${problem}`],
  );
  return [line(head), ...rows.map(line), ...formatSkippedLines(outcomes), ...failureLines].join("\n");
}

function formatSkippedLines(outcomes: readonly Outcome[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { peer, over, skipReason } of outcomes) {
    if (skipReason === undefined) {
      continue;
    }
    const key = `not called: ${peer}, ${over}: ${skipReason}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${key} (${count})`);
}

/**
 * The expected number of calls to or from each peer, so that a lost call is reported. Change it when you add or remove
 * calls.
 */
export const expectedCalls: Readonly<Record<string, number>> = {
  zeep: 202,
  suds: 51,
  "PHP SoapClient": 102,
  "SOAP::Lite": 102,
  "node-soap client": 102,
  "Mono proxy": 204,
  "Mono proxy of an ASMX": 202,
  "gSOAP client": 102,
  "JAX-WS client": 104,
  Axis: 37,
  "PHP SoapServer": 102,
  "node-soap server": 102,
  "gSOAP server": 102,
  "JAX-WS server": 102,
  "Mono ASMX": 204,
  "Mono ASMX, by its own WSDL": 204,
  "Spyne server": 102,
  "Spyne, by its own WSDL": 102,
  WordPress: 305,
  "PHP (fetched)": 5,
  "Mono ASMX (fetched)": 3,
  "WordPress (fetched)": 5,
  "zeep, registry": 72,
  "suds, registry": 18,
  "PHP SoapClient, registry": 36,
  "SOAP::Lite, registry": 36,
  "node-soap client, registry": 36,
  "Mono proxy, registry": 72,
  "Mono proxy of an ASMX, registry": 72,
  "gSOAP client, registry": 36,
  "JAX-WS client, registry": 36,
  "Axis, registry": 18,
  "content site": 17,
};

/**
 * Describes each peer whose number of calls is not as expected. Peers without calls are included only if all suites
 * ran.
 */
export function findMiscountedPeers(outcomes: readonly Outcome[], ranAll: boolean): readonly string[] {
  const callCounts = new Map<string, number>();
  for (const { peer, skipReason } of outcomes) {
    callCounts.set(peer, (callCounts.get(peer) ?? 0) + (skipReason === undefined ? 1 : 0));
  }
  const peers = new Set([...callCounts.keys(), ...(ranAll ? Object.keys(expectedCalls) : [])]);
  return [...peers]
    .filter((peer) => (callCounts.get(peer) ?? 0) !== expectedCalls[peer])
    .map((peer) => `${peer}: ${callCounts.get(peer) ?? 0} calls instead of ${expectedCalls[peer] ?? "none"}`);
}
