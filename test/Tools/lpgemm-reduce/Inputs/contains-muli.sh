#!/bin/sh
# Status 1 means interesting.
if grep -q arith.muli "$1"; then exit 1; fi
