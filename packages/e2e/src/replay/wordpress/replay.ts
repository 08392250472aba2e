import { createRouter, type Routes, type ServerAnswer } from "@bothends/runtime/server";
import type { Deviation } from "../asmx/deviations.js";
import { type FoundAnswer, judge } from "./judge.js";
import { type RecordedCase, replayHost } from "./recorded-case.js";

/** How every case of a recording came out, by its number. */
export interface ReplayReport {
  readonly exact: readonly string[];
  /** Different as the list of deviations says. */
  readonly accepted: readonly string[];
  /** The request is not in the recording whole, or is answered by the web server. */
  readonly outOfScope: readonly string[];
  readonly failing: readonly { readonly name: string; readonly difference: string }[];
  /** Listed deviations that do not occur any more. */
  readonly stale: readonly string[];
}

/** Sends each recorded request to the routes, and compares what an index can know. */
export async function replay(
  routes: readonly Routes[],
  { cases, deviations }: { readonly cases: readonly RecordedCase[]; readonly deviations: readonly Deviation[] },
): Promise<ReplayReport> {
  const router = createRouter(routes);
  const listed = new Set(deviations.map((deviation) => deviation.case));
  const occurred = new Set<string>();
  const exact: string[] = [];
  const outOfScope: string[] = [];
  const failing: { name: string; difference: string }[] = [];
  for (const recorded of cases) {
    const name = String(recorded.n);
    if (recorded.req_body_lossy !== undefined || (recorded.status === 501 && recorded.method === "FOO")) {
      outOfScope.push(name);
      continue;
    }
    const difference = judge(recorded, foundAnswer(await router(requestOf(recorded))));
    if (difference === undefined) exact.push(name);
    else if (listed.has(name)) occurred.add(name);
    else failing.push({ name: `${name} ${recorded.method} ${recorded.path} (${recorded.name})`, difference });
  }
  const stale = [...listed].filter((name) => !occurred.has(name));
  return { exact, accepted: [...occurred], outOfScope, failing, stale };
}

function requestOf({ method, path, user, req_headers, req_body }: RecordedCase) {
  const headers: (readonly [string, string])[] = [["Host", replayHost], ...Object.entries(req_headers ?? {})];
  if (user !== undefined) headers.push(["Authorization", `Basic ${btoa(`${user}:${user}-pass`)}`]);
  // A replacement character stands for a byte that is no UTF-8.
  const body = Buffer.from((req_body ?? "").replaceAll("\uFFFD", "\u0001"), "utf8").map((byte) =>
    byte === 1 ? 0xff : byte,
  );
  return { method, target: path, headers, body: new Uint8Array(body), signal: new AbortController().signal };
}

function foundAnswer({ status, headers, body }: ServerAnswer): FoundAnswer {
  const text = typeof body === "string" ? body : "";
  return { status, headers, json: text === "" ? undefined : (JSON.parse(text) as unknown) };
}

/** The report in lines, counts last. */
export function reportLines({ exact, accepted, outOfScope, failing, stale }: ReplayReport): readonly string[] {
  return [
    ...failing.map(({ name, difference }) => `failing ${name}: ${difference}`),
    ...stale.map((name) => `stale deviation ${name}`),
    `exact ${exact.length}, accepted ${accepted.length}, out of scope ${outOfScope.length}, failing ${failing.length}`,
  ];
}
