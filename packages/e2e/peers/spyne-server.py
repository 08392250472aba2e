"""Serves both services with Spyne, from classes of its own: spyne-server.py PORT ANSWERS. Below /soap11 it speaks SOAP 1.1,
below /soap12 SOAP 1.2. The answers are in a file, a call on each line: operation, values, `answer` or `fault`, and the
record or the fault's reason and detail."""

import logging
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

from lxml import etree
from spyne import Application, Boolean, ComplexModel, DateTime, Fault, Integer32, ServiceBase, Unicode, rpc
from spyne.protocol.soap import Soap11, Soap12
from spyne.server.wsgi import WsgiApplication

REG, BESPOKE = "http://vehicle.example/reg", "http://vehicle.example/bespoke/"
logging.disable(logging.CRITICAL)
lines = [line.rstrip("\n").split("\t") for line in open(sys.argv[2], encoding="utf-8")]


def records(namespace):
    def record(name, **fields):
        return type(name, (ComplexModel,), {"__namespace__": namespace, "_type_info": list(fields.items())})

    known = Unicode(nillable=True, min_occurs=1)
    pair = record("Pair", CurrentValue=known, CurrentTextValue=known)
    data = record(
        "VehicleData",
        ABICode=Unicode, Description=Unicode, RegistrationYear=Unicode, ManufactureYearFrom=Unicode,
        ManufactureYearTo=Unicode, CarMake=pair, CarModel=Unicode, BodyStyle=pair, EngineSize=pair, NumberOfDoors=pair,
        Transmission=pair, FuelType=pair, MakeDescription=Unicode, ModelDescription=Unicode, Immobiliser=pair,
        NumberOfSeats=pair, IndicativeValue=Unicode, DriverSide=pair,
    )
    return {
        "Vehicle": record("Vehicle", vehicleJson=Unicode, vehicleData=data),
        "InsuranceDetails": record(
            "InsuranceDetails", Make=Unicode, Model=Unicode, Company=Unicode, Expiry=DateTime, IsInsured=Boolean, Region=Unicode
        ),
        "InsurancePolicy": record(
            "InsurancePolicy", PolicyNumber=Unicode, Vehicle=Unicode, Company=Unicode, Address=Unicode, IsBlacklisted=Unicode
        ),
        "IrishTaxi": record("IrishTaxi", LicenceNumber=Unicode, Expiry=Unicode, LicenceHolder=Unicode),
    }


def value(kind, element):
    """What an element of the known answers is to a type."""
    if any(name.endswith("}nil") for name in element.attrib):
        return None
    if issubclass(kind, ComplexModel):
        return kind(**{child.tag: value(kind._type_info[child.tag], child) for child in element})
    text = element.text or ""
    return Soap11().from_unicode(kind, text) if kind is not Unicode else text


def operation(name, returned, *parameters):
    """An operation with these parameters; one that ends with `:int` is a number."""
    names = [parameter.partition(":")[0] for parameter in parameters]
    types = [(Integer32 if parameter.endswith(":int") else Unicode)(min_occurs=1, nillable=False) for parameter in parameters]

    def answer(_, *values):
        call = [name, *map(str, values)]
        for line in lines:
            if line[: len(call)] != call or line[len(call)] not in ("answer", "fault"):
                continue
            kind, *rest = line[len(call) :]
            if kind == "fault":
                detail = etree.fromstring(rest[1])
                raise Fault("Client", rest[0], detail={detail.tag: detail.text})
            return None if rest[0] == "" else value(returned, etree.fromstring(rest[0]))
        raise Fault("Server", f"Not what was sent: {call}")

    answer.__name__ = name
    return name, rpc(*types, _returns=returned, _args=names)(answer)


def services():
    reg, bespoke = records(REG), records(BESPOKE)
    vehicle = reg["Vehicle"]
    yield "reg", REG, [
        operation("CheckPakistan", vehicle, "RegistrationNumber", "state", "district", "username"),
        operation("CheckUSA", vehicle, "RegistrationNumber", "State", "username"),
        operation("CheckGermany", vehicle, "KBANumber", "username"),
        operation("CheckAustria", vehicle, "NatCode:int", "username"),
        *(
            operation(f"Check{country}", vehicle, "RegistrationNumber", "username")
            for country in ("CzechRepublic", "Ireland", "France", "Mexico", "Russia", "Malta", "Peru")
        ),
    ]
    vehicle = bespoke["Vehicle"]
    yield "bespokeapi", BESPOKE, [
        operation("CheckUSARestrictedAccount", vehicle, "RegistrationNumber", "State", "username"),
        operation("CheckUSAMinimal", vehicle, "regNumber", "state", "username"),
        operation("CheckUSADynamic", vehicle, "regNumber", "state", "username"),
        operation("CheckItalyMotorbike", vehicle, "regNumber", "username"),
        operation(
            "CheckInsuranceStatusItalyWithVehicleType", bespoke["InsuranceDetails"], "regNumber", "vehicleType", "username"
        ),
        operation("CheckInsuranceStatusPoland", bespoke["InsurancePolicy"], "regNumber", "username"),
        operation("CheckIrishTaxi", bespoke["IrishTaxi"], "regNumber"),
    ]


def applications():
    for version, protocol in (("soap11", Soap11), ("soap12", Soap12)):
        for name, namespace, operations in services():
            service = type(name, (ServiceBase,), dict(operations))
            application = Application(
                [service], namespace, name, in_protocol=protocol(validator="lxml"), out_protocol=protocol()
            )
            yield f"/{version}/api/{name}.asmx", WsgiApplication(application)


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


served = dict(applications())
make_server(
    "127.0.0.1", int(sys.argv[1]), lambda environ, start: served[environ["PATH_INFO"]](environ, start), handler_class=Quiet
).serve_forever()
