# add_lpgemm_library(NAME sources...
#   [DEPENDS tablegen-targets...]      generated headers that must exist first
#   [LPGEMM_LIBS libraries...]         libraries of this project
#   [MLIR_LIBS libraries...]           MLIR or LLVM component libraries
#   [PRECOMPILE_HEADERS headers...])   costly headers, parsed once per library
#
# One MLIR per process: the library links either libMLIR.so or the component
# archives, never both.
function(add_lpgemm_library name)
  cmake_parse_arguments(ARG "" "" "MLIR_LIBS;LPGEMM_LIBS;DEPENDS;PRECOMPILE_HEADERS" ${ARGN})
  add_mlir_library(${name} ${ARG_UNPARSED_ARGUMENTS} DISABLE_INSTALL EXCLUDE_FROM_LIBMLIR
    DEPENDS ${ARG_DEPENDS}
    LINK_LIBS PUBLIC ${ARG_LPGEMM_LIBS})
  if(MLIR_LINK_MLIR_DYLIB)
    target_link_libraries(${name} PUBLIC MLIR)
  else()
    target_link_libraries(${name} PUBLIC ${ARG_MLIR_LIBS})
  endif()
  if(ARG_PRECOMPILE_HEADERS)
    target_precompile_headers(${name} PRIVATE ${ARG_PRECOMPILE_HEADERS})
    # A time stamp in the precompiled header would defeat ccache.
    target_compile_options(${name} PRIVATE
      $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  endif()
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(${name} PROPERTIES FOLDER "LPGEMM/Libraries")
  target_link_libraries(LPGEMMInitAll INTERFACE ${name})
  install(TARGETS ${name} EXPORT LPGEMMTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# add_lpgemm_tool(NAME source LPGEMM_LIBS ... MLIR_LIBS ...): an executable in
# bin/, which the tests may call by its name.
function(add_lpgemm_tool name)
  cmake_parse_arguments(ARG "" "" "MLIR_LIBS;LPGEMM_LIBS" ${ARGN})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LPGEMM_LIBS})
  mlir_target_link_libraries(${name} PRIVATE ${ARG_MLIR_LIBS})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  add_dependencies(lpgemm-tools ${name})
  set_property(GLOBAL APPEND PROPERTY LPGEMM_TOOLS ${name})
endfunction()
