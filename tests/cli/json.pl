#!/usr/bin/perl
# Compares values of a JSON file with what a test expects.
#   json.pl FILE PATH=TEXT | PATH~NUMBER | PATH...
# PATH is keys joined by '/'.  In a list a step is an index, or the id, name,
# subject or commit of the element (NAME[SLICE] for a metric's slice), or '*'
# for all of it: their values are then joined by ','.  A list or a map by
# itself is its size.  '=' compares text (null, true and false so spelled), '~'
# numbers to 5e-7; a PATH alone is printed.
#
# It reads JSON by itself, as strictly as RFC 8259 is: loading JSON::PP takes
# five times as long as all the rest, and tests call this hundreds of times.
use strict;
use warnings;

my %escapes = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t",
    '"' => '"', '\\' => '\\', '/' => '/');

# The text that is read is $_, from pos() on.
sub wrong {
	my $line = 1 + (substr($_, 0, pos() // 0) =~ tr/\n//);
	die "line $line: no JSON: $_[0]\n";
}

sub string {
	/\G"((?:[^"\\\x00-\x1f]|\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4}))*+)"/gc
	    or wrong('a string');
	my $text = $1;
	$text =~ s{\\u([dD][89abAB]..)\\u([dD][c-fC-F]..)}{
	    chr(0x10000 + ((hex($1) - 0xd800) << 10) + hex($2) - 0xdc00)}ge;
	$text =~ s{\\(?:u(....)|(.))}{defined $1 ? chr(hex $1) : $escapes{$2}}ge;
	return $text;
}

# Numbers stay as they are written; what has no value is a reference to one.
my ($null, $true, $false) = (\'null', \'true', \'false');

sub value {
	/\G[ \t\r\n]+/gc;
	if (/\G\{[ \t\r\n]*/gc) {
		my %map;
		return \%map if /\G\}/gc;
		do {
			/\G[ \t\r\n]+/gc;
			my $key = string();
			wrong("'$key' stands twice") if exists $map{$key};
			/\G[ \t\r\n]*:/gc or wrong('a colon');
			$map{$key} = value();
		} while (/\G[ \t\r\n]*,/gc);
		/\G[ \t\r\n]*\}/gc or wrong('the end of a map');
		return \%map;
	}
	if (/\G\[[ \t\r\n]*/gc) {
		my @list;
		return \@list if /\G\]/gc;
		do {
			push @list, value();
		} while (/\G[ \t\r\n]*,/gc);
		/\G[ \t\r\n]*\]/gc or wrong('the end of a list');
		return \@list;
	}
	return $1 if /\G(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)/gc;
	return $null if /\Gnull/gc;
	return $true if /\Gtrue/gc;
	return $false if /\Gfalse/gc;
	return string();
}

sub named {
	my ($item, $name) = @_;
	return 0 if ref $item ne 'HASH';
	my ($own, $slice) = map { $item->{$_} } 'name', 'slice';
	return $name eq "$own\[$slice]"
	    if defined $own && defined $slice && !ref $slice;
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
	return scalar @$value if ref $value eq 'ARRAY';
	return scalar keys %$value if ref $value eq 'HASH';
	return ref $value ? $$value : $value;
}

sub get {
	my @values = shift;
	# A step may hold '/', '=' or '~' where they are written '%2f' and so on.
	for my $name (split m{/}, shift) {
		$name =~ s/%(2f|3d|7e)/chr(hex $1)/ge;
		@values = map { step($_, $name) } @values;
	}
	return join(',', map { text($_) } @values);
}

my $file = shift;
open(my $in, '<:raw', $file) or die "$file: $!\n";
$_ = do { local $/; <$in> };
utf8::decode($_) or die "$file: no UTF-8\n";
my $json = eval { value() } // die "$file: $@";
/\G[ \t\r\n]*\z/gc or die "$file: more follows\n";

binmode(STDOUT, ':utf8');
binmode(STDERR, ':utf8');
my $failed = 0;
for my $claim (@ARGV) {
	utf8::decode($claim);
	my ($path, $how, $want) = $claim =~ /^([^=~]*)(?:([=~])(.*))?$/s;
	my $got = eval { get($json, $path) };
	if (!defined $got) {
		print STDERR "$path: $@";
		$failed++;
	} elsif (!defined $how) {
		print "$got\n";
	} elsif ($how eq '=' ? $got ne $want
	    : $got !~ /^-?\d/ || abs($got - $want) > 5e-7) {
		print STDERR "$path is '$got', expected '$want'\n";
		$failed++;
	}
}
exit($failed != 0);
