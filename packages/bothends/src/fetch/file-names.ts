import { hideSecrets } from "./hide-secrets.js";

/** Chooses file names for fetched documents: one per address, unique even if case is ignored. */
export class FileNames {
  readonly #usedNames = new Set<string>();
  readonly #namesByAddress = new Map<string, string>();

  /** Chooses the name of a document: `reg.wsdl` for `reg.asmx?wsdl`, `Quotes.xsd0.xsd` for `Quotes.svc?xsd=xsd0`. */
  chooseName(address: URL, extension: string): string {
    const knownName = this.#namesByAddress.get(address.href);
    if (knownName !== undefined) {
      return knownName;
    }
    const name = this.#makeNameUnique(chooseStem(address, extension), extension);
    this.#namesByAddress.set(address.href, name);
    return name;
  }

  #makeNameUnique(stem: string, extension: string): string {
    for (let number = 1; ; number++) {
      const name = `${stem}${number === 1 ? "" : `-${number}`}.${extension}`;
      if (!this.#usedNames.has(name.toLowerCase())) {
        this.#usedNames.add(name.toLowerCase());
        return name;
      }
    }
  }
}

const maxCharacters = 80;

function chooseStem(address: URL, extension: string): string {
  const { pathname, search, hostname } = new URL(hideSecrets(address.href, () => ""));
  const file = decodeComponent(
    pathname
      .split("/")
      .filter((segment) => segment !== "")
      .at(-1) ?? hostname,
  );
  const base = file.replace(/\.(?:asmx|svc|php|wsdl|xsd|xml|jsp|aspx|json);?$/i, "");
  const query = decodeComponent(search.slice(1)).replace(/^(?:single)?(?:wsdl|xsd)\b=?/i, "");
  const parts = [base, query].map((text) => text.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, ""));
  const stem = parts
    .filter((word) => word !== "")
    .join(".")
    .slice(0, maxCharacters);
  // Windows does not allow names such as `con` and `nul`, so they are replaced.
  return stem === "" || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(stem) ? `document-${extension}` : stem;
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
