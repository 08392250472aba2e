import {
  describeJsonMistake,
  findJsonEnding,
  findJsonMistake,
  formatPosition,
  type JsonMistake,
} from "../../http/json-mistakes.js";
import { beginsWithPhpMessage, hasFault, hasTextBefore, isHtml, isJsonText, isXmlText } from "./body-kinds.js";
import type { DescribedError, FailureFacts, Hint, HintSettings } from "./described-error.js";

/**
 * Whether an unreadable answer begins like HTML, but is not an HTML page: programs such as PHP write warnings before a
 * message.
 */
const beginsWithMarkup = ({ name, body = "" }: DescribedError): boolean =>
  (name === "DecodeError" && /^\s*<(?:b|br|div|font|p|pre|table)[\s/>]/i.test(body)) ||
  (name === "ProtocolError" && /^\s*<(?:b|br)[\s/>]/i.test(body));

/** Whether the error has only the start of the body of the answer. */
const hasPartOfBody = ({ body = "" }: DescribedError, { limits }: HintSettings): boolean =>
  new TextEncoder().encode(body).length >= (limits?.errorBodyBytes ?? 0);
/** Returns a member of an error whose class is not loaded here, because bundles would become larger. */
const getMember = (error: unknown, name: string): unknown => Reflect.get(Object(error), name);

const hasProblem =
  (problem: FailureFacts["problem"]) =>
  ({ facts }: DescribedError): boolean =>
    facts?.problem === problem;
const isInvalidJson = hasProblem("json");
const isInvalidXml = hasProblem("xml");
const hasOtherType = hasProblem("mediaType");
const hasNoType = ({ headers }: DescribedError): boolean =>
  !/^[ \t]*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(?:[;,]|$)/.test(headers?.get("content-type") ?? "");
/** Whether JSON cannot be read for a reason of PHP's `json_last_error`. */
const hasJsonCode =
  (code: number) =>
  (error: DescribedError): boolean =>
    isInvalidJson(error) && getMember(error.cause, "code") === code;
const isUnreadable = (error: DescribedError): boolean => isInvalidJson(error) || isInvalidXml(error);

/** Whether an answer of XML that cannot be read ends before its root element ends. */
function isCutOffXml(error: DescribedError, settings: HintSettings): boolean {
  const text = (error.body ?? "").trim();
  if (!isInvalidXml(error) || text === "" || hasPartOfBody(error, settings)) {
    return false;
  }
  const root = /<([^\s<>/!?]+)/.exec(text.slice(0, 4_096))?.[1];
  return root !== undefined && !text.includes(`</${root}`);
}

/** Returns the first mistake in JSON; undefined if it is unknown, because the error has only the start of the body. */
function findMistake(error: DescribedError): JsonMistake | undefined {
  const { body = "" } = error;
  const mistake = isInvalidJson(error) ? findJsonMistake(body) : undefined;
  // In a body of another charset, the decoded text is not that of the server.
  const isKnown = mistake !== undefined && mistake.offset < body.length;
  return isKnown && !/[\0\ufffd]/.test(body.slice(0, mistake.offset + 1)) ? mistake : undefined;
}

/** Returns the position and the probable cause of the first mistake in JSON, as the rest of a sentence. */
export function describeMistake(error: DescribedError): string {
  const { body = "" } = error;
  const mistake = findMistake(error);
  return mistake === undefined
    ? ""
    : `${formatPosition(body, mistake)}. ${describeJsonMistake(body, mistake)}`.trimEnd();
}

/** Whether the header Content-Type names another type than the body has. */
const hasWrongType =
  (rightType: RegExp, isRightBody: (body: string) => boolean) =>
  (error: DescribedError): boolean => {
    const { name, headers, body = "" } = error;
    const type = headers?.get("content-type") ?? "";
    const isRefused = name === "HttpStatusError" || hasOtherType(error);
    return isRefused && type !== "" && !rightType.test(type) && isRightBody(body);
  };

/** The hints about bodies that cannot be read, or that are not those of the Content-Type. */
export const bodyHints: readonly Hint[] = [
  {
    text: 'A part of the answer was not read, because it exceeds a limit: to read it, increase the option "limits.{limit}".',
    applies: ({ facts }) => facts?.exceededLimit !== undefined,
  },
  {
    text: "The answer is compressed with gzip, but the header Content-Encoding is missing, or the answer was compressed twice: check the proxies in between.",
    // The first two bytes of gzip data. The second byte is not valid UTF-8, so it is decoded to U+FFFD.
    applies: ({ name, body = "" }) => name === "DecodeError" && body.startsWith("\x1f\ufffd"),
  },
  {
    text: "The Content-Type of the answer is not a media type: the server, or a proxy in between, must send a valid one.",
    applies: (error) => hasOtherType(error) && hasNoType(error) && error.headers?.has("content-type") === true,
  },
  {
    text: "The answer has no Content-Type, which a proxy may have removed.",
    applies: (error) => hasOtherType(error) && hasNoType(error),
  },
  {
    text: 'The server may have failed, or a proxy may have removed the body: check their logs. If the server is right, allow null with the option "responses" in bothends.json, and generate the code again.',
    applies: hasProblem("null"),
  },
  {
    text: "The server may have failed, or a proxy may have removed the body: check their logs.",
    applies: (error) => hasProblem("empty")(error) && (error.status ?? 0) >= 200 && (error.status ?? 0) < 300,
  },
  {
    text: "It ends before the end of the compressed data: the server or a proxy may have cut it off.",
    applies: ({ facts }) => facts?.compressionMistake === "cut off",
  },
  {
    text: "Other bytes follow the compressed data: a program such as PHP may have written a warning or a line break after it.",
    applies: ({ facts }) => facts?.compressionMistake === "followed",
  },
  {
    text: "It begins like compressed data, but its bytes were changed: the server or a proxy may have handled them as text.",
    applies: ({ facts }) => facts?.compressionMistake === "changed",
  },
  {
    text: "It is compressed in another format than the header names: the server must send the header that fits the body.",
    applies: ({ facts }) => facts?.compressionMistake === "other format",
  },
  {
    text: "A proxy may have decompressed the body without removing the header.",
    applies: ({ facts }) => facts?.isUndecodable === true,
  },
  {
    text: "The answer begins with HTML: a program such as PHP may have written a warning before the message. The log of the server has the cause.",
    applies: beginsWithMarkup,
  },
  {
    text: "The answer is in UTF-16, but neither its first bytes nor its Content-Type say so: the server must send UTF-8.",
    applies: (error) => isUnreadable(error) && /^(?:\0|[^\0]\0)/.test(error.body ?? ""),
  },
  {
    text: "The answer begins with a second byte-order mark, or with one after white space: a file of the server's program, such as one of PHP, may be saved with this mark.",
    // The first mark of a body is not part of its text.
    applies: (error) => isUnreadable(error) && /^\s*\ufeff/.test(error.body ?? ""),
  },
  {
    text: 'The answer begins with a prefix such as )]}\', which protects its JSON from pages of other origins: the server must leave it out for this client, or a function after in the option "hooks" must remove it.',
    applies: (error) =>
      isInvalidJson(error) &&
      /^\s*(?:\)\]\}|while\s*\(\s*(?:1|true)\s*\)|for\s*\(\s*;\s*;\s*\)|throw\s)/.test(error.body ?? ""),
  },
  {
    text: "Other text precedes the message: a program such as PHP may have written a warning before it. The log of the server has the cause.",
    applies: (error) =>
      ((isUnreadable(error) || error.name === "ProtocolError") && beginsWithPhpMessage(error.body ?? "")) ||
      (isUnreadable(error) && hasTextBefore(error.body ?? "")),
  },
  {
    text: "Other text follows the last element: the server may have joined two answers, or a program such as PHP may have written a warning after it. The log of the server has the cause.",
    applies: (error) =>
      isInvalidXml(error) && ["textAfterRoot", "secondRoot"].includes(String(getMember(error.cause, "problem"))),
  },
  {
    text: "The answer ends before all elements are closed: the server or a proxy may have cut it off.",
    applies: isCutOffXml,
  },
  {
    text: "The answer ends before its JSON does: the server or a proxy may have cut it off.",
    applies: (error, settings) =>
      isInvalidJson(error) && !hasPartOfBody(error, settings) && findJsonEnding(error.body ?? "") === "incomplete",
  },
  {
    text: "Other text follows the JSON: a program such as PHP may have written a warning after it. The log of the server has the cause.",
    applies: (error) => isInvalidJson(error) && findJsonEnding(error.body ?? "") === "followed",
  },
  {
    text: "The answer is not in UTF-8: the server must send UTF-8, or name the charset in the Content-Type.",
    applies: hasJsonCode(5),
  },
  {
    text: "The answer contains a number that is too large: JavaScript has no number above 1.8e308.",
    applies: hasJsonCode(7),
  },
  {
    text: "The first mistake is at {mistake}",
    applies: (error) => findMistake(error) !== undefined && !isHtml(error),
  },
];

/** The hints about answers that would be readable with another Content-Type. */
export const mediaTypeHints: readonly Hint[] = [
  {
    text: "The body is JSON, but the Content-Type of the answer is another one: the server, or a proxy in between, must send the right one.",
    applies: hasWrongType(/json/i, isJsonText),
  },
  {
    text: "The body is XML, but the Content-Type of the answer is another one: the server, or a proxy in between, must send the right one.",
    // With an error status, only a fault would be read.
    applies: (error) =>
      hasWrongType(/xml/i, isXmlText)(error) && (error.name === "ProtocolError" || hasFault(error.body ?? "")),
  },
];
