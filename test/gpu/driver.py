"""Computes on an NVIDIA GPU through the driver's library, so that no package is needed.

Source of the calls: NVIDIA, CUDA Driver API.
"""

import ctypes

_PTX = b"""
.version 6.4
.target sm_75
.address_size 64
.visible .entry square(.param .u64 numbers, .param .u32 count)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [numbers];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra DONE;
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r5, 8;
    add.u64 %rd4, %rd2, %rd3;
    ld.global.u64 %rd5, [%rd4];
    mul.lo.u64 %rd5, %rd5, %rd5;
    st.global.u64 [%rd4], %rd5;
DONE:
    ret;
}
"""
_THREADS = 256


class Driver:
    """One GPU's primary context, current in this thread."""

    def __init__(self):
        self._cuda = ctypes.CDLL("libcuda.so.1")
        self._call("cuInit", 0)
        self._device = ctypes.c_int()
        self._call("cuDeviceGet", ctypes.byref(self._device), 0)
        context = ctypes.c_void_p()
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self._device)
        self._call("cuCtxSetCurrent", context)

    def name(self):
        """The name of the GPU, such as `NVIDIA L4`."""
        name = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", name, len(name), self._device)
        return name.value.decode()

    def used(self):
        """Bytes of the GPU's memory that all processes use together."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self._call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return total.value - free.value

    def allocate(self, size):
        """Allocates bytes of the GPU's memory, which the process keeps until its end."""
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def sum_of_squares(self, count):
        """Squares the numbers below `count` on the GPU, and adds them up on the CPU."""
        module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        self._call("cuModuleLoadData", ctypes.byref(module), _PTX)
        self._call("cuModuleGetFunction", ctypes.byref(kernel), module, b"square")
        numbers = (ctypes.c_uint64 * count)(*range(count))
        size = ctypes.c_size_t(ctypes.sizeof(numbers))
        address, length = self.allocate(size.value), ctypes.c_uint32(count)
        self._call("cuMemcpyHtoD_v2", address, numbers, size)
        pointers = [
            ctypes.cast(ctypes.byref(value), ctypes.c_void_p)
            for value in (address, length)
        ]
        arguments = (ctypes.c_void_p * 2)(*pointers)
        blocks = (count + _THREADS - 1) // _THREADS
        self._call(
            "cuLaunchKernel",
            kernel,
            blocks,
            1,
            1,
            _THREADS,
            1,
            1,
            0,
            None,
            arguments,
            None,
        )
        self._call("cuMemcpyDtoH_v2", numbers, address, size)
        self._call("cuMemFree_v2", address)
        return sum(numbers)

    def _call(self, function, *arguments):
        error = getattr(self._cuda, function)(*arguments)
        if error:
            name = ctypes.c_char_p()
            self._cuda.cuGetErrorName(error, ctypes.byref(name))
            raise RuntimeError(
                f"{function}: {(name.value or str(error).encode()).decode()}"
            )
