// Serves both services, in the SOAP version of the request: server PORT ANSWERS. The answers are in a file, a call on
// each line: operation, values, `answer` or `fault`, and the record or the fault's reason and detail.
#include "RegSoap.nsmap"
#include "soapBespokeApiSoapService.h"
#include "soapRegSoapService.h"
#include <fstream>
#include <sstream>
#include <vector>

static std::vector<std::string> lines;

static std::string word(std::string &rest)
{
    size_t end = rest.find('\t');
    std::string first = rest.substr(0, end);
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
    return first;
}

// The known record as gSOAP reads it: in the namespace of the service, whose prefix is given.
template <class Record> static Record *read(std::string text, const std::string &prefix)
{
    const char *uri = NULL;
    for (Namespace *one = namespaces; one->id != NULL; one++)
        if (prefix == one->id) uri = one->ns;
    text.insert(text.find("record") + 6, std::string(" xmlns=\"") + uri + "\"");
    std::istringstream *stream = new std::istringstream(text);
    // The records refer to its memory, so it is not deleted.
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING);
    soap_set_namespaces(soap, namespaces);
    soap->is = stream;
    Record *record = new Record();
    record->soap_default(soap);
    if (soap_begin_recv(soap) || record->soap_get(soap, "record", NULL) == NULL || soap_end_recv(soap)) return NULL;
    return record;
}

template <class Service, class Record>
static int answer(Service *service, Record *&result, const char *prefix, const std::string &call)
{
    for (size_t at = 0; at < lines.size(); at++)
    {
        if (lines[at].compare(0, call.size(), call) != 0) continue;
        std::string rest = lines[at].substr(call.size());
        std::string kind = word(rest);
        if (kind == "fault")
        {
            std::string reason = word(rest);
            return service->soap_senderfault(soap_strdup(service->soap, reason.c_str()), soap_strdup(service->soap, rest.c_str()));
        }
        result = rest.empty() ? NULL : read<Record>(rest, prefix);
        return rest.empty() || result != NULL ? SOAP_OK : service->soap_receiverfault("The record cannot be read.", NULL);
    }
    return service->soap_receiverfault("Not what was sent.", soap_strdup(service->soap, call.c_str()));
}

// Each operation exists once for each binding.
#define OPERATION(ns, service, name, values)                                                         \
    int service::name(_##ns##__##name *in, _##ns##__##name##Response &out)                           \
    {                                                                                                \
        return answer(this, out.name##Result, #ns, std::string(#name "\t") + values + "\t");         \
    }                                                                                                \
    int service::name##_(_##ns##__##name *in, _##ns##__##name##Response &out) { return name(in, out); }

#define AND + "\t" + in->

OPERATION(ns1, RegSoapService, CheckPakistan, in->RegistrationNumber AND state AND district AND username)
OPERATION(ns1, RegSoapService, CheckCzechRepublic, in->RegistrationNumber AND username)
OPERATION(ns1, RegSoapService, CheckUSA, in->RegistrationNumber AND State AND username)
OPERATION(ns1, RegSoapService, CheckIreland, in->RegistrationNumber AND username)
OPERATION(ns1, RegSoapService, CheckFrance, in->RegistrationNumber AND username)
OPERATION(ns1, RegSoapService, CheckMexico, in->RegistrationNumber AND username)
OPERATION(ns1, RegSoapService, CheckRussia, in->RegistrationNumber AND username)
OPERATION(ns1, RegSoapService, CheckMalta, in->RegistrationNumber AND username)
OPERATION(ns1, RegSoapService, CheckPeru, in->RegistrationNumber AND username)
OPERATION(ns1, RegSoapService, CheckGermany, in->KBANumber AND username)
OPERATION(ns1, RegSoapService, CheckAustria, std::to_string(in->NatCode) AND username)
OPERATION(ns2, BespokeApiSoapService, CheckUSARestrictedAccount, in->RegistrationNumber AND State AND username)
OPERATION(ns2, BespokeApiSoapService, CheckUSAMinimal, in->regNumber AND state AND username)
OPERATION(ns2, BespokeApiSoapService, CheckUSADynamic, in->regNumber AND state AND username)
OPERATION(ns2, BespokeApiSoapService, CheckItalyMotorbike, in->regNumber AND username)
OPERATION(ns2, BespokeApiSoapService, CheckInsuranceStatusItalyWithVehicleType, in->regNumber AND vehicleType AND username)
OPERATION(ns2, BespokeApiSoapService, CheckInsuranceStatusPoland, in->regNumber AND username)
OPERATION(ns2, BespokeApiSoapService, CheckIrishTaxi, in->regNumber)

int main(int, char **arguments)
{
    std::ifstream file(arguments[2]);
    for (std::string line; std::getline(file, line);) lines.push_back(line);

    struct soap *soap = soap_new1(SOAP_C_UTFSTRING);
    soap->bind_flags = SO_REUSEADDR;
    RegSoapService reg(soap);
    BespokeApiSoapService bespoke(soap);
    if (!soap_valid_socket(soap_bind(soap, "127.0.0.1", std::stoi(arguments[1]), 100))) return 1;
    while (soap_valid_socket(soap_accept(soap)))
    {
        if (soap_begin_serve(soap) || (reg.dispatch() == SOAP_NO_METHOD && bespoke.dispatch() != SOAP_OK) || soap->error != SOAP_OK)
            soap_send_fault(soap);
        soap_destroy(soap);
        soap_end(soap);
    }
    return 1;
}
