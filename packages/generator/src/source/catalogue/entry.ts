/** What a diagnostic code stands for; the message at a place says the particulars. */
export interface CatalogueEntry {
  /** A stable word for its kind: `xml.dtd`, `wsdl.unknown-element`, `unsupported.mtom`. */
  readonly kind: string;
  readonly cause: string;
  readonly fix: string;
}
