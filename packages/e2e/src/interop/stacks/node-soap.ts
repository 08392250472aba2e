import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as soap from "soap";
import { lookups } from "../../sample/lookups.js";
import type { Job } from "../client-suite.js";
import { knownFault } from "../served-peer.js";
import type { ThirdPartyServer } from "../server-suite.js";

/** Makes the calls of a job with the npm package soap, in this process. */
export async function callWithNodeSoap({ wsdl, over, calls }: Job): Promise<readonly object[]> {
  const client = await soap.createClientAsync(wsdl, {
    forceSoap12Headers: over === "SOAP 1.2",
    disableCache: true,
    handleNilAsNull: true,
    // Without this function, the package would read dates as `Date` in this machine's time zone.
    customDeserializer: { dateTime: (text: string) => text },
  });
  const lines: object[] = [];
  for (const { operation, input } of calls) {
    const call: (input: object) => Promise<readonly [Record<string, unknown> | null]> = client[`${operation}Async`];
    try {
      const [answer] = await call(input);
      lines.push({ answer: answer?.[`${operation}Result`] ?? null });
    } catch (error) {
      lines.push(readReceivedFault(error));
    }
  }
  return lines;
}

function readReceivedFault(error: unknown): object {
  const root = getMember(error, "root");
  const fault = getMember(getMember(getMember(root, "Envelope"), "Body"), "Fault");
  if (fault === undefined) {
    return { error: String(error) };
  }
  return {
    code: getMember(fault, "faultcode") ?? getMember(getMember(fault, "Code"), "Value"),
    reason: getMember(fault, "faultstring") ?? getMember(getMember(getMember(fault, "Reason"), "Text"), "$value"),
    detail: getMember(fault, "detail") ?? getMember(fault, "Detail"),
  };
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

const services = [
  { service: "reg", name: "Reg", path: "/api/reg.asmx" },
  { service: "bespokeapi", name: "BespokeApi", path: "/api/bespokeapi.asmx" },
] as const;

/**
 * Serves the WSDLs with the npm package soap. It needs two ports, because one server supports only one SOAP version.
 */
export async function serveWithNodeSoap(wsdls: string): Promise<ThirdPartyServer> {
  const soap11 = await serveVersion(wsdls, "soap11");
  const soap12 = await serveVersion(wsdls, "soap12");
  return {
    address: (protocol) => (protocol === "soap12" ? soap12.url : soap11.url),
    stop: async () => {
      await soap11.stop();
      await soap12.stop();
    },
  };
}

async function serveVersion(wsdls: string, protocol: "soap11" | "soap12") {
  const http = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  for (const { service, name, path } of services) {
    const operations = createHandlers(service, protocol);
    const uri = join(wsdls, `${service}.wsdl`);
    const xml = await readFile(uri, "utf8");
    await new Promise<void>((ready, refuse) => {
      soap.listen(http, {
        path,
        services: { [name]: { [`${name}Soap`]: operations, [`${name}Soap12`]: operations } },
        xml,
        uri,
        forceSoap12Headers: protocol === "soap12",
        callback: (error) => (error ? refuse(error) : ready()),
      });
    });
  }
  const address = http.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function createHandlers(service: string, protocol: "soap11" | "soap12"): Record<string, (input: unknown) => object> {
  const names = new Set(lookups.filter((lookup) => lookup.service === service).map(({ operation }) => operation));
  return Object.fromEntries([...names].map((name) => [name, (input) => answerTo(name, input, protocol)]));
}

function answerTo(operation: string, input: unknown, protocol: "soap11" | "soap12"): object {
  if (operation === knownFault.operation && isDeepStrictEqual(input, knownFault.input)) {
    throw createFaultToSend(protocol);
  }
  const lookup = lookups.find(
    (candidate) => candidate.operation === operation && isDeepStrictEqual(input, candidate.input),
  );
  if (lookup === undefined) {
    throw new Error(`The server received an unexpected input: ${JSON.stringify(input)}`);
  }
  return lookup.answer === null ? {} : { [`${operation}Result`]: lookup.answer };
}

function createFaultToSend(protocol: "soap11" | "soap12"): object {
  const { code, reason, detail } = knownFault;
  // The colon prevents the package from adding the prefix of the envelope.
  const detailElement = { [`:${detail.localName}`]: { attributes: { xmlns: "urn:peer" }, $value: detail.text } };
  const fault =
    protocol === "soap11"
      ? { faultcode: `soap:${code}`, faultstring: reason, detail: detailElement }
      : { Code: { Value: "soap:Sender" }, Reason: { Text: reason }, Detail: detailElement };
  return { Fault: fault };
}
