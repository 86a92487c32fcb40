#!/usr/bin/perl
# Compares score reports with reference values of tests/data/forge.
#   compare_reference.pl REFERENCE METHOD VIEW RELEVANCE REPORT [...]
# with the last four repeated.  Every value of the reference has to be in its
# report, and the other way round each question that can be answered in the
# reference where that has single questions.  A scope with '=' is a slice.
# Prints the number compared, where all of them are equal.
use strict;
use warnings;
use JSON::PP;

my $reference = shift;
my (%want, $compared, $wrong);

open(my $in, '<', $reference) or die "$reference: $!\n";
while (<$in>) {
	next if /^#/;
	chomp;
	my ($method, $view, $scope, $metric, $relevance, $value) =
	    split /\t/;
	push @{$want{"$method $view $relevance"}}, [$scope, $metric, $value];
}

sub complain {
	print STDERR "@_\n" if ++$wrong <= 20;
}

sub value {
	my ($means, $questions, $scope, $metric) = @_;
	return $means->{"$metric $scope"} if $scope =~ /^mean$|=/;
	my $question = $questions->{$scope} or return undef;
	return $question->{rank} // '-' if $metric eq 'rank';
	return $question->{metrics}{$metric};
}

sub compare {
	my ($method, $view, $relevance, $file) = @_;
	my $what = "$method $view $relevance";
	my $rows = $want{$what} or die "no reference for $what\n";
	my %scopes;

	open(my $in, '<:raw', $file) or die "$file: $!\n";
	my $json = JSON::PP->new->utf8->decode(do { local $/; <$in> });
	my %means = map {
		("$_->{name} " . ($_->{slice} // 'mean')) => $_->{value}
	} @{$json->{metrics}};
	my %questions = map { $_->{id} => $_ } @{$json->{questions}};
	for my $row (@$rows) {
		my ($scope, $metric, $expected) = @$row;
		my $got = value(\%means, \%questions, $scope, $metric);
		$scopes{$scope} = 1 if $scope !~ /^mean$|=/;
		$compared++;
		if (!defined $got) {
			complain("$what $scope $metric: not reported");
		} elsif ($metric eq 'rank' ? $got ne $expected
		    : abs($got - $expected) > 5e-7) {
			complain("$what $scope $metric: $got, " .
			    "the reference has $expected");
		}
	}
	return if !%scopes;
	for my $question (@{$json->{questions}}) {
		complain("$what $question->{id}: not in the reference")
		    if $question->{answerable} && !$scopes{$question->{id}};
	}
}

compare(splice(@ARGV, 0, 4)) while @ARGV >= 4;
die "arguments are left over: @ARGV\n" if @ARGV;
print $wrong ? "$wrong of $compared are wrong\n" : "$compared\n";
exit(!!$wrong);
