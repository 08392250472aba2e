import type { Operation, Port, Protocol, Service } from "@bothends/generator";
import { type OperationReportTarget, report, type ServicePair } from "./report-operation.js";

/**
 * Reports an operation that clients without the option `protocol` now call in another protocol. A replaced version of
 * SOAP is reported for the service instead.
 */
export function compareDefaultProtocols(target: OperationReportTarget, service: ServicePair): void {
  const [oldService, newService] = service.services;
  const [oldPort, newPort] = [findDefaultPort(target.before, oldService), findDefaultPort(target.after, newService)];
  if (oldPort === undefined || newPort === undefined || oldPort.protocol === newPort.protocol) {
    return;
  }
  const [before, after] = [oldPort.protocol, newPort.protocol];
  const isVersionReplaced = service.protocols.size === 0 && isSoap(before) && isSoap(after);
  if (isVersionReplaced) {
    return;
  }
  const has = ({ bindings }: Operation, protocol: Protocol) =>
    protocol in bindings || service.protocolsOfParts.has(protocol);
  const [isKept, isKnown] = [has(target.after, before), has(target.before, after)];
  report(target, {
    rule: "default-protocol-changed",
    subject: newService.operations.length === 1 ? newService.name : `${newService.name}.${target.after.uniqueName}`,
    sharedSubject: newService.name,
    addresses: oldPort.address === newPort.address ? undefined : [oldPort.address, newPort.address],
    before,
    after,
    variant: isKept ? (isKnown ? undefined : "unknown") : isKnown ? "removed" : "replaced",
    sameCode: !isSoap(before) || isSoap(after),
    oldSpan: oldPort.span,
    newSpan: newPort.span,
  });
}

/** Returns the first port that has an operation. */
function findDefaultPort({ bindings }: Operation, { ports }: Service): Port | undefined {
  return ports.find(({ protocol }) => protocol in bindings);
}

function isSoap(protocol: Protocol): boolean {
  return protocol === "soap11" || protocol === "soap12";
}
