/** The part of an operation's page: fields and requests depend on the chosen protocol. */
export const operationPart = String.raw`
let protocol = "";
const form = byId("call");

function applies(field) {
  return /^soap/.test(protocol) ? field.soap !== undefined : field.parameter !== undefined;
}

function escaped(text) {
  return text.replace(/[&<>\r]/g, (character) => "&#" + character.charCodeAt(0) + ";");
}

function valuesOf(field, index) {
  const { value } = byId("field-" + index);
  return field.control === "lines" ? value.split("\n").filter((line) => line !== "") : [value];
}

/* XML is indented only if each of its lines starts with a tag: white space may be part of a text. */
function indentedLines(text, indent) {
  const lines = text.split("\n");
  return lines.every((line) => /^\s*</.test(line)) ? lines.map((line) => indent + line).join("\n") : indent + text;
}

function elements(place, indent) {
  return facts.fields.flatMap((field, index) => {
    if (field.soap === undefined || field.soap.place !== place) return [];
    return valuesOf(field, index).flatMap((value) => {
      if (value.trim() === "" && (field.soap.optional || field.control === "xml")) return [];
      return [field.control === "xml" ? indentedLines(value, indent) : indent + field.soap.start + escaped(value) + field.soap.end];
    });
  });
}

function soapRequest({ url, headers, start }) {
  const [open, close] = facts.wrapper;
  const inside = elements("body", open === "" ? "    " : "      ");
  const body = open === "" ? inside : inside.length === 0 ? ["    " + open + close] : ["    " + open, ...inside, "    " + close];
  const blocks = elements("header", "    ");
  const header = blocks.length === 0 ? [] : ["  <soap:Header>", ...blocks, "  </soap:Header>"];
  const lines = [start, ...header, "  <soap:Body>", ...body, "  </soap:Body>", "</soap:Envelope>"];
  return { method: "POST", url, headers, body: lines.join("\n") };
}

function httpRequest({ method, url, replace }) {
  const pairs = facts.fields.flatMap((field, index) =>
    field.parameter === undefined ? [] : valuesOf(field, index).map((value) => [field.parameter, value]));
  if (replace) {
    const filled = pairs.reduce((text, [name, value]) => text.replace("(" + name + ")", () => encodeURIComponent(value)), url);
    return { method, url: filled, headers: {} };
  }
  const text = pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  if (method === "GET") return { method, url: url + (text === "" ? "" : "?" + text), headers: {} };
  return { method, url, headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: text };
}

const { update, copyFrom } = startForm({
  form,
  makeRequest: () => {
    const chosen = facts.protocols[protocol];
    return chosen.start === undefined ? httpRequest(chosen) : soapRequest(chosen);
  },
  panelOf: () => byId(protocol + "-panel"),
});
for (const block of document.querySelectorAll("[data-request]")) copyFrom(block);
startTabs((tab) => {
  protocol = tab.dataset.tab;
  facts.fields.forEach((field, index) => { byId("row-" + index).hidden = !applies(field); });
  for (const link of document.querySelectorAll(".aside a")) link.hash = location.hash;
  update();
});
startCredentials(update);
startSearch();
`;
