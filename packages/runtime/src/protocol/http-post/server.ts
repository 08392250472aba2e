import type { HttpMessages } from "../http/server.js";
import type { ServerProtocol } from "../server.js";

/**
 * HTTP POST for servers. The parameters are read from a form or the path, or the input from an XML document. The query
 * is never read.
 */
export function createHttpPostServer(http: HttpMessages): ServerProtocol {
  return {
    name: "httpPost",
    hasBody: true,
    recognize: ({ request, location }) => request.method === "POST" && location?.httpPost !== undefined,
    read(head, bytes) {
      const body = head.location?.httpPost?.descriptor.http?.body;
      if (body !== undefined) {
        return http.readDocument("httpPost", head, { bytes, body });
      }
      return http.readValues("httpPost", head, () => http.readForm(head, bytes));
    },
    write: (call, outcome) => http.write(call, outcome),
    refuse: (refusal, head) => http.refuse(refusal, head),
    refuseEarly: (refusal) => http.refuseEarly(refusal),
    findOperation: ({ location }) => location?.httpPost?.descriptor.name,
  };
}
