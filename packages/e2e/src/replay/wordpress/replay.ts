import type { RestServerOptions, ServerAnswer } from "@bothends/runtime/server";
import { createRouter } from "@bothends/runtime/server";
import type { Deviation } from "./deviations.js";
import type { Call } from "./expected-calls.js";
import type { GeneratedSite } from "./generated-site.js";
import { findAcceptedReaction, findRecordedReaction, judge, type Outcome } from "./judge.js";
import { getHandlerAnswer, isObject } from "./recorded-body.js";
import { type RecordedCase, replayHost } from "./recorded-case.js";
import { RecordedSite } from "./recorded-site.js";

/** The results of replaying a recording, as numbers of cases. */
export interface ReplayReport {
  readonly exactCases: readonly string[];
  /** The cases whose answers differ in an accepted way. */
  readonly acceptedCases: readonly string[];
  readonly failingCases: readonly { readonly name: string; readonly difference: string }[];
  /** The accepted deviations that no longer occur. */
  readonly staleDeviations: readonly string[];
}

/** The recorded cases, the results of their handlers, and the accepted deviations by case. */
export interface Recording {
  readonly cases: readonly RecordedCase[];
  /** Calls by the number of the case, for requests that reach a handler. */
  readonly calls: ReadonlyMap<string, Call>;
  readonly deviations: ReadonlyMap<string, Deviation>;
}

/** The settings of the recorded site, and its rules for other origins. */
const siteOptions: RestServerOptions = {
  cors: "wordpress",
  jsonp: true,
  name: "Ground Truth Site",
  description: "Just another site",
  url: `http://${replayHost}`,
};

/** Sends each recorded request to a generated server, and compares the handler, its input and the answer. */
export async function replay(site: GeneratedSite, { cases, calls, deviations }: Recording): Promise<ReplayReport> {
  const recordedSite = new RecordedSite(site, siteOptions);
  const router = createRouter([recordedSite.routes]);
  const byName = new Map(cases.map((recordedCase) => [String(recordedCase.n), recordedCase]));
  const bodyOf = (name: string) => byName.get(name)?.json;
  const exactCases: string[] = [];
  const acceptedCases: string[] = [];
  const failingCases: { name: string; difference: string }[] = [];
  for (const recordedCase of cases) {
    const name = String(recordedCase.n);
    const deviation = deviations.get(name);
    const answeredCase = byName.get(deviation?.instead.site ?? name) ?? recordedCase;
    recordedSite.begin(answeredCase);
    const answer = readAnswer(await router(createRequest(recordedCase)));
    const actual = {
      ...answer,
      call: recordedSite.handledCall ?? findRefusedCall(recordedSite.authorizedCall, answeredCase, answer),
    };
    const requiredReaction = findRecordedReaction(recordedCase, calls.get(name));
    const recordedDifference = judge(requiredReaction, actual);
    const instead =
      deviation &&
      recordedDifference &&
      judge(findAcceptedReaction(requiredReaction, deviation.instead, bodyOf), actual);
    if (recordedDifference === undefined) {
      exactCases.push(name);
    } else if (deviation !== undefined && instead === undefined) {
      acceptedCases.push(name);
    } else {
      failingCases.push({
        name: `${name} ${recordedCase.method} ${recordedCase.path}`,
        difference: instead ?? recordedDifference,
      });
    }
  }
  const staleDeviations = [...deviations.keys()].filter((name) => !acceptedCases.includes(name));
  return { exactCases, acceptedCases, failingCases, staleDeviations };
}

/**
 * Returns the call that the site refused. For the header `Allow`, the server also asks the site to authorize calls for
 * requests that are invalid according to the index; these calls are not returned.
 */
function findRefusedCall(
  authorized: Call | undefined,
  recordedCase: RecordedCase,
  answer: Omit<Outcome, "call">,
): Call | undefined {
  const { body, status } = getHandlerAnswer(recordedCase);
  if (recordedCase.method === "HEAD") {
    return status === answer.status && status > 400 ? authorized : undefined;
  }
  if (answer.text.includes('"not_recorded"')) {
    return authorized;
  }
  const code = isObject(body) ? body["code"] : undefined;
  const isOfSite = typeof code === "string" && !indexRefusals.has(code);
  return isOfSite && answer.text.includes(JSON.stringify(code)) ? authorized : undefined;
}

/** The codes of errors that WordPress answers when a request does not match its discovery index. */
const indexRefusals = new Set([
  "rest_no_route",
  "rest_missing_callback_param",
  "rest_invalid_param",
  "rest_invalid_json",
  "rest_invalid_namespace",
  "rest_callback_invalid",
  "rest_cookie_invalid_nonce",
]);

function createRequest({ method, path, user, req_headers, req_body }: RecordedCase) {
  const headers: (readonly [string, string])[] = [["Host", replayHost], ...Object.entries(req_headers ?? {})];
  if (user !== undefined) {
    headers.push(["Authorization", `Basic ${btoa(`${user}:${user}-pass`)}`]);
  }
  const body = getBytes(req_body ?? "");
  return { method, target: path, headers, body, signal: new AbortController().signal };
}

/** Converts a recorded body to bytes. A replacement character becomes a byte that is not UTF-8. */
function getBytes(text: string): Uint8Array {
  const pieces = text.split("\uFFFD").map((piece) => Buffer.from(piece, "utf8"));
  return Uint8Array.from(pieces.flatMap((piece, index) => (index === 0 ? [...piece] : [0xff, ...piece])));
}

function readAnswer({ status, headers, body }: ServerAnswer): Omit<Outcome, "call"> {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : (body ?? "");
  return { status, headers, text };
}

/** Formats the report. The last line has the counts. */
export function reportLines({
  exactCases,
  acceptedCases,
  failingCases,
  staleDeviations,
}: ReplayReport): readonly string[] {
  return [
    ...failingCases.map(({ name, difference }) => `failing ${name}: ${difference}`),
    ...staleDeviations.map((name) => `stale deviation ${name}`),
    `exact ${exactCases.length}, accepted ${acceptedCases.length}, out of scope 0, failing ${failingCases.length}`,
  ];
}
