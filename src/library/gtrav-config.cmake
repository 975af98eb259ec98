# find_package(gtrav) defines the target gtrav::gtrav.
if(NOT TARGET gtrav::gtrav)
  add_library(gtrav::gtrav SHARED IMPORTED)
  get_filename_component(gtrav_prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
  set_target_properties(gtrav::gtrav PROPERTIES
    IMPORTED_LOCATION ${gtrav_prefix}/lib/libgtrav.so.1
    INTERFACE_INCLUDE_DIRECTORIES ${gtrav_prefix}/include)
endif()
