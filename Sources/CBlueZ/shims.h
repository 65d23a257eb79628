#ifndef CBLUEZ_SHIMS_H
#define CBLUEZ_SHIMS_H
/*
 * The Linux Bluetooth interfaces as libbluetooth's headers name them, and the few things in them that Swift cannot
 * import: ioctl numbers made by function-like macros and structures that end in a flexible array.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <bluetooth/l2cap.h>

/* ioctl requests of an HCI socket. */
static inline unsigned long cbluez_HCIDEVUP(void) { return HCIDEVUP; }
static inline unsigned long cbluez_HCIDEVDOWN(void) { return HCIDEVDOWN; }
static inline unsigned long cbluez_HCIGETDEVLIST(void) { return HCIGETDEVLIST; }
static inline unsigned long cbluez_HCIGETDEVINFO(void) { return HCIGETDEVINFO; }
static inline unsigned long cbluez_HCIGETCONNLIST(void) { return HCIGETCONNLIST; }

/* How many adapters a list request asks for at most; the kernel's own limit is two pages of entries. */
#define CBLUEZ_MAX_ADAPTERS 64

/* struct hci_dev_list_req with room for the entries that the header leaves open. */
struct cbluez_dev_list {
    uint16_t dev_num;
    struct hci_dev_req dev_req[CBLUEZ_MAX_ADAPTERS];
};
_Static_assert(offsetof(struct cbluez_dev_list, dev_req) == sizeof(struct hci_dev_list_req),
               "the entries begin where the kernel writes them");

static inline struct hci_dev_req cbluez_dev_list_entry(const struct cbluez_dev_list *list, unsigned index) {
    struct hci_dev_req none = {HCI_DEV_NONE, 0};
    return index < CBLUEZ_MAX_ADAPTERS ? list->dev_req[index] : none;
}

/* How many connections of an adapter a list request asks for at most; the kernel's own limit is two pages of entries. */
#define CBLUEZ_MAX_CONNECTIONS 64

/* struct hci_conn_list_req with room for the entries that the header leaves open. */
struct cbluez_connection_list {
    uint16_t dev_id;
    uint16_t conn_num;
    struct hci_conn_info conn_info[CBLUEZ_MAX_CONNECTIONS];
};
_Static_assert(offsetof(struct cbluez_connection_list, conn_info) == sizeof(struct hci_conn_list_req),
               "the entries begin where the kernel writes them");

static inline struct hci_conn_info cbluez_connection_list_entry(
    const struct cbluez_connection_list *list, unsigned index) {
    struct hci_conn_info none;
    memset(&none, 0, sizeof none);
    return index < CBLUEZ_MAX_CONNECTIONS ? list->conn_info[index] : none;
}

/* The filter of a raw HCI socket is 14 octets and two of padding; kernels from 6.8 on refuse a length below 16. */
_Static_assert(sizeof(struct hci_filter) == 16, "the filter is passed with its padding");

/* The filter's fields, every octet of the padding set. */
static inline struct hci_filter cbluez_hci_filter(uint32_t types, uint64_t events) {
    struct hci_filter filter;
    memset(&filter, 0, sizeof filter);
    filter.type_mask = types;
    filter.event_mask[0] = (uint32_t)events;
    filter.event_mask[1] = (uint32_t)(events >> 32);
    return filter;
}
static inline uint64_t cbluez_hci_filter_events(const struct hci_filter *filter) {
    return filter->event_mask[0] | (uint64_t)filter->event_mask[1] << 32;
}

/* The address of an HCI socket; HCI_DEV_NONE binds to no adapter. */
static inline struct sockaddr_hci cbluez_hci_address(uint16_t device, uint16_t channel) {
    struct sockaddr_hci address;
    memset(&address, 0, sizeof address);
    address.hci_family = AF_BLUETOOTH;
    address.hci_dev = device;
    address.hci_channel = channel;
    return address;
}

/* The LE address of an L2CAP socket on a fixed channel, from the 48 bits of a device address; 0 is BDADDR_ANY. The PSM
   stays 0: the kernel answers EINVAL to a PSM and a channel together. */
static inline struct sockaddr_l2 cbluez_l2cap_le_address(uint64_t bits, uint8_t type, uint16_t cid) {
    struct sockaddr_l2 address;
    memset(&address, 0, sizeof address);
    address.l2_family = AF_BLUETOOTH;
    address.l2_cid = htobs(cid);
    address.l2_bdaddr_type = type;
    for (int i = 0; i < 6; i++) address.l2_bdaddr.b[i] = (uint8_t)(bits >> (8 * i));
    return address;
}

/* The 48 bits of an address, the octet that is written first the most significant. */
static inline uint64_t cbluez_bdaddr_bits(const bdaddr_t *address) {
    uint64_t bits = 0;
    for (int i = 5; i >= 0; i--) bits = bits << 8 | address->b[i];
    return bits;
}

#endif
