#!/usr/bin/perl
# A server on loopback that takes every connection and never says a word:
#   hang.pl PORT_FILE
use strict;
use warnings;
use IO::Socket::INET;

my ($port_file) = @ARGV;
my $server = IO::Socket::INET->new(
	LocalAddr => '127.0.0.1', Listen => 8, ReuseAddr => 1)
    or die "listen: $!";
open(my $out, '>', "$port_file.part") or die "$port_file: $!";
print $out $server->sockport;
close $out;
rename "$port_file.part", $port_file or die "$port_file: $!";

my @kept;
while (my $client = $server->accept) {
	push @kept, $client;
}
