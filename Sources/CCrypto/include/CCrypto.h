#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// AES-CMAC (RFC 4493) by OpenSSL's libcrypto, which is loaded when this is called first: a program that signs nothing
/// does without it.
///
/// @param key sixteen octets, the most significant first.
/// @param message `length` octets.
/// @param code gets sixteen octets, the most significant first.
/// @return 0; -1 when libcrypto is not there, -2 when it does not compute the code.
int ccrypto_aes_cmac(const uint8_t *key, const uint8_t *message, size_t length, uint8_t *code);

#endif
