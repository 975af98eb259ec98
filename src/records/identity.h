/* identity.h: which build made a measurement, when, and with how many threads. */
#pragma once

/* The release, from the file VERSION: "1.2.0". */
const char *build_release(void);

/* The version of the sources, from git or the file VERSION: "v1.2-3-gabcdef". */
const char *build_version(void);

/* The first 12 hexadecimal digits of the linker's build id of this program: a hash of its code and constants, version
 * included, whenever and by whomever it was built. If the program has no build id, build_version(). */
const char *build_id(void);

/* The launch: a random number of this process, in 16 hexadecimal digits. */
const char *launch_id(void);

/* The place of this process among the launches of `gtrav compare`, from "1" on; "" if started otherwise. */
#define TURN_VARIABLE "GTRAV_TURN"
const char *launch_turn(void);

/* Writes the number of OpenMP threads of the request's algorithm; "" if times do not depend on it, as on a GPU. */
#define THREADS_BYTES 16
struct bench_request;
void request_threads(const struct bench_request *request, char text[THREADS_BYTES]);

/* The current time in the format of the records: "2026-01-31T12:59:59Z". */
#define DATE_BYTES 32
void put_date(char date[DATE_BYTES]);
