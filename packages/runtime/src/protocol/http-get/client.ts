import type { ProtocolBinding } from "../client.js";
import { PreparedHttpOperation } from "../http/client.js";

/** HTTP GET for clients, with parameters in the query. */
export const httpGet: ProtocolBinding = {
  name: "httpGet",
  choose(operation, coding) {
    const binding = operation.bindings.httpGet;
    return binding && new PreparedHttpOperation(operation, { method: "GET", binding, coding });
  },
};
