import { suggestNearest } from "@bothends/xml/nearest-name";

/** The names that options have in other libraries, such as `soap` and `axios`, and the options that replace them. */
const replacements: readonly (readonly [names: RegExp, options: readonly string[]])[] = [
  [/^(?:url|uri|base_?url|address|endpoint|location|host|site_?url|wsdl)$/i, ["baseUrl", "address", "siteUrl"]],
  [/^(?:auth|basicAuth|credentials|user|user_?name|pass|password|token|bearer)$/i, ["authorization"]],
  [/^(?:ca|cert|key|pfx|passphrase|rejectUnauthorized|strictSSL|ssl|https)$/i, ["tls"]],
  [/^(?:certificate|cert_?chain|cert_?file)$/i, ["cert"]],
  [/^(?:private_?key|key_?file)$/i, ["key"]],
  [/^(?:ca_?cert|ca_?file|root_?ca)s?$/i, ["ca"]],
  [/^(?:pass|password)$/i, ["passphrase"]],
  [/^(?:strictSSL|insecure|verify)$/i, ["rejectUnauthorized"]],
  [/^(?:https?Agent|dispatcher)$/i, ["agent"]],
  [/^(?:fetch|adapter|httpClient|request)$/i, ["transport"]],
  [/^(?:retry|max_?retries|attempts)$/i, ["retries"]],
  [/^(?:version|soap_?version|forceSoap12Headers)$/i, ["protocol"]],
  [/^(?:abortSignal|abortController|cancelToken)$/i, ["signal"]],
  [/^(?:security|wsSecurity|middleware|interceptors|onRequest|onResponse)$/i, ["hooks"]],
  [/^(?:httpHeaders|wsdl_headers)$/i, ["headers"]],
  [/^(?:log|logger|debug)$/i, ["onCall", "onError"]],
];

/** The maximum number of known names that a message lists. */
const maxListedNames = 8;

/**
 * Returns a suggestion to append to a message about an unknown name: a similar name, the options that replace it, or
 * all known names if there are few. In JavaScript, the name can be a value that is not a string. Only Node has these
 * suggestions, because they are too large for browsers.
 */
export function suggestOption(name: unknown, knownNames: readonly string[]): string {
  if (typeof name !== "string") {
    return listNames(knownNames);
  }
  if (/^\d+$/.test(name)) {
    return " Pass an object, not an array.";
  }
  const similar = suggestNearest(name, knownNames);
  if (similar !== "") {
    return similar;
  }
  const options = replacements
    .flatMap(([names, options]) => (names.test(name) ? options : []))
    .filter((option) => knownNames.includes(option));
  if (options.length > 0) {
    return ` Did you mean ${options.map((option) => JSON.stringify(option)).join(" or ")}?`;
  }
  return listNames(knownNames);
}

function listNames(names: readonly string[]): string {
  return names.length <= maxListedNames ? ` Use one of ${names.join(", ")}.` : "";
}
