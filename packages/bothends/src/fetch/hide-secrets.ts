/**
 * Matches the names of parameters with secret values, in lower case and without punctuation: `token`,
 * `Subscription-Key`, or the `sig` and `code` of Azure.
 */
const secretName =
  /token|secret|passw|passphrase|pwd|authorization|cookie|nonce|sessionid|signature|credential|(?:api|access|account|auth|client|function|license|private|shared|subscription)key|^(?:auth|code|jwt|key|pass|pw|sas|sid|sig)$/;

/**
 * Replaces the secrets in an address, which may be invalid: the login, and the values of parameters such as `token`.
 * `replace` receives the name of a secret parameter with its equals sign, and returns the new text of the parameter.
 */
export function hideSecrets(address: string, replace = (name: string) => `${name}***`): string {
  const [, path = "", query = ""] = /^([^?#]*)(.*)$/s.exec(address) ?? [];
  const hide = (parameter: string) => hideSecret(parameter, replace);
  const shownPath = path.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, "$1***@");
  // A parameter of the path, such as `;jsessionid=`, ends at the next slash.
  return shownPath.split("/").map(hide).join("/") + query.split("&").map(hide).join("&");
}

/**
 * Returns the words of a command line that fetches an address without showing its secrets. The login in the address
 * becomes the option `--user`, for which the command asks for the password. A login without a password may be a token,
 * so its name is not shown.
 */
export function listAddressWords(address: string): readonly string[] {
  const [, protocol = "", login, rest = ""] = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)@(.*)$/is.exec(address) ?? [];
  if (login === undefined) {
    return [hideSecrets(address)];
  }
  const [user = "", ...password] = login.split(":");
  return [hideSecrets(`${protocol}${rest}`), "--user", password.length > 0 && user !== "" ? decodeName(user) : "…"];
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Replaces the text of a parameter from the first secret name to the end, because the value may contain any mark. */
function hideSecret(parameter: string, replace: (name: string) => string): string {
  const plainName = listNames(parameter).find(({ name }) => isSecret(decodeEscapes(name)));
  if (plainName !== undefined) {
    return parameter.slice(0, plainName.start) + replace(`${plainName.name}=`);
  }
  // The value may be an address with a secret of its own, whose marks are escaped.
  const hasEscapedName = listNames(decodeEscapes(parameter)).some(({ name }) => isSecret(name));
  return hasEscapedName ? replace(parameter.slice(0, parameter.indexOf("=") + 1)) : parameter;
}

/** Lists the texts that an equals sign follows, with their positions. */
function listNames(text: string): readonly { readonly name: string; readonly start: number }[] {
  return [...text.matchAll(/(?<=^|[?&;#\s]|%3b)(?:(?!%3b)[^=?&;#\s])*(?==)/gi)].map(({ 0: name, index }) => ({
    name,
    start: index,
  }));
}

function isSecret(name: string): boolean {
  return secretName.test(name.toLowerCase().replaceAll(/[^a-z\d]/g, ""));
}

function decodeEscapes(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
