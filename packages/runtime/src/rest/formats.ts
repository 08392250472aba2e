import { Problem } from "./problem.js";

const dateTime = /^\d{4}-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|[+-]\d{2}(?::\d{2})?)?$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const hexColor = /^#(?:[0-9A-Fa-f]{3}){1,2}$/;
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const emailUser = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
const emailHost = /^[A-Za-z0-9-]{1,63}$/;

/** The formats that are checked; `uri` and those of text fields are accepted as they are. */
export function formatProblem(format: string, text: unknown, name: string): Problem | undefined {
  const value = typeof text === "string" && text.length <= 1024 ? text : "";
  switch (format) {
    case "date-time":
      return isDateTime(value) ? undefined : new Problem(name, "rest_invalid_date", "Invalid date.");
    case "email":
      return isEmail(value) ? undefined : new Problem(name, "rest_invalid_email", "Invalid email address.");
    case "ip":
      if (ipv4.test(value) || isIpv6(value)) return undefined;
      return new Problem(name, "rest_invalid_ip", `${name} is not a valid IP address.`);
    case "uuid":
      return uuid.test(value) ? undefined : new Problem(name, "rest_invalid_uuid", `${name} is not a valid UUID.`);
    case "hex-color":
      return hexColor.test(value) ? undefined : new Problem(name, "rest_invalid_hex_color", "Invalid hex color.");
    default:
      return undefined;
  }
}

function isDateTime(text: string): boolean {
  const match = dateTime.exec(text);
  if (match === null) return false;
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const days = new Date(Date.UTC(Number(text.slice(0, 4)), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 59;
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [user, host] = [text.slice(0, at), text.slice(at + 1)];
  const labels = host.split(".");
  return (
    at > 0 &&
    text.length >= 6 &&
    emailUser.test(user) &&
    labels.length >= 2 &&
    labels.every((label) => emailHost.test(label) && !label.startsWith("-") && !label.endsWith("-"))
  );
}

/** RFC 4291 §2.2: eight groups, `::` for a run of zeros, an IPv4 address in place of the last two. */
function isIpv6(text: string): boolean {
  if (!/^[0-9A-Fa-f:.]{2,45}$/.test(text)) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const tail = last.includes(".") && !text.endsWith("::");
  if (tail && !ipv4.test(last)) return false;
  const plain = tail ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  const count = plain.length + (tail ? 2 : 0);
  return halves.length === 2 ? count <= 7 : count === 8;
}
