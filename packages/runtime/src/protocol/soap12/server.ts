import type { RequestHead, ServerProtocol } from "../server.js";
import type { SoapMessages } from "../soap/server.js";

/** SOAP 1.2 over HTTP, for servers. */
export function createSoap12Server(soap: SoapMessages): ServerProtocol {
  return {
    name: "soap12",
    hasBody: true,
    recognize: (head) => soap.recognizes("soap12", head),
    read: (head, bytes) => soap.read("soap12", head, { bytes, action: findActionParameter(head, soap) }),
    write: (call, outcome) => soap.write(call, outcome),
    refuse: (refusal) => soap.refuse("soap12", refusal),
    refuseEarly: (refusal, head) => soap.refuseEarly("soap12", refusal, head),
    findOperation: (head) => soap.findOperation("soap12", findActionParameter(head, soap)),
  };
}

/**
 * Returns the optional `action` parameter of the media type (RFC 3902 §2). Returns undefined if no operation has this
 * action.
 */
function findActionParameter({ mediaType }: RequestHead, { actions }: SoapMessages): string | undefined {
  const action = mediaType?.parameters.get("action");
  return action !== undefined && action !== "" && actions.soap12.has(action) ? action : undefined;
}
