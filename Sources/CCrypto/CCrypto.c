#include "CCrypto.h"

#include <dlfcn.h>
#include <pthread.h>

// OpenSSL 3.0's one call for a whole message authentication code; declared here, so that no header has to be installed.
typedef unsigned char *(*mac_function)(void *context, const char *name, const char *properties, const char *algorithm,
                                       const void *parameters, const void *key, size_t key_length,
                                       const unsigned char *data, size_t data_length, unsigned char *code,
                                       size_t code_size, size_t *code_length);

static mac_function compute;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library) *(void **)&compute = dlsym(library, "EVP_Q_mac");
}

int ccrypto_aes_cmac(const uint8_t *key, const uint8_t *message, size_t length, uint8_t *code) {
    pthread_once(&once, load);
    if (!compute) return -1;
    size_t written = 0;
    static const uint8_t nothing[1];
    if (!compute(NULL, "CMAC", NULL, "AES-128-CBC", NULL, key, 16, length ? message : nothing, length, code, 16,
                 &written))
        return -2;
    return written == 16 ? 0 : -2;
}
