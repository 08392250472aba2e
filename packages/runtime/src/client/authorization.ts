import { ConfigError } from "../errors.js";

/** A user and a password, or WordPress's application password. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** `Authorization` for what a user gives: the whole value, `Bearer …`, or credentials for Basic authentication. */
export function authorizationHeader(given: string | Credentials): string {
  if (typeof given === "string") return given;
  const { username, password } = given ?? {};
  if (typeof username !== "string" || typeof password !== "string" || username.includes(":")) {
    throw new ConfigError("The option authorization has a username, without a colon, and a password.");
  }
  return basicAuthorization(username, password);
}

/** RFC 7617 §2.1: user and password as UTF-8. */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${password}`)))}`;
}
