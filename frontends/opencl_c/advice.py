"""What clang's errors mean here, and what to do: other compilers accept some of these sources."""

from __future__ import annotations

import re
from collections.abc import Sequence

NEWER = "of OpenCL C 2.0: build with -cl-std=CL2.0 or CL3.0"
"""The end of advice about what is not in OpenCL C 1.2."""

_ADVICE = {
    "file not found": "add its folder to the build options, as -I FOLDER",
    "blocks support disabled": "queues on the device, whose kernels are blocks, are not supported",
    "does not support the 'pipe' type qualifier": f"pipes are {NEWER}",
    "is ambiguous": "OpenCL C has this function for arguments of one type only: cast one of them",
    "variables in the local address space can only be declared in the outermost scope": (
        "move the declaration to the beginning of the kernel"
    ),
    "program scope variable must reside in constant address space": (
        "declare it 'constant', or pass a buffer to the kernel"
    ),
    "scalar operand type has greater rank than the type of the vector element": (
        "write the constant with an 'f', or build with -cl-single-precision-constant"
    ),
}
"""Advice for errors that clang reports and other compilers do not: a part of its text -> ours."""
_UNDECLARED = re.compile(r"(?:undeclared identifier|unknown type name) '(\w+)'")
_QUEUES = "queues on the device (__opencl_c_device_enqueue) are not supported"
_SAMPLES = "images of several samples (cl_khr_gl_msaa_sharing) are not supported"
_EXTENSION = "it is of {}, which is not supported here"
_OF_NAMES = {
    r"asm": "inline assembly is not supported",
    r"__(global|device|shared|constant)__|__syncthreads|(thread|block)Idx|(block|grid)Dim": (
        "it is CUDA's: write kernel, local, barrier, get_local_id, get_group_id, get_local_size"
    ),
    r"intel_sub_group_avc_\w+|intel_work_group_vme_\w+": _EXTENSION.format(
        "cl_intel_device_side_avc_motion_estimation"
    ),
    r"intel_sub_group_\w*matrix_mad_\w+": _EXTENSION.format(
        "cl_intel_subgroup_matrix_multiply_accumulate"
    ),
    r"intel_sub_group_2d_block_\w+": _EXTENSION.format("cl_intel_subgroup_2d_block_io"),
    r"intel_sub_group_block_(read|write)_uc\d*": _EXTENSION.format("cl_intel_subgroups_char"),
    r"intel_sub_group_block_(read|write)_ul\d*": _EXTENSION.format("cl_intel_subgroups_long"),
    r"intel_sub_group_block_(read|write)\w*": _EXTENSION.format(
        "cl_intel_subgroup_local_block_io or cl_intel_spirv_subgroups"
    ),
    r"intel_convert_\w*bfloat16\w*": _EXTENSION.format("cl_intel_bfloat16_conversions"),
    r"intel_\w+": _EXTENSION.format("an extension of Intel"),
    r"__builtin_IB_\w+": "it is a function of Intel's compiler for its GPUs only",
    r"(get_)?(max_|enqueued_)?(num_)?sub_group\w*": (
        "the sub-group functions here are those of cl_khr_subgroups, cl_khr_subgroup_* and "
        "cl_intel_subgroups"
    ),
    r"arm_dot\w*": _EXTENSION.format("cl_arm_integer_dot_product_int8")
    + ": use dot and dot_acc_sat of cl_khr_integer_dot_product",
    r"arm_matrix_multiply": _EXTENSION.format("cl_arm_matrix_multiply"),
    r"arm_printf": _EXTENSION.format("cl_arm_printf") + ": use printf",
    r"arm_get_core_id": _EXTENSION.format("cl_arm_get_core_id"),
    r"arm_\w+": _EXTENSION.format("an extension of Arm"),
    r"dot_\w+": "the functions of cl_khr_integer_dot_product have other names",
    r"amd_(pack|unpack[0-3]|bitalign|bytealign|lerp|sad|sad4|sadhi)": _EXTENSION.format(
        "cl_amd_media_ops"
    ),
    r"amd_\w+": _EXTENSION.format("cl_amd_media_ops2"),
    r"__builtin_(amdgcn|r600)_\w+|__ockl_\w+|__ocml_\w+": (
        "it is a function of AMD's compilers for their GPUs only"
    ),
    r"(__nv|__nvvm|nv)_\w+": "it is a function of NVIDIA's compilers only",
    r"__spirv_\w+": "it is a function of SPIR-V compilers only",
    r"qcom_sub_group_\w+": _EXTENSION.format("cl_qcom_subgroup_shuffle"),
    r"qcom_dot8\w*|qcom_udot8\w*": _EXTENSION.format("cl_qcom_dot_product8"),
    r"qcom_bitreverse": _EXTENSION.format("cl_qcom_bitreverse")
    + ": use bit_reverse of cl_khr_extended_bit_ops",
    r"qcom_\w+": _EXTENSION.format("an extension of Qualcomm"),
    r"clock_read_\w+": _EXTENSION.format("cl_khr_kernel_clock"),
    r"async_work_group_copy_\dD\dD": _EXTENSION.format("cl_khr_extended_async_copies"),
    r"get_image_num_mip_levels": _EXTENSION.format("cl_khr_mipmap_image"),
    r"get_image_num_samples|image2d_(array_)?msaa_(depth_)?t": _SAMPLES,
    r"(enqueue_|ndrange_)\w+|queue_t|ndrange_t|clk_event_t|get_default_queue|get_kernel_\w+": (
        _QUEUES
    ),
    # Some of OpenCL C 3.0 are features, which the device has.
    r"\w*(read|write)_pipe|get_pipe_\w+|is_valid_reserve_id|reserve_id_t"
    r"|work_group_\w+|atomic_(init|load|store|exchange|compare|fetch|flag|work)\w*|atomic_\w+_t"
    r"|memory_(order|scope)_\w+|get_\w+_linear_id|get_enqueued_local_size|to_(global|local|private)"
    r"|ctz|atomic_(int|uint|long|ulong|float|double)": f"it is {NEWER}",
    # Macros that a host program defines have such names.
    r"[A-Z][A-Z0-9_]*": "if it is a macro of the host program, add -D NAME=VALUE to the options",
}
"""Names that clang does not know -> what they belong to. The first one that matches counts."""


def advice_for(message: str, notes: Sequence[str]) -> str | None:
    """What an error of clang's means here, or what to do; None where it says so itself."""
    if any("msaa" in text for text in notes):
        return _SAMPLES
    advice = next((text for part, text in _ADVICE.items() if part in message), None)
    name = _UNDECLARED.search(message)
    if advice is not None or name is None:
        return advice
    found = (text for names, text in _OF_NAMES.items() if re.fullmatch(names, name[1]))
    return next(found, None)
