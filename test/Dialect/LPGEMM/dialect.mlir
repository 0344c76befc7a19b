// RUN: lpgemm-opt --show-dialects | FileCheck %s

// CHECK: lpgemm
