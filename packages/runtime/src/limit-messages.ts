/** The part of a request that exceeded a limit, by the name of the limit. */
const exceededParts: Readonly<Record<string, (value: number) => string>> = {
  bodyBytes: (value) => `The body of the request is larger than ${value} bytes.`,
  inflatedBytes: (value) => `The body of the request is larger than ${value} bytes after decompression.`,
  jsonDepth: (value) => `The JSON of the request has lists and objects nested more than ${value} levels deep.`,
  jsonKeys: (value) => `The JSON of the request has more than ${value} object keys.`,
  jsonItems: (value) => `The lists in the request have more than ${value} items together.`,
  urlBytes: (value) => `The path and the query of the request are longer than ${value} bytes together.`,
  queryPairs: (value) => `The query of the request has more than ${value} parameters.`,
  formPairs: (value) => `The form in the request has more than ${value} fields.`,
  paramName: (value) => `The name of a parameter is longer than ${value} characters.`,
  paramValue: (value) => `The value of a parameter is longer than ${value} characters.`,
  embeds: (value) => `The parameter _embed requests more than ${value} different addresses for one answer.`,
  headerBytes: (value) => `The headers of the request are larger than ${value} bytes together.`,
  headers: (value) => `The request has more than ${value} headers.`,
  depth: (value) => `The message has elements nested more than ${value} levels deep.`,
  attributes: (value) => `An element of the message has more than ${value} attributes.`,
  namespaces: (value) => `An element of the message declares more than ${value} namespaces.`,
  attributeChars: (value) => `The value of an attribute in the message is longer than ${value} characters.`,
  children: (value) =>
    `An element of the message has more than ${value} child elements, for example the items of a list.`,
  nodes: (value) => `The message has more than ${value} elements, attributes, namespaces and texts together.`,
  textChars: (value) => `A text in the message is longer than ${value} characters.`,
  nameChars: (value) => `A name in the message is longer than ${value} characters.`,
  comments: (value) => `The message has more than ${value} comments and processing instructions.`,
};

/**
 * Returns the message for the operator about a request that exceeds a limit. `position` is the place in the message at
 * which the limit is exceeded, if it is known.
 */
export function formatExceededLimit(name: string, value: number, option: string, position = ""): string {
  const problem = exceededParts[name]?.(value) ?? `The request exceeds the limit ${name} = ${value}.`;
  return `${problem}${position} To accept such requests, increase the option "${option}".`;
}
