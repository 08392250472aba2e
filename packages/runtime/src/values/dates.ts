import { emptyContext } from "@bothends/datatypes";
import { dateAsDate, dateTimeAsDate } from "@bothends/datatypes/xs";

/**
 * Converts a `DateTime` or a `DateOnly` to a `Date`. A dateTime without a time zone is taken as UTC. A date gives the midnight in UTC of
 * the day that it names, whatever its time zone: the day does not shift. Throws `LexicalError`, also for years that a `Date` in XML
 * cannot have (1 to 9999).
 */
export function toDate(text: string): Date {
  const trimmed = text.trim();
  const type = trimmed.includes("T") ? dateTimeAsDate : dateAsDate;
  return type.read(trimmed, emptyContext);
}

/**
 * Converts a `Date` to the text of a dateTime in UTC, or to that of the date it has in UTC. Throws `LexicalError` for an invalid
 * `Date`.
 */
export function fromDate(date: Date, type: "dateTime" | "date" = "dateTime"): string {
  const text = dateTimeAsDate.write(date, emptyContext);
  return type === "date" ? text.slice(0, 10) : text;
}
