# Builds an image with CUDA 13 or, by the second command, without a GPU. docs/artifact.md says how to run it:
#   docker build -t gtrav --build-arg GTRAV_VERSION=$(git describe --always --dirty --tags) .
#   docker build -t gtrav --build-arg BASE=debian:bookworm-slim .
ARG BASE=nvidia/cuda:13.0.1-devel-ubuntu24.04
FROM ${BASE}
# As in config.mk: all, or your GPU's compute capability, such as 90, which builds six times as fast.
ARG CUDA_ARCH=all
# What records name as the version: the image has no .git. If empty: the release.
ARG GTRAV_VERSION
# With the same settings, make finds nothing to build in a container. The graphics capability is for Vulkan, thus WebGPU.
ENV CUDA_ARCH=${CUDA_ARCH} GTRAV_VERSION=${GTRAV_VERSION} NVIDIA_DRIVER_CAPABILITIES=compute,utility,graphics
WORKDIR /gtrav
COPY . .
RUN ./gtrav-setup run && ./gtrav-setup webgpu && make install
CMD ["gtrav", "--list"]
