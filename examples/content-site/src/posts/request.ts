import { type RestContext, RestError, restAnswer } from "@bothends/server/content";
import type { Expected } from "./change-posts.js";
import type { Context, Reader } from "./objects.js";
import type { Post } from "./post.js";

interface ReadingInput {
  readonly context?: Context;
  readonly password?: string | undefined;
}

/** The reader of an answer. */
export function readerOf({ context, password }: ReadingInput, { baseUrl }: RestContext): Reader {
  return { context, baseUrl, password };
}

/** The version that the caller expects: `If-Match` with the ETag of the object (RFC 9110 §13.1.1). */
export function expectedOf({ headers }: RestContext): Expected {
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

/** An answer with the object's version as its ETag. */
export function objectAnswer<Body>({ version }: Post, body: Body, status = 200) {
  return restAnswer({ status, headers: { ETag: `"${version}"` }, body });
}
