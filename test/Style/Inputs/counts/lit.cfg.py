import os

import lit.formats

config.name = "counts"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".test"]
config.test_exec_root = os.environ["COUNTS_DIR"]
