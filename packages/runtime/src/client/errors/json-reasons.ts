// Finds the reason in an error body in JSON. Its form differs between frameworks: RFC 9457 has `title` and `detail`,
// OAuth 2.0 `error` and `error_description`, WordPress also `{ success: false, data }`, Apigee `fault.faultstring`.

/** The members with a short text about the error, the most informative first. */
const headings = [
  "title",
  "message",
  "Message",
  "faultstring",
  "fault",
  "error",
  "errorMessage",
  "error_message",
  "msg",
  "reason",
  "errorcode",
  "errorCode",
  "code",
];

/** The members with more about the error. */
const details = ["detail", "error_description", "errors", "description", "data"];

/** The maximum depth of a reason: `{ fault: { detail: [{ errorcode } ] } }`. */
const maxDepth = 3;

/** Returns the reason in the JSON of an answer with an error status; "" if none is known. */
export function findJsonReason(value: unknown, depth = 0): string {
  if (typeof value === "string" || typeof value === "number") {
    return String(value);
  }
  if (typeof value !== "object" || value === null || depth > maxDepth) {
    return "";
  }
  if (Array.isArray(value)) {
    return findJsonReason(value[0], depth + 1);
  }
  const heading = findFirst(value, headings, depth);
  const detail = findFirst(value, details, depth);
  if (heading === "" || detail === "" || heading === detail) {
    return heading || detail;
  }
  return /[.!?]$/.test(heading) ? `${heading} ${detail}` : `${heading}: ${detail}`;
}

function findFirst(members: object, names: readonly string[], depth: number): string {
  for (const name of names) {
    const member: unknown = Reflect.get(members, name);
    const text = findJsonReason(member, depth + 1) || (name === "errors" ? findFieldReason(member, depth + 1) : "");
    if (text !== "") {
      return text;
    }
  }
  return "";
}

/** Returns the first reason in an object whose members are the names of fields: `{ sku: ["Too long"] }`. */
function findFieldReason(fields: unknown, depth: number): string {
  const [[field, reasons] = []] = Object.entries(Object(fields));
  const reason = findJsonReason(reasons, depth + 1);
  return reason === "" ? "" : `${field}: ${reason}`;
}
