import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clark, escapeText, readTree, type XmlElement } from "@bothends/xml";
import { lookups } from "../../sample/lookups.js";
import type { Job } from "../client-suite.js";
import { knownFault } from "../served-peer.js";

/**
 * Formats the calls of a job for programs without JSON: one call per line, with tab-separated parts. Values in calls
 * contain no tabs or line ends.
 */
export function getLines({ calls }: Job): string {
  return calls.map(({ operation, input }) => `${[operation, ...Object.values(input)].join("\t")}\n`).join("");
}

/**
 * Reads the outcomes that a program printed. Each is `answer` with a record as XML, `fault` with code, reason and
 * detail, or `error` with a message.
 */
export function listOutcomes(output: string): readonly object[] {
  return output
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [kind, firstField = "", reason, detail = ""] = line.split("\t");
      if (kind === "answer") {
        return { answer: firstField === "" ? null : recordOf(readTree(firstField)) };
      }
      if (kind === "fault") {
        return { code: firstField, reason, detail: detail === "" ? null : getDetail(readTree(detail)) };
      }
      return { error: firstField };
    });
}

/** The detail of the known fault, as `listOutcomes` returns it. */
export const knownDetail: { readonly name: string; readonly text: string } = {
  name: knownFault.detail.name,
  text: knownFault.detail.text,
};

/**
 * Formats the known answers for a third-party server: the operation, the values, and the outcome. The outcome is
 * `answer` with the record, or `fault` with the reason and the detail.
 */
export function formatKnownLines(): string {
  const { operation, input, reason, detail } = knownFault;
  const detailXml = `<${detail.localName} xmlns="urn:peer">${escapeText(detail.text)}</${detail.localName}>`;
  const fault = [operation, ...Object.values(input), "fault", reason, detailXml];
  const lines = lookups.map(({ operation, input, answer }) => [
    ...[operation, ...Object.values(input), "answer"],
    answer === null ? "" : `<record xmlns:xsi="${xsi}">${formatContent(answer)}</record>`,
  ]);
  return [...lines, fault].map((words) => `${words.join("\t")}\n`).join("");
}

/** Writes the known lines to a file in a folder, and returns its path. */
export async function saveKnownLines(folder: string): Promise<string> {
  const file = join(folder, "answers.txt");
  await writeFile(file, formatKnownLines());
  return file;
}

/** Converts every value in a record to text, as in its XML. */
export function withTextValues(value: unknown): unknown {
  if (value === null || value === undefined) {
    return null;
  }
  if (typeof value !== "object") {
    return String(value);
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTextValues(member)]));
}

const xsi = "http://www.w3.org/2001/XMLSchema-instance";

function formatContent(value: unknown): string {
  if (typeof value !== "object" || value === null) {
    return escapeText(String(value));
  }
  return Object.entries(value)
    .map(([name, member]) =>
      member === null ? `<${name} xsi:nil="true" />` : `<${name}>${formatContent(member)}</${name}>`,
    )
    .join("");
}

function recordOf({ attributes, children }: XmlElement): unknown {
  if (
    attributes.some(({ namespace, localName, value }) => namespace === xsi && localName === "nil" && value === "true")
  ) {
    return null;
  }
  const elements = children.filter((child) => child.kind === "element");
  if (elements.length === 0) {
    return getText(children);
  }
  return Object.fromEntries(elements.map((element) => [element.localName, recordOf(element)]));
}

function getDetail({ namespace, localName, children }: XmlElement): typeof knownDetail {
  return { name: clark(namespace, localName), text: getText(children) };
}

function getText(children: XmlElement["children"]): string {
  return children.map((child) => (child.kind === "text" ? child.text : "")).join("");
}
