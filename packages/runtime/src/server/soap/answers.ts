import type { HttpRefusal, Origin, PlaceProblem, Problem, ServerConventions } from "../../protocol/conventions.js";
import { inertXml, nosniff } from "../headers.js";
import { plainAnswer } from "../router.js";
import type { HeaderLine, ServerAnswer } from "../types.js";

const xmlType: HeaderLine = ["Content-Type", "text/xml; charset=utf-8"];
export const textType: HeaderLine = ["Content-Type", "text/plain; charset=utf-8"];

/** The answer to a request that is not a call of HTTP GET or POST. */
export function refusedAnswer(
  conventions: ServerConventions,
  problem: Problem | PlaceProblem,
  request: { readonly method: string; readonly parameter?: string | undefined },
): ServerAnswer {
  const refusal = conventions.refuseHttp(problem, request);
  return refusal.page === true
    ? pageAnswer(conventions, refusal)
    : lineAnswer(conventions, refusal, problem === "noSchema" ? "operation" : "dispatch");
}

/** An error in a line of text. */
export function lineAnswer(
  conventions: ServerConventions,
  { status, text }: HttpRefusal,
  origin: Origin,
): ServerAnswer {
  const headers = [textType, conventions.cacheControl(origin), nosniff];
  return { status, headers, body: conventions.errorLine(text) };
}

/** A short page for people. */
export function pageAnswer(
  conventions: ServerConventions,
  { status, text }: HttpRefusal,
  headers: readonly HeaderLine[] = [],
): ServerAnswer {
  const page = plainAnswer(status, text);
  return { ...page, headers: [...page.headers, conventions.cacheControl("dispatch"), ...headers] };
}

/** An XML document. */
export function xmlAnswer(conventions: ServerConventions, document: string): ServerAnswer {
  return { status: 200, headers: [xmlType, conventions.cacheControl("operation"), ...inertXml], body: document };
}
