import type { ProtocolBinding } from "../client.js";
import { PreparedSoapOperation, quoteText } from "../soap/client.js";
import { soapMediaType } from "../soap/envelope.js";

/** SOAP 1.2 over HTTP, for clients. */
export const soap12: ProtocolBinding = {
  name: "soap12",
  choose(operation, coding) {
    const binding = operation.bindings.soap12;
    if (binding === undefined) {
      return undefined;
    }
    const createBindingHeaders = (action: string) => createHeaders(binding.sendAction === true ? action : undefined);
    return new PreparedSoapOperation(operation, { version: "soap12", binding, coding, headers: createBindingHeaders });
  },
};

/** Creates the headers of a request. The action is an optional parameter of the media type (RFC 3902 §2). */
function createHeaders(action: string | undefined): Readonly<Record<string, string>> {
  const parameter = action === undefined ? "" : `; action=${quoteText(action)}`;
  return {
    "Content-Type": `${soapMediaType.soap12}; charset=utf-8${parameter}`,
    Accept: `${soapMediaType.soap12}, text/xml;q=0.5`,
  };
}
