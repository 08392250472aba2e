import type { ProtocolBinding } from "./protocol.js";
import { soapProtocol } from "./soap-protocol.js";

/** SOAP 1.2 over HTTP. */
export const soap12: ProtocolBinding = /* @__PURE__ */ soapProtocol("soap12");
