#!/usr/bin/perl
# git over http on loopback, for whoever sends the right header:
#   http_backend.pl DIRECTORY HEADER VALUE PORT_FILE
# Serves the repositories below DIRECTORY; the port goes to PORT_FILE.  What
# comes without the header gets a 401, as it does from a forge.
use strict;
use warnings;
use IO::Socket::INET;
use IPC::Open2;

my ($directory, $header, $value, $port_file) = @ARGV;
my $server = IO::Socket::INET->new(
	LocalAddr => '127.0.0.1', Listen => 8, ReuseAddr => 1)
    or die "listen: $!";
open(my $out, '>', "$port_file.part") or die "$port_file: $!";
print $out $server->sockport;
close $out;
rename "$port_file.part", $port_file or die "$port_file: $!";

$SIG{CHLD} = 'IGNORE';
while (my $client = $server->accept) {
	next if fork;
	$SIG{CHLD} = 'DEFAULT';
	serve($client);
	exit;
}

sub serve {
	my ($client) = @_;
	my ($method, $url) = (readline($client) // '') =~ /^(\S+) (\S+)/;
	my %headers;
	while (defined(my $line = readline $client)) {
		last if $line =~ /^\r?\n/;
		$headers{lc $1} = $2 if $line =~ /^([^:]+):\s*(.*?)\r?\n/;
	}
	if (($headers{lc $header} // '') ne $value) {
		print $client "HTTP/1.1 401 Unauthorized\r\n",
		    "WWW-Authenticate: Basic realm=\"git\"\r\n",
		    "Content-Length: 0\r\nConnection: close\r\n\r\n";
		return;
	}
	read $client, my $body, $headers{'content-length'} // 0;
	print $client answer($method, $url, $body // '', \%headers);
}

# What git's CGI program says, with its Status as a line of HTTP.
sub answer {
	my ($method, $url, $body, $headers) = @_;
	my ($path, $query) = split /\?/, $url, 2;
	local %ENV = (%ENV,
		GIT_PROJECT_ROOT => $directory,
		GIT_HTTP_EXPORT_ALL => 1,
		REQUEST_METHOD => $method,
		PATH_INFO => $path,
		QUERY_STRING => $query // '',
		REMOTE_USER => 'tester',
		CONTENT_TYPE => $headers->{'content-type'} // '',
		CONTENT_LENGTH => length $body,
		HTTP_CONTENT_ENCODING => $headers->{'content-encoding'} // '',
		GIT_PROTOCOL => $headers->{'git-protocol'} // '');
	my $pid = open2(my $from, my $to, 'git', 'http-backend');
	binmode $_ for $from, $to;
	print $to $body;
	close $to;
	my $said = do { local $/; <$from> };
	waitpid $pid, 0;
	my $status = $said =~ s/^Status: ([^\r\n]*)\r?\n//m ? $1 : '200 OK';
	return "HTTP/1.1 $status\r\nConnection: close\r\n$said";
}
