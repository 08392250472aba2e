import { nameWords } from "../source/name-words.js";

function upperFirst(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return first.toUpperCase() + text.slice(first.length);
}

function startable(name: string): string {
  return /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

/** A schema's name as the name of a type or class: `vehicle-type` is `VehicleType`. Capitals inside stay. */
export function pascal(text: string): string {
  return startable(nameWords(text).map(upperFirst).join("") || "Unnamed");
}

/** A schema's name as the name of a method, constant or property: `CheckUSA` is `checkUSA`, `ACMEFoo` is `acmeFoo`. */
export function camel(text: string): string {
  const name = nameWords(text)
    .map((each, index) => (index === 0 ? each : upperFirst(each)))
    .join("");
  return startable(lowerHead(name) || "unnamed");
}

/** Lowers the capitals at the start. The last of several belongs to the next word, if small letters follow it. */
function lowerHead(name: string): string {
  const head = /^\p{Lu}+/u.exec(name)?.[0] ?? "";
  const rest = name.slice(head.length);
  if ([...head].length < 2 || !/^\p{Ll}/u.test(rest)) {
    return head.toLowerCase() + rest;
  }
  const last = [...head].at(-1) ?? "";
  return head.slice(0, -last.length).toLowerCase() + last + rest;
}

/**
 * Words for a namespace, capitalised: its last meaningful step without its version, then with it. `urn:messages_2023_2.netsuite.com`
 * gives `Messages` and `Messages20232`, `http://vehicle.example/bespoke/` gives `Bespoke`, `http://a.example/2006/05/common/v2` gives
 * `Common` and `CommonV2`. None if it has no letters.
 */
export function namespaceWords(namespace: string): readonly string[] {
  const steps = stepsOf(namespace);
  const version = steps.findLastIndex((step) => !isVersion(step));
  const step = steps[version];
  if (step === undefined) {
    return [];
  }
  const plain = step.replace(/[-_.]?v?\d+(?:[-_.]\d+)*$/i, "");
  const word = pascal(/\p{L}/u.test(plain) ? plain : step);
  const full = pascal([step, ...steps.slice(version + 1)].join(" "));
  return full === word ? [word] : [word, full];
}

/** The steps of a path or of a URN; of a host with nothing behind it, and of a dotted URN, only the first label. */
function stepsOf(namespace: string): readonly string[] {
  const [, host, path] = /^[a-z][a-z0-9+.-]*:\/\/([^/]*)(.*)$/i.exec(namespace) ?? [
    undefined,
    "",
    namespace.replace(/^urn:/i, ""),
  ];
  const steps = (path ?? "").split(/[/:#?]/).filter((step) => step !== "");
  const lettered = steps.some((step) => !isVersion(step));
  const used = lettered ? steps : [(host ?? "").replace(/^www\./i, ""), ...steps];
  return used.map((step) => step.replace(/\.(?:xsd|wsdl|asmx|svc)$/i, "")).map((step) => firstLabel(step));
}

/** `messages_2023_2` of `messages_2023_2.platform.webservices.netsuite.com`. */
function firstLabel(step: string): string {
  return /^[\p{L}_][^.]*(?:\.[\p{L}_][^.]*){2,}$/u.test(step) || /\.(?:com|org|net|example|gov|edu|io)$/i.test(step)
    ? (step.split(".")[0] ?? step)
    : step;
}

/** `v2`, `2006`, `05`, `1.0`. */
function isVersion(step: string): boolean {
  return /^v?\d+(?:[-_.]\d+)*$/i.test(step) || !/\p{L}/u.test(step);
}

/** Names that Windows reserves, with any extension, or that Node's module resolution treats specially. */
const special: ReadonlySet<string> = new Set(
  (
    "con prn aux nul com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 " +
    "index shared"
  ).split(" "),
);

const longest = 60;

/** A name as part of a file name: small letters, digits and hyphens, which every file system accepts. */
export function fileWord(text: string): string {
  const ascii = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, "$1-$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{ASCII}]/gu, (character) => (/\p{L}/u.test(character) ? codePoint(character) : "-"));
  const word = ascii
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "")
    .join("-");
  const cut = word.slice(0, longest).replace(/-$/, "");
  if (cut === "") {
    return "unnamed";
  }
  return special.has(cut) ? `${cut}-name` : cut;
}

function codePoint(character: string): string {
  return `u${(character.codePointAt(0) ?? 0).toString(16)}`;
}
