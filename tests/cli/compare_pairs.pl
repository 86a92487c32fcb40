#!/usr/bin/perl
# Compares reports of `compare` with the pairs of tests/data/forge.
#   compare_pairs.pl PAIRS DIRECTORY
# DIRECTORY holds BASELINE-CANDIDATE.csv.json (ranks without bound) and
# .trec.json (averages and slices) of every pair.  Prints the number of pairs,
# where all are equal.
use strict;
use warnings;
use JSON::PP;

my ($pairs, $directory) = @ARGV;
my ($npairs, $wrong) = (0, 0);

sub report {
	my ($file) = @_;
	open(my $in, '<:raw', $file) or die "$file: $!\n";
	return JSON::PP->new->utf8->decode(do { local $/; <$in> });
}

# A miss is worse than any rank.
sub place {
	return $_[0] // 1e9;
}

# What fell and what rose, and who left the first five.
sub ranks {
	my ($report) = @_;
	my ($better, $worse, @lost, @tracked) = (0, 0);

	for my $q (sort { $a->{id} cmp $b->{id} } @{$report->{questions}}) {
		next if !$q->{answerable};
		my ($then, $now) = (place($q->{baseline}), place($q->{rank}));
		$better += $now < $then;
		$worse += $now > $then;
		push @lost, $q->{id} if $then <= 5 && $now > 5;
		push @tracked, "$q->{id}:$then:$now"
		    if $q->{tracked} && $now > $then;
	}
	return ($better, $worse, join(',', @lost) || '-',
	    join(',', @tracked) || '-');
}

# The means of all questions, and the categories whose mrr fell.
sub means {
	my ($report) = @_;
	my (%of, @fell);

	for my $m (sort { ($a->{slice} // '') cmp ($b->{slice} // '') }
	    @{$report->{metrics}}) {
		my ($then, $now) =
		    map { sprintf('%.6f', $_) + 0 } @$m{qw(baseline value)};
		if (!defined $m->{slice}) {
			$of{$m->{name}} = "$then,$now";
		} elsif ($m->{name} eq 'mrr' && $m->{slice} =~ /^category=/ &&
		    $m->{value} < $m->{baseline} - 5e-7) {
			push @fell, "$m->{slice}:$then:$now";
		}
	}
	return ($of{mrr}, $of{'hit@5'}, join(',', @fell) || '-');
}

open(my $in, '<', $pairs) or die "$pairs: $!\n";
while (<$in>) {
	next if /^#/;
	chomp;
	my ($then, $now, $mrr, $hit, @want) = split /\t/;
	my ($got_mrr, $got_hit, $fell) =
	    means(report("$directory/$then-$now.trec.json"));
	my @got = (ranks(report("$directory/$then-$now.csv.json")), $fell);
	# 0.0 of the reference is 0 here.
	my $same = join("\t", map { join(',', map { $_ + 0 } split /,/) }
	    $mrr, $hit);

	$npairs++;
	next if "@got" eq "@want" && $same eq "$got_mrr\t$got_hit";
	print STDERR "$then $now:\n  got    $got_mrr $got_hit @got\n" .
	    "  wanted $mrr $hit @want\n";
	$wrong++;
}
print $wrong ? "$wrong of $npairs are wrong\n" : "$npairs\n";
exit(!!$wrong);
