<?php
// For php -S: SoapServer publishes the WSDL of PEER_WSDL at ?wsdl. Its schemas are files of the served folder.
if (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) !== '/service.php') {
    return false;
}
$server = new SoapServer(getenv('PEER_WSDL'), ['cache_wsdl' => WSDL_CACHE_NONE]);
$server->handle();
