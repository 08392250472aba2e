import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How closely the answer must match the recorded answer: the column `ruling` of the recording's summary. */
export type Ruling = "asmx" | "text-free" | "spec" | "status-only" | "skip";

/** One request to a real service, and its answer. */
export interface RecordedCase {
  readonly name: string;
  readonly ruling: Ruling;
  /** The required answer, if the ruling is `spec`. */
  readonly reason: string;
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
}

/** A request as the recorded client sent it. */
export interface RecordedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** The answer of the recorded service. */
export interface RecordedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Reads all cases of a recording: `SUMMARY.tsv`, and a `.req` and a `.resp` file for each row. */
export function readCases(directory: string): readonly RecordedCase[] {
  const [, ...rows] = readFileSync(join(directory, "SUMMARY.tsv"), "utf8").trimEnd().split("\n");
  const files = new Set(readdirSync(directory));
  return rows.map((row) => {
    const [name = "", ...cells] = row.split("\t");
    if (!files.has(`${name}.req`)) {
      throw new Error(`The recording has no file ${name}.req.`);
    }
    return {
      name,
      ruling: getRuling(cells[8]),
      reason: cells[9] ?? "",
      request: readRequest(readFileSync(join(directory, `${name}.req`))),
      answer: readAnswer(readFileSync(join(directory, `${name}.resp`))),
    };
  });
}

function getRuling(cell: string | undefined): Ruling {
  if (cell === "asmx" || cell === "text-free" || cell === "spec" || cell === "status-only" || cell === "skip") {
    return cell;
  }
  throw new Error(`SUMMARY.tsv contains an unknown ruling: ${cell}.`);
}

function readRequest(bytes: Buffer): RecordedRequest {
  const { head, body } = splitAt(bytes, "\n\n");
  const [firstLine = "", ...lines] = head.split("\n");
  const [method = "", target = ""] = firstLine.split(" ");
  const headers = lines.map(readHeaderLine);
  if (target.startsWith("/") && !firstLine.endsWith(" HTTP/1.0")) {
    headers.unshift(["Host", replayHost]);
  }
  return { method, target: expandRepeats(target), headers, body: expandRepeatedBytes(body) };
}

function readAnswer(bytes: Buffer): RecordedAnswer {
  const { head, body } = splitAt(bytes, "\r\n\r\n");
  const [firstLine = "", ...lines] = head.split("\r\n");
  const headers = new Map(lines.map(readHeaderLine).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    status: Number(firstLine.split(" ")[1]),
    contentType: headers.get("content-type") ?? "",
    body: expandRepeatedBytes(body),
  };
}

function splitAt(bytes: Buffer, separator: string): { readonly head: string; readonly body: Buffer } {
  const offset = bytes.indexOf(separator);
  if (offset < 0) {
    return { head: bytes.toString("latin1"), body: Buffer.alloc(0) };
  }
  return { head: bytes.subarray(0, offset).toString("latin1"), body: bytes.subarray(offset + separator.length) };
}

function readHeaderLine(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/** Expands repeated characters, which recordings contain as `@@REPEAT:A:5242880@@`. */
function expandRepeats(text: string): string {
  return text.replace(/@@REPEAT:(.):(\d+)@@/g, (_, letter: string, count: string) => letter.repeat(Number(count)));
}

function expandRepeatedBytes(bytes: Buffer): Uint8Array {
  if (!bytes.includes("@@REPEAT:") && !bytes.includes(recordedHost)) {
    return bytes;
  }
  return Buffer.from(expandRepeats(bytes.toString("latin1")).replaceAll(recordedHost, replayHost), "latin1");
}

/**
 * The host in recordings, with a placeholder for the port. The replay uses a number instead, because the port in a Host
 * header must be a number.
 */
const recordedHost = "127.0.0.1:PORT";
const replayHost = "127.0.0.1:8080";
