// Calls both services through gSOAP's proxies: client ENDPOINT 1.1|1.2. Reads a call on each line, operation and values;
// prints the outcome: `answer` and the record, `fault`, code, reason and detail, or `error` and a message.
#include "RegSoap.nsmap"
#include "soapBespokeApiSoapProxy.h"
#include "soapRegSoapProxy.h"
#include <iostream>
#include <sstream>

typedef std::istringstream Values;

static Values &operator>>(Values &values, std::string &value)
{
    std::getline(values, value, '\t');
    return values;
}

static Values &operator>>(Values &values, int &value)
{
    std::string text;
    values >> text;
    value = std::stoi(text);
    return values;
}

template <class Record> static void tell(Record *record)
{
    std::cout << "answer\t";
    if (record == NULL) return;
    std::ostringstream text;
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING | SOAP_XML_NOTYPE);
    soap_set_namespaces(soap, namespaces);
    soap->os = &text;
    record->soap_serialize(soap);
    if (soap_begin_send(soap) || record->soap_put(soap, "record", "") || soap_end_send(soap)) text << "unwritten";
    soap_free(soap);
    // Without the declaration, which has a line of its own.
    std::cout << text.str().substr(text.str().find('\n') + 1);
}

static std::string text(const char *text) { return text == NULL ? "" : text; }

static void complain(struct soap *soap)
{
    if (soap->fault == NULL)
    {
        soap_set_fault(soap);
        std::cout << "error\t" << text(*soap_faultstring(soap));
        return;
    }
    const SOAP_ENV__Detail *detail = soap->version == 2 ? soap->fault->SOAP_ENV__Detail : soap->fault->detail;
    std::cout << "fault\t" << text(*soap_faultcode(soap)) << "\t" << text(*soap_faultstring(soap)) << "\t"
              << (detail == NULL ? "" : text(detail->__any));
}

#define OPERATION(ns, proxy, name, take)                                 \
    if (operation == #name)                                              \
    {                                                                    \
        _##ns##__##name in;                                              \
        _##ns##__##name##Response out;                                   \
        take;                                                            \
        if (proxy.name(&in, out) == SOAP_OK) tell(out.name##Result);     \
        else complain(soap);                                             \
        return;                                                          \
    }

static void call(struct soap *soap, RegSoapProxy &reg, BespokeApiSoapProxy &bespoke, Values &values)
{
    std::string operation;
    values >> operation;
    OPERATION(ns1, reg, CheckPakistan, values >> in.RegistrationNumber >> in.state >> in.district >> in.username)
    OPERATION(ns1, reg, CheckCzechRepublic, values >> in.RegistrationNumber >> in.username)
    OPERATION(ns1, reg, CheckUSA, values >> in.RegistrationNumber >> in.State >> in.username)
    OPERATION(ns1, reg, CheckIreland, values >> in.RegistrationNumber >> in.username)
    OPERATION(ns1, reg, CheckFrance, values >> in.RegistrationNumber >> in.username)
    OPERATION(ns1, reg, CheckMexico, values >> in.RegistrationNumber >> in.username)
    OPERATION(ns1, reg, CheckRussia, values >> in.RegistrationNumber >> in.username)
    OPERATION(ns1, reg, CheckMalta, values >> in.RegistrationNumber >> in.username)
    OPERATION(ns1, reg, CheckPeru, values >> in.RegistrationNumber >> in.username)
    OPERATION(ns1, reg, CheckGermany, values >> in.KBANumber >> in.username)
    OPERATION(ns1, reg, CheckAustria, values >> in.NatCode >> in.username)
    OPERATION(ns2, bespoke, CheckUSARestrictedAccount, values >> in.RegistrationNumber >> in.State >> in.username)
    OPERATION(ns2, bespoke, CheckUSAMinimal, values >> in.regNumber >> in.state >> in.username)
    OPERATION(ns2, bespoke, CheckUSADynamic, values >> in.regNumber >> in.state >> in.username)
    OPERATION(ns2, bespoke, CheckItalyMotorbike, values >> in.regNumber >> in.username)
    OPERATION(ns2, bespoke, CheckInsuranceStatusItalyWithVehicleType, values >> in.regNumber >> in.vehicleType >> in.username)
    OPERATION(ns2, bespoke, CheckInsuranceStatusPoland, values >> in.regNumber >> in.username)
    OPERATION(ns2, bespoke, CheckIrishTaxi, values >> in.regNumber)
    std::cout << "error\tno operation " << operation;
}

int main(int, char **arguments)
{
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING | SOAP_IO_KEEPALIVE);
    RegSoapProxy reg(soap, arguments[1]);
    BespokeApiSoapProxy bespoke(soap, arguments[1]);
    if (arguments[2] == std::string("1.1"))
    {
        namespaces[0].ns = "http://schemas.xmlsoap.org/soap/envelope/";
        namespaces[1].ns = "http://schemas.xmlsoap.org/soap/encoding/";
        namespaces[0].in = namespaces[1].in = NULL;
    }
    soap_set_namespaces(soap, namespaces);
    for (std::string line; std::getline(std::cin, line);)
    {
        Values values(line);
        call(soap, reg, bespoke, values);
        std::cout << std::endl;
    }
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
}
