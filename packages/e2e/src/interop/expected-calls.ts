import type { Outcome } from "./outcomes.js";

/**
 * The expected number of calls to or from each peer, so that a lost call is reported. Change it when you add or remove
 * calls.
 */
export const expectedCalls: Readonly<Record<string, number>> = {
  zeep: 202,
  suds: 51,
  "PHP SoapClient": 102,
  "SOAP::Lite": 102,
  "node-soap client": 102,
  "Mono proxy": 204,
  "Mono proxy of an ASMX": 202,
  "gSOAP client": 102,
  "JAX-WS client": 104,
  Axis: 37,
  "PHP SoapServer": 102,
  "node-soap server": 102,
  "gSOAP server": 102,
  "JAX-WS server": 102,
  "Mono ASMX": 204,
  "Mono ASMX, by its own WSDL": 204,
  "Spyne server": 102,
  "Spyne, by its own WSDL": 102,
  WordPress: 305,
  "PHP (fetched)": 5,
  "Mono ASMX (fetched)": 3,
  "WordPress (fetched)": 5,
  "zeep, registry": 72,
  "suds, registry": 18,
  "PHP SoapClient, registry": 36,
  "SOAP::Lite, registry": 36,
  "node-soap client, registry": 36,
  "Mono proxy, registry": 72,
  "Mono proxy of an ASMX, registry": 72,
  "gSOAP client, registry": 36,
  "JAX-WS client, registry": 36,
  "Axis, registry": 18,
  "content site": 17,
};

/**
 * Describes each peer whose number of calls is not as expected. Peers without calls are included only if all suites
 * ran.
 */
export function miscountedPeers(outcomes: readonly Outcome[], ranAll: boolean): readonly string[] {
  const callCounts = new Map<string, number>();
  for (const { peer, skipReason } of outcomes) {
    callCounts.set(peer, (callCounts.get(peer) ?? 0) + (skipReason === undefined ? 1 : 0));
  }
  const peers = new Set([...callCounts.keys(), ...(ranAll ? Object.keys(expectedCalls) : [])]);
  return [...peers]
    .filter((peer) => (callCounts.get(peer) ?? 0) !== expectedCalls[peer])
    .map((peer) => `${peer}: ${callCounts.get(peer) ?? 0} calls instead of ${expectedCalls[peer] ?? "none"}`);
}
