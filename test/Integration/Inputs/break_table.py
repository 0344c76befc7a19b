"""Changes one entry of a decode table of a lowered module.

usage: break_table.py MODULE TABLE ENTRY

Writes the module with the lowest exponent bit of that f64 entry flipped, which
doubles or halves the value.
"""

import re
import sys


def main():
    path, table, entry = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(path) as file:
        text = file.read()
    match = re.search(rf'@{table} : memref<256xf64> = dense<"0x([0-9A-F]*)">', text)
    # Little-endian: bits 52 to 55 are the upper half of byte 6 of 8.
    digit = match.start(1) + 16 * entry + 12
    changed = f"{int(text[digit], 16) ^ 1:X}"
    sys.stdout.write(text[:digit] + changed + text[digit + 1 :])


if __name__ == "__main__":
    main()
