#!/usr/bin/perl
# Compares values of a JSON file with what a test expects.
#   json.pl FILE PATH=TEXT | PATH~NUMBER | PATH...
# PATH is keys joined by '/'.  In a list a step is an index, or the id, name,
# subject or commit of the element (NAME[SLICE] for a metric's slice), or '*'
# for all of it: their values are then joined by ','.  A list or a map by
# itself is its size.  '=' compares text (null, true and false so spelled), '~'
# numbers to 5e-7; a PATH alone is printed.
use strict;
use warnings;
use JSON::PP;

my $file = shift;
open(my $in, '<:raw', $file) or die "$file: $!\n";
my $json = JSON::PP->new->utf8->decode(do { local $/; <$in> });
binmode(STDOUT, ':utf8');
binmode(STDERR, ':utf8');

sub named {
	my ($item, $name) = @_;
	return 0 if ref $item ne 'HASH';
	return 1 if defined $item->{slice} && defined $item->{name} &&
	    "$item->{name}\[$item->{slice}]" eq $name;
	return 0 if defined $item->{name} && defined $item->{slice};
	for my $key (qw(id name subject commit)) {
		return 1 if defined $item->{$key} && $item->{$key} eq $name;
	}
	return 0;
}

sub step {
	my ($value, $name) = @_;
	if (ref $value eq 'HASH') {
		return ($value->{$name}) if exists $value->{$name};
		die "no key '$name'\n";
	}
	die "'$name' asked of what is no list\n" if ref $value ne 'ARRAY';
	return @$value if $name eq '*';
	for my $item (@$value) {
		return ($item) if named($item, $name);
	}
	return ($value->[$name])
	    if $name =~ /^\d+$/ && $name < @$value;
	die "no element '$name'\n";
}

sub text {
	my ($value) = @_;
	return 'null' unless defined $value;
	return $value ? 'true' : 'false' if JSON::PP::is_bool($value);
	return scalar @$value if ref $value eq 'ARRAY';
	return scalar keys %$value if ref $value eq 'HASH';
	return $value;
}

sub get {
	my @values = ($json);
	# A step may hold a '/' if it is written as '%2f'.
	for my $name (split m{/}, shift) {
		$name =~ s/%2f/\//g;
		@values = map { step($_, $name) } @values;
	}
	return join(',', map { text($_) } @values);
}

my $wrong = 0;
for my $claim (@ARGV) {
	utf8::decode($claim);
	my ($path, $how, $want) = $claim =~ /^([^=~]*)(?:([=~])(.*))?$/s;
	my $got = eval { get($path) };
	if (!defined $got) {
		print STDERR "$path: $@";
		$wrong++;
	} elsif (!defined $how) {
		print "$got\n";
	} elsif ($how eq '=' ? $got ne $want
	    : $got !~ /^-?\d/ || abs($got - $want) > 5e-7) {
		print STDERR "$path is '$got', expected '$want'\n";
		$wrong++;
	}
}
exit($wrong != 0);
