// The Generic Access Profile: what a scanner hears.
//
// An advertiser broadcasts up to 31 octets of advertising data in a legacy packet and, when asked by an active
// scanner, up to 31 more as a scan response; with extended advertising up to 1650 octets, which a controller hands to
// the host in fragments (Core Specification, Vol 3, Part C, 11; Vol 4, Part E, 7.7.65.13). The data is a row of AD
// structures:
//
//     ┌────────┬─────────┬──────────────────┬────────┬─────────┬── … ──┬──────────────────────┐
//     │ length │ AD type │ length − 1 octets│ length │ AD type │       │ 00 00 … early end    │
//     └────────┴─────────┴──────────────────┴────────┴─────────┴── … ──┴──────────────────────┘
//
// A length of zero ends the significant part early; what follows is padding. A length that runs past the end is
// malformed: the structures before it are good and are kept. What each AD type carries is in the Supplement to the
// Core Specification (CSS), Part A, 1.
//
// This module reads all of that without I/O, without a clock and without Foundation: addresses, AD structures as views
// over the received octets, advertising reports, and the two things a host must do over many reports within bounded
// memory: join fragments, and remember advertisers so that repeats can be told from news.

@_exported public import Wire
