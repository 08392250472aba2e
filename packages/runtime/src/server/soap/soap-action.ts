/**
 * The action that a SOAPAction header names: without the white space around it and one pair of double quotes, and
 * percent-decoded. A lone quote, or single quotes, belong to the value and make it another.
 */
export function readSoapAction(header: string): string {
  const trimmed = header.trim();
  const quoted = trimmed.length >= 2 && trimmed.startsWith('"') && trimmed.endsWith('"');
  const action = quoted ? trimmed.slice(1, -1) : trimmed;
  if (!action.includes("%")) return action;
  try {
    return decodeURIComponent(action);
  } catch {
    return action;
  }
}
