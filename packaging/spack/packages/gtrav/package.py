# Spack (1.0 or newer) installs gtrav from a checkout with it:
#   spack repo add packaging/spack && spack dev-build gtrav@main +cuda cuda_arch=90
from spack.package import conflicts, depends_on, license, variant, version
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.makefile import MakefilePackage


class Gtrav(MakefilePackage, CudaPackage):
    """Graph traversal on GPUs and CPUs, measured and verified."""

    homepage = "https://example.org/gtrav"
    git = "https://example.org/gtrav.git"
    license("MIT")

    version("main", branch="main")

    variant("emulator", default=True, description="Run the GPU's kernels on the CPU, to test them")
    variant("mpi", default=False, description="Share the work among processes")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake", type="build")
    depends_on("binutils", type="build")
    depends_on("help2man", type="build")
    depends_on("zlib-api")
    depends_on("boost+context", when="+emulator")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12.8:", when="+cuda")
    conflicts("cuda_arch=none", when="+cuda", msg="name your GPU: cuda_arch=90")

    def settings(self):
        """Settings of config.mk. An optional part is found by make, unless its setting is empty here."""
        settings = [f"PREFIX={self.prefix}", "WEBGPU=", "NCCL="]
        if "+cuda" in self.spec:
            settings += [f"NVCC={self.spec['cuda'].prefix.bin.nvcc}"]
            settings += [f"CUDA_ARCH={' '.join(self.spec.variants['cuda_arch'].value)}"]
        absent = {"+cuda": "NVCC=", "+emulator": "BOOST=", "+mpi": "MPI="}
        return settings + [setting for part, setting in absent.items() if part not in self.spec]

    @property
    def build_targets(self):
        return ["all", *self.settings()]

    @property
    def install_targets(self):
        return ["install", *self.settings()]
