# Calls a service with SOAP::Lite, as it calls .NET: told the namespace, not the WSDL, whose schema it does not follow. Reads
# {wsdl, service, over, calls}, prints one answer or fault for each call.
use strict;
use warnings;
use JSON::PP;
use SOAP::Lite;

my $json = JSON::PP->new->utf8->canonical->allow_nonref;
my $job = $json->decode(do { local $/; <STDIN> });
my %namespaces = (reg => 'http://vehicle.example/reg', bespokeapi => 'http://vehicle.example/bespoke/');
my $endpoint = $job->{wsdl} =~ s/\?.*//r;
my $client = SOAP::Lite->soapversion($job->{over} =~ s/SOAP //r)->proxy($endpoint)
    ->default_ns($namespaces{$job->{service}})
    ->on_action(sub { my ($namespace, $operation) = @_; ($namespace =~ s{/?$}{/}r) . $operation })
    ->on_fault(sub { my (undef, $answer) = @_; ref $answer ? $answer : die "$answer\n" });

for my $call (@{$job->{calls}}) {
    my $input = $call->{input};
    my @arguments = map { SOAP::Data->name($_ => $input->{$_})->type($_ eq 'NatCode' ? 'int' : 'string') } sort keys %$input;
    my $answer = eval { $client->call($call->{operation}, @arguments) };
    print $json->encode($answer ? seen($answer, $call->{operation}) : {error => $@}), "\n";
}

sub seen {
    my ($answer, $operation) = @_;
    my $fault = $answer->fault;
    return {answer => record($answer->valueof("//${operation}Response/${operation}Result"))} unless $fault;
    # It has names for the parts of a fault of SOAP 1.1 only.
    return {
        code => $fault->{faultcode} // $fault->{Code}{Value},
        reason => $fault->{faultstring} // $fault->{Reason}{Text},
        detail => $fault->{detail} // $fault->{Detail},
    };
}

sub record { my ($value) = @_; ref $value ? {map { $_ => record($value->{$_}) } keys %$value} : $value }
