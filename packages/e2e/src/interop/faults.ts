import { SoapFault } from "@bothends/client/vehicle";

/** A fault as both ends of a meeting know it: the operation throws it for this key. */
export const knownFault = {
  operation: "CheckMexico",
  input: { RegistrationNumber: "FAULT", username: "demo" },
  code: "Client",
  reason: "Nieznana tablica – 日本 <&>",
  detail: { name: "{urn:peer}Plate", localName: "Plate", text: "Ł<&>" },
} as const;

export function throwKnownFault(): never {
  const { code, reason, detail } = knownFault;
  throw new SoapFault({ code, reason, detail: [{ name: detail.name, content: [detail.text] }] });
}
