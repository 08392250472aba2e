import type { HttpMessages } from "../http/server.js";
import type { ServerProtocol } from "../server.js";

/** HTTP GET for servers, with parameters in the query or the path. */
export function createHttpGetServer(http: HttpMessages): ServerProtocol {
  return {
    name: "httpGet",
    hasBody: false,
    recognize: ({ request, location }) => request.method === "GET" && location?.httpGet !== undefined,
    read: (head) => http.readValues("httpGet", head, () => http.readQuery(head.request.query)),
    write: (call, outcome) => http.write(call, outcome),
    refuse: (refusal, head) => http.refuse(refusal, head),
    refuseEarly: (refusal) => http.refuseEarly(refusal),
    findOperation: ({ location }) => location?.httpGet?.descriptor.name,
  };
}
