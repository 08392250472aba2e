import { bodyHints, describeMistake, mediaTypeHints } from "./body-hints.js";
import { hasHtmlType, isHtml } from "./body-kinds.js";
import {
  type DescribedError,
  type Hint,
  type HintSettings,
  isTlsAlert,
  notHttpCodes,
  notTlsCodes,
} from "./described-error.js";
import { proxyHints } from "./proxy-hints.js";
import { findRedirectUrl, getRedirectTarget, leadsToLogin } from "./redirect-target.js";

const hasCode =
  (...codes: readonly string[]) =>
  ({ code = "" }: DescribedError): boolean =>
    codes.includes(code);
/** Whether a network error has one of the codes or, in Deno and in new versions of `fetch`, only the text instead. */
const hasCodeOrText =
  (text: RegExp, ...codes: readonly string[]) =>
  ({ name, message, code }: DescribedError): boolean =>
    code === undefined ? name === "TransportError" && text.test(message) : codes.includes(code);
/** Whether `checkHeaders` refused a header. `name` is a pattern for the header's name in quotation marks. */
const refusesHeader =
  (name: RegExp) =>
  ({ message }: DescribedError): boolean => {
    const [, refusedName] = /^The header (".*") is not allowed\.$/.exec(message) ?? [];
    return refusedName !== undefined && name.test(refusedName);
  };
const hasStatus =
  (...statuses: readonly number[]) =>
  ({ name, status = 0 }: DescribedError): boolean =>
    statuses.includes(status) && name !== "SoapFault" && !isRestError({ name });
/** Whether an answer of any kind, also an error of REST or a fault, has a status after which a call may be repeated. */
const mayRepeat =
  (...statuses: readonly number[]) =>
  ({ status = 0 }: DescribedError): boolean =>
    statuses.includes(status);
const offersScheme =
  (scheme: RegExp) =>
  ({ status, headers }: DescribedError): boolean =>
    status === 401 && scheme.test(headers?.get("www-authenticate") ?? "");
const faultMatches =
  (pattern: RegExp) =>
  ({ wireCode, subcodes, reason }: DescribedError): boolean =>
    subcodes !== undefined && pattern.test([wireCode, ...subcodes, reason].join(" "));
const isRedirect = ({ status = 0, headers }: DescribedError): boolean =>
  status >= 300 && status < 400 && (headers?.has("location") ?? false);
const isRestError = ({ name }: Pick<DescribedError, "name">): boolean => name === "RestError";
const isSoapFault = ({ subcodes }: DescribedError): boolean => subcodes !== undefined;

/** An address whose path begins with the same folders or file twice: `http://host/api/reg.asmx/api/reg.asmx`. */
const repeatedPath = /^[^:]+:\/\/[^/]+(\/[^?]+)\1(?:[/?]|$)/;

/** The statuses with which Cloudflare reports that it did not reach the server behind it. */
const cloudflareStatuses = [520, 521, 522, 523, 524, 525, 526];

/** The pages with which nginx, Go, Apache, Tomcat and this package's servers answer a request without TLS. */
const requiresTls = /HTTP request (?:was sent )?to (?:an )?HTTPS|plain HTTP to an SSL|port requires TLS/;
const hasBegunAnswer = ({ message, facts }: DescribedError): boolean =>
  facts?.hasHead === true || facts?.isTruncated === true || /^error reading/.test(message);
const wasClosed = hasCodeOrText(/^error reading a body from connection/, "ECONNRESET", "EPIPE", "UND_ERR_SOCKET");

/** Returns the sentence about a required element or attribute that an answer lacks. */
const findMissingCause = ({ facts }: DescribedError): string | undefined =>
  facts?.missingCause ?? facts?.undeclaredNames;

/** All hints. The first hint that applies is used. `docs/errors.md` lists them. */
export const hints: readonly Hint[] = [
  {
    text: 'The server uses another namespace: if its names on the wire differ from those of the WSDL, set the option "wireNames". To accept such answers, set the option "tolerate" to ["{tolerance}"].',
    applies: ({ tolerance }) => tolerance === "namespaces",
  },
  {
    text: 'To accept such answers, set the option "tolerate" to ["{tolerance}"].',
    applies: ({ tolerance }) => tolerance !== undefined,
  },
  { text: "{missing}", applies: (error) => findMissingCause(error) !== undefined },
  ...bodyHints,
  ...proxyHints,
  {
    text: "The answer may have had the status 407, which fetch does not return: a proxy, or the server, requires a user and a password.",
    applies: ({ facts }) => facts?.hidesStatus === true,
  },
  {
    text: 'No server listens at the path in the option "socketPath": check the path, and whether the server is running.',
    applies: ({ facts, code = "" }) =>
      facts?.hasSocketPath === true && ["ENOENT", "ECONNREFUSED", "ENOTSOCK"].includes(code),
  },
  {
    text: "The function fetch refuses this port: use another port, or Node's own transport, which needs no option.",
    applies: ({ name, message }) => name === "TransportError" && message === "bad port",
  },
  {
    text: 'The options "tls.cert" and "tls.key" do not belong together: the key must be that of the certificate. If "tls.cert" has several certificates, that of the client must be the first.',
    applies: hasCode("ERR_OSSL_X509_KEY_VALUES_MISMATCH"),
  },
  {
    text: 'A certificate or a key in the option "tls" is damaged or not in PEM format: pass the complete content of the file, not its path.',
    applies: ({ code = "" }) => /^ERR_OSSL_(?:PEM|ASN1)_/.test(code),
  },
  {
    text: 'The key in the option "tls.key" or "tls.pfx" is encrypted: set the option "tls.passphrase", or check its value.',
    applies: hasCode("ERR_OSSL_BAD_DECRYPT", "ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED"),
  },
  {
    text: 'Nothing listens at this host and port: check the address, and whether the server is running. The option "baseUrl", "address" or "siteUrl" sets the address.',
    applies: hasCodeOrText(/\bConnection refused\b/, "ECONNREFUSED"),
  },
  {
    text: 'The host name is not known: check the address. The option "baseUrl", "address" or "siteUrl" sets it. If the network requires a proxy, set the option "proxy".',
    applies: hasCodeOrText(/\bdns error\b/, "ENOTFOUND", "EAI_AGAIN"),
  },
  {
    text: 'The host cannot be reached: check the network, or set the option "proxy" if the network requires one.',
    applies: hasCode("EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"),
  },
  {
    text: "The purposes of the server's certificate (extendedKeyUsage) do not include servers (serverAuth): it may be a certificate for clients. The server needs another one.",
    applies: hasCode("INVALID_PURPOSE"),
  },
  {
    text: "A certificate that issued the server's is not that of an authority (basicConstraints): the server needs a certificate of another issuer.",
    applies: hasCode("INVALID_CA"),
  },
  {
    text: 'The certificate is not signed by a known authority: set the option "tls.ca" to the certificate of its authority.',
    applies: hasCode("DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"),
  },
  {
    text: 'The issuer of the certificate is not known: the server may not send its intermediate certificates, and must then send its whole chain, such as fullchain.pem. Otherwise, set the option "tls.ca" to the certificate of its authority.',
    applies: hasCode(
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "UNABLE_TO_GET_ISSUER_CERT",
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    ),
  },
  {
    text: 'The certificate belongs to another host name: use that name in the address, or set the option "tls.servername".',
    applies: hasCode("ERR_TLS_CERT_ALTNAME_INVALID"),
  },
  {
    text: "The certificate is not valid at this time: the server must renew it. Check the clock of this machine, too.",
    applies: hasCode("CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"),
  },
  {
    text: 'The server requires a client certificate, or refused it: set the options "tls.cert" and "tls.key".',
    applies: isTlsAlert(/certificate|unknown.ca/i),
  },
  {
    text: 'The server refused the TLS handshake: it may require a client certificate, which the options "tls.cert" and "tls.key" set, or other ciphers.',
    applies: isTlsAlert(/handshake.failure/i),
  },
  {
    text: 'The client and the server have no TLS version in common. Check which versions each supports, and the option "tls.minVersion".',
    applies: isTlsAlert(/protocol.version/i),
  },
  {
    text: "The server does not use TLS at this port: use http:// instead of https://, or the port for TLS.",
    applies: (error) => hasCode(...notTlsCodes)(error) && !isTlsAlert(/./)(error),
  },
  {
    text: "The server uses TLS at this port: use https:// instead of http://.",
    applies: (error) =>
      /^The server sent an alert of TLS/.test(error.message) ||
      (hasStatus(400)(error) && requiresTls.test(error.body ?? "")),
  },
  {
    text: "The server did not send an answer of HTTP/1.1 at this port: use https:// or another port, check whether the server accepts only HTTP/2, or whether the Content-Length of the answer is too small.",
    applies: hasCodeOrText(/^Response does not match the HTTP\/1/, ...notHttpCodes),
  },
  {
    text: "The headers of the answer are longer than Node accepts: start it with the option --max-http-header-size.",
    applies: hasCode("HPE_HEADER_OVERFLOW"),
  },
  {
    text: 'Servers close idle connections after some seconds, which can happen while a request is being sent. If the operation may run twice, set the option "retries". To retry POST requests too, list their operations in the option "safeOperations".',
    applies: ({ facts }) => facts?.isStale === true,
  },
  {
    text: 'The server, or a proxy or firewall between, closed the connection before the answer was complete. If the server uses TLS at this port, use https:// instead of http://. If the operation may run twice, set the option "retries". To retry POST requests too, list their operations in the option "safeOperations".',
    applies: (error) => wasClosed(error) && /^http:/.test(error.address ?? "") && !hasBegunAnswer(error),
  },
  {
    text: 'The server, or a proxy or firewall between, closed the connection before the answer was complete. If the server requires a client certificate, check the options "tls.cert" and "tls.key". If the operation may run twice, set the option "retries". To retry POST requests too, list their operations in the option "safeOperations".',
    applies: (error) => wasClosed(error) && /^https:/.test(error.address ?? "") && !hasBegunAnswer(error),
  },
  {
    text: 'The server, or a proxy or firewall between, closed the connection before the answer was complete. If the operation may run twice, set the option "retries". To retry POST requests too, list their operations in the option "safeOperations".',
    applies: wasClosed,
  },
  {
    text: "In a browser, this can mean that the server does not allow calls from this origin (CORS), or that the network is down. The console of the browser shows the reason.",
    applies: ({ name, message }) =>
      name === "TransportError" && /^(?:Failed to fetch|NetworkError|Load failed)/.test(message),
  },
  {
    text: 'The answer took longer than the option "timeout" allows.',
    applies: ({ name, message }) =>
      name === "TimeoutError" && /^No answer within \d+ ms(?:: the answer .*)?\.$/.test(message),
  },
  {
    text: 'The host accepted the connection, but did not complete the TLS handshake: check that the server uses TLS at this port, or increase the option "connectTimeout".',
    applies: ({ facts }) => facts?.isHandshake === true,
  },
  {
    text: 'The host did not accept a connection in time: check the address and the firewall, or increase the option "connectTimeout".',
    applies: ({ facts }) => facts?.isConnectTimeout === true,
  },
  {
    text: 'The status 304 means that the content has not changed since an earlier request: remove If-None-Match and If-Modified-Since from the option "headers", or check the caches in between.',
    applies: ({ status }) => status === 304,
  },
  {
    text: "The redirect leads to {location}, which is not an address of HTTP.",
    applies: (error) => isRedirect(error) && !/^https?:$/.test(findRedirectUrl(error)?.protocol ?? "http:"),
  },
  {
    text: 'The redirect leads to {location}, which seems to be a login page: the server requires a login. Set the option "authorization", or check its values.',
    applies: (error) => isRedirect(error) && leadsToLogin(error),
  },
  {
    text: 'The redirect leads to {location}. If the service has moved there, change the option "baseUrl", "address" or "siteUrl".',
    applies: isRedirect,
  },
  {
    text: "The redirect names no target, or the browser hides it: check that this is the address of the service.",
    applies: ({ name, status = 0 }) => name === "ProtocolError" && status >= 300 && status < 400,
  },
  {
    text: 'The transport writes this header: remove it from the option "headers".',
    applies: refusesHeader(/^"(?:content-length|transfer-encoding|connection|upgrade|te|trailer)"$/i),
  },
  { text: 'The option "headers" must be an object such as { "X-Key": "a" }.', applies: refusesHeader(/^"\d+"$/) },
  {
    text: "Its value must be a string without line breaks, control characters and characters outside Latin-1.",
    applies: refusesHeader(/^"(?!__proto__")[!#$%&'*+.^_`|~0-9A-Za-z-]+"$/),
  },
  { text: "This is not a valid header name.", applies: refusesHeader(/./) },
  {
    text: "The server refused the user or the password: check the options of ntlmTransport, and whether the account may use the service.",
    applies: ({ facts }) => facts?.refusal === "user",
  },
  {
    text: "The server offers Windows authentication, but does not send a valid challenge: a proxy in between may change headers, or send the requests of one connection over several.",
    applies: ({ facts }) => facts?.refusal === "challenge",
  },
  {
    text: "The server requires Windows authentication: use ntlmTransport of @bothends/runtime/client/ntlm.",
    applies: offersScheme(/\b(?:NTLM|Negotiate)\b/i),
  },
  {
    text: 'The server requires a user and a password: set the option "authorization" to { username, password }, or check its values.',
    applies: offersScheme(/\bBasic\b/i),
  },
  {
    text: 'The server requires a token: set the option "authorization" to "Bearer …", or check that the token has not expired.',
    applies: offersScheme(/\bBearer\b/i),
  },
  {
    text: "The server requires Digest authentication, which clients do not support.",
    applies: offersScheme(/\bDigest\b/i),
  },
  {
    text: 'The server requires authentication: set the option "authorization" to { username, password } or "Bearer …".',
    applies: hasStatus(401),
  },
  {
    text: 'The server does not accept this media type, which depends on the version of SOAP: try the option "protocol" with the other version.',
    applies: hasStatus(415),
  },
  {
    text: "The address is that of the WSDL document, not of the service: remove the query, such as ?wsdl.",
    applies: ({ body = "" }) =>
      /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:[\w.-]+:)?definitions[\s>]/.test(body),
  },
  {
    text: 'The path of the address begins with the same part twice: the option "baseUrl" or "siteUrl" must not contain the path in the schema, which the client adds.',
    applies: (error) =>
      repeatedPath.test(error.address ?? "") &&
      !isSoapFault(error) &&
      (isHtml(error)
        ? ![413, 429, 502, 503, 504].includes(error.status ?? 0)
        : [404, 405, 410].includes(error.status ?? 0) ||
          /^Web Service method name is not valid/.test(error.body ?? "")),
  },
  {
    text: 'The server does not accept this method here: check the address and the option "protocol".',
    applies: hasStatus(405),
  },
  {
    text: 'The server asks to wait {seconds} s (Retry-After): it is overloaded, limits its requests, or is closed for maintenance. Send the request again after this time, or set the option "retries". To retry POST requests too, list their operations in the option "safeOperations".',
    applies: (error) => mayRepeat(429, 503)(error) && findWaitingTime(error) !== undefined,
  },
  {
    text: 'The server is overloaded, limits its requests, or is closed for maintenance. Wait before the next call, or set the option "retries". To retry POST requests too, list their operations in the option "safeOperations".',
    applies: mayRepeat(429, 503),
  },
  {
    text: 'A gateway did not reach the server. Try again later, or set the option "retries". To retry POST requests too, list their operations in the option "safeOperations".',
    applies: hasStatus(502, 504, ...cloudflareStatuses),
  },
  {
    text: "The server has no answer in a format that the client accepts, or a firewall in front of it refused the call.",
    applies: hasStatus(406),
  },
  {
    text: "The server, or a proxy in front of it, refuses the size of the request: increase the limit there, such as client_max_body_size of nginx, or send less in one request.",
    applies: hasStatus(413),
  },
  {
    text: "The server, or a proxy in front of it, refuses the length of the address or of the headers: increase the limit there, or send shorter ones.",
    applies: hasStatus(414, 431),
  },
  {
    text: "The server or proxy at this address does not serve this host: check the host in the address, and the rules by which a proxy chooses the server.",
    applies: hasStatus(421),
  },
  {
    text: 'The network requires a login before it forwards calls, for example on the page of a Wi-Fi network: log in, or set the option "proxy" if the network has a proxy.',
    applies: hasStatus(511),
  },
  {
    text: 'The server, or a gateway in front of it, refused the call: check the option "authorization", and whether this network may call.',
    applies: hasStatus(403),
  },
  ...mediaTypeHints,
  {
    text: "The server failed: its log has the cause.",
    applies: (error) =>
      (isHtml(error) || hasHtmlType(error)) && !isSoapFault(error) && !isRestError(error) && (error.status ?? 0) >= 500,
  },
  {
    text: "The answer is an HTML page: check that this is the address of the service, and whether it requires a login.",
    applies: (error) => isHtml(error) && !isSoapFault(error) && !isRestError(error),
  },
  { text: "Check that this is the address of the service.", applies: hasStatus(404, 410) },
  {
    text: 'The server expects the other version of SOAP: set the option "protocol" to soap11 or soap12.',
    applies: faultMatches(/VersionMismatch/),
  },
  {
    text: 'The server does not understand a mandatory header block: check the options "soapHeaders", "extraSoapHeaders" and "hooks".',
    applies: faultMatches(/MustUnderstand/),
  },
  {
    text: 'The server requires WS-Addressing: set the option "hooks" to addressing() of @bothends/runtime/ws.',
    applies: faultMatches(/ContractFilter mismatch|ActionNotSupported|MessageAddressingHeaderRequired/),
  },
  {
    text: "The server takes the message for too old, or for one from the future: the clocks of this machine and of the server may differ, or the request was sent again without a new token.",
    applies: faultMatches(/MessageExpired/),
  },
  {
    text: 'The server requires a security token: set the option "hooks" to usernameToken() of @bothends/runtime/ws, or check its values.',
    applies: faultMatches(/InvalidSecurity|FailedAuthentication|SecurityTokenUnavailable/),
  },
  {
    text: 'The server does not know the SOAP action: if the names of the server differ from those of the WSDL, set the option "wireNames".',
    applies: faultMatches(/SOAPAction/i),
  },
  {
    text: 'The site has no such route: check the option "siteUrl", and whether the plug-in is active.',
    applies: (error) => isRestError(error) && error.code === "rest_no_route",
  },
  {
    text: 'The nonce of the session is not valid: set the option "hooks" to restNonce() of @bothends/runtime/client.',
    applies: (error) => isRestError(error) && error.code === "rest_cookie_invalid_nonce",
  },
  {
    text: 'The site refused the user or the password: check the option "authorization". For a user of WordPress, it is an application password.',
    applies: (error) =>
      isRestError(error) &&
      /^(?:incorrect_password|invalid_(?:username|email)|application_passwords_\w+)$/.test(error.code ?? ""),
  },
  {
    text: 'The site refused the call. If its user needs more rights, set the option "authorization" to { username, password }, for example with an application password.',
    applies: (error) => isRestError(error) && (error.status === 401 || error.status === 403),
  },
];

/** Replaces the hints about `safeOperations` if that option contains a name similar to the name of the operation. */
export const similarNameHint =
  'The option "safeOperations" contains "{name}", but not this operation, so it was not sent again: check the spelling.';

/** Replaces the advice to set the option `retries` if the option applied to the call. */
const retriedHint = ' It was sent again as often as the options "retries" and "timeout" allow.';

/** Replaces `retriedHint` if `Retry-After` asks to wait for `{seconds}` s, which is longer than the call may take. */
const longWaitHint =
  ' It was not sent again: the server asks to wait {seconds} s (Retry-After), longer than the option "timeout" allows.';

/** Replaces the advice to set the option `retries` if the caller has already received items of the answer. */
const usedAnswerHint = " It was not sent again, because items of the answer had already been read.";

const retriesAdvice = /(?:, or| If the operation may run twice,) set the option "retries"\..*$/;

/** Returns the seconds until the time in `Retry-After`; undefined if it is absent, not valid, or in the past. */
function findWaitingTime({ headers }: Pick<DescribedError, "headers">): string | undefined {
  const text = headers?.get("retry-after")?.trim() ?? "";
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1_000);
  return seconds > 0 ? String(seconds) : undefined;
}

/** Matches advice about options that only the transport of the platform uses. */
const transportAdvice = /options? "(?:proxy|tls|socketPath)\b/;
const customTransportNote = ' With the option "transport", set this in that transport instead.';

/** Returns the hint that replaces the advice to set the option `retries`; undefined if that advice is right. */
function findRetryHint(
  { operation = "", method, headers, facts }: DescribedError,
  { safeOperations = [], retries = 0, timeout = Number.POSITIVE_INFINITY }: HintSettings,
): string | undefined {
  if (facts?.hasUsedAnswer === true) {
    return usedAnswerHint;
  }
  if (retries === 0 || (method !== "GET" && method !== "HEAD" && !safeOperations.includes(operation))) {
    return undefined;
  }
  const seconds = findWaitingTime({ headers }) ?? "0";
  return Number(seconds) * 1_000 >= timeout ? longWaitHint.replace("{seconds}", seconds) : retriedHint;
}

/** Returns the hint for an error; undefined if none is known. */
export function findHint(error: DescribedError, settings: HintSettings = {}, similarName?: string): string | undefined {
  const hint = hints.find(({ applies }) => applies(error, settings))?.text;
  const note = settings.hasCustomTransport === true && transportAdvice.test(hint ?? "") ? customTransportNote : "";
  const text = hint === undefined ? undefined : hint.replace("{seconds}", findWaitingTime(error) ?? "") + note;
  const retryHint = findRetryHint(error, settings);
  if (retryHint !== undefined && text !== undefined && retriesAdvice.test(text)) {
    return `${text.replace(retriesAdvice, "").replace(/\.$/, "")}.${retryHint}`;
  }
  if (similarName !== undefined && text?.includes("safeOperations") === true) {
    // The hint suggests a misspelling: with the operation's own name in the list, `retries` would have applied to the
    // operation.
    return similarNameHint.replace("{name}", () => similarName);
  }
  return text
    ?.replace("{location}", () => getRedirectTarget(error))
    .replace("{tolerance}", error.tolerance ?? "")
    .replace("{limit}", error.facts?.exceededLimit ?? "")
    .replace("{mistake}", () => describeMistake(error))
    .replace("{missing}", () => findMissingCause(error) ?? "");
}
