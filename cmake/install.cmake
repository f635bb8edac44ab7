# install.cmake: cmake --install, and find_package(pliant) for the users of what was installed.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)

install(TARGETS pliant EXPORT pliant-targets)
if(TARGET pliant_shared) # pliant::shared
    install(TARGETS pliant_shared EXPORT pliant-targets)
endif()
install(DIRECTORY include/pliant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT pliant-targets NAMESPACE pliant:: DESTINATION ${package_dir})

configure_package_config_file(cmake/pliant-config.cmake.in ${PROJECT_BINARY_DIR}/pliant-config.cmake
    INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pliant-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pliant-config.cmake ${PROJECT_BINARY_DIR}/pliant-config-version.cmake
    DESTINATION ${package_dir})

install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant FILES_MATCHING PATTERN "*.json")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET pliant_cli)
    install(TARGETS pliant_cli)
endif()
