/** The general description of a diagnostic code. The message of a diagnostic describes the particular case. */
export interface CatalogueEntry {
  /** A stable, readable identifier: `xml.dtd`, `wsdl.unknown-element`, `unsupported.mtom`. */
  readonly kind: string;
  readonly cause: string;
  readonly fix: string;
}
