// RUN: lpgemm-opt %s -split-input-file -verify-diagnostics --lpgemm-insert-waits

func.func @never() {
  // expected-error @+1 {{expects the token to be waited for on every path}}
  %t = lpgemm.commit load
  return
}

// -----

func.func @one_branch(%c: i1) {
  // expected-error @+1 {{expects the token to be waited for on every path}}
  %t = lpgemm.commit ds
  scf.if %c {
    lpgemm.wait %t
  }
  return
}

// -----

func.func @loop_may_not_run(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expects the token to be waited for on every path}}
  %t = lpgemm.commit load
  scf.for %i = %c0 to %n step %c1 {
    lpgemm.wait %t
  }
  return
}

// -----

func.func @dropped_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{expects the token to be waited for on every path}}
    %t = lpgemm.commit load
  }
  return
}

// -----

func.func @result_of_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = lpgemm.commit load
  // expected-error @+1 {{expects the token to be waited for on every path}}
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t0) -> !lpgemm.token {
    lpgemm.wait %u
    %v = lpgemm.commit load
    scf.yield %v : !lpgemm.token
  }
  return
}

// -----

func.func @while(%c: i1) {
  // expected-error @+1 {{'scf.while' op expects no tokens: they are followed through scf.for and scf.if only}}
  scf.while : () -> () {
    lpgemm.wait
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// -----

// expected-error @+1 {{'func.func' op expects tokens in structured control flow, and none among the arguments}}
func.func @argument(%t: !lpgemm.token) {
  lpgemm.wait %t
  return
}

// -----

// expected-error @+1 {{'func.func' op expects tokens in structured control flow, and none among the arguments}}
func.func @blocks() {
  cf.br ^bb1
^bb1:
  lpgemm.wait
  return
}
