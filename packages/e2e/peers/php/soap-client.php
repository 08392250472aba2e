<?php
// Calls a service with SoapClient, from its own WSDL. Reads {wsdl, over, calls}, prints one answer or fault for each call.
$job = json_decode(stream_get_contents(STDIN));
$client = new SoapClient($job->wsdl, [
    'soap_version' => $job->over === 'SOAP 1.2' ? SOAP_1_2 : SOAP_1_1,
    'cache_wsdl' => WSDL_CACHE_NONE,
]);
foreach ($job->calls as $call) {
    try {
        $answer = $client->{$call->operation}($call->input);
        $line = ['answer' => $answer->{$call->operation . 'Result'} ?? null];
    } catch (SoapFault $fault) {
        $line = isset($fault->faultcode)
            ? ['code' => $fault->faultcode, 'reason' => $fault->faultstring, 'detail' => $fault->detail ?? null]
            : ['error' => $fault->getMessage()];
    }
    echo json_encode($line, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE), "\n";
}
