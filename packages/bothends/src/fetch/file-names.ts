/** Names for documents from the network: one for each address, different also where letter case does not count. */
export class FileNames {
  readonly #taken = new Set<string>();
  readonly #byAddress = new Map<string, string>();

  /** The name of a document: `reg.asmx?wsdl` is `reg.wsdl`, `Quotes.svc?xsd=xsd0` is `Quotes.xsd0.xsd`. */
  nameOf(address: URL, extension: string): string {
    const known = this.#byAddress.get(address.href);
    if (known !== undefined) {
      return known;
    }
    const name = this.#free(stemOf(address, extension), extension);
    this.#byAddress.set(address.href, name);
    return name;
  }

  #free(stem: string, extension: string): string {
    for (let number = 1; ; number++) {
      const name = `${stem}${number === 1 ? "" : `-${number}`}.${extension}`;
      if (!this.#taken.has(name.toLowerCase())) {
        this.#taken.add(name.toLowerCase());
        return name;
      }
    }
  }
}

const maxCharacters = 80;

function stemOf({ pathname, search, hostname }: URL, extension: string): string {
  const file = decoded(
    pathname
      .split("/")
      .filter((step) => step !== "")
      .at(-1) ?? hostname,
  );
  const base = file.replace(/\.(?:asmx|svc|php|wsdl|xsd|xml|jsp|aspx|json)$/i, "");
  const query = decoded(search.slice(1)).replace(/^(?:single)?(?:wsdl|xsd)\b=?/i, "");
  const words = [base, query].map((text) => text.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, ""));
  const stem = words
    .filter((word) => word !== "")
    .join(".")
    .slice(0, maxCharacters);
  // Names that Windows does not allow.
  return stem === "" || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(stem) ? `document-${extension}` : stem;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
