"""Calls a service with suds, from its own WSDL. Reads {wsdl, calls}, prints one answer or fault for each call."""

import json
import logging
import sys

from suds import WebFault
from suds.client import Client
from suds.sudsobject import Object, asdict


def plain(value):
    return {key: plain(member) for key, member in asdict(value).items()} if isinstance(value, Object) else value


job = json.load(sys.stdin)
# It logs every fault.
logging.disable(logging.CRITICAL)
client = Client(job["wsdl"], cache=None)
for call in job["calls"]:
    try:
        answer = getattr(client.service, call["operation"])(**call["input"])
        print(json.dumps({"answer": plain(answer)}, default=lambda value: value.isoformat()))
    except WebFault as error:
        fault = error.fault
        print(json.dumps({"code": fault.faultcode, "reason": fault.faultstring, "detail": plain(fault.detail)}))
    except Exception as error:
        print(json.dumps({"error": repr(error)}))
