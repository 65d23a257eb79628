#ifndef CBLUEZ_SHIMS_H
#define CBLUEZ_SHIMS_H
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <bluetooth/l2cap.h>
#endif
