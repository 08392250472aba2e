// Calls a service through the interface that wsimport generated: Client INTERFACE WSDL NAMESPACE SERVICE PORT. Reads a call on
// each line, operation and values; prints the outcome: `answer` and the record, `fault`, code, reason and detail, or
// `error` and a message.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import javax.jws.WebMethod;
import javax.xml.bind.JAXBContext;
import javax.xml.bind.JAXBElement;
import javax.xml.bind.Marshaller;
import javax.xml.namespace.QName;
import javax.xml.soap.SOAPFault;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.ws.Service;
import javax.xml.ws.soap.SOAPFaultException;

public class Client {
    public static void main(String[] args) throws Exception {
        Class<?> type = Class.forName(args[0]);
        Service service = Service.create(new URL(args[1]), new QName(args[2], args[3]));
        Object port = service.getPort(new QName(args[2], args[4]), type);
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null;) {
            String[] words = line.split("\t", -1);
            for (Method method : type.getMethods()) {
                if (method.getAnnotation(WebMethod.class).operationName().equals(words[0])) out.println(call(port, method, words));
            }
        }
    }

    private static String call(Object port, Method method, String[] words) throws Exception {
        Object[] values = new Object[words.length - 1];
        for (int at = 0; at < values.length; at++) {
            boolean number = method.getParameterTypes()[at] == int.class;
            values[at] = number ? (Object) Integer.valueOf(words[at + 1]) : words[at + 1];
        }
        try {
            return "answer\t" + xml(method.invoke(port, values));
        } catch (InvocationTargetException error) {
            if (!(error.getCause() instanceof SOAPFaultException)) return "error\t" + error.getCause();
            SOAPFault fault = ((SOAPFaultException) error.getCause()).getFault();
            String detail = fault.getDetail() == null ? "" : xml(new DOMSource(fault.getDetail().getFirstChild()));
            return "fault\t" + fault.getFaultCodeAsQName().getLocalPart() + "\t" + fault.getFaultString() + "\t" + detail;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static String xml(Object record) throws Exception {
        if (record == null) return "";
        Marshaller marshaller = JAXBContext.newInstance(record.getClass()).createMarshaller();
        marshaller.setProperty(Marshaller.JAXB_FRAGMENT, true);
        StringWriter text = new StringWriter();
        marshaller.marshal(new JAXBElement(new QName("record"), record.getClass(), record), text);
        return text.toString();
    }

    private static String xml(DOMSource source) throws Exception {
        Transformer transformer = TransformerFactory.newInstance().newTransformer();
        transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        StringWriter text = new StringWriter();
        transformer.transform(source, new StreamResult(text));
        return text.toString();
    }
}
