import { randomBytes } from "node:crypto";
import * as http from "node:http";
import * as https from "node:https";
import type { TlsOptions, Transport, TransportAnswer, TransportOptions, TransportRequest } from "../transport.js";
import { ConnectionQueue } from "./connections.js";
import { createTransport } from "./node-http.js";
import { authenticateMessage, type NtlmUser, negotiateMessage, readChallenge } from "./ntlm-messages.js";

/** Options of `ntlmTransport`. */
export interface NtlmOptions extends NtlmUser, Pick<TransportOptions, "tls" | "maxSockets" | "maxQueued"> {}

/**
 * A transport that answers the challenges of Windows servers (NTLM version 2, also as Negotiate). NTLM authenticates a
 * connection, not a request: each call uses its own connection while it runs, and connections are reused.
 */
export function ntlmTransport(options: NtlmOptions): Transport {
  const idle = new Map<string, SingleConnection[]>();
  const open = new Set<SingleConnection>();
  const queue = new ConnectionQueue(options);
  return {
    reportsUploads: true,
    send(request) {
      return queue.run(request, async (release) => {
        const answer = await sendOnConnection(request);
        release();
        return answer;
      });
    },
    close() {
      for (const { agent } of open) {
        agent.destroy();
      }
      open.clear();
      idle.clear();
    },
  };

  async function sendOnConnection(request: TransportRequest): Promise<TransportAnswer> {
    const { origin } = new URL(request.url);
    const waiting = idle.get(origin) ?? [];
    idle.set(origin, waiting);
    const connection = waiting.pop() ?? newConnection(origin, options.tls);
    open.add(connection);
    try {
      const answer = await sendAuthenticated(request, connection.transport, options);
      waiting.push(connection);
      return answer;
    } catch (error) {
      open.delete(connection);
      connection.agent.destroy();
      throw error;
    }
  }
}

/** An agent with one socket. */
interface SingleConnection {
  readonly agent: http.Agent;
  readonly transport: Transport;
}

function newConnection(origin: string, tls: TlsOptions | undefined): SingleConnection {
  const single = { keepAlive: true, maxSockets: 1 };
  const agent = origin.startsWith("https:")
    ? new https.Agent({ ...single, ...(tls as object) })
    : new http.Agent(single);
  return { agent, transport: createTransport({ agent, tls }) };
}

/** RFC 4559 §4: sends a request, reads the challenge, and sends a proof. An authenticated connection gets no challenge. */
async function sendAuthenticated(
  request: TransportRequest,
  transport: Transport,
  user: NtlmUser,
): Promise<TransportAnswer> {
  const first = await transport.send(request);
  const scheme = first.status === 401 ? offeredScheme(first) : undefined;
  if (scheme === undefined) {
    return first;
  }

  const negotiate = `${scheme} ${negotiateMessage().toString("base64")}`;
  const second = await transport.send(withHeader(request, negotiate, undefined));
  const challenge = second.status === 401 ? challengeOf(second) : undefined;
  if (challenge === undefined) {
    return first;
  }

  const proof = authenticateMessage(user, challenge, { nonce: randomBytes(8), now: Date.now() });
  return await transport.send(withHeader(request, `${scheme} ${proof.toString("base64")}`, request.body));
}

function offeredScheme({ headers }: TransportAnswer): string | undefined {
  const offered = headers.get("www-authenticate") ?? "";
  return ["NTLM", "Negotiate"].find((scheme) => new RegExp(`(?:^|,)[ \\t]*${scheme}[ \\t]*(?:,|$)`, "i").test(offered));
}

function challengeOf({ headers }: TransportAnswer) {
  const token = /(?:^|,)[ \t]*(?:NTLM|Negotiate)[ \t]+([A-Za-z0-9+/]{40,8192}=*)/i.exec(
    headers.get("www-authenticate") ?? "",
  );
  return token === null ? undefined : readChallenge(Buffer.from(token[1] ?? "", "base64"));
}

/** The request with a different `Authorization`, with or without its body. */
function withHeader(
  request: TransportRequest,
  authorization: string,
  body: TransportRequest["body"],
): TransportRequest {
  const others = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== "authorization");
  return {
    method: request.method,
    url: request.url,
    headers: { ...Object.fromEntries(others), Authorization: authorization },
    body,
    bodyBytes: request.bodyBytes,
    connectTimeout: request.connectTimeout,
    get signal() {
      return request.signal;
    },
    onCancel: (listener) => request.onCancel(listener),
    // Only the request with the body reports progress.
    onUploadProgress: body === undefined ? undefined : request.onUploadProgress,
    checkHead: (head) => request.checkHead(head),
  };
}
