import { httpProtocol } from "./http-protocol.js";
import type { ProtocolBinding } from "./protocol.js";

/** Parameters in the form of a POST. */
export const httpPost: ProtocolBinding = /* @__PURE__ */ httpProtocol("POST");
