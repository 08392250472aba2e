import { httpProtocol } from "./http-protocol.js";
import type { ProtocolBinding } from "./protocol.js";

/** Parameters in the query of a GET. */
export const httpGet: ProtocolBinding = /* @__PURE__ */ httpProtocol("GET");
