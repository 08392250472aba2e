import { type RestContext, RestError, restAnswer } from "@bothends/server/content";
import type { ExpectedVersion } from "./change-posts.js";
import type { Context, Reader } from "./objects.js";
import type { Post } from "./post.js";

interface ReadingInput {
  readonly context?: Context;
  readonly password?: string | undefined;
}

/** Describes the caller for whom an answer is written: the context, the base URL and the password. */
export function getReader({ context, password }: ReadingInput, { baseUrl }: RestContext): Reader {
  return { context, baseUrl, password };
}

/** Reads the version that the caller expects from `If-Match`, which has the ETag of the object (RFC 9110 §13.1.1). */
export function readExpectedVersion({ headers }: RestContext): ExpectedVersion {
  const condition = headers.get("if-match");
  if (condition === undefined || condition === "*") {
    return { version: undefined };
  }
  const [, version] = /^"(\d+)"$/.exec(condition) ?? [];
  if (version === undefined) {
    throw new RestError({
      code: "rest_invalid_if_match",
      message: 'If-Match must be the ETag of an answer, such as "3".',
      status: 400,
    });
  }
  return { version: Number(version) };
}

/** Answers with an object, and with its version as the ETag. */
export function createObjectAnswer<Body>({ version }: Post, body: Body, status = 200) {
  return restAnswer({ status, headers: { ETag: `"${version}"` }, body });
}
