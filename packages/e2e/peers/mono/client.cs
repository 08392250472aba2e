// Calls through proxies: client.exe ASSEMBLY NAMESPACE [URL], at the address of the WSDL or at another. Reads a call on each line, operation and values; prints what became
// of it: `answer` and the record, `fault`, code, reason and detail, or `error` and a message.
using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using System.Web.Services.Protocols;
using System.Xml;
using System.Xml.Serialization;

static class Client
{
    static void Main(string[] args)
    {
        Console.InputEncoding = Console.OutputEncoding = new UTF8Encoding(false);
        var type = Assembly.LoadFrom(args[0]).GetTypes().Single(one => one.Namespace == args[1] && typeof(WebClientProtocol).IsAssignableFrom(one));
        var proxy = (WebClientProtocol)Activator.CreateInstance(type);
        if (args.Length > 2) proxy.Url = args[2];
        for (string line; (line = Console.ReadLine()) != null;)
        {
            var words = line.Split('\t');
            Console.WriteLine(Call(proxy, type.GetMethod(words[0]), words.Skip(1).ToArray()));
        }
        Console.Out.Flush();
        Exit(0);
    }

    // A regular exit of Mono aborts the threads of its pool, and crashes now and then.
    [DllImport("libc", EntryPoint = "_exit")] static extern void Exit(int code);

    static string Call(object proxy, MethodInfo method, string[] values)
    {
        try
        {
            var arguments = method.GetParameters().Select((one, index) => Convert.ChangeType(values[index], one.ParameterType)).ToArray();
            return "answer\t" + Xml(method.Invoke(proxy, arguments), method.ReturnType);
        }
        catch (TargetInvocationException error)
        {
            var fault = error.InnerException as SoapException;
            if (fault == null) return "error\t" + error.InnerException.Message.Replace('\n', ' ');
            return "fault\t" + fault.Code.Name + "\t" + fault.Message + "\t" + (fault.Detail == null ? "" : fault.Detail.InnerXml);
        }
    }

    static string Xml(object record, Type type)
    {
        if (record == null) return "";
        var text = new StringWriter();
        using (var writer = XmlWriter.Create(text, new XmlWriterSettings { OmitXmlDeclaration = true }))
            new XmlSerializer(type).Serialize(writer, record);
        return text.ToString();
    }
}
