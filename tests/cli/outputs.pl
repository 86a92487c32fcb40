#!/usr/bin/perl
# Reads reports as their readers do, and dies where one is no such report.
#   outputs.pl markdown FILE...  tables, tags, references
#   outputs.pl runner FILE...    what GitHub's runner would obey in a log:
#                                "command|file|line|title|message" a line
#   outputs.pl plain FILE...     no control characters, no broken UTF-8
#   outputs.pl numbers DIR       verdict, means and ranks of every format
#   outputs.pl hostile           question and run files full of hostile text
use strict;
use warnings;
use JSON::PP;

sub slurp {
	my ($file) = @_;
	open(my $in, '<:raw', $file) or die "$file: $!\n";
	local $/;
	return <$in>;
}

sub plain {
	my ($file) = @_;
	my $text = slurp($file);
	utf8::decode($text) or die "$file: no UTF-8\n";
	my $bad = '\x00-\x09\x0b-\x1f\x7f-\x9f\x{61c}\x{200e}\x{200f}' .
	    '\x{2028}-\x{202e}\x{2066}-\x{2069}\x{feff}\x{fffe}\x{ffff}';
	die sprintf("%s: U+%04X at %d\n", $file, ord $1, pos $text)
	    if $text =~ /([$bad])/g;
	return $text;
}

# Cells of a table's row: a bar after an odd number of backslashes is text.
sub cells {
	my ($row) = @_;
	my $n = 0;
	while ($row =~ /(\\*)\|/g) {
		$n++ if length($1) % 2 == 0;
	}
	return $n - 1;
}

# A block of lines that begin with a bar is one table.
sub tables {
	my ($file, $text) = @_;
	my ($columns, $line, @rows, @tables) = (0, 0);
	for (split /\n/, $text) {
		$line++;
		if (!/^\|/) {
			$columns = 0;
			next;
		}
		die "$file:$line: the row does not end\n" if !/\|$/;
		push @tables, [] if !$columns;
		$columns ||= cells($_);
		die "$file:$line: " . cells($_) . " cells, not $columns\n"
		    if cells($_) != $columns;
		my ($row) = /^\| *(.*?) *\|$/;
		push @{$tables[-1]}, [map { s/<[^>]*>//gr } split / *\| */, $row];
	}
	return @tables;
}

sub markdown {
	my ($file) = @_;
	my $text = plain($file);
	tables($file, $text);
	# A comment's first line tells it from all others.
	$text =~ s/^<!-- evalgate(?: [a-z0-9._-]+)? -->\n//
	    if $file =~ m{/comment[^/]*$};
	my $rest = $text =~ s{<(?:/?code|br|/?details|/?summary|!-- --)>}{\0}gr;
	die "$file: a tag: $&\n" if $rest =~ /.{0,20}<.{0,20}/;
	die "$file: an ampersand: $&\n" if $rest =~ /&(?!#\d+;).{0,20}/;
	die "$file: a link: $&\n" if $rest =~ /\]\(|\]:|:\/\/|www\..*/i;
	my $opened = () = $text =~ /<details>/g;
	my $closed = () = $text =~ /<\/details>/g;
	die "$file: $opened folds, $closed ended\n" if $opened != $closed;
	$opened = () = $text =~ /<code>/g;
	$closed = () = $text =~ /<\/code>/g;
	die "$file: $opened codes, $closed ended\n" if $opened != $closed;
	# As the forge sees it, where tags part texts and references are read.
	my $seen = $text =~ s{<code>.*?</code>}{}gr;
	$seen =~ s/<[^>]*>/\0/g;
	$seen =~ s/&#(\d+);/chr $1/ge;
	die "$file: a mention: $&\n" if $seen =~ /(?<!\w)\@\w.{0,20}/;
	die "$file: a reference: $&\n" if $seen =~ /(?<!\w)[#!]\d.{0,20}/;
	die "$file: a reference: $&\n" if $seen =~ /\bgh-\d.{0,20}/i;
	die "$file: a picture: $&\n" if $seen =~ /:(?!-:)[a-z0-9_+-]+:/;
}

sub unescape {
	my ($text, $property) = @_;
	$text =~ s/%0D/\r/g;
	$text =~ s/%0A/\n/g;
	if ($property) {
		$text =~ s/%3A/:/g;
		$text =~ s/%2C/,/g;
	}
	return $text =~ s/%25/%/gr;
}

# actions/runner, ActionCommand.cs: TryParseV2, then TryParse.
sub runner {
	my ($file) = @_;
	for (split /\r\n|\r|\n/, slurp($file)) {
		if (/^\s*::(.*?)::(.*)$/) {
			my ($info, $data) = ($1, $2);
			my ($command, $rest) = split / /, $info, 2;
			my %p = map { split /=/, $_, 2 }
			    grep { /=/ } split /,/, $rest // '';
			my @fields = ($command,
			    (map { unescape($p{$_} // '', 1) }
				qw(file line title)), unescape($data));
			print join('|', map { s/\n/\\n/gr } @fields), "\n";
		} elsif (/##\[(\w+).*?\]/ || /##vso\[/) {
			print "obeyed|$_\n";
		}
	}
}

sub same {
	my ($what, @values) = @_;
	my %seen = map { $_ => 1 } @values;
	die "$what: ", join(' ', @values), "\n" if keys %seen != 1;
}

# Every format gives the verdict, each mean, its change, and each rank.
sub numbers {
	my ($dir) = @_;
	my $json = decode_json(slurp("$dir/json"));
	my %verdicts = (pass => 'PASS', fail => 'FAIL', none => 'NO VERDICT');
	my ($text, $junit) = (slurp("$dir/text"), slurp("$dir/junit"));
	my @tables = tables('markdown', slurp("$dir/markdown"));
	my @comment = tables('comment', slurp("$dir/comment"));
	my ($said) = $text =~ /^(NO VERDICT|\S+)/;
	my ($head) = slurp("$dir/markdown") =~ /^## ([A-Z ]+):/;
	same('verdict', $verdicts{$json->{verdict}}, $said, $head);
	my ($worse) = $junit =~ /failures="(\d+)" errors="\d+"/;
	same('failure', $json->{verdict} eq 'fail' ? 1 : 0, $worse ? 1 : 0,
	    slurp("$dir/github") =~ /^::error /m ? 1 : 0,
	    slurp("$dir/gitlab") =~ /"critical"/ ? 1 : 0);
	for my $m (grep { !defined $_->{slice} } @{$json->{metrics}}) {
		my $name = quotemeta $m->{name};
		my ($row) = grep { $_->[0] eq $m->{name} } map { @$_ } @tables;
		my ($again) = grep { $_->[0] eq $m->{name} } map { @$_ } @comment;
		my @t = $text =~ /^ +$name +(\d\.\d{4}) +(\d\.\d{4}) +(\S+)/m;
		my @j = $junit =~ /name="$name" [^>]*>(?:\s*<[a-z]+ [^>]*\/>)?
		    \s*<system-out>(\S+)\ →\ (\S+)\ \((\S+)\)/x;
		same("$name now", sprintf('%.4f', $m->{current}), $row->[1],
		    $again->[1], $t[0], $j[1]);
		same("$name before", sprintf('%.4f', $m->{baseline}),
		    $row->[2], $again->[2], $t[1], $j[0]);
		same("$name change", sprintf('%+.4f', $m->{delta}), $row->[3],
		    $again->[3], $t[2], $j[2]);
	}
	my $shown = 0;
	for my $q (grep { $_->{tracked} } @{$json->{questions}}) {
		my $id = quotemeta $q->{id};
		my ($table) = grep { $_->[0][0] eq 'question' &&
		    $_->[0][2] eq 'compared with' } @tables;
		my ($row) = grep { $_->[0] eq $q->{id} } @$table;
		my ($then, $now) = $junit =~ /name="$id" [^>]*>(?:\s*<[a-z]+
		    [^>]*\/>)?\s*<system-out>rank\ (.*?)\ →\ (.*?)</x;
		same("$id now", map { s/^not found.*|^–$/-/r }
		    $q->{rank} // '-', $row->[1], $now);
		same("$id before", map { s/^not found.*|^–$/-/r }
		    $q->{baseline} // '-', $row->[2], $then);
		for my $format (qw(text markdown comment github gitlab)) {
			for (slurp("$dir/$format") =~ /$id\b.*?rank (.*?) →/g) {
				same("$id in $format", $_ =~ s/^not found.*/-/r,
				    $q->{baseline} // '-');
				$shown++;
			}
		}
	}
	print "$shown\n";
}

# Texts that mean something to somebody, and must mean nothing.
my @hostile = (
    '::error file=x.c,line=1::forged', "a\n::error::forged\nb",
    "\r::warning::forged\r", '##[error]forged', 'x ##vso[task.complete]',
    "Is 100%0A of\nthe::error::budget, spent?", '::stop-commands::x',
    '::add-mask::e', '<script>alert(1)</script>', '<img src=x onerror=a>',
    '</code></details></table>', '<!-- x', '-->', ']]>', '&lt;b&gt; &#124;',
    '| a | b |', '\\| \\\\| \\\\\\|', '|', '\\', '`code`', '``` js', '**b**',
    '_i_ __b__ ~~s~~', '[a](javascript:x)', '![a](http://e.com/x.png)',
    'http://e.com', 'www.example.com', 'me@example.com', '@everyone',
    '@org/team and #12 !34', 'GH-1 ~label %1 $2 &3', '# heading', '- item',
    '1. one', '> quote', '    code', '===', '---', '+ x', '~~~',
    "\e[31mred\e[0m", "\e]8;;http://e.com\a", "bell \a back \b del \x7f",
    "c1 \x{9b}31m", "\x{202e}reversed", "\x{feff}bom\x{fffe}\x{ffff}",
    "tab\tnl\ncr\rff\f", "line\x{2028}par\x{2029}", '"quoted" \'too\'',
    '${{ secrets.X }}', '$(reboot) `reboot`', '%0A%0D%25%3A%2C', '%s %n %99',
    "\x{1f600} emoji :tada:", '<q:1,a', 'a' x 300, '=cmd|x', '^sup^',
    '$math$', '<details>', '[ ] task', ':::', '{"a":1}', "x' OR 1=1",
);

sub hostile {
	my (@questions, @run);
	my $json = JSON::PP->new->ascii->canonical;
	for my $i (0 .. $#hostile) {
		push @questions, {id => $hostile[$i], kind => $hostile[$i],
		    text => $hostile[-1 - $i], expected => "doc $hostile[$i]"};
		push @run, $json->encode({id => $hostile[$i], results =>
		    ["other $hostile[$i]", $ENV{FOUND} ? "doc $hostile[$i]" :
			"more $hostile[$i]"]});
	}
	open(my $q, '>', 'questions.json') or die;
	print $q $json->encode(\@questions);
	open(my $r, '>', '../run.jsonl') or die;
	print $r "$_\n" for @run;
	open(my $c, '>', 'evalgate.yaml') or die;
	print $c "version: 1\nquestions: questions.json\nmetrics: [mrr]\n",
	    "slices: [kind]\ntracked:\n";
	for (@hostile) {
		my $id = s/([^ -~]|["\\])/sprintf '\U%08x', ord $1/ger;
		print $c "  - {question: \"$id\"}\n";
	}
}

binmode STDERR, ':utf8';
my $mode = shift;
if ($mode eq 'markdown') {
	markdown($_) for @ARGV;
} elsif ($mode eq 'runner') {
	binmode STDOUT, ':raw';
	runner($_) for @ARGV;
} elsif ($mode eq 'plain') {
	plain($_) for @ARGV;
} elsif ($mode eq 'numbers') {
	numbers($ARGV[0]);
} elsif ($mode eq 'hostile') {
	hostile();
} else {
	die "$mode?\n";
}
