import { callScript } from "./call-script.js";

/** The script of an operation's page: the chosen protocol decides which fields there are and what is sent. */
export const operationScript = `(() => {
"use strict";
${callScript}
${String.raw`
const form = byId("call");
const protocol = byId("protocol");

function applies(field) {
  return /^soap/.test(protocol.value) ? field.soap !== undefined : field.parameter !== undefined;
}

function showFields() {
  facts.fields.forEach((field, index) => { byId("row-" + index).hidden = !applies(field); });
}

function escaped(text) {
  return text.replace(/[&<>\r]/g, (one) => "&#" + one.charCodeAt(0) + ";");
}

function valuesOf(field, index) {
  const { value } = byId("field-" + index);
  return field.control === "lines" ? value.split("\n").filter((line) => line !== "") : [value];
}

function elements(place) {
  return facts.fields.map((field, index) => {
    if (field.soap === undefined || field.soap.place !== place) return "";
    return valuesOf(field, index).map((value) => {
      if (value === "" && field.soap.optional) return "";
      return field.control === "xml" ? value : field.soap.start + escaped(value) + field.soap.end;
    }).join("");
  }).join("");
}

function soapRequest({ url, headers, start }) {
  const blocks = elements("header");
  const header = blocks === "" ? "" : "<soap:Header>" + blocks + "</soap:Header>";
  const body = facts.wrapper[0] + elements("body") + facts.wrapper[1];
  return { method: "POST", url, headers, body: start + header + "<soap:Body>" + body + "</soap:Body></soap:Envelope>" };
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

protocol.addEventListener("change", showFields);
showFields();
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const chosen = facts.protocols[protocol.value];
  call(form, () => chosen.start === undefined ? httpRequest(chosen) : soapRequest(chosen));
});
`}
})();
`;
