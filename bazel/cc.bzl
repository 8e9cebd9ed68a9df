"""The project's C++ rules: one place for include paths and compiler flags, here and in repositories that depend on this one."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

# Contraction into FMA would break exact zeros and bitwise repeatability: FMA is written where it is meant.
_COPTS = [
    "-Wall",
    "-Wextra",
    "-Wno-maybe-uninitialized",  # GCC's false alarm wherever an inline absl::InlinedVector moves
    "-ffp-contract=off",
    "-fno-math-errno",
    # Errors are values; without landing pads and unwind tables a program is a third smaller.
    "-fno-exceptions",
    "-fno-asynchronous-unwind-tables",
    "-ffunction-sections",
    "-fdata-sections",
    "-fvisibility=hidden",
]

_LINKOPTS = ["-Wl,--gc-sections"]

# One compilation per level, each in the namespace TENFERRO_ISA. aes and pclmul are Highway's conditions for SSE4 and above.
_LEVELS = {
    "v2": ["-march=x86-64-v2", "-mtune=generic", "-maes", "-mpclmul"],
    "v3": ["-march=x86-64-v3", "-mtune=generic", "-maes", "-mpclmul"],
    "v4": ["-march=x86-64-v4", "-mtune=generic", "-maes", "-mpclmul"],
}

def tenferro_cc_library(name, copts = [], **kwargs):
    """cc_library whose headers are included as tenferro/<package>/<file>.h."""
    cc_library(
        name = name,
        copts = _COPTS + copts,
        include_prefix = "tenferro/" + native.package_name(),
        **kwargs
    )

def tenferro_cc_test(name, copts = [], deps = [], size = "small", **kwargs):
    cc_test(
        name = name,
        size = size,
        copts = _COPTS + copts,
        linkopts = _LINKOPTS,
        deps = deps + ["@googletest//:gtest_main"],
        **kwargs
    )

def tenferro_cc_binary(name, copts = [], linkopts = [], **kwargs):
    cc_binary(
        name = name,
        copts = _COPTS + copts,
        linkopts = _LINKOPTS + linkopts,
        **kwargs
    )

def tenferro_isa_library(name, srcs, copts = [], visibility = None, **kwargs):
    """Compiles srcs once per ISA level, in namespace TENFERRO_ISA (isa_v2, isa_v3, isa_v4; isa_neon on arm64).

    The sources include nothing but Highway, SLEEF and plain structs: an inline
    function of any other header would be emitted for the wrong level and the linker could keep that copy.
    """
    for level, march in _LEVELS.items():
        cc_library(
            name = "%s_%s" % (name, level),
            srcs = srcs,
            copts = _COPTS + ["-O3", "-DTENFERRO_ISA=isa_" + level] + march + copts,
            include_prefix = "tenferro/" + native.package_name(),
            visibility = ["//visibility:private"],
            **kwargs
        )
    cc_library(
        name = name + "_neon",
        srcs = srcs,
        copts = _COPTS + ["-O3", "-DTENFERRO_ISA=isa_neon"] + copts,
        include_prefix = "tenferro/" + native.package_name(),
        visibility = ["//visibility:private"],
        tags = ["manual"],
        **kwargs
    )
    cc_library(
        name = name,
        visibility = visibility,
        deps = select({
            "@platforms//cpu:aarch64": [name + "_neon"],
            "//conditions:default": ["%s_%s" % (name, level) for level in _LEVELS],
        }),
    )

def tenferro_symbols_test(name, libraries):
    """Tests that isa libraries define no symbol outside their own namespaces."""
    archives = name + "_archives"
    native.filegroup(
        name = archives,
        testonly = True,
        srcs = [":%s_%s" % (library, level) for library in libraries for level in _LEVELS],
        output_group = "archive",
    )
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["//cpu/kernels:symbols_test.sh"],
        args = ["$(locations :%s)" % archives],
        data = [":" + archives],
        target_compatible_with = ["@platforms//cpu:x86_64"],
    )
