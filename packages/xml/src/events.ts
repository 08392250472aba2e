// A module without imports: code that reads the content of a type needs these numbers, but clients load the reader only for
// unusual answers.

/** The events of `XmlReader.next`. */
export const DONE = 0;
export const START = 1;
export const END = 2;
export const TEXT = 3;
