// Makes proxies of services in one assembly, a namespace for each service and protocol: proxies.exe OUTPUT NAME=WSDL…
using System;
using System.CodeDom;
using System.CodeDom.Compiler;
using System.Net;
using System.Runtime.InteropServices;
using System.Web.Services.Description;
using Microsoft.CSharp;

static class Proxies
{
    static void Main(string[] args)
    {
        var unit = new CodeCompileUnit();
        for (var index = 1; index < args.Length; index++)
        {
            var equals = args[index].IndexOf('=');
            foreach (var protocol in new[] { "Soap", "Soap12", "HttpGet", "HttpPost" })
            {
                var space = new CodeNamespace(args[index].Substring(0, equals) + protocol);
                unit.Namespaces.Add(space);
                Import(args[index].Substring(equals + 1), protocol, space, unit);
            }
        }
        var options = new CompilerParameters(new[] { "System.dll", "System.Xml.dll", "System.Web.Services.dll" }, args[0]);
        var result = new CSharpCodeProvider().CompileAssemblyFromDom(options, unit);
        foreach (CompilerError error in result.Errors) Console.Error.WriteLine(error);
        Exit(result.Errors.HasErrors ? 1 : 0);
    }

    // A regular exit of Mono aborts the threads of its pool, and crashes now and then.
    [DllImport("libc", EntryPoint = "_exit")] static extern void Exit(int code);

    static void Import(string url, string protocol, CodeNamespace space, CodeCompileUnit unit)
    {
        var importer = new ServiceDescriptionImporter { ProtocolName = protocol, Style = ServiceDescriptionImportStyle.Client };
        using (var stream = new WebClient().OpenRead(url)) importer.AddServiceDescription(ServiceDescription.Read(stream), null, null);
        // A WSDL without a binding for the protocol is not a mistake.
        var allowed = ServiceDescriptionImportWarnings.OptionalExtensionsIgnored | ServiceDescriptionImportWarnings.NoCodeGenerated;
        var warnings = importer.Import(space, unit) & ~allowed;
        if (warnings != 0) throw new Exception(url + ", " + protocol + ": " + warnings);
    }
}
