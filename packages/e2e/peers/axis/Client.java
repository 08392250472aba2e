// Calls a service through the stub that Axis generated: Client PACKAGE SERVICE ENDPOINT. Reads a call on each line, operation
// and values; prints the outcome: `answer` and the record, `fault`, code, reason and detail, or `error` and a message.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.text.SimpleDateFormat;
import java.util.Calendar;
import org.apache.axis.AxisFault;
import org.apache.axis.description.FieldDesc;
import org.apache.axis.description.TypeDesc;
import org.apache.axis.utils.XMLUtils;
import org.w3c.dom.Element;

public class Client {
    public static void main(String[] args) throws Exception {
        Object locator = Class.forName(args[0] + "." + args[1] + "Locator").getConstructor().newInstance();
        Object port = locator.getClass().getMethod("get" + args[1] + "Soap", URL.class).invoke(locator, new URL(args[2]));
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null;) {
            String[] words = line.split("\t", -1);
            for (Method method : Class.forName(args[0] + "." + args[1] + "Soap_PortType").getMethods()) {
                if (method.getName().equalsIgnoreCase(words[0])) out.println(call(port, method, words));
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
            Object record = method.invoke(port, values);
            return "answer\t" + (record == null ? "" : "<record>" + xml(record) + "</record>");
        } catch (InvocationTargetException error) {
            if (!(error.getCause() instanceof AxisFault)) return "error\t" + error.getCause();
            AxisFault fault = (AxisFault) error.getCause();
            Element[] details = fault.getFaultDetails();
            String detail = details.length == 0 ? "" : XMLUtils.ElementToString(details[0]);
            return ("fault\t" + fault.getFaultCode().getLocalPart() + "\t" + fault.getFaultString() + "\t" + detail).replace('\n', ' ');
        }
    }

    // A bean does not distinguish nil and absent.
    private static String xml(Object value) throws Exception {
        if (value instanceof Calendar) {
            SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss");
            format.setTimeZone(((Calendar) value).getTimeZone());
            return format.format(((Calendar) value).getTime());
        }
        TypeDesc type = TypeDesc.getTypeDescForClass(value.getClass());
        if (type == null) return XMLUtils.xmlEncodeString(value.toString());
        StringBuilder text = new StringBuilder();
        for (FieldDesc field : type.getFields()) {
            String name = field.getFieldName().substring(0, 1).toUpperCase() + field.getFieldName().substring(1);
            Object member = value.getClass().getMethod((field.getJavaType() == boolean.class ? "is" : "get") + name).invoke(value);
            String tag = field.getXmlName().getLocalPart();
            if (member != null) text.append("<" + tag + ">" + xml(member) + "</" + tag + ">");
        }
        return text.toString();
    }
}
