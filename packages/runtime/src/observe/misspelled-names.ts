import { findNearestName } from "@bothends/xml/nearest-name";

// Clients misspell the names of arguments and parameters. These functions find the probable cause for operators.

/** What the names are: arguments of REST, or parameters of HTTP GET and POST. */
type NamedPart = "argument" | "parameter";

/** A name begins with this text if the client has written `&amp;` in place of `&` between two parameters. */
const escapedAmpersand = "amp;";
const ampersandCause =
  "The address or the form contains &amp; in place of &: the client has escaped it as for XML or HTML.";

/**
 * Returns the probable cause of a missing argument, to append to its reason. Returns "" if no unknown name of the
 * request is similar. Contains no text of the request.
 */
export function describeSimilarName(name: string, unknownNames: readonly string[], part: NamedPart): string {
  if (unknownNames.includes(escapedAmpersand + name)) {
    return ` ${ampersandCause}`;
  }
  return findNearestName(name, unknownNames) === undefined
    ? ""
    : ` The request has another ${part} with a similar name: the client may have misspelled it, or used upper and lower case differently.`;
}

/**
 * Returns the probable cause of an invalid text from a query or form, to append to its reason: in these, a plus sign
 * means a space. Returns "" if the text with plus signs in place of its spaces would not be valid either.
 */
export function describeLostPlus(text: string, isValid: (text: string) => boolean): string {
  return text.includes(" ") && isValid(text.replaceAll(" ", "+"))
    ? " The text has a space where it would be valid with a plus sign: in queries and forms, the client must send this sign as %2B."
    : "";
}

/** The maximum number of unknown names of a request that are compared with the names of optional arguments. */
const maxUnknownNames = 8;

/** An argument or a parameter that was ignored although an optional one has a similar name. */
export interface IgnoredName {
  readonly path: string;
  readonly reason: string;
}

/**
 * Finds the unknown names of a request that are similar to the name of an optional argument that the request does not
 * have. Other unknown names are not reported, because clients and proxies add parameters of their own.
 */
export function findMisspelledNames(
  unknownNames: readonly string[],
  absentNames: readonly string[],
  part: NamedPart,
): readonly IgnoredName[] {
  return unknownNames.slice(0, maxUnknownNames).flatMap((name) => {
    const isEscaped = name.startsWith(escapedAmpersand);
    const meantName = isEscaped
      ? absentNames.find((absentName) => name === escapedAmpersand + absentName)
      : findNearestName(name, absentNames);
    if (meantName === undefined) {
      return [];
    }
    const cause = isEscaped
      ? ampersandCause
      : `The client may have misspelled ${meantName}, or used upper and lower case differently.`;
    return [{ path: `/${name}`, reason: `The ${part} was ignored, because its name is unknown. ${cause}` }];
  });
}

/** Names without values: a body that is read as a form although it is not one may have any text as a name. */
const plainName = /^[a-z][\w.-]{0,63}$/i;

/**
 * Lists the names in a body that its endpoint does not have and ignores, at most eight. Returns undefined if there are
 * none. Leaves out names that begin with an underscore, which control the answer.
 */
export function listIgnoredNames(
  sentNames: Iterable<string>,
  isKnown: (name: string) => boolean,
): readonly string[] | undefined {
  const ignoredNames: string[] = [];
  for (const name of sentNames) {
    if (ignoredNames.length < maxUnknownNames && !isKnown(name) && plainName.test(name)) {
      ignoredNames.push(name);
    }
  }
  return ignoredNames.length === 0 ? undefined : ignoredNames;
}
