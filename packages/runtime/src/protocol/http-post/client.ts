import type { ProtocolBinding } from "../client.js";
import { PreparedHttpOperation } from "../http/client.js";

/** HTTP POST for clients, with parameters in a form, or the input as an XML document. */
export const httpPost: ProtocolBinding = {
  name: "httpPost",
  choose(operation, coding) {
    const binding = operation.bindings.httpPost;
    return binding && new PreparedHttpOperation(operation, { verb: "POST", binding, coding });
  },
};
