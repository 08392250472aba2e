import { readFileSync } from "node:fs";
import type { JsonValue } from "@bothends/runtime";
import { replayHost } from "./recorded-case.js";

/** A call of a handler: its route, and its input. */
export interface Call {
  /** The route's key in the index. */
  readonly route: string;
  readonly method: string;
  readonly input: Readonly<Record<string, JsonValue>>;
}

/**
 * Reads the calls that the recorded site made for requests that its index accepts, by case. `calls.tsv` contains a
 * method, a route, and the arguments of the request; `defaults.tsv` contains the defaults of all other arguments.
 */
export function readExpectedCalls(folder: string): ReadonlyMap<string, Call> {
  const defaults = new Map(
    readTable(`${folder}/defaults.tsv`).map(([method, route, input]) => [`${method} ${route}`, getObject(input)]),
  );
  return new Map(
    readTable(`${folder}/calls.tsv`).map(([name = "", , method = "", route = "", input]) => {
      const defaultsOfRoute = defaults.get(`${method} ${route}`) ?? {};
      return [name, { method, route, input: { ...defaultsOfRoute, ...getObject(input) } }];
    }),
  );
}

/** Returns the rows of a table, without the header. */
function readTable(file: string): readonly (readonly string[])[] {
  const lines = readFileSync(file, "utf8").replaceAll("127.0.0.1:PORT", replayHost).trimEnd().split("\n");
  return lines.slice(1).map((line) => line.split("\t"));
}

function getObject(text: string | undefined): Call["input"] {
  return JSON.parse(text ?? "") as Call["input"];
}
