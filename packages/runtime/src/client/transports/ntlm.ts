import { randomBytes } from "node:crypto";
import * as http from "node:http";
import * as https from "node:https";
import { notNegativeType, type OptionTypes, objectType, required, stringType } from "../../option-types.js";
import { checkHelperOptions } from "../check-options.js";
import type { TlsOptions, Transport, TransportAnswer, TransportOptions, TransportRequest } from "../transport.js";
import { ConnectionQueue } from "./connection-queue.js";
import { createTransport } from "./node-http.js";
import { createAuthenticateMessage, createNegotiateMessage, type NtlmUser, readChallenge } from "./ntlm-messages.js";

/** Options of `ntlmTransport`. */
export interface NtlmOptions extends NtlmUser, Pick<TransportOptions, "tls" | "maxSockets" | "maxQueued"> {}

/**
 * Returns the types of the options. A function, because this module may be evaluated before those that it imports: the
 * file that contains it and that of the client import each other.
 */
function listOptionTypes(): OptionTypes<NtlmOptions> {
  return {
    username: required(stringType),
    password: required(stringType),
    domain: stringType,
    workstation: stringType,
    tls: objectType,
    maxSockets: notNegativeType,
    maxQueued: notNegativeType,
  };
}

/**
 * Returns a transport for Windows servers. It answers NTLM version 2 challenges in the schemes `NTLM` and `Negotiate`.
 * NTLM authenticates a connection, not a request: each call uses a separate connection while it runs, and later calls
 * reuse the connections.
 */
export function ntlmTransport(options: NtlmOptions): Transport {
  checkHelperOptions("ntlmTransport", options, listOptionTypes());
  const idleConnections = new Map<string, SingleConnection[]>();
  const openConnections = new Set<SingleConnection>();
  const queue = new ConnectionQueue(options);
  return {
    reportsUploads: true,
    send(request) {
      return queue.run(request, async (_, release) => {
        const answer = await sendOnConnection(request);
        release();
        return answer;
      });
    },
    close() {
      for (const { agent } of openConnections) {
        agent.destroy();
      }
      openConnections.clear();
      idleConnections.clear();
    },
  };

  async function sendOnConnection(request: TransportRequest): Promise<TransportAnswer> {
    const { origin } = new URL(request.url);
    const idleForOrigin = idleConnections.get(origin) ?? [];
    idleConnections.set(origin, idleForOrigin);
    const connection = idleForOrigin.pop() ?? createConnection(origin, options.tls);
    openConnections.add(connection);
    try {
      const answer = await sendAuthenticated(request, connection.transport, options);
      idleForOrigin.push(connection);
      return answer;
    } catch (error) {
      openConnections.delete(connection);
      connection.agent.destroy();
      throw error;
    }
  }
}

/** An agent with a single socket, and a transport that sends over this socket. */
interface SingleConnection {
  readonly agent: http.Agent;
  readonly transport: Transport;
}

function createConnection(origin: string, tls: TlsOptions | undefined): SingleConnection {
  const agentOptions = { keepAlive: true, maxSockets: 1 };
  const agent = origin.startsWith("https:")
    ? new https.Agent({ ...agentOptions, ...(tls as object) })
    : new http.Agent(agentOptions);
  return { agent, transport: createTransport({ agent, tls }) };
}

/**
 * Sends a request. If the server answers with a challenge, sends the request again with a proof (RFC 4559 §4). The
 * server does not challenge a connection that is authenticated.
 */
async function sendAuthenticated(
  request: TransportRequest,
  transport: Transport,
  user: NtlmUser,
): Promise<TransportAnswer> {
  const firstAnswer = await transport.send(request);
  const scheme = firstAnswer.status === 401 ? findOfferedScheme(firstAnswer) : undefined;
  if (scheme === undefined) {
    return firstAnswer;
  }

  const negotiateHeader = `${scheme} ${createNegotiateMessage().toString("base64")}`;
  const challengeAnswer = await transport.send(withAuthorization(request, negotiateHeader, undefined));
  const challenge = challengeAnswer.status === 401 ? findChallenge(challengeAnswer) : undefined;
  if (challenge === undefined) {
    return { ...firstAnswer, refusal: "challenge" };
  }

  const proofMessage = createAuthenticateMessage(user, challenge, { nonce: randomBytes(8), now: Date.now() });
  const proofHeader = `${scheme} ${proofMessage.toString("base64")}`;
  const answer = await transport.send(withAuthorization(request, proofHeader, request.body));
  return answer.status === 401 ? { ...answer, refusal: "user" } : answer;
}

function findOfferedScheme({ headers }: TransportAnswer): string | undefined {
  const offeredSchemes = headers.get("www-authenticate") ?? "";
  return ["NTLM", "Negotiate"].find((scheme) =>
    new RegExp(`(?:^|,)[ \\t]*${scheme}[ \\t]*(?:,|$)`, "i").test(offeredSchemes),
  );
}

function findChallenge({ headers }: TransportAnswer) {
  const token = /(?:^|,)[ \t]*(?:NTLM|Negotiate)[ \t]+([A-Za-z0-9+/]{40,8192}=*)/i.exec(
    headers.get("www-authenticate") ?? "",
  );
  return token === null ? undefined : readChallenge(Buffer.from(token[1] ?? "", "base64"));
}

/** Returns a copy of a request with a different `Authorization` header and a different body. */
function withAuthorization(
  request: TransportRequest,
  authorization: string,
  body: TransportRequest["body"],
): TransportRequest {
  const otherHeaders = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== "authorization");
  return {
    method: request.method,
    url: request.url,
    headers: { ...Object.fromEntries(otherHeaders), Authorization: authorization },
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
    collect: (head) => request.collect?.(head),
  };
}
