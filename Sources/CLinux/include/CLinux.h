#ifndef CLINUX_H
#define CLINUX_H
/* Parts of Linux that the Glibc module does not carry. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#endif
