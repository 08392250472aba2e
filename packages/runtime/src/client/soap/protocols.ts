import { httpProtocol } from "./http-protocol.js";
import type { ProtocolBinding } from "./protocol.js";
import { soapProtocol } from "./soap-protocol.js";

/** SOAP 1.1 over HTTP. */
export const soap11: ProtocolBinding = /* @__PURE__ */ soapProtocol("soap11");
/** SOAP 1.2 over HTTP. */
export const soap12: ProtocolBinding = /* @__PURE__ */ soapProtocol("soap12");
/** Parameters in the query of a GET. */
export const httpGet: ProtocolBinding = /* @__PURE__ */ httpProtocol("GET");
/** Parameters in the form of a POST. */
export const httpPost: ProtocolBinding = /* @__PURE__ */ httpProtocol("POST");
