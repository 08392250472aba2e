import type { ProtocolBinding } from "../client.js";
import { PreparedSoapOperation, quoteText } from "../soap/client.js";
import { soapMediaType } from "../soap/envelope.js";

/** SOAP 1.1 over HTTP, for clients. */
export const soap11: ProtocolBinding = {
  name: "soap11",
  choose(operation, coding) {
    const binding = operation.bindings.soap11;
    return (
      binding && new PreparedSoapOperation(operation, { version: "soap11", binding, coding, headers: createHeaders })
    );
  },
};

/** Creates the headers of a request. `SOAPAction` is a quoted URI (SOAP 1.1 §6.1.1). */
function createHeaders(action: string): Readonly<Record<string, string>> {
  return {
    "Content-Type": `${soapMediaType.soap11}; charset=utf-8`,
    Accept: soapMediaType.soap11,
    SOAPAction: quoteText(action),
  };
}
