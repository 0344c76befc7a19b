#!/usr/bin/env python3
"""Prints the counts of a JSON report by lit, and fails if a test did.

usage: count-tests.py REPORT

A test that fails as expected has passed; one that this machine cannot run is
skipped; every other result, also one that lit may add later, is a failure.
"""
import json
import sys

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main():
    with open(sys.argv[1]) as report:
        codes = [test["code"] for test in json.load(report)["tests"]]
    passed = sum(code in PASSED for code in codes)
    skipped = sum(code in SKIPPED for code in codes)
    failed = len(codes) - passed - skipped
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
