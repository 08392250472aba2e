// Loaded when an answer has attachments that the WSDL does not declare. Nothing else imports this file, so that bundlers
// keep it apart.
export { readPackageOrProblem } from "./attachments.js";
