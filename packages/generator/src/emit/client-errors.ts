import { type CodeSymbol, runtimeValue } from "../print/index.js";

const errors = [
  "BothendsError",
  "ConfigError",
  "DecodeError",
  "EncodeError",
  "HttpStatusError",
  "ProtocolError",
  "TimeoutError",
  "TransportError",
] as const;

/** Every error that a call can end with, for users to import from the client's own package. */
export function clientErrors(own: "SoapFault" | "RestError"): readonly CodeSymbol[] {
  return [...errors, own].map((name) => runtimeValue("@bothends/runtime", name));
}
