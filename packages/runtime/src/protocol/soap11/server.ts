import type { RequestHead, ServerProtocol } from "../server.js";
import type { SoapMessages } from "../soap/server.js";

/** SOAP 1.1 over HTTP, for servers. */
export function createSoap11Server(soap: SoapMessages): ServerProtocol {
  return {
    name: "soap11",
    hasBody: true,
    recognize: (head) => soap.recognizes("soap11", head),
    read: (head, bytes) => soap.read("soap11", head, { bytes, action: getSoapAction(head) }),
    write: (call, outcome) => soap.write(call, outcome),
    refuse: (refusal) => soap.refuse("soap11", refusal),
    refuseEarly: (refusal, head) => soap.refuseEarly("soap11", refusal, head),
    findOperation: (head) => soap.findOperation("soap11", getSoapAction(head)),
  };
}

/**
 * Returns the action in the SOAPAction header (SOAP 1.1 §6.1.1). The action is percent-decoded, and white space and one
 * pair of double quotes around it are removed. A single double quote and single quotes are part of the action.
 */
function getSoapAction({ request }: RequestHead): string | undefined {
  const header = request.parsedHeaders.soapAction;
  if (header === undefined) {
    return undefined;
  }
  const trimmedHeader = header.trim();
  const isQuoted = trimmedHeader.length >= 2 && trimmedHeader.startsWith('"') && trimmedHeader.endsWith('"');
  const action = isQuoted ? trimmedHeader.slice(1, -1) : trimmedHeader;
  if (!action.includes("%")) {
    return action;
  }
  try {
    return decodeURIComponent(action);
  } catch {
    return action;
  }
}
