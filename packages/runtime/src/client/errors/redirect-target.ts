import type { DescribedError } from "./described-error.js";

/** Returns the absolute target of a redirect; undefined if it is absent or not a valid address. */
export function findRedirectUrl({ address, headers }: DescribedError): URL | undefined {
  const location = headers?.get("location") ?? "";
  return URL.canParse(location, address) ? new URL(location, address) : undefined;
}

/** Returns the absolute target of a redirect without user information, query and fragment, which may be secret. */
export function getRedirectTarget(error: DescribedError): string {
  const url = findRedirectUrl(error);
  // Addresses that are not valid, and those without a host, may have user information at any position before an "@".
  const target =
    url === undefined || url.host === ""
      ? (error.headers?.get("location") ?? "").replace(/^([a-z][a-z\d+.-]*:)?.*@/is, "$1***@").replace(/[?#].*/s, "")
      : `${url.protocol}//${url.host}${url.pathname.split("/").map(hideUserInformation).join("/")}`;
  return target.replace(/[\s\p{Cc}]+/gu, " ").slice(0, 256);
}

/** Relative to a base with the same scheme, `http:/user:password@host` is a path, whose segment has credentials. */
function hideUserInformation(segment: string): string {
  return segment.replace(/^.+@/, "***@");
}

/** Matches paths of login pages: `/wp-login.php`, `/account/sign-in`, `/oauth2/authorize`. */
const loginPath = /(?:^|[/_.-])(?:(?:log|sign)[_-]?(?:in|on)|sso|saml2?|oauth2?|authorize)(?:[/_.-]|$)/i;
const loginHost = /^(?:log[io]n|signin|sso|auth|idp|accounts)\./i;

/** Whether a redirect seems to lead to a login page. */
export function leadsToLogin(error: DescribedError): boolean {
  const url = findRedirectUrl(error);
  // A service for logins can have such a path too. A redirect to its other spelling does not lead to a page.
  const isLoginService = loginPath.test(error.address?.replace(/^\w+:\/\/[^/]*/, "") ?? "");
  return url !== undefined && !isLoginService && (loginPath.test(url.pathname) || loginHost.test(url.hostname));
}
