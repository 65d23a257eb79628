/* The codec that the benchmark compares with, as a careful C programmer writes it: the same checks in the same places
 * (opcode, every length before every read), fields copied out of the packet, values left where they are, no
 * allocation. It is written for comparison only and is linked into nothing but the benchmark.
 *
 * Each decoder returns false for what it refuses. A digest folds every field in, so that neither side can leave a
 * field undecoded. */
#include "CBenchmark.h"

#include <stdbool.h>
#include <string.h>

/* Unaligned little-endian loads and stores, as compilers turn them into one instruction each. */
static inline uint16_t get16(const uint8_t *p) {
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t get64(const uint8_t *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void put16(uint8_t *p, uint16_t v) { memcpy(p, &v, sizeof v); }

static inline uint64_t fold(uint64_t digest, uint64_t field) { return (digest ^ field) * 0x9E3779B97F4A7C15u; }

struct value {
    const uint8_t *octets;
    size_t length;
};

/* The event types of legacy reports as the properties of extended ones, and the other way round nothing. */
static inline uint16_t legacy_properties(uint8_t type) {
    switch (type) {
    case 0: return 0x13;
    case 1: return 0x15;
    case 2: return 0x12;
    case 3: return 0x10;
    case 4: return 0x1A;
    default: return 0x10;
    }
}

/* Folds a value in by its length and its first and last octets. */
static inline uint64_t fold_value(uint64_t digest, struct value value) {
    digest = fold(digest, value.length);
    if (value.length) digest = fold(digest, (uint64_t)value.octets[0] << 8 | value.octets[value.length - 1]);
    return digest;
}

static inline bool decode_handle_value(uint8_t opcode, const uint8_t *pdu, size_t length, uint16_t *handle,
                                       struct value *value) {
    if (length < 3 || pdu[0] != opcode) return false;
    *handle = get16(pdu + 1);
    value->octets = pdu + 3;
    value->length = length - 3;
    return true;
}

static inline bool decode(enum reference_case which, const uint8_t *pdu, size_t length, uint64_t *digest) {
    uint64_t d = *digest;
    uint16_t handle;
    struct value value;
    switch (which) {
    case REFERENCE_NOTIFICATION:
        if (!decode_handle_value(0x1B, pdu, length, &handle, &value)) return false;
        d = fold_value(fold(d, handle), value);
        break;
    case REFERENCE_WRITE_REQUEST:
        if (!decode_handle_value(0x12, pdu, length, &handle, &value)) return false;
        d = fold_value(fold(d, handle), value);
        break;
    case REFERENCE_READ_BY_TYPE_RESPONSE: {
        if (length < 2 || pdu[0] != 0x09) return false;
        size_t each = pdu[1], rest = length - 2;
        if (each < 2 || rest == 0 || (uint32_t)rest % (uint32_t)each != 0) return false;
        for (size_t at = 2; at < length; at += each) {
            value.octets = pdu + at + 2;
            value.length = each - 2;
            d = fold_value(fold(d, get16(pdu + at)), value);
        }
        break;
    }
    case REFERENCE_READ_BY_GROUP_TYPE_RESPONSE: {
        if (length < 2 || pdu[0] != 0x11) return false;
        size_t each = pdu[1], rest = length - 2;
        if (each < 4 || rest == 0 || (uint32_t)rest % (uint32_t)each != 0) return false;
        for (size_t at = 2; at < length; at += each) {
            value.octets = pdu + at + 4;
            value.length = each - 4;
            d = fold_value(fold(fold(d, get16(pdu + at)), get16(pdu + at + 2)), value);
        }
        break;
    }
    case REFERENCE_FIND_INFORMATION_RESPONSE: {
        if (length < 2 || pdu[0] != 0x05) return false;
        size_t rest = length - 2;
        if (pdu[1] == 1) {
            if (rest == 0 || rest % 4 != 0) return false;
            /* A UUID is 128 bits wide for its user, whatever its form in the packet. */
            for (size_t at = 2; at < length; at += 4)
                d = fold(fold(fold(d, get16(pdu + at)), (uint64_t)get16(pdu + at + 2) << 32 | 0x1000),
                         0x800000805F9B34FBu);
        } else if (pdu[1] == 2) {
            if (rest == 0 || rest % 18 != 0) return false;
            for (size_t at = 2; at < length; at += 18)
                d = fold(fold(fold(d, get16(pdu + at)), get64(pdu + at + 10)), get64(pdu + at + 2));
        } else {
            return false;
        }
        break;
    }
    case REFERENCE_ERROR_RESPONSE:
        if (length != 5 || pdu[0] != 0x01) return false;
        d = fold(fold(fold(d, pdu[1]), get16(pdu + 2)), pdu[4]);
        break;
    case REFERENCE_PREPARE_WRITE_REQUEST:
        if (length < 5 || pdu[0] != 0x16) return false;
        value.octets = pdu + 5;
        value.length = length - 5;
        d = fold_value(fold(fold(d, get16(pdu + 1)), get16(pdu + 3)), value);
        break;
    case REFERENCE_READ_BY_TYPE_REQUEST: {
        uint64_t high, low;
        if (length == 7) {
            if (pdu[0] != 0x08) return false;
            high = (uint64_t)get16(pdu + 5) << 32 | 0x1000;
            low = 0x800000805F9B34FBu;
        } else if (length == 21) {
            if (pdu[0] != 0x08) return false;
            low = get64(pdu + 5);
            high = get64(pdu + 13);
        } else {
            return false;
        }
        d = fold(fold(fold(fold(d, get16(pdu + 1)), get16(pdu + 3)), high), low);
        break;
    }
    case REFERENCE_ADVERTISING_REPORT:
    case REFERENCE_EXTENDED_ADVERTISING_REPORT: {
        /* An HCI event packet without its H4 indicator: code, length, subevent, number of reports, reports. */
        bool extended = which == REFERENCE_EXTENDED_ADVERTISING_REPORT;
        if (length < 4 || pdu[0] != 0x3E || (size_t)pdu[1] + 2 > length) return false;
        if (pdu[2] != (extended ? 0x0D : 0x02)) return false;
        size_t end = (size_t)pdu[1] + 2, at = 4;
        for (unsigned left = pdu[3]; left; left--) {
            size_t header = extended ? 24 : 9, data_length;
            if (end - at < header + (extended ? 0 : 1)) return false;
            uint16_t type = extended ? get16(pdu + at) & 0x1F : legacy_properties(pdu[at]);
            const uint8_t *address = pdu + at + (extended ? 2 : 1);
            int8_t rssi;
            data_length = pdu[at + header - 1];
            if (end - at - header < data_length + (extended ? 0 : 1)) return false;
            rssi = (int8_t)(extended ? pdu[at + 13] : pdu[at + header + data_length]);
            uint64_t low = (uint64_t)get16(address + 1) | (uint64_t)get16(address + 3) << 16 |
                           (uint64_t)get16(address + 5) << 32;
            d = fold(fold(fold(fold(d, type), address[0]), low), (uint8_t)rssi);
            /* The AD structures: length, type, data; a length of 0 ends them early. */
            const uint8_t *ad = pdu + at + header;
            size_t position = 0;
            while (position < data_length) {
                size_t structure = ad[position];
                if (structure == 0 || structure > data_length - position - 1) break;
                value.octets = ad + position + 2;
                value.length = structure - 1;
                d = fold_value(fold(d, ad[position + 1]), value);
                position += 1 + structure;
            }
            at += header + data_length + (extended ? 0 : 1);
        }
        break;
    }
    }
    *digest = d;
    return true;
}

/* One loop a case, so that `which` is a constant inside it, as it is in the Swift side's generic loops. */
#define LOOP(CASE)                                                                                                     \
    case CASE:                                                                                                         \
        for (uint64_t i = 0; i < rounds; i++)                                                                          \
            if (!decode(CASE, ring + (i & (count - 1)) * stride, length, &digest)) return 0;                           \
        break

__attribute__((noinline)) uint64_t reference_decode(enum reference_case which, const uint8_t *ring, size_t stride,
                                                    size_t length, size_t count, uint64_t rounds) {
    uint64_t digest = 1;
    switch (which) {
        LOOP(REFERENCE_NOTIFICATION);
        LOOP(REFERENCE_READ_BY_TYPE_RESPONSE);
        LOOP(REFERENCE_READ_BY_GROUP_TYPE_RESPONSE);
        LOOP(REFERENCE_FIND_INFORMATION_RESPONSE);
        LOOP(REFERENCE_ERROR_RESPONSE);
        LOOP(REFERENCE_WRITE_REQUEST);
        LOOP(REFERENCE_PREPARE_WRITE_REQUEST);
        LOOP(REFERENCE_READ_BY_TYPE_REQUEST);
        LOOP(REFERENCE_ADVERTISING_REPORT);
        LOOP(REFERENCE_EXTENDED_ADVERTISING_REPORT);
    }
    return digest;
}

/* Encoders: room is checked before the first octet is written. They return the octets written, 0 for no room. */

static inline size_t encode_handle_value(uint8_t opcode, uint16_t handle, const uint8_t *value, size_t length,
                                         uint8_t *out, size_t room) {
    if (room < 3 + length) return 0;
    out[0] = opcode;
    put16(out + 1, handle);
    memcpy(out + 3, value, length);
    return 3 + length;
}

static inline size_t encode(enum reference_case which, uint16_t a, uint16_t b, const uint8_t *value, size_t length,
                            uint8_t *out, size_t room) {
    switch (which) {
    case REFERENCE_NOTIFICATION: return encode_handle_value(0x1B, a, value, length, out, room);
    case REFERENCE_WRITE_REQUEST: return encode_handle_value(0x12, a, value, length, out, room);
    case REFERENCE_PREPARE_WRITE_REQUEST:
        if (room < 5 + length) return 0;
        out[0] = 0x16;
        put16(out + 1, a);
        put16(out + 3, b);
        memcpy(out + 5, value, length);
        return 5 + length;
    case REFERENCE_ERROR_RESPONSE:
        if (room < 5) return 0;
        out[0] = 0x01;
        out[1] = (uint8_t)b;
        put16(out + 2, a);
        out[4] = (uint8_t)(b >> 8);
        return 5;
    case REFERENCE_READ_BY_TYPE_REQUEST:
        if (room < 7) return 0;
        out[0] = 0x08;
        put16(out + 1, a);
        put16(out + 3, 0xFFFF);
        put16(out + 5, b);
        return 7;
    case REFERENCE_READ_BY_TYPE_RESPONSE:
        /* Three entries, appended one by one as a server does. */
        if (room < 2) return 0;
        out[0] = 0x09;
        out[1] = (uint8_t)(2 + length);
        for (size_t i = 0, at = 2; i < 3; i++, at += 2 + length) {
            if (room - at < 2 + length) return 0;
            put16(out + at, (uint16_t)(a + i));
            memcpy(out + at + 2, value, length);
        }
        return 2 + 3 * (2 + length);
    case REFERENCE_READ_BY_GROUP_TYPE_RESPONSE:
        if (room < 2) return 0;
        out[0] = 0x11;
        out[1] = (uint8_t)(4 + length);
        for (size_t i = 0, at = 2; i < 3; i++, at += 4 + length) {
            if (room - at < 4 + length) return 0;
            put16(out + at, (uint16_t)(a + i));
            put16(out + at + 2, (uint16_t)(b + i));
            memcpy(out + at + 4, value, length);
        }
        return 2 + 3 * (4 + length);
    case REFERENCE_FIND_INFORMATION_RESPONSE:
        if (room < 2) return 0;
        out[0] = 0x05;
        out[1] = 1;
        for (size_t i = 0, at = 2; i < 5; i++, at += 4) {
            if (room - at < 4) return 0;
            put16(out + at, (uint16_t)(a + i));
            put16(out + at + 2, (uint16_t)(b + i));
        }
        return 22;
    case REFERENCE_ADVERTISING_REPORT:
    case REFERENCE_EXTENDED_ADVERTISING_REPORT: return 0; /* a host never sends them */
    }
    return 0;
}

#define ENCODE_LOOP(CASE)                                                                                              \
    case CASE:                                                                                                         \
        for (uint64_t i = 0; i < rounds; i++) {                                                                        \
            size_t written = encode(CASE, (uint16_t)i | 1, (uint16_t)(i >> 3), ring + (i & (count - 1)) * stride,      \
                                    length, buffer, room);                                                             \
            if (!written) return 0;                                                                                    \
            benchmark_keep(buffer);                                                                                    \
            digest = fold(fold(digest, written), (uint64_t)buffer[1] << 8 | buffer[written - 1]);                      \
        }                                                                                                              \
        break

__attribute__((noinline)) uint64_t reference_encode(enum reference_case which, const uint8_t *ring, size_t stride,
                                                    size_t length, size_t count, uint64_t rounds, uint8_t *buffer,
                                                    size_t room) {
    uint64_t digest = 1;
    switch (which) {
        ENCODE_LOOP(REFERENCE_NOTIFICATION);
        ENCODE_LOOP(REFERENCE_READ_BY_TYPE_RESPONSE);
        ENCODE_LOOP(REFERENCE_READ_BY_GROUP_TYPE_RESPONSE);
        ENCODE_LOOP(REFERENCE_FIND_INFORMATION_RESPONSE);
        ENCODE_LOOP(REFERENCE_ERROR_RESPONSE);
        ENCODE_LOOP(REFERENCE_WRITE_REQUEST);
        ENCODE_LOOP(REFERENCE_PREPARE_WRITE_REQUEST);
        ENCODE_LOOP(REFERENCE_READ_BY_TYPE_REQUEST);
    case REFERENCE_ADVERTISING_REPORT:
    case REFERENCE_EXTENDED_ADVERTISING_REPORT: return 0;
    }
    return digest;
}
