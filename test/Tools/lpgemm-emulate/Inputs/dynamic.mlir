// A memref whose extents the kernel must be told.
gpu.module @m {
  gpu.func @fill(%x: memref<?x?xi32>, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = memref.dim %x, %c0 : memref<?x?xi32>
    %columns = memref.dim %x, %c1 : memref<?x?xi32>
    %isIn = arith.cmpi ult, %tid, %columns : index
    scf.if %isIn {
      scf.for %row = %c0 to %rows step %c1 {
        %0 = arith.muli %row, %n : index
        %1 = arith.addi %0, %tid : index
        %2 = arith.index_cast %1 : index to i32
        memref.store %2, %x[%row, %tid] : memref<?x?xi32>
      }
    }
    gpu.return
  }
}
