"""Calls a service with zeep, from its own WSDL. Reads {wsdl, over, calls}, prints one answer or fault for each call."""

import json
import sys

import zeep
import zeep.helpers
from zeep.exceptions import Fault

job = json.load(sys.stdin)
client = zeep.Client(job["wsdl"])
bindings = {
    "SOAP 1.1": "Soap11Binding",
    "SOAP 1.2": "Soap12Binding",
    "HTTP GET": "HttpGetBinding",
    "HTTP POST": "HttpPostBinding",
}
port = next(
    port
    for service in client.wsdl.services.values()
    for port in service.ports.values()
    if type(port.binding).__name__ == bindings[job["over"]]
)
proxy = client.bind(next(iter(client.wsdl.services)), port.name)
for call in job["calls"]:
    try:
        answer = zeep.helpers.serialize_object(proxy[call["operation"]](**call["input"]), dict)
        print(json.dumps({"answer": answer}, default=lambda value: value.isoformat()))
    except Fault as fault:
        detail = fault.detail
        print(json.dumps({
            "code": fault.code,
            "reason": fault.message,
            "detail": None if detail is None else [[str(child.tag), child.text] for child in detail],
        }))
    except Exception as error:
        print(json.dumps({"error": repr(error)}))
