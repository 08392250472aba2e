/** Adds an operation to a WSDL: a copy of the operation `like` with a new name. */
export function withOperation(wsdl: string, like: string, name: string): string {
  const blocks = [
    new RegExp(`      <s:element name="${like}(Response)?">[\\s\\S]*?\\n      </s:element>\\n`, "g"),
    new RegExp(`  <wsdl:message name="${like}(Soap|HttpGet|HttpPost)(In|Out)">[\\s\\S]*?\\n  </wsdl:message>\\n`, "g"),
    new RegExp(`    <wsdl:operation name="${like}">[\\s\\S]*?\\n    </wsdl:operation>\\n`, "g"),
  ];
  return blocks.reduce((text, block) => text.replace(block, (found) => found + found.replaceAll(like, name)), wsdl);
}
