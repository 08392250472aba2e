// Everything for a program that serves SOAP and REST interfaces.
export * from "./rest/index.js";
export * from "./soap/index.js";
