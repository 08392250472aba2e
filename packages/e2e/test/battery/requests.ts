const soap11 = "http://schemas.xmlsoap.org/soap/envelope/";
export const soap12 = "http://www.w3.org/2003/05/soap-envelope";
export const reg = "http://vehicle.example/reg";

/** Text that no answer may repeat, unless a handler returned it. */
export const canary = "CANARY";

export const xml = "Content-Type: text/xml; charset=utf-8";
export const soapXml = "Content-Type: application/soap+xml; charset=utf-8";
export const json = "Content-Type: application/json";

/** Returns a SOAP envelope around unescaped XML. */
export function envelope(body: string, { header = "", namespace = soap11 } = {}): string {
  return `<s:Envelope xmlns:s="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${header}<s:Body>${body}</s:Body></s:Envelope>`;
}

const wanted = `<RegistrationNumber>${canary}</RegistrationNumber><State>NY</State><username>u</username>`;

/** Returns the SOAP body of a lookup with `CheckUSA`. */
export function usa(content = wanted, { namespace = reg, operation = "CheckUSA" } = {}): string {
  return `<${operation} xmlns="${namespace}">${content}</${operation}>`;
}

/** Returns the SOAP body of a lookup with `CheckAustria`, which has a number as a parameter. */
export function austria(number: string): string {
  return `<CheckAustria xmlns="${reg}"><NatCode>${number}</NatCode><username>u</username></CheckAustria>`;
}

/** Returns the first line and the headers of a request. */
export function head(line: string, headers: readonly string[] = []): string {
  return `${line} HTTP/1.1\r\nHost: h\r\n${headers.map((header) => `${header}\r\n`).join("")}\r\n`;
}

export function get(target: string, headers: readonly string[] = []): string {
  return head(`GET ${target}`, headers);
}

/** Returns a complete request with a body. */
export function send(line: string, body: string, headers: readonly string[]): readonly (string | Uint8Array)[] {
  const bytes = Buffer.from(body);
  return [head(line, [...headers, `Content-Length: ${bytes.length}`]), bytes];
}

/** Returns a POST request to the SOAP service. */
export function soap(body: string, headers: readonly string[] = [xml]): readonly (string | Uint8Array)[] {
  return send("POST /api/reg.asmx", body, headers);
}

/** Returns a POST request to the REST interface. */
export function rest(body: string, path = "project", headers: readonly string[] = [json]) {
  return send(`POST /en/api/core/v2/${path}`, body, headers);
}

/** Returns a request to the HTTP POST binding. */
export function form(body: string) {
  return send("POST /api/reg.asmx/CheckUSA", body, ["Content-Type: application/x-www-form-urlencoded"]);
}

/** A body of five megabytes in chunks. */
export const chunkedBody = `${`100000\r\n${" ".repeat(0x100000)}\r\n`.repeat(5)}0\r\n\r\n`;
