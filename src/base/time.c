/* Times as text: ISO 8601 in UTC, and nothing else. */
#include <string.h>
#include <time.h>

#include "evalgate/base.h"

/* Days since 1970-01-01 of a date in the proleptic Gregorian calendar. */
static int64_t
days(int64_t year, int64_t month, int64_t day)
{
	int64_t era, yoe, doy;

	year -= month <= 2;
	era = year / 400;
	yoe = year - era * 400;
	doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static int
two_digits(const char *text, int max)
{
	int n;

	if (text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9')
		return -1;
	n = (text[0] - '0') * 10 + text[1] - '0';
	return n <= max ? n : -1;
}

int
time_parse(const char *text, int64_t *seconds)
{
	size_t len = strlen(text);
	int century, year, month, day, hour = 0, minute = 0, second = 0;

	if ((len != 10 && len != 20) || text[4] != '-' || text[7] != '-')
		return -1;
	century = two_digits(text, 99);
	year = two_digits(text + 2, 99);
	month = two_digits(text + 5, 12);
	day = two_digits(text + 8, 31);
	if (len == 20) {
		if (text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
		    text[19] != 'Z')
			return -1;
		hour = two_digits(text + 11, 23);
		minute = two_digits(text + 14, 59);
		second = two_digits(text + 17, 59);
	}
	if (century < 0 || year < 0 || month < 1 || day < 1 || hour < 0 ||
	    minute < 0 || second < 0)
		return -1;
	/* 30 February would be another day of March. */
	if (days(century * 100 + year, month, day) >=
	    days(century * 100 + year + month / 12, month % 12 + 1, 1))
		return -1;
	*seconds = days(century * 100 + year, month, day) * 86400 +
	    hour * 3600 + minute * 60 + second;
	return 0;
}

const char *
time_text(struct arena *arena, int64_t seconds)
{
	time_t t = (time_t)seconds;
	char text[32];
	struct tm tm;

	if (!gmtime_r(&t, &tm) ||
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		return "1970-01-01T00:00:00Z";
	return arena_strdup(arena, text);
}
