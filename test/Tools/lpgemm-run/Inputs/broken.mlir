func.func @matmul( {
