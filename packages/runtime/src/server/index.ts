// The exports for a program that serves both SOAP and REST interfaces.
export * from "./rest/index.js";
export * from "./soap/index.js";
