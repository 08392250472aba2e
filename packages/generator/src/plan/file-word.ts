/** Names that mean something to Windows, whatever stands behind their first dot, or to Node's module resolution. */
const special: ReadonlySet<string> = new Set(
  (
    "con prn aux nul com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 " +
    "index shared"
  ).split(" "),
);

const longest = 60;

/** A name as part of a file name: small letters, digits and hyphens, nothing that any file system takes amiss. */
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
  if (cut === "") return "unnamed";
  return special.has(cut) ? `${cut}-name` : cut;
}

function codePoint(character: string): string {
  return `u${(character.codePointAt(0) ?? 0).toString(16)}`;
}
