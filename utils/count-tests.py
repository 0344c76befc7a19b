#!/usr/bin/env python3
"""Prints the counts of a test run by lit, and fails if a test did.

usage: count-tests.py REPORT.json REPORT.xml

It needs both of lit's reports: the JSON report leaves out unit tests that skip
themselves, the xunit report calls a test passed that was expected to fail.
A test that fails as expected has passed; one that this machine cannot run is
skipped; every other result is a failure.
"""
import json
import sys
import xml.etree.ElementTree


def main():
    with open(sys.argv[1]) as report:
        codes = [test["code"] for test in json.load(report)["tests"]]
    suites = xml.etree.ElementTree.parse(sys.argv[2]).iter("testsuite")
    skipped = sum(int(suite.get("skipped")) for suite in suites)
    passed = sum(code in ("PASS", "XFAIL", "FLAKYPASS") for code in codes)
    failed = len(codes) - passed - codes.count("UNSUPPORTED")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
