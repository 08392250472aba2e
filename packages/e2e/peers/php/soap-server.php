<?php
// For php -S: serves the WSDL of PEER_WSDLS by name with SoapServer. The answers are in PEER_ANSWERS, for each
// operation a list of {input, answer} or {input, fault}.
$name = basename(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), '.asmx');
$wsdl = getenv('PEER_WSDLS') . "/$name.wsdl";
if (!is_file($wsdl)) {
    http_response_code(404);
    exit;
}

class Lookups
{
    public function __construct(private array $known) {}

    public function __call(string $operation, array $arguments)
    {
        $given = (array) $arguments[0];
        foreach ($this->known[$operation] ?? [] as $one) {
            if ((array) $one->input !== $given) continue;
            if (isset($one->fault)) throw $this->fault($one->fault);
            return $one->answer === null ? new stdClass() : [$operation . 'Result' => $one->answer];
        }
        throw new SoapFault('Server', 'Not what was sent: ' . json_encode($given));
    }

    private function fault(object $known): SoapFault
    {
        $text = htmlspecialchars($known->detail->text, ENT_XML1);
        $detail = new SoapVar("<{$known->detail->localName} xmlns=\"urn:peer\">$text</{$known->detail->localName}>", XSD_ANYXML);
        return new SoapFault($known->code, $known->reason, 'urn:actor', [$detail]);
    }
}

// SoapServer answers in the SOAP version of the request only with this option.
$version = str_contains($_SERVER['CONTENT_TYPE'] ?? '', 'application/soap+xml') ? SOAP_1_2 : SOAP_1_1;
$server = new SoapServer($wsdl, ['cache_wsdl' => WSDL_CACHE_NONE, 'soap_version' => $version]);
$server->setObject(new Lookups((array) json_decode(file_get_contents(getenv('PEER_ANSWERS')))));
$server->handle();
