#!/usr/bin/perl
# Compares a score report with what trec_eval -q printed, to its four digits.
#   compare_trec_eval.pl ANSWERS REPORT
# Prints the number of values compared; each value of the report whose measure
# is in the answers has to be there, and the other way round.
use strict;
use warnings;
use JSON::PP;

my ($answers, $report) = @ARGV;
my (%want, %got, %missing, $wrong);
my %names = (recip_rank => 'mrr', Rprec => 'rprec');
my @cut = ([qr/^recall_(\d+)$/, 'recall'], [qr/^P_(\d+)$/, 'precision'],
    [qr/^success_(\d+)$/, 'hit'], [qr/^map_cut_(\d+)$/, 'map'],
    [qr/^ndcg_cut_(\d+)$/, 'ndcg']);

sub name {
	my ($measure) = @_;
	for my $cut (@cut) {
		return "$cut->[1]\@$1" if $measure =~ $cut->[0];
	}
	return $names{$measure} // $measure;
}

sub complain {
	print STDERR "@_\n" if ++$wrong <= 20;
}

open(my $in, '<', $answers) or die "$answers: $!\n";
while (<$in>) {
	my ($measure, $question, $value) = split;
	$want{name($measure) . " $question"} = $value;
}

open($in, '<:raw', $report) or die "$report: $!\n";
my $json = JSON::PP->new->utf8->decode(do { local $/; <$in> });
$got{"$_->{name} all"} = $_->{value} for @{$json->{metrics}};
for my $question (@{$json->{questions}}) {
	# Not every trec_eval has lines for a question that was not answered.
	$missing{$question->{id}} = 1 if $question->{missing};
	$got{"$_ $question->{id}"} = $question->{metrics}{$_}
	    for keys %{$question->{metrics}};
}

for my $key (sort keys %want) {
	if (!exists $got{$key}) {
		complain("$key: not reported");
	} elsif (abs($got{$key} - $want{$key}) > 0.00005 + 1e-9) {
		complain("$key: $got{$key}, trec_eval has $want{$key}");
	}
}
for my $key (sort keys %got) {
	complain("$key: not in trec_eval's answers")
	    if !exists $want{$key} && !$missing{(split ' ', $key)[1]};
}
print $wrong ? "$wrong are wrong of " : '', scalar(keys %want), "\n";
exit(!!$wrong);
