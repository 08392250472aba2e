import type { ProtocolBinding } from "./protocol.js";
import { soapProtocol } from "./soap-protocol.js";

/** SOAP 1.1 over HTTP. */
export const soap11: ProtocolBinding = /* @__PURE__ */ soapProtocol("soap11");
