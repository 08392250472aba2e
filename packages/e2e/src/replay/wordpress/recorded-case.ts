import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@bothends/runtime";

/** One request to the recorded WordPress site, and its answer. */
export interface RecordedCase {
  readonly n: number;
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly user?: string;
  readonly req_headers?: Readonly<Record<string, string>> | null;
  /** The body of the request. A replacement character represents a byte that is not UTF-8. */
  readonly req_body?: string | null;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** The body of the answer, if it is JSON. */
  readonly json?: JsonValue;
  /** The body of the answer, if it is not JSON. */
  readonly raw?: string;
}

/** A case in the file. The index, which is large, is recorded once, and a case contains only its difference from it. */
interface WrittenCase extends RecordedCase {
  /** The members that differ from the recorded index, if the answer is an index. */
  readonly index?: JsonObject;
  /** The namespace whose index is the answer. */
  readonly namespace_index?: string;
}

export const replayHost = "127.0.0.1:8080";

/** Reads a recording: a folder with a list of cases and the index, in which a placeholder replaces the port. */
export function readRecordedCases(folder: string): readonly RecordedCase[] {
  const index = readRecorded(folder, "index.json") as JsonObject;
  const cases = readRecorded(folder, "cases.json") as readonly WrittenCase[];
  return cases.map(({ index: members, namespace_index: namespace, ...recorded }) => {
    if (members !== undefined) {
      return { ...recorded, json: { ...index, ...members } };
    }
    return namespace === undefined ? recorded : { ...recorded, json: readNamespaceIndex(namespace, index) };
  });
}

function readRecorded(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(`${folder}/${name}`, "utf8").replaceAll("127.0.0.1:PORT", replayHost));
}

function readNamespaceIndex(namespace: string, { routes }: JsonObject): JsonObject {
  const ownRoutes = Object.entries(routes as JsonObject).filter(
    ([, route]) => (route as JsonObject)["namespace"] === namespace,
  );
  const up = [{ href: `http://${replayHost}/wp-json/` }];
  return { namespace, routes: Object.fromEntries(ownRoutes), _links: { up } };
}
