import { awaitLoading, copyInput } from "../../client/exchange/lazy-code.js";
import type { HttpBody } from "../../descriptor.js";
import type { OperationCoding, ProtocolBinding } from "../client.js";
import { PreparedHttpOperation } from "../http/client.js";

const formHeaders = { "Content-Type": "application/x-www-form-urlencoded" };
const documentHeaders = { "Content-Type": "text/xml; charset=utf-8" };

/** HTTP POST for clients. The body contains the parameters as a form, or the input as an XML document. */
export const httpPost: ProtocolBinding = {
  name: "httpPost",
  choose(operation, coding) {
    const binding = operation.bindings.httpPost;
    const body = operation.http?.body;
    const parts = body
      ? { headers: documentHeaders, writeDocument: (input: object) => writeDocument(body, input, coding) }
      : { headers: formHeaders };
    return binding && new PreparedHttpOperation(operation, { method: "POST", binding, coding, ...parts });
  },
};

/** Writes an input as an XML document. The code for this is loaded on first use. */
async function writeDocument(body: HttpBody, input: object, coding: OperationCoding): Promise<string | Uint8Array> {
  const snapshot = copyInput(input);
  const unusualMessages = await awaitLoading(import("../client-unusual-messages.js"));
  return unusualMessages.writeDocument(body, snapshot, coding);
}
