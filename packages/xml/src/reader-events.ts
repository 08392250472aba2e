// This module is separate from the reader, because all code that reads content needs these numbers, but clients load
// the reader only for answers that need it.

/** The events of `XmlReader.next`. */
export const DONE = 0;
export const START = 1;
export const END = 2;
export const TEXT = 3;
