import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { headerValue } from "../headers.js";
import type { ServerAnswer, ServerRequest } from "../types.js";

const compress = promisify(gzip);

/** Below this, compression makes an answer larger or saves nothing worth its time. */
const worthCompressing = 1_024;

/** Milliseconds in which a client may still send what nobody reads, so that it gets to see the answer. */
const lingering = 1_000;

/** Writes an answer of the core to `node:http`. */
export async function writeNodeAnswer(
  answer: ServerAnswer,
  { request, incoming, outgoing }: { request: ServerRequest; incoming: IncomingMessage; outgoing: ServerResponse },
): Promise<void> {
  const headers = new Map(joinedLines(answer));
  let body = typeof answer.body === "string" ? Buffer.from(answer.body) : (answer.body ?? Buffer.alloc(0));
  if (body.length >= worthCompressing && !headers.has("content-encoding") && mayCompress(headers)) {
    headers.set("vary", ["Vary", ...(headers.get("vary")?.slice(1) ?? []), "Accept-Encoding"]);
    if (acceptsGzip(headerValue(request.headers, "accept-encoding"))) {
      body = await compress(body);
      headers.set("content-encoding", ["Content-Encoding", "gzip"]);
    }
  }
  if (outgoing.destroyed) return;
  // RFC 9110 §8.6: these have no length at all.
  if (answer.status !== 204 && answer.status !== 304) {
    headers.set("content-length", ["Content-Length", String(body.length)]);
  }
  // A body that nobody read is not waited for.
  const unread = !incoming.complete;
  if (unread || answer.close === true || closes(request)) outgoing.shouldKeepAlive = false;
  writeHead(outgoing, answer.status, headers);
  if (request.method === "HEAD") outgoing.end();
  else if (unread) await endWithoutReading(body, incoming, outgoing);
  else outgoing.end(body);
}

/** Node takes a list of lines as it is, and faster; but not together with headers that a framework has set. */
function writeHead(outgoing: ServerResponse, status: number, headers: ReadonlyMap<string, JoinedLine>): void {
  if (outgoing.getHeaderNames().length > 0) {
    for (const [name, ...values] of headers.values()) outgoing.setHeader(name, values);
    outgoing.writeHead(status);
    return;
  }
  const lines: string[] = [];
  for (const [name, ...values] of headers.values()) for (const value of values) lines.push(name, value);
  outgoing.writeHead(status, lines);
}

/** Closing while bytes arrive would reset the connection, and the client would lose the answer with it. */
async function endWithoutReading(body: Uint8Array, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.write(body);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, lingering);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    incoming.once("end", done).once("close", done).resume();
  });
  outgoing.end();
}

/** A header's name as it is written, and its lines. */
type JoinedLine = [name: string, ...values: string[]];

function joinedLines({ headers }: ServerAnswer): ReadonlyMap<string, JoinedLine> {
  const found = new Map<string, JoinedLine>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const known = found.get(key);
    if (known === undefined) found.set(key, [name, value]);
    else known.push(value);
  }
  return found;
}

function closes(request: ServerRequest): boolean {
  return /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(headerValue(request.headers, "connection") ?? "");
}

function mayCompress(headers: ReadonlyMap<string, JoinedLine>): boolean {
  return /^(?:text\/|application\/(?:.*\+)?(?:xml|json))/.test(headers.get("content-type")?.[1] ?? "");
}

/** RFC 9110 §12.5.3; a weight of zero refuses. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  let star = false;
  for (const item of header.split(",")) {
    const [coding, ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    const accepted = !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (coding === "gzip" || coding === "x-gzip") return accepted;
    if (coding === "*") star = accepted;
  }
  return star;
}
