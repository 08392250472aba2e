import type { ServerAnswer } from "./types.js";

/** A short page for people, for errors that no protocol has a form for. */
export function plainAnswer(status: number, text: string): ServerAnswer {
  return {
    status,
    headers: [["Content-Type", "text/html; charset=utf-8"]],
    body: `<!DOCTYPE html>\n<title>${status}</title>\n<p>${text}</p>\n`,
  };
}
