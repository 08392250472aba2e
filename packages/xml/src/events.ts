// These numbers are not in the reader's module, because all code that reads content needs them, but clients load the reader only
// for answers that need it.

/** The events of `XmlReader.next`. */
export const DONE = 0;
export const START = 1;
export const END = 2;
export const TEXT = 3;
