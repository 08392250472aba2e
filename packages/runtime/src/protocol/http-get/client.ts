import type { ProtocolBinding } from "../client.js";
import { HttpOperation } from "../http/client.js";

/** HTTP GET for clients, with parameters in the query. */
export const httpGet: ProtocolBinding = {
  name: "httpGet",
  choose(operation, coding) {
    const binding = operation.bindings.httpGet;
    return binding && new HttpOperation(operation, { verb: "GET", binding, coding });
  },
};
